extension EntityMerger {
  /// Merges lists that are sorted by the same field (k-way merge).
  ///
  /// An entity is placed by the value that is shown: if lists contain it with different values, by its
  /// occurrence in the list whose value takes precedence. Other occurrences count only up to the end of the
  /// window of a list that the merge has reached, even if more was read, so that the sequence does not depend
  /// on the page size.
  ///
  /// - Parameters:
  ///   - field: The sort field; results without it come last.
  ///   - order: The direction.
  ///   - isOpen: Whether each list may continue. When such a list is used up, no more entities can be placed.
  ///   - limit: The number of entities wanted.
  /// - Returns: The entities, the number of items at the start of each list that are placed, and the position
  ///   that the merge reached in each list.
  mutating func sorted(by field: ResultField, order: SortOrder, isOpen: [Bool], limit: Int)
    -> (items: [MergedItem], used: [Int], read: [Int])
  {
    let first = nodes.count
    let longest = lists.map(\.items.count).max() ?? 0
    for start in stride(from: 0, to: longest, by: RankFusion.window) { _ = addWindow(from: start) }
    used = longest
    var nodeOf = lists.map { [Int](repeating: 0, count: $0.items.count) }
    for node in first..<nodes.count { nodeOf[nodes[node].list][nodes[node].index] = node }
    let sightings = sightings()
    let isSingle = lists.indices.count { isOpen[$0] || !lists[$0].items.isEmpty } <= 1
    var heads = [Int](repeating: 0, count: lists.count)
    var used = heads
    var placed: [Placed] = []
    var values: [FieldValue?] = []
    placing: while placed.count < limit {
      advance(&used, nodeOf)
      let known = isSingle ? nil : used.indices.map { windowEnd(of: $0, after: used[$0]) }
      if let known, lists.indices.contains(where: { isOpen[$0] && nodeOf[$0].count < known[$0] }) { break }
      var best: Int?
      for list in lists.indices {
        while heads[list] < nodeOf[list].count {
          let node = nodeOf[list][heads[list]]
          let entity = root(node)
          if !isPlaced[entity], decides(node, among: sightings[entity], by: field, order, known) { break }
          heads[list] += 1
        }
        guard heads[list] < nodeOf[list].count else {
          if isOpen[list] { break placing }
          continue
        }
        guard let other = best else {
          best = list
          continue
        }
        let (a, b) = (lists[list].items[heads[list]][field], lists[other].items[heads[other]][field])
        if ResultOrder.precedes(a, b, order: order) == true { best = list }
      }
      guard let best else { break }
      let entity = root(nodeOf[best][heads[best]])
      isPlaced[entity] = true
      let score = standing(of: sightings[entity]).score
      placed.append(Placed(root: entity, score: score, block: first..<nodes.count))
      values.append(lists[best].items[heads[best]][field])
    }
    advance(&used, nodeOf)
    var items = items(placed[...])
    // An occurrence that did not count must not change the shown value either.
    for (index, value) in values.enumerated() where items[index].fieldObservations != nil {
      items[index].result.fields[field] = value
    }
    return (items, used, heads)
  }

  /// Counts the items at the start of each list whose entities are placed.
  private mutating func advance(_ used: inout [Int], _ nodeOf: [[Int]]) {
    for list in used.indices {
      while used[list] < nodeOf[list].count, isPlaced[root(nodeOf[list][used[list]])] { used[list] += 1 }
    }
  }

  /// The index after the window of a list that contains a position. Windows are counted over all pages.
  private func windowEnd(of list: Int, after position: Int) -> Int {
    let earlier = lists[list].used
    return ((earlier + position) / RankFusion.window + 1) * RankFusion.window - earlier
  }

  /// Whether an occurrence determines the place of its entity: its value is the one that is shown.
  ///
  /// - Parameters:
  ///   - seen: All occurrences of the entity.
  ///   - known: The end of the part of each list whose occurrences count; `nil` if there is only one list.
  private func decides(
    _ node: Int, among seen: ArraySlice<Int>, by field: ResultField, _ order: SortOrder, _ known: [Int]?
  ) -> Bool {
    guard let known, seen.count > 1 else { return true }
    let counting = seen.filter { $0 == node || nodes[$0].index < known[nodes[$0].list] }.sorted {
      (nodes[$0].list, nodes[$0].rank) < (nodes[$1].list, nodes[$1].rank)
    }
    guard let decisive = decisive(field, among: counting) else { return true }
    return ResultOrder.precedes(item(of: decisive)[field], item(of: node)[field], order: order) == nil
  }
}
