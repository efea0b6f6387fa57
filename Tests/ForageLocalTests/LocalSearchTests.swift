import ForageCore
import ForageLocal
import ForageStore
import Foundation
import TestSupport
import Testing

@Suite struct LocalSearchTests {
  private static func records() throws -> [CloneRecord] {
    [
      try clone(
        "/src/github.com/apple/swift-nio", "apple/swift-nio",
        description: "Event-driven network application framework",
        language: "Swift", license: "Apache-2.0", at: "2024-05-01", size: 5_000_000),
      try clone(
        "/src/github.com/apple/swift-log", "apple/swift-log", description: "A Logging API", language: "Swift",
        license: "Apache-2.0", at: "2024-01-10", size: 1_000_000),
      try clone(
        "/src/tools/pip", "pypa/pip", description: "The Python package installer", language: "Python",
        license: "MIT",
        at: "2023-06-01", size: 900_000),
      try clone("/src/mine/notes", relative: "mine/notes", at: "2022-03-03", size: 1),
      try clone(
        "/src/old/kernel", "Torvalds/Linux", description: "A kernel, not for swift people, 100%_",
        language: "C",
        license: "GPL-2.0-only", at: "2021-01-01", size: 2_000_000),
    ]
  }

  @Test(arguments: [
    ("nio", ["swift-nio"]),
    ("SWIFT-NIO", ["swift-nio"]),
    ("swift", ["swift-nio", "swift-log", "Linux"]),
    ("apple", ["swift-nio", "swift-log"]),
    ("kernel", ["Linux"]),
    ("installer", ["pip"]),
    // Folders above a clone say nothing about it; its own is another name.
    ("tools", []), ("mine/notes", []), ("github", []), ("kernel in:name", ["Linux"]),
    // Words, and parts of names; short beginnings only of whole names.
    ("log", ["swift-log"]), ("lo", []), ("swi", ["swift-nio", "swift-log"]), ("tor", ["Linux"]),
    ("logg", ["swift-log"]), ("ogging", []),
    ("inux", []), ("lin", ["Linux"]), ("people", ["Linux"]), ("eop", []), ("pack", ["pip"]), ("pac", []),
    ("apple/swift-nio", ["swift-nio"]),
    // Owner and name together, in a folder of another name.
    ("torvalds/linux", ["Linux"]),
    (#""event-driven network""#, ["swift-nio"]),
    (#""network event-driven""#, []),
    ("swift api", ["swift-log"]),
    ("nowhere", []),
    ("%", ["Linux"]), ("100%_", ["Linux"]), ("s_ift", []),
    ("language:python", ["pip"]), ("language:py", ["pip"]), ("language:SWIFT log", ["swift-log"]),
    ("license:apache-2.0", ["swift-nio", "swift-log"]), ("license:gpl-2.0", ["Linux"]),
    ("license:mit", ["pip"]),
    ("owner:APPLE", ["swift-nio", "swift-log"]), ("user:apple nio", ["swift-nio"]),
    ("org:torvalds", ["Linux"]),
    ("repo:apple/swift-log", ["swift-log"]), ("repo:Torvalds/linux", ["Linux"]), ("repo:swift-log", []),
    ("repo:/src/mine/notes", ["notes"]), ("org:torvalds repo:apple/swift-log", ["swift-log", "Linux"]),
    ("name:log", ["swift-log"]), ("path:old/kern", ["Linux"]),
    ("path:/src/github.com", ["swift-nio", "swift-log"]),
    ("updated:>=2024-02-01", ["swift-nio"]), ("updated:2024-01-10", ["swift-log"]),
    ("pushed:<2022-01-01", ["Linux"]),
    ("updated:2022-01-01..2023-12-31", ["pip", "notes"]), ("updated:>2024-05-01", []),
    ("size:>4000", ["swift-nio"]), ("size:1", ["notes"]), ("size:<=1", ["notes"]),
    ("size:900..2000", ["swift-log", "Linux"]),
    ("nio OR pip", ["swift-nio", "pip"]), ("nowhere OR notes", ["notes"]),
    ("(nio OR log) apple", ["swift-log", "swift-nio"]),
    ("(language:c OR language:python) -license:mit", ["Linux"]),
    ("swift NOT log", ["swift-nio", "Linux"]), ("swift -log -kernel", ["swift-nio"]),
    ("apple -language:swift", []),
    ("-language:swift", ["pip", "notes", "Linux"]), ("NOT swift", ["pip", "notes"]),
    ("-owner:apple -owner:pypa", ["notes", "Linux"]),
    ("NOT (apple OR pypa)", ["notes", "Linux"]),
    ("kernel in:description", ["Linux"]), ("kernel in:readme", ["Linux"]),
    ("swift in:name", ["swift-nio", "swift-log"]),
    ("swift in:name,description", ["swift-nio", "swift-log", "Linux"]), ("tools in:name,description", []),
    ("apple in:name", ["swift-nio", "swift-log"]),
  ])
  func search(query: String, expected: [String]) async throws {
    try await withRecords(try Self.records()) { provider, _ in
      let page = try await provider.page(query)
      let names = page.items.compactMap { $0[.name]?.text }
      #expect(names.sorted() == expected.sorted())
      #expect(page.total == ResultTotal(expected.count) && page.next == nil && page.notes.isEmpty)
    }
  }

  /// However many words there are, the last counts as the first does.
  @Test(arguments: [("swift", 2), ("python", 0)])
  func manyWords(last: String, count: Int) async throws {
    try await withRecords(try Self.records()) { provider, _ in
      let words = Array(repeating: "apple", count: 3000) + [last]
      let page = try await provider.page(words.joined(separator: " "))
      #expect(page.items.count == count)
    }
  }

  @Test func withoutAQueryEverything() async throws {
    try await withRecords(try Self.records()) { provider, _ in
      let page = try await provider.page(nil)
      // Nothing tells them apart but their age.
      #expect(
        page.items.compactMap { $0[.name]?.text } == ["swift-nio", "swift-log", "pip", "notes", "Linux"])
      let notes = try #require(page.items.first { $0[.name]?.text == "notes" })
      #expect(
        notes.id == "/src/mine/notes" && notes.url == nil && notes.title == "notes" && notes[.owner] == nil)
      let nio = try #require(page.items.first)
      #expect(nio.id == "github.com/apple/swift-nio" && nio.url == "https://github.com/apple/swift-nio")
      #expect(nio.title == "apple/swift-nio" && nio.kind == .repo && nio[.host]?.text == "github.com")
      #expect(
        nio[.path]?.text == "/src/github.com/apple/swift-nio" && nio[.paths] == nil
          && nio[.sizeKB]?.number == 4883)
    }
  }

  /// A word is a part of a name where case changes or a sign stands, whatever script it is written in;
  /// addresses have no words.
  @Test(arguments: [
    ("client", ["a", "b", "c"]), ("http", ["a", "b", "c"]), ("ttp", []), ("github", []), ("docs", ["e"]),
    ("検索", ["d", "h"]), ("索", ["d", "h"]), ("cache", ["h"]), ("ähnlich", ["f"]), ("ÄHNLICH", ["f"]),
    ("io", ["e"]), ("straße", ["f"]),
  ])
  func partsOfNames(query: String, expected: [String]) async throws {
    let records = [
      try clone("/src/a", "x/HTTPClient"), try clone("/src/b", "x/http_client.js"),
      try clone("/src/c", "x/y", description: "An HTTP-Client"), try clone("/src/d", "x/検索-tool"),
      try clone(
        "/src/e", "x/e", description: "The docs are at https://e.github.io/docs/http and www.github.com/e, io"
      ),
      try clone("/src/f", "x/f", description: "Straße, Ähnlichkeit und ähnlich"),
      try clone("/src/g", "x/g", description: "see https://docs.github.com/client"),
      // Not every script has spaces between words.
      try clone("/src/h", "x/h", description: "高速な検索のcacheライブラリ"),
    ]
    try await withRecords(records) { provider, _ in
      let found = try await provider.page(query).items.compactMap {
        $0[.path]?.text?.dropFirst("/src/".count)
      }
      #expect(found.map(String.init).sorted() == expected)
    }
  }

  /// Topics are known from what a forge told of the repository.
  @Test func topicsOfEarlierAnswers() async throws {
    try await withTemporaryDirectory { folder in
      let store = try Store(path: folder.path("forage.db"))
      let records = [
        try clone("/src/a", "O/N", description: "A parser"), try clone("/src/b", "o/parsing-tool"),
      ]
      try store.record(folder: "/src", changed: records, gone: [], at: Date())
      let known = KnownRepositories(path: folder.path("repositories"))
      known.record([.init(name: "github.com/o/n", stars: 7, topics: ["peg-grammar", "parsing"])])
      let provider = LocalProvider(known: known) { store }
      func found(_ query: String) async throws -> [String] {
        try await provider.page(query).items.compactMap { $0[.path]?.text }
      }
      for query in ["grammar", "grammar parser", "PEG-grammar in:topics"] {
        #expect(try await found(query) == ["/src/a"], "\(query)")
      }
      #expect(try await found("grammar in:name").isEmpty)
      // A name comes before a topic.
      #expect(try await found("parsing") == ["/src/b", "/src/a"])
    }
  }

  /// The place of the word decides, then the age, then the path.
  @Test func relevanceOrder() async throws {
    let records = [
      try clone("/src/1", "x/y", relative: "a", description: "a cache"),
      try clone("/src/2", "x/z", relative: "some/cache/folder"),
      try clone("/src/3", "cache/w", relative: "c"),
      try clone("/src/4", "x/my-cache", relative: "d"),
      try clone("/src/5", "x/cache-tools", relative: "e"),
      try clone("/src/6", "x/cache", relative: "f"),
      try clone("/src/7", "new/my-cache", relative: "g", at: "2024-02-01"),
      try clone("/src/0", "y/my-cache", relative: "h"),
    ]
    try await withRecords(records) { provider, _ in
      let page = try await provider.page("cache")
      let found = page.items.compactMap { $0[.path]?.text?.dropFirst("/src/".count) }.joined()
      #expect(found == "6570431")
    }
  }

  /// A clone tells where its history begins, and that it was looked at when its folder was scanned.
  @Test func rootsAndTimes() async throws {
    var records = [try clone("/src/a", "o/n"), try clone("/src/b", "o/n"), try clone("/src/c")]
    (records[0].rootCommit, records[1].rootCommit) = ("1", "2")
    try await withRecords(records) { provider, store in
      let unscanned = try await provider.page(nil)
      #expect(unscanned.items.map(\.observedAt) == [nil, nil])
      try store.addCloneFolder("/src", isFound: false)
      let time = Date(timeIntervalSince1970: 1_700_000_000)
      try store.record(folder: "/src", changed: [], gone: [], at: time)
      let page = try await provider.page(nil)
      try #require(page.items.map(\.observedAt) == [time, time])
      #expect(page.items[0][.rootCommits]?.texts == ["1", "2"])
      #expect(page.items[1][.rootCommits] == nil)
    }
  }

  /// The first complete clone with a work tree stands for the repository, however new the others are.
  @Test func severalClonesOfOneRepository() async throws {
    var records = [
      try clone("/src/a", "o/n", at: "2024-05-01"), try clone("/src/b", "O/N", at: "2024-04-01"),
      try clone("/src/c", "o/n", at: "2024-02-01"), try clone("/src/d", "o/n", at: "2024-03-01"),
      try clone("/src/e", "o/other", at: "2024-01-15"), try clone("/src/f"),
    ]
    (records[0].isBare, records[1].isIncomplete) = (true, true)
    try await withRecords(records) { provider, store in
      let page = try await provider.page(nil)
      try #require(page.items.map(\.id) == ["github.com/o/n", "github.com/o/other", "/src/f"])
      #expect(page.items[0][.path]?.text == "/src/c")
      #expect(page.items[0][.updatedAt]?.date == records[2].lastCommitAt)
      #expect(page.items[0][.paths]?.texts == ["/src/c", "/src/d", "/src/b", "/src/a"])
      #expect(page.items[1][.paths] == nil && page.total == ResultTotal(3))
      let paths = try store.clones(ofEntities: [
        "github.com/o/n", "github.com/o/other", "github.com/no/ne",
      ]).mapValues { $0.map(\.path) }
      let expected = ["/src/c", "/src/d", "/src/b", "/src/a"]
      #expect(paths == ["github.com/o/n": expected, "github.com/o/other": ["/src/e"]])
    }
  }

  @Test(arguments: [
    ("updated", ForageCore.SortOrder.descending, "cba"), ("updated", .ascending, "abc"),
    ("size", .descending, "bca"), ("name", .ascending, "cab"),
    ("path", .descending, "cba"),
  ])
  func sorting(key: String, order: ForageCore.SortOrder, expected: String) async throws {
    let records = [
      try clone("/src/a", "o/n", at: "2024-01-01", size: 10_000),
      try clone("/src/b", "o/z", at: "2024-02-01", size: 30_000),
      try clone("/src/c", "o/a", at: "2024-03-01", size: 20_000),
    ]
    try await withRecords(records) { provider, _ in
      let page = try await provider.page(nil, sort: key, order: order)
      #expect(page.items.compactMap { $0[.path]?.text?.last.map(String.init) }.joined() == expected)
    }
  }

  @Test func pagesJoinUp() async throws {
    let records = try (0..<25).map { try clone("/src/\($0)", "o/n\($0)") }
    try await withRecords(records) { provider, _ in
      let all = try await provider.page(nil).items.map(\.id)
      var joined: [String] = []
      var cursor: String?
      var pages = 0
      repeat {
        let page = try await provider.page(nil, pageSize: 10, cursor: cursor)
        #expect(page.total == ResultTotal(25) && page.items.count <= 10)
        joined += page.items.map(\.id)
        cursor = page.next
        pages += 1
      } while cursor != nil && pages < 10
      #expect(joined == all && pages == 3 && Set(all).count == 25)
    }
  }

  @Test func clonesWithErrorsAreFoundByWhatIsKnown() async throws {
    var bad = try clone("/src/bad", "o/bad")
    bad.error = "it is broken"
    try await withRecords([bad, try clone("/src/good", "o/good")]) { provider, _ in
      let page = try await provider.page(nil)
      #expect(
        Set(page.items.map(\.id)) == ["github.com/o/bad", "github.com/o/good"] && page.total == ResultTotal(2)
      )
    }
  }

  @Test func anEmptyCatalogueHasNothingToAsk() async throws {
    func code(_ provider: LocalProvider) async -> SearchError.Code? {
      do {
        _ = try await provider.page("x")
        return nil
      } catch {
        return (error as? SearchError)?.code
      }
    }
    #expect(await code(LocalProvider { nil }) == .nothingToAsk)
    try await withRecords([]) { provider, _ in #expect(await code(provider) == .nothingToAsk) }
  }

  @Test func unusableStoreIsALocalFailure() async throws {
    let provider = LocalProvider { throw StoreError("the store /x is damaged", hint: "move it away") }
    await #expect(throws: SearchError(.local, "the store /x is damaged", hint: "move it away")) {
      try await provider.page("x")
    }
  }
}
