import ForageCore
import ForageTesting
import Synchronization
import Testing

/// Providers whose pages, cursors and answers are wrong in one way.
@Suite struct WrongListTests {
  @Test func pageTooLarge() async {
    let provider = WrongProvider { request, inner in
      var request = request
      if isPlain(request, "parser") { request.pageSize += 1 }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["pages"], line: "pages: repo \"parser\" page 1: it has 6 items, but 5 were requested")
  }

  @Test func repeatedItems() async {
    let provider = WrongProvider { request, inner in
      var page = try await inner.search(request)
      // The first item of a further page was on the first one.
      if isPlain(request, "parser"), request.cursor != nil { page.items[0] = Shelf.items[4] }
      return page
    }
    await expect(
      provider, fails: ["pages"],
      line: "pages: repo \"parser\" page 2 item 1 (forge.example/acme/r4): it was on page 1 already")
  }

  @Test func repeatedLastPage() async {
    let provider = WrongProvider.page { page, request in
      if isPlain(request, "parser"), page.next == nil { page.next = request.cursor }
    }
    let report = await ProviderComplianceTests(provider: provider, samples: Shelf.samples).run()
    #expect(report.failedChecks == ["pages"], "\(report)")
    let line = report.failures.first?.description
    #expect(line?.hasPrefix("pages: repo \"parser\": the cursor \"10.3.") == true, "\(report)")
    #expect(line?.hasSuffix(" leads to a page of items that earlier pages have") == true)
  }

  /// A total of something else, for example of the first item.
  @Test(arguments: [
    (3, 3, "page 1: the total is 3, but 5 items were sent: is it the number of all results?"),
    (12, 400, "page 2: the total is 400, and was 12 on page 1: is it the number of all results?"),
    (
      .max, 12,
      "page 2: the total is 12, and was 9223372036854775807 on page 1: is it the number of all results?"
    ),
  ])
  func wrongTotal(_ first: Int, _ further: Int, _ problem: String) async {
    let provider = WrongProvider.page { page, request in
      if isPlain(request, "parser") { page.total = ResultTotal(request.cursor == nil ? first : further) }
    }
    await expect(provider, fails: ["pages"], line: "pages: repo \"parser\" \(problem)")
  }

  @Test func theLargestPageIsRefused() async {
    let provider = WrongProvider { request, inner in
      guard request.pageSize <= 5 else { throw SearchError(.forbidden, "at most 5") }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["answers"],
      line:
        "answers: repo \"parser\" page 1: a page of 10 items, the largest that is declared, failed with forbidden: at most 5"
    )
  }

  /// What is on no forge is known by its id, also of a known kind.
  @Test func detailsOfAPackage() async {
    await expect(
      Registry(), fails: ["details"],
      line: "details: details of registry:kit: there are none, although a search found it",
      samples: Shelf.samples(["kit"]))
  }

  @Test func endlessEmptyPages() async {
    let provider = WrongProvider { request, inner in
      if request.cursor == "more" { return SearchPage(items: [], next: "more") }
      var page = try await inner.search(request)
      if isPlain(request, "http"), page.next == nil { page.next = "more" }
      return page
    }
    await expect(
      provider, fails: ["pages"],
      line:
        "pages: repo \"http\": more than 20 pages in a row have no items, and the cursor is still \"more\"")
  }

  /// A server may filter as many pages as a search reads.
  @Test func manyEmptyPages() async {
    let provider = WrongProvider { request, inner in
      if let number = request.cursor.flatMap({ Int16($0) }) {
        return SearchPage(items: [], next: number < 20 ? String(number + 1) : nil)
      }
      var page = try await inner.search(request)
      if isPlain(request, "http"), page.next == nil { page.next = "1" }
      return page
    }
    let report = await ProviderComplianceTests(provider: provider, samples: Shelf.samples).run()
    #expect(report.failures.isEmpty, "\(report)")
  }

  /// A long list without a total cannot be told from an endless one.
  @Test(arguments: [nil, 100]) func longList(_ total: Int?) async {
    let provider = WrongProvider { request, inner in
      guard isPlain(request, "http") else { return try await inner.search(request) }
      guard let number = request.cursor.map({ Int($0) }) ?? 0 else {
        throw SearchError(.invalidCursor, "the cursor is damaged")
      }
      let items = (0..<request.pageSize).map { place in
        SearchResult(id: "other.example/acme/\(number + place)", kind: .repo, title: "made up")
      }
      return SearchPage(
        items: items, next: String(number + request.pageSize), total: total.map { ResultTotal($0) })
    }
    let report = await ProviderComplianceTests(
      provider: provider, samples: Shelf.samples(["http"]), make: { provider }
    ).run()
    if total == nil {
      #expect(report.failures.isEmpty, "\(report)")
      #expect(
        report.notes.contains { $0.hasPrefix("not checked to the end") && $0.contains("repo \"http\"") })
    } else {
      #expect(
        report.failures.map(\.description) == [
          "pages: repo \"http\": all 100 items were sent, but the cursor \"100\" leads to a further page"
        ], "\(report)")
    }
  }

  @Test func listCutShort() async {
    let provider = WrongProvider.page { page, request in if isPlain(request, "parser") { page.next = nil } }
    await expect(
      provider, fails: ["pages"],
      line:
        "pages: repo \"parser\": the list ends after 5 of 12 items; is the cursor of the next page missing?")
  }

  @Test func pagesOfFeedsAreChecked() async {
    let provider = WrongProvider.feed { request, inner in
      var request = request
      request.pageSize += 1
      return try await inner.feed(request)
    }
    let report = await ProviderComplianceTests(provider: provider, samples: Shelf.samples).run()
    #expect(report.failedChecks == ["pages"], "\(report)")
  }

  @Test func cursorsThatAreIgnored() async {
    let provider = WrongProvider { request, inner in
      var request = request
      if request.cursor?.contains(".") == false { request.cursor = nil }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["cursors"],
      line: "cursors: the cursor ~forage-foreign-cursor: it is answered with the first page; "
        + "refuse it with the error invalid_cursor (of a plugin: 1006)")
  }

  @Test func cursorsThatAreNotUnderstood() async {
    let provider = WrongProvider { request, inner in
      if request.cursor?.contains(".") == false { throw ForeignError() }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["cursors"],
      line:
        "cursors: the cursor ~forage-foreign-cursor: the search failed with ForeignError: the index is gone; "
        + "refuse it with the error invalid_cursor (of a plugin: 1006)")
  }

  /// Where each text is a place in an order, there is a page behind any cursor.
  @Test func cursorsThatArePlacesInAnOrder() async {
    let provider = WrongProvider { request, inner in
      request.cursor?.contains(".") == false ? SearchPage(items: []) : try await inner.search(request)
    }
    let report = await ProviderComplianceTests(provider: provider, samples: Shelf.samples).run()
    #expect(report.failures.isEmpty, "\(report)")
  }

  @Test func stateBetweenCalls() async {
    await expect(
      Forgetful(), fails: ["cursors"],
      line: "cursors: repo \"parser\" page 2 requested again: item 1 is forge.example/acme/r10 "
        + "instead of forge.example/acme/r5", make: { Forgetful() })
  }

  @Test func cursorsOfOneLife() async {
    await expect(
      Shelf.provider, fails: ["restart"],
      line:
        "restart: repo \"parser\" page 2 after a restart: it failed with invalid_cursor: the session is over",
      make: {
        WrongProvider { request, inner in
          guard request.cursor == nil else { throw SearchError(.invalidCursor, "the session is over") }
          return try await inner.search(request)
        }
      })
  }

  @Test func failedSearch() async {
    let provider = WrongProvider { request, inner in
      if isPlain(request, "http") { throw ForeignError() }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["answers"],
      line: "answers: repo \"http\" page 1: the search failed with ForeignError: the index is gone")
  }

  @Test func failedFeed() async {
    let silent = WrongProvider.feed { _, _ in throw SearchError(.unsupportedQuery, "the shelf has no feed") }
    await expect(
      silent, fails: ["answers"],
      line: "answers: repo feed page 1: the search failed with unsupported_query: the shelf has no feed")
  }

  @Test func ignoredCancellation() async {
    let provider = WrongProvider { request, inner in
      if Task.isCancelled { await sleepStubbornly(.seconds(600)) }
      return try await inner.search(request)
    }
    // What never ends is waited for only a while.
    var samples = Shelf.samples
    samples.grace = .seconds(3)
    await expect(
      provider, fails: ["cancellation"],
      line: "cancellation: a search cancelled before it begins: it is still running 3 s later",
      samples: samples)
  }

  @Test func detailsOfAnother() async {
    await expect(
      WrongProvider(know: { _, inner in inner.items[0] }), fails: ["details"],
      line: "details: details of forge.example/acme/r1: they are about forge.example/acme/r0")
  }
}

/// A provider whose cursors lead on from where it is, whatever they say.
private final class Forgetful: SearchProvider {
  private let used = Mutex<Set<String>>([])

  var info: ProviderInfo { Shelf.provider.info }
  var kinds: [ResultKind: Abilities] { Shelf.provider { $0.feed = nil }.kinds }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    let page = try await Shelf.provider.search(request)
    // The second time a cursor is used it gives what comes behind its page.
    guard let cursor = request.cursor, !used.withLock({ $0.insert(cursor).inserted }), let next = page.next
    else { return page }
    var further = request
    further.cursor = next
    return try await Shelf.provider.search(further)
  }
}

/// A registry of one package, of which it has no details.
private struct Registry: DetailsProvider {
  let info = ProviderInfo(id: "registry")
  let kinds: [ResultKind: Abilities] = [.package: Abilities(fields: [])]

  func search(_ request: SearchRequest) async throws -> SearchPage {
    if request.cursor != nil { throw SearchError(.invalidCursor, "there is one page") }
    let kit = SearchResult(
      id: "registry:kit", kind: .package, title: "kit", url: "https://registry.example/kit")
    return SearchPage(items: request.matches(kit) ? [kit] : [])
  }

  func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails? {
    nil
  }
}
