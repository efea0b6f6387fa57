import ForageCore
import ForageTesting
import Testing

/// Providers whose pages and lists are wrong in one way.
@Suite struct WrongListTests {
  @Test func pageTooLarge() async {
    let provider = WrongProvider { request, inner in
      var request = request
      request.pageSize += 1
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["page-size"],
      line: "page-size: repo \"parser\" page 1: expected at most 5 items, but it has 6")
  }

  @Test func repeatedItems() async {
    // The first item of every further page was the last of the one before.
    let provider = WrongProvider { request, inner in
      var page = try await inner.search(request)
      guard isPlain(request, "parser"), request.pageSize < 10, let cursor = request.cursor,
        let start = cursor.split(separator: ".").first.flatMap({ Int($0, radix: 36) })
      else { return page }
      page.items.insert(Shelf.items[start - 1], at: 0)
      page.items = Array(page.items.prefix(request.pageSize))
      return page
    }
    await expect(
      provider, fails: ["ids-unique"],
      line: "ids-unique: repo \"parser\" page 2 item 1 (forge.example/acme/r4): expected every item once, "
        + "but it was on page 1 already")
  }

  @Test func repeatedLastPage() async {
    let provider = WrongProvider.page { page, request in
      if isPlain(request, "parser"), page.next == nil, request.pageSize < 10 { page.next = request.cursor }
    }
    await expect(
      provider, fails: ["cursor-advances"],
      line: "cursor-advances: repo \"parser\" page 4: expected a new item, "
        + "but the cursor \"a.3.742t7jj5qkrj\" leads to items of earlier pages")
  }

  @Test func endlessEmptyPages() async {
    let provider = WrongProvider { request, inner in
      if request.cursor == "more" { return SearchPage(items: [], next: "more") }
      var page = try await inner.search(request)
      if isPlain(request, "http"), page.next == nil { page.next = "more" }
      return page
    }
    await expect(
      provider, fails: ["cursor-ends"],
      line: "cursor-ends: repo \"http\" page 22: expected the end of the list after empty pages, "
        + "but there are more than 20 in a row and the cursor \"more\" leads to another page")
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
    let report = await ProviderComplianceTests(
      provider: provider, samples: Shelf.samples, make: { provider }
    ).run()
    #expect(!report.failedChecks.contains("cursor-ends"), "\(report)")
  }

  /// A long list without a total cannot be told from an endless one.
  @Test func longListOfUnknownLength() async {
    let provider = WrongProvider { request, inner in
      guard isPlain(request, "http") else { return try await inner.search(request) }
      let number = request.cursor.flatMap { Int16($0) }.map(Int.init) ?? 0
      var item = Shelf.items[0]
      item.id = "other.example/acme/made-up-\(number)"
      return SearchPage(items: [item], next: String(number + 1))
    }
    let report = await ProviderComplianceTests(
      provider: provider, samples: Shelf.samples(["http"]), make: { provider }
    ).run()
    #expect(report.failures.isEmpty, "\(report)")
    #expect(
      report.notes.contains { $0.hasPrefix("not checked to the end") && $0.contains("repo \"http\"") },
      "\(report)")
  }

  @Test func emptyPageBehindTheLast() async {
    let provider = WrongProvider { request, inner in
      if request.cursor == "end" { return SearchPage(items: [], total: ResultTotal(4)) }
      var page = try await inner.search(request)
      if isPlain(request, "http"), page.next == nil { page.next = "end" }
      return page
    }
    await expect(
      provider, fails: ["list-end"],
      line: "list-end: repo \"http\" page 2: expected no page after all 4 items, "
        + "but there is an empty one")
  }

  @Test func listCutShort() async {
    let provider = WrongProvider.page { page, request in
      if isPlain(request, "parser") { page.next = nil }
    }
    await expect(
      provider, fails: ["list-end"],
      line: "list-end: repo \"parser\": expected 12 items, but the list ends after 5")
  }

  @Test func totalTooSmall() async {
    await expect(
      WrongProvider.page { page, request in
        page.total = page.total.map { ResultTotal(isPlain(request, "parser") ? 7 : $0.value) }
      }, fails: ["total"],
      line: "total: repo \"parser\" page 2: expected a total of 10 or more, but it is exactly 7")
  }

  @Test func negativeCounts() async {
    await expect(
      WrongProvider.page { page, _ in page.unreadable = -1 }, fails: ["counts"],
      line: "counts: repo \"parser\" page 1: expected 0 unreadable items or more, but it is -1")
  }

  @Test func beyondReachable() async {
    let provider = WrongProvider(saying: { $0.kinds[.repo]?.reachable = 11 })
    await expect(
      provider, fails: ["reachable"],
      line: "reachable: repo \"parser\": expected at most 11 items, but 12 were delivered",
      samples: Shelf.samples(["parser"]))
  }

  @Test func unsorted() async {
    let provider = WrongProvider { request, inner in
      var request = request
      if request.sort == "stars" { request.order = .descending }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["sort-order"],
      line: "sort-order: repo \"parser\" by stars asc page 1 item 2 (forge.example/acme/r10): "
        + "expected items by stars asc, but it follows forge.example/acme/r5")
  }

  @Test func unappliedThoughNeverSent() async {
    let provider = WrongProvider.page { page, _ in page.unapplied = ["forks"] }
    await expect(
      provider, fails: ["unapplied"],
      line: "unapplied: repo \"parser\" page 1: expected nothing unapplied but what was sent (no qualifier), "
        + "but it names forks")
  }
}
