import ForageCore
import TestSupport
import Testing

@Suite struct FederationPropertyTests {
  /// Lists of one to three providers over a small world, so that they overlap.
  private static func lists(_ random: inout SeededGenerator, longest: Int) -> [[SearchResult]] {
    let world = repositories("w", random.mostlySmall(1...120))
    var lists: [[SearchResult]] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let count = min(world.count, Int.random(in: 0...longest, using: &random))
      lists.append(Array(world.shuffled(using: &random).prefix(count)))
    }
    return lists
  }

  private static func providers(_ lists: [[SearchResult]], pages: [Int]) -> [ScriptedProvider] {
    lists.enumerated().map { index, items in
      ScriptedProvider.listing("P\(index)", items, abilities: .plain(page: pages[index]))
    }
  }

  @Test func shorterSearchesArePrefixesAndLimitsAreFilled() async throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let lists = Self.lists(&random, longest: 90)
      // At least 20 a page, so that five pages reach the end of every list.
      let pages = [random.pick([20, 50, 100]), random.pick([20, 50, 100]), 33]
      let limit = Int.random(in: 1...90, using: &random)
      let short = try await federated("swift", Self.providers(lists, pages: pages), limit: limit)
      let long = try await federated("swift", Self.providers(lists, pages: pages), limit: 200)
      let all = long.items.map(\.result.id)
      #expect(Set(all).count == all.count)
      #expect(Set(all) == Set(lists.joined().map(\.id)))
      #expect(short.items.map(\.result.id) == Array(all.prefix(limit)))
      #expect(short.isComplete && long.isComplete)
    }
  }

  @Test func arrivalDoesNotMatter() async throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let lists = Self.lists(&random, longest: 60)
      let pages = [10, 20, 30]
      let plain = try await federated("swift", Self.providers(lists, pages: pages), limit: 60)
      let waits = lists.indices.map { _ in Int.random(in: 0...20, using: &random) }
      let delayed = lists.enumerated().map { index, items in
        ScriptedProvider.listing("P\(index)", items, abilities: .plain(page: pages[index])) { _ in
          for _ in 0..<waits[index] { await Task.yield() }
        }
      }
      let again = try await federated("swift", delayed, limit: 60)
      #expect(again.items.map(\.result) == plain.items.map(\.result))
      #expect(again.items.map(\.sources) == plain.items.map(\.sources))
      #expect(again.items.map(\.score) == plain.items.map(\.score))
    }
  }

  /// A failure anywhere loses only what the failing provider had not yet delivered.
  @Test func failuresLoseAndRepeatNothingOfTheOthers() async throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let lists = Self.lists(&random, longest: 90)
      let failing = Int.random(in: 0..<lists.count, using: &random)
      let page = Int.random(in: 1...3, using: &random)
      let providers = lists.enumerated().map { index, items in
        ScriptedProvider.listing("P\(index)", items, abilities: .plain(page: 20)) { number in
          if index == failing, number == page { throw SearchError(.serverError, "it broke", hint: "mend it") }
        }
      }
      let found = try await federated("swift", providers, limit: 200)
      let ids = found.items.map(\.result.id)
      let delivered = lists.enumerated().map { index, items in
        index == failing ? Array(items.prefix((page - 1) * 20)) : items
      }
      #expect(Set(ids).count == ids.count)
      #expect(Set(ids) == Set(delivered.joined().map(\.id)))
      for (index, outcome) in found.outcomes.enumerated() {
        let hasFailed =
          index == failing && lists[index].count > (page - 1) * 20 || index == failing && page == 1
        #expect(outcome.state == (hasFailed ? (page == 1 ? .failed : .partial) : .ok))
      }
    }
  }

  /// The limit is never pushed past a residual filter: below the scan cap everything that passes is there, up
  /// to the limit.
  @Test func theLimitIsFilledBelowTheScanCap() async throws {
    var random = SeededGenerator(seed: propertySeed())
    var limited = 0
    for _ in 0..<1_000 {
      let world = repositories("w", random.mostlySmall(1...300))
      let share = random.pick([0.02, 0.2, 0.6, 1])
      let passing = Set(world.map(\.id).filter { _ in random.chance(share) })
      var lists: [[SearchResult]] = []
      var pages: [Int] = []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let count = Int.random(in: 0...world.count, using: &random)
        lists.append(
          world.shuffled(using: &random).prefix(count).map { item in
            var item = item
            item[.forks] = .number(passing.contains(item.id) ? 9 : 1)
            return item
          })
        pages.append(random.pick([5, 20, 60, 100]))
      }
      let limit = Int.random(in: 1...120, using: &random)
      let providers = Self.providers(lists, pages: pages)
      let found = try await federated("swift forks:>5", providers, limit: limit)
      let available = passing.intersection(lists.joined().map(\.id))
      #expect(Set(found.items.map(\.result.id)).isSubset(of: available))
      #expect(found.items.count <= limit)
      let isCapped = found.outcomes.contains { $0.notes.contains { $0.code == .scanLimited } }
      limited += isCapped ? 1 : 0
      #expect(found.isComplete == !isCapped)
      if !isCapped {
        #expect(
          found.items.count == min(limit, available.count), "lists of \(lists.map(\.count)), pages \(pages)")
      }
      for (index, outcome) in found.outcomes.enumerated() {
        // Five pages, or as many small ones as make up a window, are always read.
        let reach = max(5 * pages[index], 50)
        #expect(
          !outcome.notes.contains { $0.code == .scanLimited } || lists[index].count > reach,
          "\(lists[index].count) of \(reach)")
      }
    }
    #expect(limited < 900)
  }
}
