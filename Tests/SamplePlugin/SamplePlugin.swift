import ForageCore
import ForagePluginSDK

/// A plugin for the tests of the SDK: the first word of the query tells what it does.
@main struct SamplePlugin: ForagePlugin, FeedProvider, DetailsProvider {
  static let version = "1.2.3"
  let info = ProviderInfo(
    id: "sample", name: "Sample", vocabulary: [QualifierDefinition("rating", .number, field: "rating")])
  let kinds: [ResultKind: Abilities] = [
    .repo: Abilities(
      fields: [.stars, .description, "rating"],
      qualifiers: ["language": .exact, "stars": .inexact, "rating": .exact],
      sorts: ["stars"], feed: Abilities.Feed())
  ]
  private let greeting: String

  init(_ settings: PluginSettings) throws {
    print("stray words on standard output")
    if let wrong = settings.text("wrong") {
      throw SearchError(.configuration, "wrong is \(wrong)", hint: "leave it out")
    }
    greeting = settings.text("greeting") ?? "none"
  }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    print("stray words in a search")
    let words = request.query?.positiveTerms.map(\.text) ?? []
    switch words.first {
    case "input": return SearchPage(items: [item("1", title: readLine() ?? "nothing to read")])
    case "sleep": try await Task.sleep(for: .seconds(60))
    case "stubborn": while true { try? await Task.sleep(for: .milliseconds(10)) }
    case "fail": throw SearchError(.rateLimited, "slow down", hint: "wait", retryAfterMilliseconds: 500)
    case "broken":
      return SearchPage(
        items: [item("1")],
        failure: SearchError(.connectionLost, "it broke off", hint: "try again"))
    case "huge":
      return SearchPage(items: [60_000, 70_000, 60_000].enumerated().map { item("\($0)", size: $1) })
    case "many": return SearchPage(items: (0..<request.pageSize + 1).map { item("\($0)") })
    default: break
    }
    let place = request.cursor.flatMap { Int($0) } ?? 0
    var page = SearchPage(
      items: [item("\(place)", title: request.query?.description ?? "everything")],
      next: place < 2 ? "\(place + 1)" : nil, total: ResultTotal(3), unapplied: ["stars"])
    page.items[0].set(.stars, 3)
    return page
  }

  func feed(_ request: SearchRequest) async throws -> SearchPage {
    SearchPage(items: [item("feed", title: greeting)])
  }

  func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails? {
    guard id.host == "sample.example" else { return nil }
    return EntityDetails(
      item: SearchResult(id: id.id, kind: .repo, title: id.title, url: id.webAddress))
  }

  private func item(_ id: String, title: String = "t", size: Int = 0) -> SearchResult {
    var item = SearchResult(
      id: "sample:" + id, kind: .repo, title: title, url: "https://sample.example/owner/name-" + id)
    item.set(.description, String(repeating: "x", count: size))
    return item
  }
}
