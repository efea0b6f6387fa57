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

  /// Every item once; of each list in its order; sorted where a sort key says so; each page as large as it may be.
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
      let lists = JoinedLists(all.map { Self.list($0, page: Int.random(in: 1...9, using: &random)) })
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

  @Test func failures() async throws {
    let items = (0..<5).map { repository("github.com/o/\($0)", [:]) }
    let failing: JoinedLists.List = { _ in throw SearchError(.unavailable, "gone") }
    let page = try await JoinedLists([Self.list(items, page: 9), failing]).page(request(9))
    #expect(page.items.count == 5 && page.failure?.code == .unavailable && page.total == nil)
    await #expect(throws: SearchError.self) {
      try await JoinedLists([failing, failing]).page(request(9))
    }
  }

  @Test(arguments: ["", "joined\n", "joined\n0 0 1", "joined\n0 0 \n-1 0 ", "joined\nx 0 \n0 0 "])
  func damagedCursors(cursor: String) async throws {
    let lists = JoinedLists([Self.list([], page: 1), Self.list([], page: 1)])
    let error = await #expect(throws: SearchError.self) { try await lists.page(request(1, cursor)) }
    #expect(error?.code == .invalidCursor)
  }
}
