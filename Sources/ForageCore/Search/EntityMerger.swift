import ForageFoundation
import ForagePlatform

/// Merges the lists of several providers: their results for an entity become one, and windows of the lists
/// are fused by rank.
///
/// The result depends only on the runs. A higher limit extends the result of a lower one, because each block
/// depends only on the windows up to it.
struct EntityMerger {
  let runs: [ProviderRun]
  private let groups: [Int]
  /// The union-find forest of entities: the parent of each sighting's node.
  private var parents: [Int] = []
  private(set) var nodes: [Node] = []
  private var nodeOfKey: [EntityKey: Int] = [:]
  /// Whether the entity with a given root has been placed.
  var isPlaced: [Bool] = []
  /// The ends of the windows of each block, by run.
  private(set) var blockEnds: [[Int]] = []

  struct Node {
    /// The number of the run.
    var list: Int
    var index: Int
    var rank: Int
    var group: Int
    var contribution: UInt64
  }

  private struct EntityKey: Hashable {
    var kind: ResultKind
    /// Names of files that look the same may differ.
    var id: ExactText
    var isForgeID: Bool

    /// Hashing only the id is sufficient, and thousands of keys are hashed.
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  struct Placed {
    var root: Int
    var score: UInt64
    /// The nodes of its block; only these contributed to the score.
    var block: Range<Int>
  }

  /// Prepares merging.
  init(_ runs: [ProviderRun]) {
    self.runs = runs
    groups = runs.map { run in
      runs.firstIndex { $0.plan.entry.info.group == run.plan.entry.info.group } ?? 0
    }
    let count = runs.reduce(0) { $0 + $1.items.count }
    nodes.reserveCapacity(count)
    parents.reserveCapacity(count)
    isPlaced.reserveCapacity(count)
    nodeOfKey.reserveCapacity(count)
  }

  /// Fuses the lists by rank.
  ///
  /// - Parameters:
  ///   - limit: The number of entities wanted. The last block is returned completely, so there can be a few
  ///     more.
  ///   - isSingle: Whether there is one list, whose windows need not be complete.
  mutating func ranked(limit: Int, isSingle: Bool) -> [MergedItem] {
    var placed: [Placed] = []
    while placed.count < limit, let block = addBlock(isSingle: isSingle) {
      // Sorted by entity, so that the sightings of each are adjacent.
      let sightings = block.map { (root: root($0), node: $0) }.filter { !isPlaced[$0.root] }.sorted {
        $0 < $1
      }
      let ordered = sightings.map(\.node)
      var standings: [(root: Int, standing: RankFusion.Standing)] = []
      var first = 0
      while first < sightings.count {
        let root = sightings[first].root
        let end = sightings[first...].firstIndex { $0.root != root } ?? sightings.count
        standings.append((root, standing(of: ordered[first..<end])))
        first = end
      }
      standings.sort { RankFusion.Standing.precedes($0.standing, $1.standing) }
      for (root, standing) in standings {
        placed.append(Placed(root: root, score: standing.score, block: block))
        isPlaced[root] = true
      }
    }
    return items(placed)
  }

  /// Adds the next window of each list.
  ///
  /// A block that was placed before has the windows that it had then. A new one needs a full window of every
  /// provider that can deliver one, and takes what is left of the others.
  ///
  /// - Returns: The new nodes; `nil` if there is no further block.
  private mutating func addBlock(isSingle: Bool) -> Range<Int>? {
    let (block, starts) = (blockEnds.count, blockEnds.last ?? runs.map { _ in 0 })
    var ends: [Int] = []
    for (run, start) in zip(runs, starts) {
      if block < run.blockEnds.count {
        ends.append(run.blockEnds[block])
      } else {
        ends.append(min(start + RankFusion.window, run.items.count))
        if !isSingle, run.canDeliver, ends[ends.count - 1] < start + RankFusion.window { return nil }
      }
    }
    guard ends != starts else { return nil }
    blockEnds.append(ends)
    return addNodes(from: starts, to: ends)
  }

  /// The standing of an entity with at least one sighting.
  func standing(of seen: ArraySlice<Int>) -> RankFusion.Standing {
    var id = id(of: seen[seen.startIndex])
    for node in seen.dropFirst() where self.id(of: node).bytesPrecede(id) { id = self.id(of: node) }
    return RankFusion.Standing(id: id, sightings: seen.lazy.map { [nodes] in nodes[$0] })
  }

  /// Adds items and joins them with their entities.
  ///
  /// - Parameters:
  ///   - starts: The first item of each list.
  ///   - ends: The end of the items of each list.
  /// - Returns: The new nodes.
  @discardableResult
  mutating func addNodes(from starts: [Int], to ends: [Int]) -> Range<Int> {
    let firstNode = nodes.count
    for (list, run) in runs.enumerated() {
      for index in starts[list]..<max(starts[list], ends[list]) {
        let node = nodes.count
        parents.append(node)
        isPlaced.append(false)
        nodes.append(
          Node(
            list: list, index: index, rank: index + 1, group: groups[list],
            contribution: RankFusion.contribution(rank: index + 1, weight: run.plan.entry.preferences.weight))
        )
        let item = run.items[index]
        identify(node, by: EntityKey(kind: item.kind, id: ExactText(item.id), isForgeID: false))
        if let forgeID = item.forgeID {
          identify(node, by: EntityKey(kind: item.kind, id: ExactText(forgeID), isForgeID: true))
        }
        for place in item.filePlaces {
          let key = EntityKey(kind: item.kind, id: ExactText(place), isForgeID: false)
          // Two files of one provider at one place are of two checkouts, each with its own lines.
          if nodeOfKey[key].map({ nodes[$0].list != list }) ?? true { identify(node, by: key) }
        }
      }
    }
    return firstNode..<nodes.count
  }

  /// Joins a node with the owner of a key, or makes it the owner.
  private mutating func identify(_ node: Int, by key: EntityKey) {
    let known = Self.known(&nodeOfKey[key], else: node)
    if known != node { join(known, node) }
  }

  /// The owner of a key; the node becomes the owner if there is none. One lookup serves both.
  private static func known(_ holder: inout Int?, else node: Int) -> Int {
    if let holder { return holder }
    holder = node
    return node
  }

  mutating func root(_ node: Int) -> Int {
    var current = node
    while parents[current] != current {
      parents[current] = parents[parents[current]]
      current = parents[current]
    }
    return current
  }

  /// Joins two entities; the older node becomes the root. Two placed entities stay separate, so that a late
  /// sighting does not move results.
  private mutating func join(_ a: Int, _ b: Int) {
    let (first, second) = (root(a), root(b))
    guard first != second, !(isPlaced[first] && isPlaced[second]) else { return }
    parents[max(first, second)] = min(first, second)
  }

  func item(of node: Int) -> SearchResult { runs[nodes[node].list].items[nodes[node].index] }

  private func id(of node: Int) -> String { runs[nodes[node].list].items[nodes[node].index].id }

  /// Creates the merged items. Sightings in later windows are added to `sources` without moving an item.
  private mutating func items(_ placed: [Placed]) -> [MergedItem] {
    addNodes(from: blockEnds.last ?? runs.map { _ in 0 }, to: runs.map(\.items.count))
    return makeItems(placed, sightings())
  }

  /// Creates the merged items from their sightings.
  mutating func makeItems(_ placed: [Placed], _ sightings: Sightings) -> [MergedItem] {
    placed.map { entry in
      var seen = sightings[root(entry.root)]
      if seen.count > 1 {
        seen.sort { (nodes[$0].list, nodes[$0].rank) < (nodes[$1].list, nodes[$1].rank) }
      }
      var item = merged(seen)
      (item.sources, item.score) = (sources(seen, block: entry.block), entry.score)
      return item
    }
  }

  private func sources(_ seen: ArraySlice<Int>, block: Range<Int>) -> [MergedItem.Source] {
    var result: [MergedItem.Source] = []
    result.reserveCapacity(seen.count)
    for node in seen {
      let (list, index) = (nodes[node].list, nodes[node].index)
      let provider = runs[list].outcome.id
      guard !result.contains(where: { $0.provider == provider }) else { continue }
      result.append(
        MergedItem.Source(
          provider: provider, rank: nodes[node].rank, id: runs[list].items[index].forgeID,
          contribution: block.contains(node) ? nodes[node].contribution : 0))
    }
    return result
  }
}

extension EntityMerger {
  /// The sightings of all entities in the lists, in the order in which they were added.
  struct Sightings {
    /// The start of each entity's sightings, by its root, and the end of the last.
    private var starts: [Int]
    private var nodes: [Int]

    fileprivate init(roots: [Int]) {
      starts = [Int](repeating: 0, count: roots.count + 1)
      for root in roots { starts[root + 1] += 1 }
      for root in roots.indices { starts[root + 1] += starts[root] }
      nodes = [Int](repeating: 0, count: starts[roots.count])
      var ends = starts
      for (node, root) in roots.enumerated() {
        nodes[ends[root]] = node
        ends[root] += 1
      }
    }

    /// The nodes of the entity with a given root.
    subscript(root: Int) -> ArraySlice<Int> { nodes[starts[root]..<starts[root + 1]] }
  }

  /// Collects the sightings.
  mutating func sightings() -> Sightings { Sightings(roots: nodes.indices.map { root($0) }) }
}

/// Reciprocal rank fusion with integer arithmetic, so that the result is independent of arrival order and
/// hash seeds.
///
/// Source: Cormack, Clarke, Buettcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
/// Learning Methods", SIGIR 2009 (k = 60); weights scale the ranks.
package enum RankFusion {
  /// The fixed-point unit of scores.
  package static let one: UInt64 = 1 << 40
  /// The constant k of the formula.
  static let k: UInt64 = 60

  /// The contribution of a rank to the score: `floor(2^40 W / (60 W + 1000 rank))` with `W = 1000 weight`.
  ///
  /// - Parameters:
  ///   - rank: The rank, from 1.
  ///   - weight: More than 0, at most 1,000; other values are clamped.
  package static func contribution(rank: Int, weight: Double) -> UInt64 {
    let clamped = weight.isFinite ? min(max(weight, 0.001), 1000) : 1
    let scaled = UInt64((clamped * 1000).rounded())
    return one * scaled / (k * scaled + 1000 * UInt64(max(1, rank)))
  }

  /// The sort key of an entity: score descending, best rank ascending, number of groups descending, provider
  /// order ascending, id bytes ascending.
  struct Standing {
    var score: UInt64
    var bestRank: Int
    var groups: Int
    var firstList: Int
    var id: String

    init(id: String, sightings: some Collection<EntityMerger.Node>) {
      (score, bestRank, groups, firstList, self.id) = (0, .max, 0, .max, id)
      // A group contributes only its best rank. There are few lists, so a linear search is faster than
      // hashing.
      var best: [(group: Int, contribution: UInt64)] = []
      best.reserveCapacity(sightings.count)
      for sighting in sightings {
        bestRank = min(bestRank, sighting.rank)
        firstList = min(firstList, sighting.list)
        if let index = best.firstIndex(where: { $0.group == sighting.group }) {
          best[index].contribution = max(best[index].contribution, sighting.contribution)
        } else {
          best.append((sighting.group, sighting.contribution))
        }
      }
      score = best.reduce(0) { $0 + $1.contribution }
      groups = best.count
    }

    static func precedes(_ a: Standing, _ b: Standing) -> Bool {
      if a.score != b.score { return a.score > b.score }
      if a.bestRank != b.bestRank { return a.bestRank < b.bestRank }
      if a.groups != b.groups { return a.groups > b.groups }
      if a.firstList != b.firstList { return a.firstList < b.firstList }
      return a.id.bytesPrecede(b.id)
    }
  }
}

extension ProviderRegistry {
  /// The merged list so far, to be shown while a search runs.
  ///
  /// - Parameters:
  ///   - found: The results of the providers in the order of arrival.
  ///   - limit: The number of entities wanted.
  package func preview(_ found: [(provider: String, items: [SearchResult])], limit: Int) -> [MergedItem] {
    var merger = EntityMerger(
      entries.map { entry in
        ProviderRun(
          listing: found.filter { $0.provider == entry.info.id }.flatMap(\.items), of: entry)
      })
    return Array(merger.ranked(limit: limit, isSingle: false).prefix(limit))
  }
}

extension EntityMerger {
  /// A sighting with the properties that determine its precedence.
  private struct Weighed {
    var list: Int
    var index: Int
    var isFirstHand: Bool
    var observedAt: Date?

    /// Whether its fields take precedence: the forge's own answer first, then the more recent one.
    func precedes(_ other: Weighed) -> Bool {
      if isFirstHand != other.isFirstHand { return isFirstHand }
      guard let observedAt else { return false }
      return other.observedAt.map { observedAt > $0 } ?? true
    }
  }

  private func weighed(_ node: Int) -> Weighed {
    let (list, index) = (nodes[node].list, nodes[node].index)
    let hosts = runs[list].plan.entry.info.hosts
    return Weighed(
      list: list, index: index,
      isFirstHand: !hosts.isEmpty
        && runs[list].items[index].fields[.host]?.text.map(hosts.contains) ?? false,
      observedAt: runs[list].items[index].observedAt ?? runs[list].items[index].readAt)
  }

  /// The sighting that determines the value of a field in a sorted list.
  ///
  /// The order is that of `merged`, but when a page was read does not count: it depends on the page size.
  ///
  /// - Parameter seen: The sightings in the order of the providers.
  /// - Returns: `nil` if no sighting contains the field.
  func decisive(_ field: ResultField, among seen: [Int]) -> Int? {
    var best: (node: Int, sighting: Weighed)?
    for node in seen {
      var sighting = weighed(node)
      let item = runs[sighting.list].items[sighting.index]
      guard item.fields[field] != nil else { continue }
      sighting.observedAt = item.observedAt
      if best.map({ sighting.precedes($0.sighting) }) ?? true { best = (node, sighting) }
    }
    return best?.node
  }

  /// Merges the sightings of an entity. The forge's own answer takes precedence, then the more recent one,
  /// then the order of the providers.
  ///
  /// - Parameter seen: The sightings in the order of the providers, at least one.
  func merged(_ seen: ArraySlice<Int>) -> MergedItem {
    if let only = seen.first, seen.count == 1 {
      var result = item(of: only)
      result.readAt = nil
      return MergedItem(result: result, sources: [], score: 0, observedAt: weighed(only).observedAt)
    }
    var ordered: [Weighed] = []
    ordered.reserveCapacity(seen.count)
    for node in seen {
      let sighting = weighed(node)
      // After equal ones, so that the order of the providers decides.
      var place = ordered.count
      while place > 0, sighting.precedes(ordered[place - 1]) { place -= 1 }
      if place == ordered.count { ordered.append(sighting) } else { ordered.insert(sighting, at: place) }
    }
    var result = runs[ordered[0].list].items[ordered[0].index]
    (result.observedAt, result.readAt) = (nil, nil)
    var fieldObservations: [FieldObservation] = []
    fieldObservations.reserveCapacity(ordered.count)
    for (place, sighting) in ordered.enumerated() {
      add(sighting, isFirst: place == 0, to: &result, &fieldObservations)
    }
    return MergedItem(
      result: result, sources: [], score: 0, observedAt: ordered[0].observedAt,
      fieldObservations: fieldObservations)
  }

  private func add(
    _ sighting: Weighed, isFirst: Bool, to result: inout SearchResult,
    _ fieldObservations: inout [FieldObservation]
  ) {
    // Copies only what is needed, because thousands of sightings are merged.
    let (list, index) = (sighting.list, sighting.index)
    let fields = runs[list].items[index].fields
    let isKnown = isFirst || runs[list].items[index].id == result.id
    fieldObservations.append(
      FieldObservation(
        provider: runs[list].outcome.id, alias: isKnown ? nil : runs[list].items[index].id,
        observedAt: sighting.observedAt, fields: fields))
    guard !isFirst else { return }
    if result.url == nil { result.url = runs[list].items[index].url }
    if result.forgeID == nil { result.forgeID = runs[list].items[index].forgeID }
    if !runs[list].items[index].related.isEmpty { result.related += runs[list].items[index].related }
    // Fields that are set are not touched, which avoids copies.
    let filling = runs[list].items[index].fields(atPlaceOf: result)
    // The page of a file is that of the lines that are shown, and not of another revision.
    if result.kind == .code, result.fields[.matches] == nil, filling[.matches] != nil,
      runs[list].items[index].isAtPlace(of: result)
    {
      result.url = runs[list].items[index].url ?? result.url
    }
    for (field, value) in filling where result.fields[field] == nil { result.fields[field] = value }
    guard !runs[list].items[index].definitions.isEmpty else { return }
    let known = Set(result.definitions.map(\.name))
    result.definitions += runs[list].items[index].definitions.filter { !known.contains($0.name) }
  }
}
