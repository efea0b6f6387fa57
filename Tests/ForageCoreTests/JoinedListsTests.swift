import ForageCore
import TestSupport
import Testing

/// Several lists of a service as one.
struct JoinedListsTests {
  /// A list in pages of its own size; a page that is asked for again is the same.
  private static func list(_ items: [SearchResult], page: Int) -> JoinedLists.List {
    { request in
      let start = request.cursor.flatMap { Int($0) } ?? 0
      let end = min(items.count, start + min(page, request.pageSize))
      return SearchPage(
        items: Array(items[start..<end]), next: end < items.count ? String(end) : nil,
        total: ResultTotal(items.count))
    }
  }

  private func request(_ size: Int, _ cursor: String? = nil, sort: String? = nil) -> SearchRequest {
    SearchRequest(
      kind: .repo, query: nil, sort: sort, pageSize: size, cursor: cursor, deadline: .now + .seconds(60))
  }

  /// Every item once; of each list in its order; sorted where a sort key says so; each page as large as it
  /// may be.
  @Test(arguments: propertySeeds())
  func everyItemOnce(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let isSorted = random.chance(0.5)
      let all = (0..<Int.random(in: 1...4, using: &random)).map { list in
        let items = (0..<random.mostlySmall(0...40)).map { index in
          repository(
            "github.com/o/\(list)-\(index)", [.stars: .number(Int.random(in: 0...20, using: &random))])
        }
        return isSorted ? ResultOrder.sorted(items, by: "stars", order: .descending) : items
      }
      var parts = all.map { Self.list($0, page: Int.random(in: 1...9, using: &random)) }
      // One of them can consist of lists itself.
      if parts.count > 2 {
        let inner = JoinedLists(Array(parts.prefix(2)))
        let nested: JoinedLists.List = { try await inner.page($0) }
        parts = [nested] + parts.dropFirst(2)
      }
      let lists = JoinedLists(parts)
      let (size, sort) = (Int.random(in: 1...12, using: &random), isSorted ? "stars" : nil)
      var (found, cursor): ([SearchResult], String?) = ([], nil)
      repeat {
        let page = try await lists.page(request(size, cursor, sort: sort))
        #expect(page.items.count <= size && (page.next == nil || page.next != cursor))
        if cursor == nil { #expect(page.total == ResultTotal(all.reduce(0) { $0 + $1.count })) }
        found += page.items
        cursor = page.next
      } while cursor != nil
      #expect(found.map(\.id).sorted() == all.flatMap { $0 }.map(\.id).sorted())
      for items in all {
        let ids = Set(items.map(\.id))
        #expect(found.map(\.id).filter(ids.contains) == items.map(\.id))
      }
      if isSorted {
        let stars = found.compactMap { $0[.stars]?.number }
        #expect(stars == stars.sorted(by: >))
      }
    }
  }

  /// A list that has ended counts in the total of later pages; numbers of a service that nobody can add are a
  /// lower bound.
  @Test func totals() async throws {
    let (short, long) = (
      (0..<2).map { repository("github.com/o/s\($0)", [:]) },
      (0..<9).map { repository("github.com/o/l\($0)", [:]) }
    )
    let lists = JoinedLists([Self.list(short, page: 3), Self.list(long, page: 3)])
    var cursor: String?
    repeat {
      let page = try await lists.page(request(3, cursor))
      #expect(page.total == ResultTotal(11))
      cursor = page.next
    } while cursor != nil
    for cursor in HostileNumbers.variants(of: "joined\n3 4 11 \n- 2 7+ ") {
      // A cursor with another number is one of these lists, or refused.
      _ = try? await lists.page(request(3, cursor))
    }
    let endless: JoinedLists.List = { _ in SearchPage(items: [], total: ResultTotal(.max)) }
    let page = try await JoinedLists([endless, endless]).page(request(3))
    #expect(page.total == ResultTotal(.max, .atLeast))
  }

  /// A sorted list ends where its service returns no more of what it counts.
  @Test func theReachOfAService() async throws {
    let items = (0..<9).map { repository("github.com/o/\($0)", [.stars: .number(9 - $0)]) }
    let cut: JoinedLists.List = { request in
      let page = try await Self.list(Array(items.prefix(4)), page: 4)(request)
      return SearchPage(items: page.items, next: page.next, total: ResultTotal(9))
    }
    let others = (0..<3).map { repository("github.com/x/\($0)", [.stars: .number(1)]) }
    let page = try await JoinedLists([cut, Self.list(others, page: 9)], reachable: 4).page(
      request(12, sort: "stars"))
    #expect(
      page.items.map(\.id) == items.prefix(4).map(\.id) && page.next == nil && page.total == ResultTotal(12))
  }

  @Test func failures() async throws {
    let items = (0..<5).map { repository("github.com/o/\($0)", [:]) }
    let failing: JoinedLists.List = { _ in throw SearchError(.unavailable, "gone") }
    let page = try await JoinedLists([Self.list(items, page: 9), failing]).page(request(9))
    #expect(page.items.count == 5 && page.failure?.code == .unavailable && page.total == nil)
    let other: JoinedLists.List = { _ in throw SearchError(.forbidden, "denied") }
    for _ in 0..<20 {
      let error = await #expect(throws: SearchError.self) {
        try await JoinedLists([failing, other]).page(request(9))
      }
      #expect(error?.code == .unavailable)
    }
  }

  @Test(arguments: [
    "", "joined\n", "joined\n0 0 1 ", "joined\n0 0 ? \n-1 0 ? ", "joined\nx 0 ? \n0 0 ? ",
    "joined\n0 0 -1 \n0 0 ? ",
    "joined\n0 9223372036854775807 ? \n0 0 ? ",
  ])
  func damagedCursors(cursor: String) async throws {
    let lists = JoinedLists([Self.list([], page: 1), Self.list([], page: 1)])
    let error = await #expect(throws: SearchError.self) { try await lists.page(request(1, cursor)) }
    #expect(error?.code == .invalidCursor)
  }
}
