/// Merges the lists of several providers: their results for an entity become one, and windows of the lists are fused
/// by rank.
///
/// The result depends only on the runs. A higher limit extends the result of a lower one, because each block
/// depends only on the windows up to it.
struct EntityMerger {
  let runs: [ProviderRun]
  let groups: [Int]
  /// The union-find forest of entities: the parent of each sighting's node.
  var parents: [Int] = []
  var nodes: [Node] = []
  var nodeOfKey: [EntityKey: Int] = [:]
  /// Whether the entity with a given root has been placed.
  var isPlaced: [Bool] = []

  struct Node {
    /// The number of the run.
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
  init(_ runs: [ProviderRun]) {
    self.runs = runs
    groups = runs.map { run in runs.firstIndex { $0.descriptor.group == run.descriptor.group } ?? 0 }
    let count = runs.reduce(0) { $0 + $1.items.count }
    nodes.reserveCapacity(count)
    parents.reserveCapacity(count)
    isPlaced.reserveCapacity(count)
    nodeOfKey.reserveCapacity(count)
  }

  /// The ends of the windows of each block, by run.
  private(set) var blockEnds: [[Int]] = []

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
  /// A block that was placed before has the windows that it had then. A new one needs a full window of every provider
  /// that can deliver one, and takes what is left of the others.
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
            contribution: RankFusion.contribution(rank: index + 1, weight: run.weight)))
        let item = run.items[index]
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

  func item(of node: Int) -> SearchResult { runs[nodes[node].list].items[nodes[node].index] }

  private func id(of node: Int) -> String { runs[nodes[node].list].items[nodes[node].index].id }

  /// Creates the merged items. Sightings in later windows are added to `sources` without moving an item.
  mutating func items(_ placed: [Placed]) -> [MergedItem] {
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
