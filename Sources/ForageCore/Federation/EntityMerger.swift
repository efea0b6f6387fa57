/// The results of one provider, ready to be merged.
struct RankedList {
  var provider: String
  var group: String
  var weight: Double
  /// The forges that the provider is authoritative for.
  var hosts: [String]
  /// The items that passed the residual filter, best first, without duplicates.
  var items: [SearchResult]
  /// The number of items that earlier pages used; ranks continue after them.
  var used = 0
}

/// Merges ranked lists: results that several providers return for an entity become one, and windows of the
/// lists are fused by rank.
///
/// The result depends only on the lists. A higher limit extends the result of a lower one, because each block
/// depends only on the windows up to it.
struct EntityMerger {
  let lists: [RankedList]
  let groups: [Int]
  /// The union-find forest of entities: the parent of each sighting's node.
  var parents: [Int] = []
  var nodes: [Node] = []
  var nodeOfKey: [EntityKey: Int] = [:]
  /// Whether the entity with a given root has been placed.
  var isPlaced: [Bool] = []

  struct Node {
    /// The number of the list; negative for an entity of an earlier page.
    var list: Int
    var index: Int
    var rank: Int
    var group: Int
    var contribution: UInt64
  }

  struct EntityKey: Hashable {
    var kind: ResultKind
    var id: String
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
  ///
  /// - Parameters:
  ///   - lists: The lists.
  ///   - emitted: The entities of earlier pages, which are not returned again.
  init(_ lists: [RankedList], emitted: [EntityName] = []) {
    self.lists = lists
    groups = lists.map { list in lists.firstIndex { $0.group == list.group } ?? 0 }
    let count = lists.reduce(emitted.count) { $0 + $1.items.count }
    nodes.reserveCapacity(count)
    parents.reserveCapacity(count)
    isPlaced.reserveCapacity(count)
    nodeOfKey.reserveCapacity(count)
    for name in emitted {
      let node = nodes.count
      parents.append(node)
      isPlaced.append(true)
      nodes.append(Node(list: -1, index: 0, rank: 0, group: 0, contribution: 0))
      nodeOfKey[EntityKey(kind: name.kind, id: name.id, isForgeID: false)] = node
      if let forgeID = name.forgeID {
        nodeOfKey[EntityKey(kind: name.kind, id: forgeID, isForgeID: true)] = node
      }
      for alias in name.aliases ?? [] {
        let key = EntityKey(kind: name.kind, id: alias, isForgeID: false)
        if nodeOfKey[key] == nil { nodeOfKey[key] = node }
      }
    }
  }

  /// The number of items of each list that have nodes.
  var used = 0

  /// Fuses the lists by rank.
  ///
  /// - Parameters:
  ///   - limit: The number of entities wanted. The last block is returned completely, so there can be a few
  ///     more.
  ///   - blocks: The maximum number of blocks.
  mutating func ranked(limit: Int, blocks: Int = .max) -> [MergedItem] {
    var placed: [Placed] = []
    let longest = lists.map(\.items.count).max() ?? 0
    for start in stride(from: 0, to: longest, by: RankFusion.window)
    where placed.count < limit && start / RankFusion.window < blocks {
      let block = addWindow(from: start)
      used = start + RankFusion.window
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
    return items(placed[...])
  }

  /// The standing of an entity with at least one sighting.
  func standing(of seen: ArraySlice<Int>) -> RankFusion.Standing {
    var id = id(of: seen[seen.startIndex])
    for node in seen.dropFirst() where self.id(of: node).bytesPrecede(id) { id = self.id(of: node) }
    return RankFusion.Standing(id: id, sightings: seen.lazy.map { [nodes] in nodes[$0] })
  }

  /// Adds one window of items and joins them with their entities.
  ///
  /// - Returns: The new nodes.
  mutating func addWindow(from start: Int) -> Range<Int> {
    let firstNode = nodes.count
    for (list, ranked) in lists.enumerated() {
      for index in start..<max(start, min(start + RankFusion.window, ranked.items.count)) {
        let node = nodes.count
        parents.append(node)
        isPlaced.append(false)
        nodes.append(
          Node(
            list: list, index: index, rank: ranked.used + index + 1, group: groups[list],
            contribution: RankFusion.contribution(rank: ranked.used + index + 1, weight: ranked.weight)))
        let item = ranked.items[index]
        identify(node, by: EntityKey(kind: item.kind, id: item.id, isForgeID: false))
        if let forgeID = item.forgeID {
          identify(node, by: EntityKey(kind: item.kind, id: forgeID, isForgeID: true))
        }
        for place in item.filePlaces {
          let key = EntityKey(kind: item.kind, id: place, isForgeID: false)
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

  func item(of node: Int) -> SearchResult { lists[nodes[node].list].items[nodes[node].index] }

  private func id(of node: Int) -> String { lists[nodes[node].list].items[nodes[node].index].id }

  /// Creates the merged items. Sightings in later windows are added to `sources` without moving an item.
  mutating func items(_ placed: ArraySlice<Placed>) -> [MergedItem] {
    let longest = lists.map(\.items.count).max() ?? 0
    for start in stride(from: used, to: longest, by: RankFusion.window) { _ = addWindow(from: start) }
    let sightings = sightings()
    return placed.map { entry in
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
      let provider = lists[list].provider
      guard !result.contains(where: { $0.provider == provider }) else { continue }
      result.append(
        MergedItem.Source(
          provider: provider, rank: nodes[node].rank, id: lists[list].items[index].forgeID,
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

    fileprivate init(roots: [Int?]) {
      starts = [Int](repeating: 0, count: roots.count + 1)
      for case let root? in roots { starts[root + 1] += 1 }
      for root in roots.indices { starts[root + 1] += starts[root] }
      nodes = [Int](repeating: 0, count: starts[roots.count])
      var ends = starts
      for (node, root) in roots.enumerated() {
        guard let root else { continue }
        nodes[ends[root]] = node
        ends[root] += 1
      }
    }

    /// The nodes of the entity with a given root.
    subscript(root: Int) -> ArraySlice<Int> { nodes[starts[root]..<starts[root + 1]] }
  }

  /// Collects the sightings. Entities of earlier pages have only those that were added since.
  mutating func sightings() -> Sightings {
    Sightings(roots: nodes.indices.map { nodes[$0].list < 0 ? nil : root($0) })
  }
}
