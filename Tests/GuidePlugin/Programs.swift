import ForageCore
import ForagePluginSDK
import Foundation

@main struct Programs: ForagePlugin {
  static let version = "1.0.0"
  let info = ProviderInfo(id: "programs", name: "Programs in PATH")
  let kinds: [ResultKind: Abilities] = ["program": Abilities(fields: [.path], maximumPageSize: 200)]
  private let folders: [String]

  init(_ settings: PluginSettings) throws {
    let path = settings.text("path") ?? ProcessInfo.processInfo.environment["PATH"] ?? ""
    folders = path.split(separator: ":").map(String.init)
  }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    var found: [String: SearchResult] = [:]
    for folder in folders.reversed() {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        let item = SearchResult(
          id: "programs:" + name, kind: "program", title: name, fields: [.path: .text(folder + "/" + name)])
        if request.matches(item) { found[name] = item }
      }
    }
    // The name of the last item is all that a page needs to know of the one before it.
    let names = found.keys.sorted().drop { $0 <= request.cursor ?? "" }
    let page = names.prefix(request.pageSize)
    return SearchPage(
      items: page.compactMap { found[$0] }, next: page.count < names.count ? page.last : nil,
      total: ResultTotal(found.count))
  }
}
