import ForageCore
import TestSupport
import Testing

@testable import ForageManifest

/// What a validation finds of a manifest besides the contract for providers.
struct ManifestValidationTests {
  /// Answers with some of twelve rows: those of a page, which is counted from a number.
  private static func answer(_ request: RecordedRequest, from first: Int, most: Int = 12) -> ScriptedResponse
  {
    let size = Int(request.query("per_page") ?? "") ?? 5
    let page = max(0, (Int(request.query("page") ?? "") ?? first) - first)
    let found = (page * size..<max(page * size, min(most, (page + 1) * size))).map { $0 + 1 }
    let more = (page + 1) * size < most
    return .json(
      body: rows(
        found, more: #""more":\#(more),"meta":{"count":\#(most),"next":\#(more ? "\"c\"" : "null")}"#))
  }

  private static let numbered = "{style: page, start: 1, size: 50, more: $.more}"

  /// - Returns: The faults of paths beside the rows, and whether they may be none.
  private func faults(paging: String, more: String, most: Int = 12) async throws -> [(String, Bool)] {
    let isByCursor = paging.contains("cursor")
    let params = "{q: \"{text}\", per_page: \"{size}\"" + (isByCursor ? "}" : ", page: \"{page}\"}")
    return try await withAPI(sample(paging: paging, params: params, more: more)) { request in
      Self.answer(request, from: 1, most: request.query("q") == "nothing" ? 0 : most)
    } _: { provider, _ in
      var provider = provider
      provider.coverage = MapCoverage()
      _ = try await provider.search(ask("x", of: provider, pageSize: 5))
      // An empty list shows nothing of what stands in it.
      _ = try await provider.search(ask("nothing", of: provider, pageSize: 5))
      let faults = provider.pathFaults ?? []
      return faults.filter { !["description", "version"].contains($0.subject) }.map {
        ("\($0.subject): \($0.problem)", $0.isDoubtful)
      }
    }
  }

  @Test(
    arguments: [
      (numbered, "total: $.meta.count", nil),
      (numbered, "total: $.meta.cuont", "total: no answer has a whole number at $.meta.cuont (acme.yaml:9)"),
      (
        numbered, "total: $.items[0].name",
        "total: no answer has a whole number at $.items[0].name (acme.yaml:9)"
      ),
      (numbered, "total: {header: x-total}", "total: no answer has the header field x-total"),
      ("{style: page, size: 50, more: $.moer}", "", "more: no answer has $.moer (acme.yaml:6)"),
      ("{style: page, size: 50, more: $.items.more}", "", "more: no answer has $.items.more (acme.yaml:6)"),
      ("{style: cursor, param: after, next: $.meta.next, size: 50}", "", nil),
      (
        "{style: cursor, param: after, next: $.meta.nextcursor, size: 50}", "",
        "next: no answer has $.meta.nextcursor (acme.yaml:6)"
      ),
    ] as [(String, String, String?)])
  func pathsBesideTheRows(_ paging: String, _ more: String, _ expected: String?) async throws {
    let faults = try await faults(paging: paging, more: more)
    #expect(faults.map(\.0) == [expected].compactMap(\.self))
    #expect(faults.allSatisfy { !$0.1 })
  }

  /// The only page of a list need not say that there is no other.
  @Test func aShortListProvesNothing() async throws {
    let faults = try await faults(paging: "{style: page, size: 50, more: $.moer}", more: "", most: 3)
    #expect(faults.map(\.1) == [true] && faults[0].0.hasPrefix("more: no answer has $.moer"))
  }

  @Test(
    arguments: [
      ("$.message", nil), ("$.mesage", "errors: message: no answer has $.mesage (acme.yaml:9)"),
    ] as [(String, String?)])
  func errorsAreNotes(_ path: String, _ expected: String?) async throws {
    try await withAPI(sample(more: "errors: {message: \(path)}")) { request in
      request.query("q") == "bad"
        ? .json(status: 400, body: #"{"message":"no"}"#) : Self.answer(request, from: 1)
    } _: { provider, _ in
      var provider = provider
      provider.coverage = MapCoverage()
      func told() -> [String] {
        (provider.pathFaults ?? []).filter { $0.subject.hasPrefix("errors") && $0.isDoubtful }.map {
          "\($0.subject): \($0.problem)"
        }
      }
      _ = try await provider.search(ask("x", of: provider, pageSize: 5))
      #expect(told() == ["errors: message: not checked, because no answer was an error"])
      _ = try? await provider.search(ask("bad", of: provider, pageSize: 5))
      #expect(told() == [expected].compactMap(\.self))
    }
  }

  /// A list that the API counts from 0 lacks its first page.
  @Test(
    arguments: [
      ("{style: page, size: 50}", 0, 1), ("{style: page, size: 50}", 1, 0),
      ("{style: page, start: 0, size: 50}", 0, nil),
    ] as [(String, Int, Int?)])
  func theFirstPage(_ paging: String, _ first: Int, _ expected: Int?) async throws {
    try await withAPI(sample(paging: paging)) { request in
      Self.answer(request, from: first)
    } _: { provider, _ in
      let faults = await provider.startFaults(words: ["x"], within: .seconds(60))
      #expect(faults?.count == expected)
      for fault in faults ?? [] { #expect(fault.problem.contains("start: 0")) }
    }
  }

  /// What an API takes for an operator is refused where a word is to be quoted.
  @Test(
    arguments: [
      ("", "x lang:\"!de\"", "language:!de"), (", quote: word", "x lang:de", "language:de"),
      (", quote: double", "x lang:de", "language:\"de\""), (", quote: word", "x lang:\"!de\"", nil),
    ] as [(String, String, String?)])
  func operatorsOfTheAPI(_ quote: String, _ query: String, _ expected: String?) async throws {
    let text = sample(
      more: "qualifiers: {lang: {param: filter, value: \"language:{value}\", join: \",\"\(quote)}}")
    try await withAPI(text) { request in
      Self.answer(request, from: 1)
    } _: { provider, server in
      guard let expected else {
        let error = await searchError { _ = try await provider.search(ask(query, of: provider)) }
        #expect(error?.code == .unsupportedQuery && server.requests.isEmpty)
        return
      }
      _ = try await provider.search(ask(query, of: provider))
      #expect(server.requests.last?.query("filter") == expected)
    }
  }
}
