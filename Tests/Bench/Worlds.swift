import ForageCore
import TestSupport

/// A digest of what comes of many random searches, for comparing processes: each hashes with a seed of its
/// own.
enum Worlds {
  /// Prints the digest of the merged sequences of random worlds.
  ///
  /// - Parameters:
  ///   - seed: What the worlds are made from.
  ///   - count: How many worlds.
  static func digest(seed: UInt64, count: Int) async {
    var random = SeededGenerator(seed: seed)
    var digest = Digest()
    for _ in 0..<count {
      let world = World(&random)
      let registry = ProviderRegistry(world.providers)
      digest.add(await SearchRun(world.search(limit: 10_000), registry).more())
      let run = SearchRun(world.search(limit: Int.random(in: 15...80, using: &random)), registry)
      var page: FederatedResult
      repeat {
        page = await run.more()
        digest.add(page)
      } while page.hasMore && !page.items.isEmpty
    }
    print(String(digest.value, radix: 16))
  }
}

/// A few providers with overlapping lists, in which many results are alike.
private struct World {
  var providers: [any SearchProvider] = []
  private let sort: String?

  init(_ random: inout SeededGenerator) {
    sort = random.pick([nil, nil, "stars", "updated"])
    let pool = Int.random(in: 1...70, using: &random)
    for index in 0..<Int.random(in: 1...4, using: &random) {
      let count = Int.random(in: 0...pool, using: &random)
      let items = (0..<pool).shuffled(using: &random).prefix(count).map { Self.item($0, provider: index) }
      providers.append(
        PagedProvider(
          id: "p\(index)", group: random.pick(["a", "b", "c"]), items: Array(items),
          pageSize: random.pick([7, 30, 100]),
          // Not all can sort, and those whose lists are not sorted say that they can.
          sorts: random.chance(0.5) ? ["stars", "updated"] : []))
    }
  }

  func search(limit: Int) -> FederatedSearch {
    FederatedSearch(query: Sample.query, limit: limit, sort: sort, timeout: .seconds(600))
  }

  /// A sighting of an entity: every third has a forge's id, every ninth goes by two names, every fifth
  /// mirrors another.
  private static func item(_ entity: Int, provider: Int) -> SearchResult {
    let name =
      entity.isMultiple(of: 9) && provider.isMultiple(of: 2) ? "old/name\(entity)" : "o/name\(entity)"
    var result = SearchResult(
      id: "github.com/\(name)", forgeID: entity.isMultiple(of: 3) ? "github.com:\(entity)" : nil, kind: .repo,
      title: name)
    result.set(.description, "seen by \(provider)")
    result.set(.topics, ["a", "b", "c"])
    result.set(.stars, entity.isMultiple(of: 4) ? nil : entity % 3)
    if entity.isMultiple(of: 5) { result.relate(to: "https://github.com/o/name\(entity / 2)", .mirror) }
    return result
  }
}

/// A provider that has its answer at hand and delivers it page by page.
struct PagedProvider: SearchProvider {
  let info: ProviderInfo
  let kinds: [ResultKind: Abilities]
  private let items: [SearchResult]

  init(id: String, group: String, items: [SearchResult], pageSize: Int, sorts: [String]) {
    self.items = items
    info = ProviderInfo(id: id, group: group, hosts: id == "p1" ? ["github.com"] : [])
    kinds = [.repo: Abilities(fields: [], sorts: sorts, maximumPageSize: pageSize)]
  }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    let start = min(items.count, request.cursor.flatMap { Int($0) } ?? 0)
    let end = min(items.count, start + request.pageSize)
    return SearchPage(items: Array(items[start..<end]), next: end < items.count ? String(end) : nil)
  }
}

/// FNV-1a in 64 bits (Fowler, Noll and Vo) over everything about results that is shown.
private struct Digest {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ result: FederatedResult) {
    for item in result.items {
      add(item.result.id)
      add(item.result.forgeID ?? "")
      // The fields are a dictionary, whose order means nothing.
      for (field, value) in item.result.fields.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
        add("\(field.rawValue) \(value)")
      }
      for related in item.result.related { add("\(related.why.rawValue) \(related.id)") }
      for source in item.sources {
        add("\(source.provider) \(source.rank) \(source.contribution) \(source.id ?? "")")
      }
      add("\(item.score)")
    }
    for outcome in result.outcomes { add("\(outcome.id) \(outcome.state) \(outcome.returned)") }
    add("\(result.offset)")
  }

  private mutating func add(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // A byte that is in no text, so that the parts cannot run together.
    value = (value ^ 0xFF) &* 0x100_0000_01B3
  }
}
