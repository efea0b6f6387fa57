/// One provider's delivered sequence, ready to be merged.
struct RankedList {
  var provider: String
  var group: String
  var weight: Double
  /// The forges that the provider knows first-hand.
  var hosts: [String]
  /// The items after the residual filter, best first, no entity twice.
  var items: [SearchResult]
}

/// Merges ranked lists into one: entities seen by several providers become one, blocks of windows are fused by rank.
///
/// The result is a function of the lists alone. A longer limit extends the result of a shorter one, because each block depends only on the
/// windows up to it.
struct EntityMerger {
  private let lists: [RankedList]
  /// Entities by union-find: the parent of each sighting's node.
  private var parents: [Int] = []
  private var nodes: [(list: Int, rank: Int)] = []
  private var nodeOfKey: [EntityKey: Int] = [:]
  /// Roots of the entities that have their place.
  private var placed: Set<Int> = []

  private struct EntityKey: Hashable {
    var kind: ResultKind
    var id: String
  }

  init(_ lists: [RankedList]) { self.lists = lists }

  /// Fuses the lists.
  ///
  /// - Parameter limit: How many entities are wanted.
  mutating func ranked(limit: Int) -> [MergedItem] {
    var emitted: [(root: Int, score: UInt64, contributions: [Int: UInt64])] = []
    let longest = lists.map(\.items.count).max() ?? 0
    for start in stride(from: 0, to: longest, by: RankFusion.window) where emitted.count < limit {
      let block = addWindow(from: start)
      var sightings: [Int: [(node: Int, sighting: RankFusion.Sighting)]] = [:]
      for node in block {
        let entity = root(node)
        if placed.contains(entity) { continue }
        let (list, rank) = nodes[node]
        sightings[entity, default: []].append(
          (
            node,
            RankFusion.Sighting(
              list: list, rank: rank, group: lists[list].group,
              contribution: RankFusion.contribution(rank: rank, weight: lists[list].weight))
          ))
      }
      let standings = sightings.map { entity, seen in
        (
          entity: entity, seen: seen,
          standing: RankFusion.Standing(id: smallestID(of: seen.map(\.node)), sightings: seen.map(\.sighting))
        )
      }
      for entry in standings.sorted(by: { RankFusion.Standing.precedes($0.standing, $1.standing) }) {
        let contributions = Dictionary(
          entry.seen.map { ($0.node, $0.sighting.contribution) }, uniquingKeysWith: { first, _ in first })
        emitted.append((entry.entity, entry.standing.score, contributions))
        placed.insert(entry.entity)
      }
    }
    return items(Array(emitted.prefix(limit)))
  }

  /// Adds the items of one window and joins them to the entities that they belong to.
  private mutating func addWindow(from start: Int) -> [Int] {
    var added: [Int] = []
    for (list, ranked) in lists.enumerated() {
      for index in start..<max(start, min(start + RankFusion.window, ranked.items.count)) {
        let node = parents.count
        parents.append(node)
        nodes.append((list, index + 1))
        added.append(node)
        for key in keys(of: ranked.items[index]) {
          if let known = nodeOfKey[key] { join(known, node) } else { nodeOfKey[key] = node }
        }
      }
    }
    return added
  }

  private func keys(of item: SearchResult) -> [EntityKey] {
    [EntityKey(kind: item.kind, id: item.id)]
      + (item.forgeID.map { [EntityKey(kind: item.kind, id: "#" + $0)] } ?? [])
  }

  private mutating func root(_ node: Int) -> Int {
    var current = node
    while parents[current] != current {
      parents[current] = parents[parents[current]]
      current = parents[current]
    }
    return current
  }

  /// The older node becomes the root. Two entities that have their places already stay apart: a late sighting moves nothing.
  private mutating func join(_ a: Int, _ b: Int) {
    let (first, second) = (root(a), root(b))
    guard first != second, !(placed.contains(first) && placed.contains(second)) else { return }
    parents[max(first, second)] = min(first, second)
  }

  private func smallestID(of nodes: [Int]) -> String {
    nodes.map { item(of: $0).id }.min { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? ""
  }

  private func item(of node: Int) -> SearchResult { lists[nodes[node].list].items[nodes[node].rank - 1] }

  /// Builds the shown entities; sightings in later windows add to `sources` without moving anything.
  private mutating func items(_ emitted: [(root: Int, score: UInt64, contributions: [Int: UInt64])])
    -> [MergedItem]
  {
    let longest = lists.map(\.items.count).max() ?? 0
    let read = nodes.map(\.rank).max() ?? 0
    for start in stride(from: read, to: longest, by: RankFusion.window) { _ = addWindow(from: start) }
    var members: [Int: [Int]] = [:]
    for node in nodes.indices { members[root(node), default: []].append(node) }
    return emitted.map { entry in
      let seen = (members[root(entry.root)] ?? []).sorted { nodes[$0] < nodes[$1] }
      return MergedItem(
        result: merged(seen), sources: sources(seen, contributions: entry.contributions), score: entry.score)
    }
  }

  private func sources(_ seen: [Int], contributions: [Int: UInt64]) -> [MergedItem.Source] {
    var result: [MergedItem.Source] = []
    for node in seen {
      let provider = lists[nodes[node].list].provider
      guard !result.contains(where: { $0.provider == provider }) else { continue }
      result.append(
        MergedItem.Source(
          provider: provider, rank: nodes[node].rank, id: item(of: node).forgeID,
          contribution: contributions[node] ?? 0))
    }
    return result
  }

  /// One entity from all that was told of it: the forge's own answer first, then the order of the providers.
  private func merged(_ seen: [Int]) -> SearchResult {
    func isFirstHand(_ node: Int) -> Bool {
      guard let host = item(of: node)[.host]?.text else { return false }
      return lists[nodes[node].list].hosts.contains(host)
    }
    let ordered = seen.filter(isFirstHand) + seen.filter { !isFirstHand($0) }
    var result = item(of: ordered[0])
    for node in ordered.dropFirst() {
      let other = item(of: node)
      result.url = result.url ?? other.url
      result.forgeID = result.forgeID ?? other.forgeID
      result.fields.merge(other.fields) { shown, _ in shown }
    }
    return result
  }
}
