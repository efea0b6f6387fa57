extension EntityMerger {
  /// Merges lists that are sorted by the same field (k-way merge). An entity is placed at its first
  /// occurrence.
  ///
  /// - Parameters:
  ///   - field: The sort field; results without it come last.
  ///   - order: The direction.
  ///   - isOpen: Whether each list may continue. When such a list is used up, no more entities can be placed.
  ///   - limit: The number of entities wanted.
  /// - Returns: The entities, and the number of items used from each list.
  mutating func sorted(by field: ResultField, order: SortOrder, isOpen: [Bool], limit: Int)
    -> (items: [MergedItem], used: [Int])
  {
    let first = nodes.count
    let longest = lists.map(\.items.count).max() ?? 0
    for start in stride(from: 0, to: longest, by: RankFusion.window) { _ = addWindow(from: start) }
    markAllUsed(longest)
    var nodeOf = lists.map { [Int](repeating: 0, count: $0.items.count) }
    for node in first..<nodes.count { nodeOf[nodes[node].list][nodes[node].index] = node }
    let sightings = sightings()
    var heads = [Int](repeating: 0, count: lists.count)
    var placed: [Placed] = []
    placing: while placed.count < limit {
      var best: Int?
      for list in lists.indices {
        while heads[list] < nodeOf[list].count, isPlaced[root(nodeOf[list][heads[list]])] { heads[list] += 1 }
        guard heads[list] < nodeOf[list].count else {
          if isOpen[list] { break placing }
          continue
        }
        guard let other = best else {
          best = list
          continue
        }
        let (a, b) = (lists[list].items[heads[list]][field], lists[other].items[heads[other]][field])
        if SortedMerge.precedes(a, b, order: order) == true { best = list }
      }
      guard let best else { break }
      let entity = root(nodeOf[best][heads[best]])
      isPlaced[entity] = true
      let score = standing(of: sightings[entity]).score
      placed.append(Placed(root: entity, score: score, block: first..<nodes.count))
    }
    for list in lists.indices {
      while heads[list] < nodeOf[list].count, isPlaced[root(nodeOf[list][heads[list]])] { heads[list] += 1 }
    }
    return (items(placed[...]), heads)
  }
}
