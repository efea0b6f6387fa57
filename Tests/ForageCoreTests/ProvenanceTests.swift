import Foundation
import TestSupport
import Testing

@testable import ForageCore

/// Several fieldObservations of one entity are kept, and one of them is shown.
@Suite struct ProvenanceTests {
  private static func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  private static func list(
    _ provider: String, _ item: SearchResult, at seconds: Double? = nil, hosts: [String] = []
  ) -> RankedList {
    var item = item
    item.readAt = seconds.map(time)
    return RankedList(provider: provider, group: provider, weight: 1, hosts: hosts, items: [item])
  }

  private static func merged(_ lists: [RankedList]) throws -> MergedItem {
    try #require(ForageCoreTests.merged(lists, limit: 10).first)
  }

  private static let id = "example.org/a/b"

  @Test func theFresherIsShownUnlessTheForgeItselfAnswers() throws {
    let old = Self.list("old", repository(Self.id, [.stars: .number(1), .forks: .number(7)]), at: 100)
    let new = Self.list("new", repository(Self.id, [.stars: .number(2)]), at: 200)
    let forge = Self.list(
      "forge", repository(Self.id, [.stars: .number(3)]), at: 50, hosts: ["example.org"])
    let two = try Self.merged([old, new])
    #expect(two.result[.stars] == .number(2) && two.result[.forks] == .number(7))
    #expect(two.observedAt == Self.time(200))
    #expect(
      two.provenance(of: .stars) == [
        FieldSighting(value: .number(2), provider: "new", observedAt: Self.time(200)),
        FieldSighting(value: .number(1), provider: "old", observedAt: Self.time(100)),
      ])
    #expect(two.provenance(of: .forks).map(\.provider) == ["old"])
    #expect(two.provenance(of: .license).isEmpty)
    #expect(two.disputedFields == [.stars])
    let three = try Self.merged([old, new, forge])
    #expect(three.result[.stars] == .number(3))
    #expect(three.provenance(of: .stars).map(\.provider) == ["forge", "new", "old"])
    #expect(three.sources.map(\.provider) == ["old", "new", "forge"])
  }

  @Test func ofEquallyFreshOnesTheOrderOfTheProvidersDecides() throws {
    let p = Self.list("p", repository(Self.id, [.stars: .number(1)]), at: 100)
    let q = Self.list("q", repository(Self.id, [.stars: .number(2)]), at: 100)
    let timeless = Self.list("r", repository(Self.id, [.stars: .number(3)]))
    #expect(try Self.merged([p, q]).result[.stars] == .number(1))
    #expect(try Self.merged([q, p]).result[.stars] == .number(2))
    #expect(try Self.merged([timeless, q]).provenance(of: .stars).map(\.provider) == ["q", "r"])
  }

  @Test func whatOneProviderToldIsKeptOnce() throws {
    let item = try Self.merged([Self.list("p", repository(Self.id, [.stars: .number(1)]), at: 100)])
    #expect(item.fieldObservations == nil && item.disputedFields.isEmpty)
    #expect(
      item.provenance(of: .stars) == [
        FieldSighting(value: .number(1), provider: "p", observedAt: Self.time(100))
      ])
  }

  /// An item's own time goes before that of the page: a clone was looked at when its folder was scanned.
  @Test func anItemCanSayItself() throws {
    var clone = repository(Self.id, [.stars: .number(1)])
    clone.observedAt = Self.time(10)
    let other = Self.list("q", repository(Self.id, [.stars: .number(2)]), at: 20)
    let item = try Self.merged([Self.list("p", clone, at: 100), other])
    #expect(item.provenance(of: .stars).map(\.provider) == ["q", "p"])
    #expect(item.provenance(of: .stars).map(\.observedAt) == [Self.time(20), Self.time(10)])
  }

  /// An answer from the cache is as old as it is, one for which a provider tells the time as old as it says,
  /// and none is of the future.
  @Test func answersOfAFederationHaveTheirTimes() async throws {
    func provider(_ name: String, stars: Int, _ change: @escaping @Sendable (inout SearchPage) -> Void)
      -> ScriptedProvider
    {
      ScriptedProvider.named(name) { _, _ in
        var page = SearchPage(items: [repository(Self.id, [.stars: .number(stars)])])
        change(&page)
        return page
      }
    }
    let began = Date()
    let cached = provider("Cached", stars: 1) { $0.cache.age = .seconds(60) }
    let told = provider("Told", stars: 2) { $0.items[0].observedAt = Self.time(1_000) }
    let ahead = provider("Ahead", stars: 3) { $0.items[0].observedAt = .distantFuture }
    let live = provider("Live", stars: 4) { _ in }
    let found = try await federated("swift", [cached, told, ahead, live])
    let item = try #require(found.items.first)
    let sightings = item.provenance(of: .stars)
    #expect(sightings.map(\.provider) == ["ahead", "live", "cached", "told"])
    let times = sightings.compactMap(\.observedAt)
    try #require(times.count == 4)
    #expect(times[0] == times[1] && times[0] >= began && times[0] <= Date())
    #expect(abs(times[0].timeIntervalSince(times[2]) - 60) < 0.001)
    #expect(times[3] == Self.time(1_000))
    #expect(item.result[.stars] == .number(3))
  }

  /// What is read on one page of a search and given out on another keeps its fieldObservations and its times.
  @Test func everyPartHasTheObservations() async throws {
    let p = ScriptedProvider.listing("P", repositories("x", 60) { [.stars: .number($0)] })
    let q = ScriptedProvider.named("Q") { request, _ in
      var page = ScriptedProvider.page(
        of: repositories("x", 60) { [.stars: .number($0 + 1_000)] }, for: request)
      for index in page.items.indices { page.items[index].observedAt = Self.time(1_000) }
      return page
    }
    let search = FederatedSearch(query: try QueryParser().parse("swift"), limit: 20, timeout: .seconds(300))
    let found = await parts(search, ProviderRegistry([p, q])) { 20 }
    for item in found.flatMap(\.items) {
      #expect(item.provenance(of: .stars).map(\.provider) == ["p", "q"])
      #expect(item.provenance(of: .stars).last?.observedAt == Self.time(1_000))
      #expect(item.disputedFields == [.stars])
    }
    #expect(found.map(\.items.count) == [20, 20, 20])
  }
}

@Suite struct ProvenancePropertyTests {
  private static let fields: [ResultField] = [.stars, .language, .license, .description]
  private static let hosts = ["a.example", "b.example"]

  private static func item(_ entity: Int, _ random: inout SeededGenerator) -> SearchResult {
    var item = repository("\(hosts[entity % 2])/o/\(entity)")
    for field in fields where random.chance(0.6) {
      item[field] = .number(Int.random(in: 0...3, using: &random))
    }
    if random.chance(0.3) {
      item.observedAt = Date(timeIntervalSince1970: Double(Int.random(in: 0...5, using: &random)))
    }
    return item
  }

  /// Of each field the value is shown that the rule names, and every telling is kept in the order of the
  /// rule.
  @Test func theShownValueFollowsTheRule() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let pool = Int.random(in: 1...20, using: &random)
      var lists: [RankedList] = []
      for index in 0..<Int.random(in: 1...5, using: &random) {
        let entities = (0..<pool).shuffled(using: &random).prefix(Int.random(in: 0...pool, using: &random))
        var items: [SearchResult] = []
        for entity in entities {
          var item = Self.item(entity, &random)
          item.readAt = Date(timeIntervalSince1970: Double(Int.random(in: 0...5, using: &random)))
          items.append(item)
        }
        lists.append(
          RankedList(
            provider: "p\(index)", group: "g\(index % 2)", weight: 1,
            hosts: Self.hosts.filter { _ in random.chance(0.3) }, items: items))
      }
      for item in ForageCoreTests.merged(lists) {
        let host = item.result.id.split(separator: "/").first.map(String.init) ?? ""
        // Each telling with what the rule asks, in the order of the providers.
        let fieldObservations = lists.compactMap {
          list -> (list: RankedList, item: SearchResult, time: Date)? in
          guard let place = list.items.firstIndex(where: { $0.id == item.result.id }) else { return nil }
          let told = list.items[place]
          return (list, told, told.observedAt ?? told.readAt ?? .distantPast)
        }
        for field in Self.fields {
          let having = fieldObservations.filter { $0.item[field] != nil }
          let own = having.filter { $0.list.hosts.contains(host) }
          let best = (own.isEmpty ? having : own).max { $0.time < $1.time }?.time
          let shown = (own.isEmpty ? having : own).first { $0.time == best }
          #expect(item.result[field] == shown?.item[field], "\(field.rawValue) of \(item.result.id)")
          let kept = item.provenance(of: field)
          #expect(kept.first?.value == item.result[field])
          #expect(kept.first?.provider == shown?.list.provider)
          #expect(Set(kept.map(\.provider)) == Set(having.map(\.list.provider)))
          #expect(kept.count == having.count)
          #expect(
            item.disputedFields.contains(field) == (Set(having.compactMap { $0.item[field] }).count > 1))
        }
      }
    }
  }

  /// Renames merge through the forge's id alone: with neither an id nor a name in common nothing merges, and
  /// forks never do.
  @Test func onlyOneNameOrOneForgeIDMerges() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let pool = Int.random(in: 1...30, using: &random)
      // Everything else is the same of all: title, history, description.
      let entities = (0..<pool).map { number in
        SearchResult(
          id: "github.com/o\(number)/same", forgeID: number.isMultiple(of: 2) ? "github.com:\(number)" : nil,
          kind: .repo, title: "o/same", url: "https://github.com/o/same",
          fields: [
            .host: .text("github.com"), .name: .text("same"), .rootCommits: .list(["1"]),
            .fork: .flag(number > 0),
          ])
      }
      var seen: Set<String> = []
      var lists: [RankedList] = []
      for index in 0..<Int.random(in: 1...4, using: &random) {
        var items = Array(
          entities.shuffled(using: &random).prefix(Int.random(in: 0...pool, using: &random)))
        seen.formUnion(items.map(\.id))
        for place in items.indices where items[place].forgeID != nil && random.chance(0.3) {
          items[place].id += "-renamed"
        }
        lists.append(
          RankedList(provider: "p\(index)", group: "p\(index)", weight: 1, hosts: [], items: items))
      }
      let items = ForageCoreTests.merged(lists)
      #expect(items.count == seen.count)
      for item in items where item.fieldObservations != nil {
        #expect(item.fieldObservations?.count == item.sources.count)
      }
    }
  }
}
