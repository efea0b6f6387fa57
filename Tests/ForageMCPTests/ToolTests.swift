import Forage
import ForageCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageMCP

/// What tools ask, and how their answers are cut.
struct ToolTests {
  private static let onlyShelf = JSONTree.array([.string(ClosureProvider.id)])

  private static func result(_ number: Int, title: String = "x") -> SearchResult {
    SearchResult(id: "shelf.example/o/r\(number)", kind: .repo, title: "\(title) \(number)")
  }

  @Test func searchAsksForWhatIsWanted() async throws {
    let requests = Mutex<[SearchRequest]>([])
    let talk = try Conversation { request in
      requests.withLock { $0.append(request) }
      return SearchPage(items: [])
    }
    let (content, isError) = await talk.answer(
      "search",
      [
        "query": .string("-y stars:>5"), "kinds": .array([.string("Repo"), .string("user")]),
        "providers": Self.onlyShelf, "sort": .string("stars"), "order": .string("asc"), "limit": .integer(7),
      ])
    #expect(!isError && content["items"] == .array([]) && content["complete"] == .bool(true))
    let asked = requests.withLock { $0 }
    #expect(Set(asked.map(\.kind)) == [.repo, .user])
    #expect(asked.allSatisfy { $0.sort == "stars" && $0.order == .ascending })
    #expect(asked.allSatisfy { $0.query?.description.contains("stars:>5") == true })
    let pulls = await talk.answer(
      "search", ["query": .string("x"), "kinds": .array([.string("pr")]), "providers": Self.onlyShelf], id: 2)
    #expect(!pulls.isError)
    let last = requests.withLock { $0.last }
    #expect(last?.kind == .issue && last?.query?.description.contains("is:pr") == true)
    _ = await talk.end()
  }

  /// Any number in the lines of a file: the file is there, with its name.
  @Test(arguments: [
    #"{"path":"größe.c","matchCount":7,"matches":[{"line":2,"text":"ab def","ranges":[[4,6]],"before":["x"]}]}"#,
    #"{"path":"größe.c","matchCount":7,"fragments":[{"text":"a\nb","line":9,"matches":[[2,3]]}]}"#,
  ])
  func hostileNumbers(_ file: String) throws {
    for text in HostileNumbers.variants(of: file) {
      for length in [1, 3, 1000] {
        let short = SearchTools.narrowed(try JSONTree(parsing: text.utf8), length)
        #expect(short["path"] == .string("größe.c"), "\(text)")
      }
    }
  }

  @Test(
    arguments: [
      (["order": JSONTree.string("asc")], "\"order\" needs \"sort\""),
      (
        ["query": .string("x sort:stars"), "sort": .string("updated")],
        "no chosen provider sorts by \"updated\""
      ),
      (
        ["query": .string("x sort:stars-desc"), "order": .string("asc")],
        "sort: in the query and \"order\" contradict each other"
      ),
      (["kinds": .array([.string("repos")])], "no chosen provider has results of kind \"repos\""),
      (["query": .string("  ")], "the query is empty"),
      (["cursor": .string("a.1.1")], "the cursor is not known"),
      (["cursor": .string("x")], "the cursor is not known"),
      (["favorites": .bool(true)], "there are no favorites"),
    ] as [([String: JSONTree], String?)])
  func refusesWhatCannotBeSearched(_ arguments: [String: JSONTree], _ message: String?) async throws {
    let talk = try Conversation()
    let standard = ["query": JSONTree.string("x"), "providers": Self.onlyShelf]
    let (content, isError) = await talk.answer(
      "search", arguments.merging(standard) { given, _ in given })
    #expect(isError && content["error"]?["hint"]?.string?.isEmpty == false)
    if let message { #expect(content["error"]?["message"] == .string(message)) }
    _ = await talk.end()
  }

  @Test(arguments: [
    (["pattern": JSONTree.string("a \"b\\")], #""a \"b\\""#),
    (["pattern": .string("a/b\\/c"), "mode": .string("regex")], #"/a\/b\/c/"#),
    (
      ["pattern": .string("x"), "repo": .string("o/r"), "path": .string("a b"), "case": .bool(true)],
      #""x" repo:"o/r" path:"a b" case:yes"#
    ),
  ])
  func codeQueries(_ arguments: [String: JSONTree], _ expected: String) throws {
    let checked = try ToolArguments(.object(arguments), SearchTools.searchCode.parameters)
    #expect(try SearchTools.codeQuery(checked) == expected)
  }

  @Test(arguments: [
    ("foo(bar", 7), ("a/b[", 4), ("ö(", 2), ("foo\\", 4), ("*", 0),
  ])
  func namesThePlaceOfAMistakeInAnExpression(_ pattern: String, _ place: Int) async throws {
    let talk = try Conversation()
    let (content, isError) = await talk.answer(
      "search_code", ["pattern": .string(pattern), "mode": .string("regex")])
    #expect(isError && content["error"]?["offset"] == .integer(place))
    #expect(content["error"]?["message"]?.string?.hasSuffix("(at offset \(place))") == true)
    let query = await talk.answer("search", ["query": .string("x AND")], id: 2)
    #expect(query.isError && query.content["error"]?["offset"] == .integer(2))
    _ = await talk.end()
  }

  @Test(arguments: [
    (["query": JSONTree.string("x"), "limmit": .integer(3)], "did you mean \"limit\"?"),
    (["query": .string("x"), "limit": .integer(0)], "it is a whole number from 1 to 100"),
    (["query": .string("x"), "order": .string("desk")], "did you mean \"desc\"?"),
    (["query": .integer(1)], "it is a string"), ([:], "it is a string"),
    (["query": .string(String(repeating: "x", count: 1 << 20))], "use a shorter text"),
  ])
  func refusesWrongArguments(_ arguments: [String: JSONTree], _ hint: String) async throws {
    let talk = try Conversation { _ in
      Issue.record("it was searched")
      return SearchPage(items: [])
    }
    let (content, isError) = await talk.answer("search", arguments)
    #expect(isError && content["error"]?["hint"]?.string == hint)
    _ = await talk.end()
  }

  /// What agents write in another form, where it can mean only one thing.
  @Test(arguments: [
    ("limit", JSONTree.string("7")), ("limit", .double(7)), ("limit", .string("7.0")),
    ("kinds", .string("user")), ("kinds", .string("USER")), ("kinds", .string(#"["user"]"#)),
    ("kinds", .string("user, issue")), ("providers", .string(ClosureProvider.id)),
    ("offline", .string("true")), ("offline", .string("False")), ("order", .string("ASC")),
    ("maxChars", .string("2000")),
    ("cursor", .null), ("cursor", .string("")), ("sort", .null),
  ])
  func takesArgumentsInOtherForms(_ name: String, _ value: JSONTree) async throws {
    let requests = Mutex<[SearchRequest]>([])
    let talk = try Conversation { request in
      requests.withLock { $0.append(request) }
      return SearchPage(items: [])
    }
    var arguments: [String: JSONTree] = [
      "query": .string("x"), "providers": Self.onlyShelf, "sort": .string("stars"),
    ]
    arguments[name] = value
    let (content, isError) = await talk.answer("search", arguments)
    #expect(!isError, "\(content)")
    let asked = requests.withLock { $0 }
    switch name {
    case "kinds": #expect(asked.contains { $0.kind == .user })
    case "order": #expect(asked.first?.order == .ascending)
    default: #expect(asked.count == 1 || value == .string("true"))
    }
    _ = await talk.end()
  }

  @Test(arguments: [
    ("limit", JSONTree.string("five")), ("limit", .string("0")), ("limit", .string("5 or 6")),
    ("limit", .double(5.5)),
    ("limit", .bool(true)), ("offline", .string("yes, please")), ("offline", .integer(1)),
    ("kinds", .integer(1)),
    ("kinds", .array([.integer(1)])), ("order", .string("up")),
  ])
  func refusesWhatCouldMeanSomethingElse(_ name: String, _ value: JSONTree) async throws {
    let talk = try Conversation { _ in
      Issue.record("it was searched")
      return SearchPage(items: [])
    }
    let (content, isError) = await talk.answer("search", ["query": .string("x"), name: value])
    #expect(isError && content["error"]?["message"]?.string?.hasPrefix("\"\(name)\"") == true)
    _ = await talk.end()
  }

  /// A list that is too long ends between items, and continues there.
  @Test func cutsListsBetweenItems() async throws {
    let all = (0..<100).map { Self.result($0, title: "x" + String(repeating: "é", count: 90)) }
    let talk = try Conversation { request in
      let start = request.cursor.flatMap { Int($0) } ?? 0
      let end = min(start + request.pageSize, all.count)
      return SearchPage(items: Array(all[start..<end]), next: end < all.count ? String(end) : nil)
    }
    var (ids, cursor, calls): ([String], JSONTree?, Int) = ([], nil, 0)
    repeat {
      var arguments: [String: JSONTree] = [
        "query": .string("x"), "limit": .integer(40), "maxChars": .integer(2_000),
        "providers": Self.onlyShelf,
      ]
      arguments["cursor"] = cursor
      calls += 1
      let (content, isError) = await talk.answer("search", arguments, id: calls)
      let items = content["items"]?.array ?? []
      #expect(!isError && !items.isEmpty && items.count < 40)
      #expect(ResponseLimit.text(content).unicodeScalars.count <= 2_000)
      cursor = content["next"]
      #expect(cursor == nil || content["truncated"] == .bool(true))
      ids += items.compactMap { $0["id"]?.string }
    } while cursor != nil && calls < 100
    #expect(ids == all.map(\.id) && calls > 5)
    _ = await talk.end()
  }

  /// A page of numbered items.
  private static func numbered(_ count: Int, _ request: SearchRequest) -> SearchPage {
    let start = request.cursor.flatMap { Int($0) } ?? 0
    let end = min(start + request.pageSize, count)
    return SearchPage(items: (start..<end).map { result($0) }, next: end < count ? String(end) : nil)
  }

  private static func ids(_ content: JSONTree) -> [String] {
    content["items"]?.array?.compactMap { $0["id"]?.string } ?? []
  }

  /// A cursor goes with one search of one server, and leads to the same results each time.
  @Test func cursorsContinueTheirSearch() async throws {
    let requests = Mutex(0)
    let talk = try Conversation { request in
      requests.withLock { $0 += 1 }
      return Self.numbered(70, request)
    }
    let arguments: [String: JSONTree] = [
      "query": .string("größe"), "limit": .integer(20), "providers": Self.onlyShelf,
    ]
    let first = await talk.answer("search", arguments, id: 1).content
    let cursor = try #require(first["next"])
    func page(_ id: Int, _ more: [String: JSONTree]) async -> (content: JSONTree, isError: Bool) {
      await talk.answer("search", arguments.merging(more) { $1 }, id: id)
    }
    let second = await page(2, ["cursor": cursor]).content
    let expected = (0..<40).map { "shelf.example/o/r\($0)" }
    #expect(Self.ids(first) + Self.ids(second) == expected)
    let asked = requests.withLock { $0 }
    let again = await page(3, ["cursor": cursor]).content
    #expect(again["items"] == second["items"] && again["next"] == second["next"])
    #expect(requests.withLock { $0 } == asked)
    // A shorter page of the same place is followed by the rest.
    let short = await page(4, ["cursor": cursor, "limit": .integer(5)]).content
    let rest = await page(5, ["cursor": try #require(short["next"]), "limit": .integer(15)]).content
    #expect(Self.ids(short) + Self.ids(rest) == Self.ids(second))
    let other = await page(6, ["cursor": cursor, "query": .string("other")])
    #expect(other.isError)
    #expect(other.content["error"]?["message"] == .string("the cursor belongs to another search"))
    #expect(await page(7, ["cursor": cursor, "order": .string("asc"), "sort": .string("stars")]).isError)
    let text = try #require(cursor.string)
    let beyond = text.prefix(upTo: try #require(text.lastIndex(of: "."))) + ".\(Int.max)"
    #expect(await page(8, ["cursor": .string(String(beyond))]).isError)
    let server = try Conversation { request in Self.numbered(70, request) }
    _ = await server.answer("search", arguments, id: 1)
    let unknown = await server.answer("search", arguments.merging(["cursor": cursor]) { $1 }, id: 2)
    #expect(unknown.isError)
    #expect(unknown.content["error"]?["message"] == .string("the cursor is not known"))
    #expect(unknown.content["error"]?["hint"] == .string("search again without \"cursor\""))
    _ = await server.end()
    _ = await talk.end()
  }

  /// The lists of the last searches can be continued; an older one is told to search again.
  @Test func onlyTheLastListsAreKept() async throws {
    let talk = try Conversation { request in Self.numbered(70, request) }
    func search(_ id: Int, _ query: String, _ cursor: JSONTree? = nil) async -> (
      content: JSONTree, isError: Bool
    ) {
      var arguments: [String: JSONTree] = [
        "query": .string(query), "limit": .integer(1), "providers": Self.onlyShelf,
      ]
      arguments["cursor"] = cursor
      return await talk.answer("search", arguments, id: id)
    }
    var cursors: [JSONTree] = []
    for number in 1...9 {
      cursors.append(try #require(await search(number, "x\(number)").content["next"]))
    }
    let oldest = await search(11, "x1", cursors[0])
    #expect(oldest.isError && oldest.content["error"]?["message"] == .string("the cursor is not known"))
    for number in 2...9 {
      let next = await search(10 + number, "x\(number)", cursors[number - 1])
      #expect(Self.ids(next.content) == ["shelf.example/o/r1"], "\(number)")
    }
    _ = await talk.end()
  }

  /// Of a file that is too long, the text that matches is kept.
  @Test func keepsTheMatchOfALargeFile() {
    let line = String(repeating: "é", count: 500) + "needle" + String(repeating: "ü", count: 494)
    let match = JSONTree.object([
      "line": .integer(7), "text": .string(line), "before": .array([.string(line)]),
      "ranges": .array([.array([.integer(500), .integer(506)])]),
    ])
    let file = SearchTools.narrowed(
      .object([
        "path": .string("a"), "repository": .string("/c"), "matches": .array([match, match]),
        "matchCount": .integer(9),
      ]), 250)
    let shown = file["matches"]?.array ?? []
    #expect(shown.count == 1 && shown.first?["line"] == .integer(7) && shown.first?["before"] == nil)
    #expect(shown.first?["text"]?.string?.contains("needle") == true)
    #expect(file["more"] == .integer(8) && ResponseLimit.text(file).unicodeScalars.count < 400)
  }

  /// The numbers of the hours of a day go as a whole or not at all: each means something by its place.
  @Test func numbersByPlaceStayWhole() {
    let hours = JSONTree.array((0..<24).map { .integer($0) })
    let weeks = JSONTree.array(
      (0..<200).map { .object(["start": .string("2026-01-05"), "commits": .integer($0)]) })
    let content = ResponseLimit.record(
      ["complete": .bool(true), "activity": .object(["hours": hours, "weeks": weeks])], maxChars: 1_000)
    #expect(content["activity"]?["hours"] == hours && content["truncated"] == .bool(true))
    #expect((content["activity"]?["weeks"]?.array?.count ?? 0) < 200)
  }

  @Test func shortensOneLargeItem() {
    let text = String(repeating: "é", count: 50_000)
    let content = ResponseLimit.record(
      ["schema": .integer(1), "item": .object(["id": .string("a/b"), "readme": .string(text)])],
      maxChars: 8_000)
    #expect(content["truncated"] == .bool(true) && content["item"]?["id"] == .string("a/b"))
    #expect(ResponseLimit.text(content).unicodeScalars.count <= 8_000)
  }

  /// Where short texts and lists are not enough, members go; what tells which thing it is stays.
  @Test func dropsMembersOfLargeRecords() {
    let text = JSONTree.string(String(repeating: "\"", count: 300))
    let many = Dictionary(uniqueKeysWithValues: (0..<60).map { ("member\($0)", text) })
    let providers = JSONTree.array([.object(["id": .string("github"), "state": .string("ok")])])
    let content = ResponseLimit.record(
      [
        "item": .object(many.merging(["id": .string("a/b")]) { $1 }), "section": .object(many),
        "path": .string("/home/a/b"), "complete": .bool(true), "providers": providers,
      ], maxChars: 1_000)
    #expect(ResponseLimit.text(content).unicodeScalars.count <= 1_000)
    #expect(content["complete"] == .bool(true) && content["truncated"] == .bool(true))
    #expect(content["path"] == .string("/home/a/b") && content["providers"] == providers)
    #expect(content["item"]?["id"] == .string("a/b"))
    #expect(content["section"] == nil)
  }

  @Test(arguments: [
    (
      "search_code",
      ["pattern": JSONTree.string(String(repeating: "(", count: 60_000)), "mode": .string("regex")]
    ),
    ("search_code", ["pattern": .string(String(repeating: "x\n", count: 30_000))]),
    ("inspect", ["repo": .string(String(repeating: "x", count: 60_000))]),
    ("show", ["id": .string(String(repeating: "\"", count: 60_000))]),
    ("read", ["path": .string("/" + String(repeating: "x", count: 60_000)), "file": .string("a")]),
    (
      "search",
      ["query": .string("x"), "providers": .array([.string(String(repeating: "x", count: 60_000))])]
    ),
    ("clones", ["cursor": .string(String(repeating: "x", count: 60_000))]),
  ])
  func cutsFailures(_ tool: String, _ arguments: [String: JSONTree]) async throws {
    let talk = try Conversation()
    let (content, isError) = await talk.answer(
      tool, arguments.merging(["maxChars": .integer(1_000)]) { given, _ in given })
    #expect(isError && content["error"]?["message"]?.string?.isEmpty == false)
    #expect(ResponseLimit.text(content).unicodeScalars.count <= 1_000)
    _ = await talk.end()
  }

  @Test func remoteCodeIsThatOfEveryProviderButClones() async throws {
    let talk = try Conversation()
    for (id, scope) in [(1, "remote"), (2, "local"), (3, "all")] {
      let (content, _) = await talk.answer(
        "search_code", ["pattern": .string("x"), "scope": .string(scope)], id: id)
      let asked = content["providers"]?.array?.compactMap { $0["id"]?.string } ?? []
      #expect(asked.contains("shelf") == (scope != "local"), "\(scope): \(asked)")
      #expect(asked.contains("local") == (scope != "remote"), "\(scope): \(asked)")
    }
    _ = await talk.end()
  }

  @Test func failsOnlyWhenNothingCouldBeAnswered() async throws {
    let error = SearchError(.unavailable, "no", hint: "wait")
    let talk = try Conversation { request in
      switch request.query?.description {
      case "fails": throw error
      case "partly": SearchPage(items: [Self.result(1, title: "partly")], failure: error)
      default: SearchPage(items: [])
      }
    }
    func search(_ query: String, _ id: Int) async -> (content: JSONTree, isError: Bool) {
      await talk.answer("search", ["query": .string(query), "providers": Self.onlyShelf], id: id)
    }
    let failed = await search("fails", 1)
    #expect(failed.isError && failed.content["error"]?["message"] == .string("shelf: no"))
    #expect(failed.content["error"]?["hint"] == .string("wait"))
    #expect(failed.content["providers"]?.array?.first?["error"] == .string("no"))
    let none = await search("none", 2)
    #expect(!none.isError && none.content["items"] == .array([]) && none.content["complete"] == .bool(true))
    let both = JSONTree.array([.string(ClosureProvider.id), .string("local")])
    let empty = await talk.answer("search", ["query": .string("fails"), "providers": both], id: 3)
    let hint = empty.content["error"]?["hint"]?.string ?? ""
    #expect(empty.isError && hint.hasSuffix("to search clones, add a folder of clones"), "\(hint)")
    let repository = try await TemporaryRepository.make()
    try await talk.addClones(in: repository.path)
    let other = await talk.answer("search", ["query": .string("fails"), "providers": both], id: 4)
    #expect(!other.isError && other.content["items"] == .array([]))
    #expect(other.content["complete"] == .bool(false))
    let states = other.content["providers"]?.array?.compactMap { $0["state"]?.string } ?? []
    #expect(Set(states) == ["failed", "ok"])
    let partial = await search("partly", 5)
    #expect(!partial.isError && partial.content["complete"] == .bool(false))
    #expect(partial.content["items"]?.array?.count == 1)
    _ = await talk.end()
  }

  /// What a provider says goes before the sentence that none has answered.
  @Test func showsAndStarsWhatIsNamed() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "o/r", stars: 7)]) {
      $0.starred = ["o/r"]
    }
    try await withGitHub(github) { server in
      let talk = try Conversation(environment: [
        "FORAGE_GITHUB_URL": server.baseURL, "GH_ENTERPRISE_TOKEN": "t0ken-of-the-test",
      ])
      let star = await talk.answer("star", ["repo": .string("o/r"), "on": .bool(false)])
      #expect(!star.isError && star.content["starred"] == .bool(false) && github.options.starred == [])
      #expect(star.content["providers"]?.array?.first?["id"] == .string("github"))
      let shown = await talk.answer("show", ["id": .string("o/r")], id: 2)
      #expect(!shown.isError && shown.content["item"]?["stars"] == .integer(7))
      #expect(shown.content["complete"] == .bool(true))
      #expect(shown.content["providers"]?.array?.first?["state"] == .string("ok"))
      let short = await talk.answer("show", ["id": .string("o/r"), "maxChars": .integer(1_000)], id: 4)
      #expect(!short.isError && short.content["item"]?["id"] == shown.content["item"]?["id"])
      #expect(ResponseLimit.text(short.content).unicodeScalars.count <= 1_000)
      let unknown = await talk.answer("show", ["id": .string("o/unknown")], id: 3)
      #expect(
        unknown.isError && unknown.content["error"]?["message"]?.string?.contains("does not exist") == true)
      _ = await talk.end()
    }
    let talk = try Conversation(environment: ["FORAGE_GITHUB_URL": "http://127.0.0.1:1"])
    let (content, isError) = await talk.answer("show", ["id": .string("o/r")])
    #expect(isError && content["error"]?["message"]?.string?.hasPrefix("github: ") == true)
    #expect(content["providers"]?.array?.first?["id"] == .string("github"))
    #expect(content["error"]?["hint"]?.string?.isEmpty == false)
    _ = await talk.end()
  }

  @Test func listsAndInspectsClones() async throws {
    let repository = try await TemporaryRepository.make("r0")
    try await repository.commit(files: ["ä": "1"], author: "Ünal <u@x>")
    let folder = URL(fileURLWithPath: repository.path).deletingLastPathComponent()
    for number in 1..<12 {
      try FileManager.default.copyItem(
        atPath: repository.path, toPath: folder.appendingPathComponent("r\(number)").path)
    }
    try repository.write("new", "x")
    let talk = try Conversation()
    try await talk.addClones(in: folder.path)
    var (paths, cursor, calls): ([String], JSONTree?, Int) = ([], nil, 0)
    repeat {
      var arguments: [String: JSONTree] = ["maxChars": .integer(1_000)]
      arguments["cursor"] = cursor
      calls += 1
      let (content, isError) = await talk.answer("clones", arguments, id: calls)
      #expect(!isError && ResponseLimit.text(content).count <= 1_000 && content["complete"] == .bool(true))
      paths += content["clones"]?.array?.compactMap { $0["path"]?.string } ?? []
      cursor = content["next"]
    } while cursor != nil && calls < 100
    #expect(Set(paths).count == 12 && paths.count == 12 && calls > 1)
    let dirty = await talk.answer("clones", ["state": .string("dirty"), "query": .string("R0")], id: 101)
    #expect(dirty.content["clones"]?.array?.map { $0["changes"] } == [.integer(1)])
    let churn = await talk.answer(
      "inspect", ["path": .string(repository.path), "sections": .array([.string("Churn")])], id: 102)
    let file = churn.content["churn"]?["files"]?.array?.first
    #expect(file?["author"]?["name"] == .string("Ünal") && churn.content["complete"] == .bool(true))
    #expect(churn.content["authors"] == nil)
    #expect(
      churn.content["providers"] == .array([.object(["id": .string("local"), "state": .string("ok")])]))
    for (id, name, count) in [(106, "ä", 1), (107, "never", 0)] {
      let one = await talk.answer(
        "inspect", ["path": .string(repository.path), "file": .string(name)], id: id)
      let files = one.content["churn"]?["files"]?.array ?? []
      #expect(files.count == count && one.content["authors"] == nil)
      #expect(count == 0 || files.first?["author"]?["name"] == .string("Ünal"))
    }
    let short = await talk.answer(
      "inspect", ["path": .string(repository.path), "maxChars": .integer(1_000)], id: 105)
    #expect(!short.isError && short.content["complete"] != nil && short.content["path"] != nil)
    #expect(ResponseLimit.text(short.content).unicodeScalars.count <= 1_000)
    let wrong = await talk.answer(
      "inspect", ["path": .string(repository.path), "sections": .array([.string("chrun")])], id: 103)
    #expect(wrong.isError && wrong.content["error"]?["hint"] == .string("did you mean churn?"))
    let unknown = await talk.answer("inspect", ["repo": .string("o/unknown")], id: 104)
    #expect(unknown.isError)
    _ = await talk.end()
  }
}
