import Forage
import ForageCore
import Foundation
import TestSupport
import Testing

/// Searches under names: those of the settings, those that were saved, and what `--new` has shown of them.
struct SavedSearchTests {
  private let folder: TemporaryDirectory
  private let forage: Forage

  init() throws {
    folder = try TemporaryDirectory()
    var setup = ForageSetup(
      environment: [
        "HOME": folder.path, "XDG_CONFIG_HOME": folder.path("config"), "XDG_STATE_HOME": folder.path("state"),
      ])
    setup.now = { Date(timeIntervalSince1970: 0) }
    forage = Forage(setup, reportingTo: Reporter())
  }

  private func search(_ name: String, _ query: String) -> SavedSearch {
    var search = SavedSearch(name: name)
    search.query = query
    return search
  }

  @Test func ofTheSettings() throws {
    try folder.write(
      "config/forage/config.yaml",
      """
      searches:
        review: {kind: pr, query: "review-requested:@me is:open", sort: updated}
        größe: {query: x}
        crashes: {kind: [issue, pr], query: "crash", providers: "github,work", limit: 50, order: asc}
        wrong: {limit: 0, colour: red}
        "7": {query: 8}

      """)
    let settings = try forage.settings()
    #expect(settings.searches.map(\.name) == ["review", "crashes", "7"])
    let crashes = settings.searches[1]
    #expect(
      crashes.kinds == ["issue", "pr"] && crashes.providers == ["github", "work"] && crashes.limit == 50)
    #expect(crashes.order == .ascending && crashes.isOfSettings)
    #expect(settings.problems.map(\.error.message).count == 3, "\(settings.problems)")
  }

  /// What was saved is read again, whatever is in it; a name of the settings wins.
  @Test func saving() throws {
    try folder.write("config/forage/config.yaml", "searches: {own: {query: theirs}}\n")
    let texts = ["label:\"a b\" -x", "größe 日本 \\ # : {", "", "- true", "\u{1B}[31m"]
    for (index, text) in texts.enumerated() { #expect(try !forage.save(search("n\(index)", text))) }
    #expect(try forage.savedSearches().map(\.query) == ["theirs"] + texts)
    #expect(try forage.save(search("n1", "other")))
    #expect(try forage.savedSearch("n1").query == "other")
    let error = #expect(throws: ForageError.self) { try forage.save(search("own", "mine")) }
    #expect(error?.message.contains("own is a search of") == true)
    #expect(throws: ForageError.self) { try forage.removeSavedSearch("own") }
    #expect(throws: ForageError.self) { try forage.savedSearch("n9") }
    try forage.removeSavedSearch("n1")
    #expect(try forage.savedSearches().count == texts.count)
  }

  /// A file that is not understood is a problem of the settings, and is not written over.
  @Test(arguments: ["- a\n", "a: {limit: x}\n", "a: [\n"]) func broken(_ text: String) throws {
    let file = try folder.write("config/forage/" + SavedSearchesFile.fileName, text)
    #expect(try forage.settings().problems.first?.error.message.contains(SavedSearchesFile.fileName) == true)
    #expect(throws: ForageError.self) { try forage.save(search("b", "x")) }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  /// Every state of every result is new exactly once, in whatever order they are shown.
  @Test func newOnce() throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    var times: [Int: Int] = [:]
    var shown: [String: Int] = [:]
    for round in 0..<60 {
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let id = Int.random(in: 0..<20, using: &random)
        times[id] = max(times[id] ?? 0, round + 1)
      }
      let seen = SeenResults(forage.paths, of: "x")
      #expect(seen.isFirst == (round == 0))
      let items = times.map { id, time in
        var item = SearchResult(id: "h/o/n#\(id)\nü", kind: id.isMultiple(of: 5) ? .repo : .issue, title: "t")
        item.set(.updatedAt, Date(timeIntervalSince1970: Double(time) * 86_400))
        return item
      }
      let new = items.filter(seen.isNew)
      for item in new {
        shown["\(item.id) \(item.kind.rawValue == "repo" ? "" : "\(item[.updatedAt] as Any)")", default: 0] +=
          1
      }
      #expect(seen.add(new.shuffled(using: &random)))
      let after = SeenResults(forage.paths, of: "x")
      #expect(!items.contains(where: after.isNew), "seed \(seed), round \(round)")
    }
    #expect(!shown.isEmpty && shown.values.allSatisfy { $0 == 1 }, "seed \(seed): \(shown)")
  }
}
