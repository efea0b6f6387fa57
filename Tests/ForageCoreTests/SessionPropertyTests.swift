import ForageCore
import Synchronization
import TestSupport
import Testing

/// Paging through a merged list: the sequence does not depend on how it is cut, and failures lose and repeat nothing.
@Suite struct SessionPropertyTests {
  /// Numbers requests from 1.
  private final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
      value.withLock {
        $0 += 1
        return $0
      }
    }
  }

  /// A few providers with overlapping lists of their own.
  private struct World {
    var lists: [[SearchResult]]
    var pageSizes: [Int]
    var groups: [String]
    var sort: String?

    init(_ random: inout SeededGenerator, sorts: Bool) {
      let pool = random.mostlySmall(1...160)
      let isSorted = sorts && random.chance(0.4)
      var lists: [[SearchResult]] = []
      for index in 0..<Int.random(in: 1...4, using: &random) {
        let count = Int.random(in: 0...pool, using: &random)
        var items = (0..<pool).shuffled(using: &random).prefix(count).map { entity in
          repository(
            "github.com/o/\(entity)", forgeID: entity.isMultiple(of: 3) ? "github.com:\(entity)" : nil,
            entity.isMultiple(of: 5) ? [:] : [.stars: .number(entity / 2)])
        }
        if isSorted && index != 2 { items = ResultOrder.sorted(items, by: "stars", order: .descending) }
        lists.append(items)
      }
      self.lists = lists
      pageSizes = lists.map { _ in random.pick([7, 30, 50, 64, 100]) }
      groups = lists.map { _ in random.pick(["a", "b", "c"]) }
      sort = isSorted ? "stars" : nil
    }

    /// What tells this world from others.
    var story: String {
      "sort \(sort ?? "-"), lists of \(lists.map(\.count)), page sizes \(pageSizes), groups \(groups)"
    }

    /// The providers; `fails` says whether a request with this number, counted over all providers, goes wrong.
    func federation(fails: @escaping @Sendable (Int) -> Bool = { _ in false }) -> Federation {
      let counter = Counter()
      return Federation(
        ProviderRegistry(
          lists.indices.map { index in
            let items = lists[index]
            let sorts = sort != nil && index != 2 ? ["stars"] : []
            return ScriptedProvider.named(
              "P\(index)", abilities: .plain(sorts: sorts, page: pageSizes[index]), group: groups[index]
            ) { request, _ in
              if fails(counter.next()) {
                throw SearchError(.serverError, "failed on purpose", hint: "none")
              }
              return ScriptedProvider.page(of: items, for: request)
            }
          }))
    }

    func search(limit: Int) throws -> FederatedSearch {
      FederatedSearch(
        query: try QueryParser().parse("swift"), limit: limit, sort: sort, timeout: .seconds(300))
    }

    /// Every page of the search, until nothing follows; a session goes through its stored form on the way.
    func pages(_ federation: Federation, limits: () -> Int) async throws -> [FederatedResult] {
      var result = await federation.search(try search(limit: limits()))
      var all = [result]
      while let session = result.session, all.count < 2_000 {
        result = try await federation.search(
          try search(limit: limits()), from: result.nextOffset, of: session)
        all.append(result)
      }
      return all
    }
  }

  private func keys(_ pages: [FederatedResult]) -> [String] {
    pages.flatMap { $0.items.map { $0.result.forgeID ?? $0.result.id } }
  }

  @Test func pagesOfAnySizeAreOneSequence() async throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let world = World(&random, sorts: true)
      let federation = world.federation()
      let whole = keys(try await world.pages(federation) { 10_000 })
      let size = Int.random(in: 1...60, using: &random)
      let even = keys(try await world.pages(federation) { max(size, whole.count / 40) })
      #expect(even == whole, "\(world.story), pages of \(max(size, whole.count / 40))")
      var other = random
      #expect(
        keys(
          try await world.pages(federation) { max(whole.count / 30, Int.random(in: 1...90, using: &other)) })
          == whole)
      #expect(Set(whole).count == whole.count)
      if world.sort == nil {
        #expect(Set(whole) == Set(world.lists.joined().map { $0.forgeID ?? $0.id }))
      }
    }
  }

  @Test func failuresLoseAndRepeatNothing() async throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let world = World(&random, sorts: false)
      // Two failures anywhere: a provider is given up only after three in turn.
      let bad = [Int.random(in: 1...12, using: &random), Int.random(in: 1...12, using: &random)]
      let federation = world.federation { bad.contains($0) }
      let size = Int.random(in: 5...120, using: &random)
      let pages = try await world.pages(federation) { size }
      let found = keys(pages)
      #expect(Set(found).count == found.count)
      // Where nobody answers at all there is nothing to go on from.
      if try #require(pages.first).outcomes.contains(where: \.state.isAnswer) {
        #expect(
          Set(found) == Set(world.lists.joined().map { $0.forgeID ?? $0.id }), "\(world.story), bad \(bad)")
      }
    }
  }

  /// Whatever fails for good is given up after three blocks, paging ends, and no page without it is complete, also one whose
  /// results were placed with an earlier page.
  @Test(arguments: [30, 230]) func aProviderThatKeepsFailingIsDropped(count: Int) async throws {
    let good = ScriptedProvider.listing("Good", repositories("good", count))
    let bad = ScriptedProvider.named("Bad") { _, _ in
      throw SearchError(.serverError, "failed on purpose", hint: "none")
    }
    let federation = Federation(ProviderRegistry([good, bad]))
    let search = FederatedSearch(query: try QueryParser().parse("swift"), limit: 20, timeout: .seconds(300))
    var result = await federation.search(search)
    var pages = [result]
    while let session = result.session {
      result = try await federation.search(search, from: result.nextOffset, of: session)
      pages.append(result)
      try #require(pages.count < 20)
    }
    #expect(pages.map(\.items.count).reduce(0, +) == count)
    for page in pages { #expect(!page.isComplete && page.outcomes.last?.state == .failed) }
    #expect(pages.last?.outcomes.last?.isDropped == true)
    #expect(bad.requests.count == 3)
  }

  @Test func aSessionOfAnotherSearchIsRefused() async throws {
    let provider = ScriptedProvider.listing("P", repositories("p", 100))
    let federation = Federation(ProviderRegistry([provider]))
    let first = await federation.search(
      FederatedSearch(query: try QueryParser().parse("swift"), limit: 10, timeout: .seconds(300)))
    let session = try #require(first.session)
    for (query, offset) in [("other", 10), ("swift", 9), ("swift", 5_000)] {
      let search = FederatedSearch(query: try QueryParser().parse(query), limit: 10, timeout: .seconds(300))
      await #expect(throws: SearchError.self) {
        try await federation.search(search, from: offset, of: session)
      }
    }
  }
}
