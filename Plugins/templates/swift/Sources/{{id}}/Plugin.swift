import ForageCore
import ForagePluginSDK

@main struct Plugin: ForagePlugin {
  static let version = "0.1.0"
  let info = ProviderInfo(id: "{{id}}", name: "{{name}}")
  let kinds: [ResultKind: Abilities] = [
    .package: Abilities(fields: [.description, .language, "version"], qualifiers: ["language": .exact])
  ]

  /// What is searched. Replace it by your own source: a file, a database, an API.
  private let things = [
    ("swift-nio", "Event-driven networking, with HTTP", "2.101.2"),
    ("async-http-client", "HTTP client on networking", "1.37.0"),
    ("hummingbird", "HTTP server on networking", "2.16.0"),
  ].map { name, description, version in
    SearchResult(
      id: SearchResult.id(.package, at: nil, provider: "{{id}}", ownID: name), kind: .package, title: name,
      url: "https://swiftpackageindex.com/search?query=\(name)",
      fields: [.description: .text(description), .language: .text("Swift"), "version": .text(version)])
  }

  /// Receives the user's settings and secrets, those that `plugin.json` declares.
  init(_ settings: PluginSettings) {}

  func search(_ request: SearchRequest) async throws -> SearchPage {
    let found = things.filter { request.matches($0) }
    // The number of results before the page is valid with any page size. A page number is not.
    guard let start = Int(request.cursor ?? "0"), (0...found.count).contains(start) else {
      throw SearchError(.invalidCursor, "the cursor is invalid")
    }
    let end = min(start + request.pageSize, found.count)
    return SearchPage(
      items: Array(found[start..<end]), next: end < found.count ? String(end) : nil,
      total: ResultTotal(found.count))
  }
}
