import ForageCore
import Synchronization
import TestSupport
import Testing

/// A merged list in parts: the sequence does not depend on how it is cut, and failures lose and repeat
/// nothing.
@Suite struct SearchRunPropertyTests {
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

    /// The providers; `fails` says whether a request with this number, counted over all providers, goes
    /// wrong.
    func registry(fails: @escaping @Sendable (Int) -> Bool = { _ in false }) -> ProviderRegistry {
      let counter = Counter()
      return ProviderRegistry(
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
        })
    }

    /// Every part of the search, until nothing follows.
    func pages(_ registry: ProviderRegistry, limits: () -> Int) async throws -> [FederatedResult] {
      let search = FederatedSearch(
        query: try QueryParser().parse("swift"), limit: limits(), sort: sort, timeout: .seconds(300))
      return await parts(search, registry, limits: limits)
    }
  }

  private func keys(_ pages: [FederatedResult]) -> [String] {
    pages.flatMap { $0.items.map { $0.result.forgeID ?? $0.result.id } }
  }

  @Test func pagesOfAnySizeAreOneSequence() async throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let world = World(&random, sorts: true)
      let registry = world.registry()
      let whole = keys(try await world.pages(registry) { 10_000 })
      let size = Int.random(in: 1...60, using: &random)
      let even = keys(try await world.pages(registry) { max(size, whole.count / 40) })
      #expect(even == whole, "\(world.story), pages of \(max(size, whole.count / 40))")
      var other = random
      #expect(
        keys(
          try await world.pages(registry) { max(whole.count / 30, Int.random(in: 1...90, using: &other)) })
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
      // One failure anywhere: a provider is given up only after two in turn.
      let bad = Int.random(in: 1...12, using: &random)
      let registry = world.registry { $0 == bad }
      let size = Int.random(in: 5...120, using: &random)
      let pages = try await world.pages(registry) { size }
      let found = keys(pages)
      #expect(Set(found).count == found.count)
      // Where nobody answers at all there is nothing to go on from.
      if try #require(pages.first).outcomes.contains(where: \.state.isAnswer) {
        #expect(
          Set(found) == Set(world.lists.joined().map { $0.forgeID ?? $0.id }), "\(world.story), bad \(bad)")
      }
    }
  }

  /// Whatever fails for good is given up the second time, the list ends, and no part without it is complete,
  /// also one whose results were placed with an earlier part.
  @Test(arguments: [30, 230]) func aProviderThatKeepsFailingIsDropped(count: Int) async throws {
    let good = ScriptedProvider.listing("Good", repositories("good", count))
    let bad = ScriptedProvider.named("Bad") { _, _ in
      throw SearchError(.serverError, "failed on purpose", hint: "none")
    }
    let search = FederatedSearch(query: try QueryParser().parse("swift"), limit: 20, timeout: .seconds(300))
    let pages = await parts(search, ProviderRegistry([good, bad])) { 20 }
    #expect(pages.map(\.items.count).reduce(0, +) == count && pages.count < 20)
    for page in pages { #expect(!page.isComplete && page.outcomes.last?.state == .failed) }
    #expect(pages.last?.outcomes.last?.notes.map(\.code) == [.dropped])
    #expect(bad.requests.count == 2)
  }

  /// Two who continue at the same time get different results.
  @Test func continuationsAreMadeOneAtATime() async throws {
    let items = repositories("p", 500)
    let search = FederatedSearch(query: try QueryParser().parse("swift"), limit: 50, timeout: .seconds(300))
    let run = SearchRun(search, ProviderRegistry([ScriptedProvider.listing("P", items)]))
    let found = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<5 { group.addTask { await run.more(limit: 60).items.map(\.result.id) } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(found.count == 300 && Set(found) == Set(items.prefix(300).map(\.id)))
  }

  /// Two who ask for parts at the same time get them one after the other.
  @Test func partsAreMadeOneAtATime() async throws {
    let items = repositories("p", 500)
    let search = FederatedSearch(query: try QueryParser().parse("swift"), limit: 50, timeout: .seconds(300))
    let run = SearchRun(search, ProviderRegistry([ScriptedProvider.listing("P", items)]))
    let found = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<5 { group.addTask { await run.part(from: 0, limit: 120).items.map(\.result.id) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found.count == 5 && found.allSatisfy { $0 == items.prefix(120).map(\.id) })
    #expect(await run.part(from: 120, limit: 30).items.map(\.result.id) == items[120..<150].map(\.id))
  }

  /// A part that is asked for again, or with a smaller limit, changes nothing of the parts after it.
  @Test func anEarlierPartChangesNothing() async throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<200 {
      let world = World(&random, sorts: true)
      let bad = Int.random(in: 2...12, using: &random)
      let search = FederatedSearch(
        query: try QueryParser().parse("swift"), limit: 40, sort: world.sort, timeout: .seconds(300))
      let expected = keys(await parts(search, world.registry { $0 == bad }) { 40 })
      let run = SearchRun(search, world.registry { $0 == bad })
      var pages: [FederatedResult] = []
      while pages.last?.hasMore ?? true, pages.count < 100 {
        pages.append(await run.more())
        let earlier = await run.part(from: Int.random(in: 0...500, using: &random), limit: 10)
        let known = pages.reduce(0) { $0 + $1.items.count }
        if earlier.offset + earlier.items.count <= known {
          #expect(
            keys([earlier]) == Array(keys(pages).dropFirst(earlier.offset).prefix(10)), "\(world.story)")
        }
      }
      #expect(Set(keys(pages)).count == keys(pages).count, "\(world.story)")
      if world.lists.count == 1 { #expect(keys(pages) == expected, "\(world.story)") }
    }
  }

  /// A part whose caller was cancelled is no failure of the providers, and the list goes on as if it had not
  /// been asked for.
  @Test(arguments: [nil, "stars"]) func aCancelledPartIsMadeAgain(_ sort: String?) async throws {
    let (gate, entered) = (Gate(), Gate())
    let items = repositories("p", 300) { [.stars: .number(1000 - $0)] }
    let slow = ScriptedProvider.named("Slow", abilities: .plain(sorts: ["stars"])) { request, number in
      if number == 2 {
        entered.open()
        await gate.wait()
      }
      return ScriptedProvider.page(of: items, for: request)
    }
    let other = ScriptedProvider.listing(
      "Other", repositories("q", 150) { [.stars: .number(1000 - 2 * $0)] },
      abilities: .plain(sorts: ["stars"]))
    let search = FederatedSearch(
      query: try QueryParser().parse("swift"), limit: 100, sort: sort, timeout: .seconds(300))
    let run = SearchRun(search, ProviderRegistry([slow, other]))
    var found = keys([await run.more(limit: 20)])
    let task = Task { await run.part(from: 20, limit: 300) }
    await entered.wait()
    task.cancel()
    _ = await task.value
    gate.open()
    var part = await run.more()
    while true {
      found += keys([part])
      #expect(part.isComplete)
      if !part.hasMore { break }
      part = await run.more()
    }
    #expect(found.count == 450 && Set(found).count == 450)
  }
}
