import ForageCore
import TestSupport
import Testing

/// Sorted lists whose providers give different values for one entity: it is placed by the value that is
/// shown.
@Suite struct SortedValueTests {
  private static func sorted(
    _ name: String, _ stars: [(id: Int, stars: Int?)], hosts: [String] = [], page: Int = 100,
    order: SortOrder = .descending
  ) -> ScriptedProvider {
    let items = stars.map { entity in
      repository("example.org/o/\(entity.id)", entity.stars.map { [.stars: .number($0)] } ?? [:])
    }
    return ScriptedProvider.listing(
      name, ResultOrder.sorted(items, by: "stars", order: order),
      abilities: .plain(sorts: ["stars"], page: page), hosts: hosts)
  }

  @Test func theForgesValueDecides() async throws {
    let forge = Self.sorted("Forge", [(1, 10), (2, 20), (3, 30)], hosts: ["example.org"])
    let clones = Self.sorted("Clones", [(1, 99), (3, 1), (4, 25)])
    let down = try await federated("swift", [clones, forge], sort: "stars")
    #expect(down.items.map { $0.result[.stars]?.number } == [30, 25, 20, 10])
    #expect(down.items.map { $0.sources.map(\.provider) }.last == ["clones", "forge"])
    let ascending = [
      Self.sorted("Clones", [(1, 99), (3, 1), (4, 25)], order: .ascending),
      Self.sorted("Forge", [(1, 10), (2, 20), (3, 30)], hosts: ["example.org"], order: .ascending),
    ]
    let up = try await federated("swift", ascending, sort: "stars", order: .ascending)
    #expect(up.items.map { $0.result[.stars]?.number } == [10, 20, 25, 30])
  }

  /// A value that was not reached yet neither moves a row nor is shown in it.
  @Test func aValueOutOfReachDoesNotCount() async throws {
    let many = (0..<200).map { (id: $0, stars: Int?.some(1_000 - $0)) }
    let clones = Self.sorted("Clones", [(199, 5_000)])
    for page in [50, 100] {
      let forge = Self.sorted("Forge", many, hosts: ["example.org"], page: page)
      let found = try await federated("swift", [clones, forge], limit: 10, sort: "stars")
      #expect(found.items.first?.result.id == "example.org/o/199")
      #expect(found.items.map { $0.result[.stars]?.number } == [5_000] + (0..<9).map { 1_000 - $0 })
    }
  }

  @Test func everyPageSizeGivesOneSortedSequence() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      let pool = random.mostlySmall(1...150)
      let providers = (0..<Int.random(in: 2...3, using: &random)).map { index in
        let ids = (0..<pool).shuffled(using: &random).prefix(Int.random(in: 0...pool, using: &random))
        let stars = ids.map { id in
          (id: id, stars: random.chance(0.1) ? nil : Int.random(in: 0...60, using: &random))
        }
        return Self.sorted(
          "P\(index)", stars, hosts: random.chance(0.5) ? ["example.org"] : [],
          page: random.pick([20, 50, 64, 100]))
      }
      let search = FederatedSearch(
        query: try QueryParser().parse("swift"), sort: "stars", timeout: .seconds(300))
      func pages(_ limit: () -> Int) async -> [MergedItem] {
        await parts(search, ProviderRegistry(providers), limits: limit).flatMap(\.items)
      }
      let whole = await pages { 1_000 }
      let values = whole.map { $0.result[.stars]?.number ?? -1 }
      #expect(values == values.sorted(by: >), "seed \(seed)")
      #expect(Set(whole.map(\.result.id)).count == whole.count, "seed \(seed)")
      let size = Int.random(in: 3...70, using: &random)
      let cut = await pages { size }
      #expect(cut.map(\.result.id) == whole.map(\.result.id), "seed \(seed), pages of \(size)")
      #expect(cut.map { $0.result[.stars] } == whole.map { $0.result[.stars] }, "seed \(seed)")
    }
  }
}
