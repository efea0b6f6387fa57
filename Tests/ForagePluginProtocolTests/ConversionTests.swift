import ForageCore
import ForagePluginProtocol
import Foundation
import Testing

struct ConversionTests {
  @Test func aResultSurvivesTheWay() throws {
    let time = Date(timeIntervalSince1970: 1_705_312_800)
    let repository = SearchResult(
      id: "acme.example/o/n", kind: .repo, title: "o/n", url: "https://acme.example/o/n",
      fields: [
        .stars: .number(3), "share": .fraction(0.5), .archived: .flag(true), .createdAt: .date(time),
        .topics: .list(["a", "b"]), "when": .date(time),
        .latestRelease: .record(["tag": .text("v1"), "publishedAt": .date(time)]),
        .languages: .items([.record(["name": .text("C"), "share": .fraction(0.25)])]),
      ], related: [RelatedEntity(id: "github.com/o/n", why: .mirror)], observedAt: time)
    let story = SearchResult(id: "acme:42", kind: .story, title: "t", fields: [.author: .text("ada")])
    let issue = SearchResult(
      id: "github.com/o/n#12", kind: .issue, title: "t", url: "https://github.com/o/n/issues/12")
    let info = ProviderInfo(id: "acme", vocabulary: [QualifierDefinition("when", .date, field: "when")])
    for result in [repository, story, issue] {
      let item = Item(result, provider: "acme")
      let batch = ItemBatch([try JSONTree(parsing: item.tree.encoded())])
      #expect(batch.items == [item])
      #expect(batch.items.compactMap { ItemReader(info).result($0) } == [result])
    }
    #expect(Item(story, provider: "acme").id == "42")
  }

  @Test(
    arguments: [
      ("javascript:alert(1)", nil), ("file:///etc/passwd", nil), ("", nil),
      ("https\u{1A}//a.example/", nil), ("https://me@a.example/", nil), ("hTTp://me:it@a.example", nil),
      ("https:///me:it@a.example", nil), ("http://\\/me@a.example", nil), ("https://", nil),
      ("http://a.example?@", "acme:github.com/o/n#12"), ("HTTPS://a.example/", "acme:github.com/o/n#12"),
      ("https://evil.example/o/n/issues/12", "evil.example/o/n#12"),
      ("https://github.com/o/n/issues/12", "github.com/o/n#12"),
    ] as [(String, String?)])
  func anItemIsWhoItsAddressSays(_ url: String, _ id: String?) {
    let reader = ItemReader(ProviderInfo(id: "acme"))
    #expect(reader.result(Item(id: "github.com/o/n#12", kind: "issue", url: url, title: "t"))?.id == id)
  }

  @Test func whatIsNotKnownIsAbsent() throws {
    let reader = ItemReader(ProviderInfo(id: "acme"))
    let result = try #require(
      reader.result(
        Item(
          id: "1", kind: "repo", title: "t",
          fields: [
            "a": .null, "b": .string(""), "c": .array([]), "d": .object(["x": .null]),
            "favorite": .bool(true), "starred": .bool(true),
            "url": .string("x"), "createdAt": .string("2024-01-15T10:00:00.123+02:00"),
            "lookAt": .string("me"),
          ])))
    #expect(
      result.fields == [
        .createdAt: .date(Date(timeIntervalSince1970: 1_705_305_600)), "lookAt": .text("me"),
      ])
    #expect(reader.result(Item(id: "", kind: "repo", title: "t")) == nil)
    #expect(reader.result(Item(id: "1", kind: "repo", title: "")) == nil)
  }

  /// Fields about this machine, and names that no field has, are left out and told.
  @Test(arguments: [
    (ResultKind.repo, "path"), (.repo, "paths"), (.repo, "file"), (.code, "file"), (.code, "places"),
    (.repo, "provenance"), (.repo, ""), (.repo, "a\u{1B}[2J"), (.repo, "a\nb"), (.story, "favorite"),
  ])
  func fieldsThatNoProviderSets(_ kind: ResultKind, _ name: String) throws {
    let reader = ItemReader(ProviderInfo(id: "acme"))
    var told: [String] = []
    let item = Item(
      id: "1", kind: kind.rawValue, url: "https://github.com/octo/repo1", title: "t",
      fields: [name: .string("/tmp/x"), "stars": .integer(1)])
    let result = try #require(reader.result(item) { told.append($0) })
    #expect(result.fields == [.stars: .number(1)])
    #expect(told.count == 1 && told.first?.hasSuffix(ItemReader.fieldNote) == true, "\(told)")
  }

  @Test func thePathOfAFileStays() throws {
    let reader = ItemReader(ProviderInfo(id: "acme"))
    let item = Item(id: "1", kind: "code", title: "t", fields: ["path": .string("src/a.c")])
    #expect(reader.result(item)?[.path] == .text("src/a.c"))
  }

  @Test(arguments: [
    (SearchError.Code.rateLimited, 1003), (.unauthorized, 1002), (.forbidden, 1002), (.serverError, 1004),
    (.unreachable, 1004), (.unsupportedQuery, 1005), (.invalidQuery, 1005), (.invalidCursor, 1006),
    (.timeout, 1007), (.configuration, 1008), (.cancelled, 1001),
  ])
  func errorsHaveCodes(_ code: SearchError.Code, _ number: Int) throws {
    let error = SearchError(code, "it failed", hint: "do this", retryAfterMilliseconds: 5)
    let sent = Message.failure(id: .number(1), error: ErrorObject(error)).line.dropLast()
    guard case .failure(_, let object) = try Message(parsing: sent) else { throw error }
    #expect(object.code.rawValue == number)
    let read = SearchError(object, from: "Acme")
    #expect(read.code == code)
    let said = number == 1005 ? "does not support this query" : "reported"
    #expect(read.message == "the plugin Acme \(said): it failed")
    #expect(SearchError(object, from: "it").message == "it failed")
    #expect(read.hint == "do this")
    #expect(read.retryAfterMilliseconds == 5)
  }

  @Test func anErrorCannotPassForAnother() {
    let sly = ErrorObject(.upstream, "", data: ErrorData(retryAfterMs: 1e30, reason: "cancelled"))
    #expect(SearchError(sly, from: "Acme").code == .serverError)
    #expect(SearchError(sly, from: "Acme").retryAfterMilliseconds == 86_400_000)
    #expect(SearchError(ErrorObject(ErrorCode(rawValue: 7), ""), from: "Acme").message.contains("Acme"))
  }

  @Test func aPageSurvivesTheWay() throws {
    let page = SearchPage(
      items: [], next: "n", total: ResultTotal(9, .atLeast),
      notes: [
        .incompleteResults(of: "Acme"), Note(.outOfReach, "m", hint: "h"), Note("own", "p", isMissing: false),
      ])
    let answer = try JSONTree(encoding: SearchAnswer(page, count: 5)).decode(SearchAnswer.self)
    #expect(answer.count == 5)
    let read = SearchPage(answer, items: [], unreadable: 1, query: EncodedQuery(nil))
    #expect(read.next == "n" && read.total == page.total && read.unreadable == 1 && read.unapplied.isEmpty)
    #expect(read.notes == page.notes)
  }

  /// The protocol has no members for these.
  @Test func whatElseIsMissingIsNoted() {
    let page = SearchPage(items: [], unreadable: 2, cache: CacheUse(age: .seconds(3), isStale: true))
    let notes = SearchAnswer(page, count: 0).notes ?? []
    #expect(notes.map(\.code) == ["invalid_response", "stale"] && notes.allSatisfy { $0.incomplete == true })
  }

  @Test func notesAreBounded() {
    let long = NoteInfo(code: "own", message: String(repeating: "x", count: 5000), hint: "")
    let answer = SearchAnswer(count: 0, notes: Array(repeating: long, count: 1000))
    let page = SearchPage(answer, items: [], unreadable: 0, query: EncodedQuery(nil))
    #expect(page.notes.count == PluginProtocol.Limits.notes)
    #expect(page.notes.allSatisfy { $0.message.count == PluginProtocol.Limits.message && !$0.isMissing })
  }
}
