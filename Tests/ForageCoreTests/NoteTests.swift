import Testing

@testable import ForageCore

/// Pages that hold nothing new, and lists that lack results for a reason.
struct NoteTests {
  private static let outOfReach = Note(.outOfReach, "the rest is out of reach", hint: "ask otherwise")
  private static let pause = Note(.requestsExceeded, "enough for now", hint: "go on")

  /// Pages as scripted, each leading to the next.
  private func provider(_ pages: [SearchPage], total: Int) -> ScriptedProvider {
    ScriptedProvider.named("P") { request, _ in
      let index = request.cursor.flatMap { Int($0) } ?? 0
      var page = pages[index]
      if !page.isPaused {
        page.next = index + 1 < pages.count ? String(index + 1) : nil
      }
      page.total = index == 0 ? ResultTotal(total) : nil
      return page
    }
  }

  @Test func aPageThatMayRepeatIsNotTheEnd() async throws {
    let items = repositories("p", 6)
    let pages = [
      SearchPage(items: Array(items[0..<3])), SearchPage(items: Array(items[0..<2]), mayRepeat: true),
      SearchPage(items: [], mayRepeat: true), SearchPage(items: Array(items[2..<6]), mayRepeat: true),
    ]
    let found = try await federated("swift", [provider(pages, total: 6)])
    #expect(found.items.map(\.result.id) == items.map(\.id))
    #expect(found.isComplete && found.outcomes.first?.state == .ok)
    #expect(found.outcomes.first?.total == ResultTotal(6))
  }

  /// A server may filter whole pages; the list goes on behind them.
  @Test(arguments: [1, 3, 19]) func emptyPagesAreFollowed(_ count: Int) async throws {
    let items = repositories("p", 4)
    let pages =
      [SearchPage(items: Array(items[0..<2]))] + Array(repeating: SearchPage(items: []), count: count)
      + [SearchPage(items: Array(items[2..<4]))]
    let found = try await federated("swift", [provider(pages, total: 4)])
    #expect(found.items.map(\.result.id) == items.map(\.id))
    #expect(found.isComplete && found.outcomes.first?.pages == count + 2)
  }

  /// So they are where the items are checked here.
  @Test func emptyPagesAreNoPagesOfAScan() async throws {
    let items = repositories("p", 2) { [.stars: .number($0 + 5)] }
    let pages = Array(repeating: SearchPage(items: []), count: 12) + [SearchPage(items: items)]
    let found = try await federated("swift stars:>3", [provider(pages, total: 2)])
    #expect(found.items.count == 2 && found.isComplete)
  }

  /// Too many of them end the list, which says so.
  @Test func emptyPagesWithoutEnd() async throws {
    let items = repositories("p", 2)
    let pages = [SearchPage(items: items)] + Array(repeating: SearchPage(items: []), count: 500)
    let found = try await federated("swift", [provider(pages, total: 900)])
    let outcome = try #require(found.outcomes.first)
    #expect(found.items.count == 2 && outcome.state == .ok && !found.isComplete)
    #expect(outcome.pages == 1 + ProviderRun.emptyPageCap)
    #expect(
      outcome.notes.map(\.message)
        == ["reading stopped after \(ProviderRun.emptyPageCap) consecutive pages without results"])
  }

  /// Results that are too large together end a search, and the next one continues there.
  @Test func largeResultsArePaused() async throws {
    let text = String(repeating: "x", count: 60_000)
    let provider = ScriptedProvider.named("P") { request, _ in
      let page = request.cursor.flatMap { Int($0) } ?? 0
      return SearchPage(
        items: (0..<10).map { number in
          SearchResult(
            id: "large.example/p/\(page)-\(number)", kind: .repo, title: "p/\(page)-\(number)",
            fields: [ResultField(rawValue: "body"): .text(text)])
        }, next: String(page + 1))
    }
    let search = FederatedSearch(
      query: try QueryParser().parse("swift"), limit: 10_000, timeout: .seconds(300))
    let run = SearchRun(search, ProviderRegistry([provider]))
    let first = await run.more()
    let outcome = try #require(first.outcomes.first)
    #expect(
      (200..<ProviderRun.sizeLimit / text.utf8.count).contains(first.items.count) && !first.isComplete)
    #expect(outcome.state == .ok && outcome.notes.count == 1)
    #expect(outcome.notes.first?.message.contains("after \(first.items.count) results") == true)
    #expect(outcome.notes.first?.message.contains("16 MB") == true)
    let second = await run.more()
    #expect(second.items.first?.result.id == "large.example/p/\(first.items.count / 10)-0")
    #expect(second.items.count == first.items.count)
  }

  @Test func aShortfallIsToldOnce() async throws {
    let items = repositories("p", 4)
    let pages = [
      SearchPage(items: Array(items[0..<2]), notes: [Self.outOfReach]),
      SearchPage(items: Array(items[2..<4]), notes: [Self.outOfReach]),
    ]
    let found = try await federated("swift", [provider(pages, total: 9)])
    #expect(found.items.count == 4 && !found.isComplete)
    #expect(found.outcomes.first?.notes == [Self.outOfReach] && found.outcomes.first?.state == .ok)
  }

  /// A pause ends the requests of this search, and the next goes on at the same place.
  @Test func aPauseIsTakenUpLater() async throws {
    let items = repositories("p", 4)
    let provider = ScriptedProvider.named("P") { request, number in
      guard number != 2 else {
        return SearchPage(items: [], next: request.cursor, notes: [Self.pause], isPaused: true)
      }
      return SearchPage(
        items: Array(number == 1 ? items[0..<2] : items[2..<4]), next: number == 1 ? "2" : nil,
        total: ResultTotal(4))
    }
    let search = FederatedSearch(query: try QueryParser().parse("swift"), timeout: .seconds(300))
    let run = SearchRun(search, ProviderRegistry([provider]))
    let first = await run.more()
    #expect(first.items.count == 2 && !first.isComplete && provider.requests.count == 2)
    #expect(first.outcomes.first?.notes == [Self.pause] && first.hasMore)
    let second = await run.more()
    #expect(second.items.map(\.result.id) == items[2...].map(\.id))
    #expect(second.isComplete && !second.hasMore)
    #expect(provider.requests.map(\.cursor) == [nil, "2", "2"])
  }

  /// The others are not held up.
  @Test func aPauseBesideAnother() async throws {
    let pausing = ScriptedProvider.named("P") { request, number in
      number == 1
        ? SearchPage(items: repositories("p", 1), next: "2", total: ResultTotal(9))
        : SearchPage(items: [], next: request.cursor, notes: [Self.pause], isPaused: true)
    }
    let found = try await federated(
      "swift", [pausing, ScriptedProvider.listing("Q", repositories("q", 120))], limit: 100)
    #expect(found.items.count == 100 && pausing.requests.count == 2)
    #expect(found.outcomes.map(\.notes.count) == [1, 0])
  }
}
