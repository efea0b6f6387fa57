import ForageFoundation

/// Orders results by the values of a sort key.
package enum ResultOrder {
  /// The field of a sort key; by default the field of the same name.
  package static func field(of key: String) -> ResultField {
    switch key {
    case "updated": .updatedAt
    case "created": .createdAt
    case "pushed": .pushedAt
    case "starred": .starredAt
    case "size": .sizeKB
    case "author-date": .authoredAt
    case "committer-date": .committedAt
    case "joined": .createdAt
    default: ResultField(rawValue: key)
    }
  }

  /// Sorts results by a key. Results without it come last; the sort is stable.
  package static func sorted(_ items: [SearchResult], by key: String, order: SortOrder) -> [SearchResult] {
    sorted(items, by: key, order: order) { $0 }
  }

  /// Sorts elements by a key of their results.
  package static func sorted<Element>(
    _ items: [Element], by key: String, order: SortOrder, result: (Element) -> SearchResult
  ) -> [Element] {
    let field = field(of: key)
    let keyed = items.enumerated().map { (offset: $0.offset, value: result($0.element)[field]) }
    return keyed.sorted { a, b in precedes(a.value, b.value, order: order) ?? (a.offset < b.offset) }.map {
      items[$0.offset]
    }
  }

  /// Whether a value precedes another; missing values come last. `nil` for equal values.
  package static func precedes(_ a: FieldValue?, _ b: FieldValue?, order: SortOrder) -> Bool? {
    switch (a, b) {
    case (let x?, let y?):
      switch compare(x, y) {
      case 0: nil
      case let sign: order == .ascending ? sign < 0 : sign > 0
      }
    case (.some, nil): true
    case (nil, .some): false
    case (nil, nil): nil
    }
  }

  /// Negative, zero or positive if `a` is smaller than, equal to or larger than `b`. Values of different
  /// types are equal.
  private static func compare(_ a: FieldValue, _ b: FieldValue) -> Int {
    switch (a, b) {
    case (.number(let x), .number(let y)): x < y ? -1 : x > y ? 1 : 0
    case (.fraction(let x), .fraction(let y)): x < y ? -1 : x > y ? 1 : 0
    case (.fraction(let x), .number(let y)): x < Double(y) ? -1 : x > Double(y) ? 1 : 0
    case (.number(let x), .fraction(let y)): Double(x) < y ? -1 : Double(x) > y ? 1 : 0
    case (.date(let x), .date(let y)): x < y ? -1 : x > y ? 1 : 0
    case (.text(let x), .text(let y)): x == y ? 0 : x.bytesPrecede(y) ? -1 : 1
    default: 0
    }
  }
}

extension EntityMerger {
  /// Merges runs that are sorted by the same field (k-way merge).
  ///
  /// An entity is placed by the value that is shown: if runs contain it with different values, by its
  /// occurrence in the list whose value takes precedence. Other occurrences count only up to the end of the
  /// window of a list that the merge has reached, even if more was read, so that the sequence does not depend
  /// on the page size.
  ///
  /// - Parameters:
  ///   - field: The sort field; results without it come last.
  ///   - order: The direction.
  ///   - limit: The number of entities wanted. When a list that can continue is used up, no more can be
  ///     placed.
  /// - Returns: The entities, and the position that the merge reached in each list.
  mutating func sorted(by field: ResultField, order: SortOrder, limit: Int) -> (
    items: [MergedItem], reached: [Int]
  ) {
    addNodes(from: runs.map { _ in 0 }, to: runs.map(\.items.count))
    var nodeOf = runs.map { [Int](repeating: 0, count: $0.items.count) }
    for node in nodes.indices { nodeOf[nodes[node].list][nodes[node].index] = node }
    let sightings = sightings()
    let isOpen = runs.map { $0.canDeliver && !$0.plan.isSortedHere }
    let isSingle = runs.indices.count { isOpen[$0] || !runs[$0].items.isEmpty } <= 1
    var heads = [Int](repeating: 0, count: runs.count)
    var used = heads
    var placed: [Placed] = []
    var values: [FieldValue?] = []
    placing: while placed.count < limit {
      advance(&used, nodeOf)
      let known = isSingle ? nil : used.map { ($0 / RankFusion.window + 1) * RankFusion.window }
      if let known, runs.indices.contains(where: { isOpen[$0] && nodeOf[$0].count < known[$0] }) { break }
      var best: Int?
      for list in runs.indices {
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
        let (a, b) = (runs[list].items[heads[list]][field], runs[other].items[heads[other]][field])
        if ResultOrder.precedes(a, b, order: order) == true { best = list }
      }
      guard let best else { break }
      let entity = root(nodeOf[best][heads[best]])
      isPlaced[entity] = true
      let score = standing(of: sightings[entity]).score
      placed.append(Placed(root: entity, score: score, block: nodes.startIndex..<nodes.count))
      values.append(runs[best].items[heads[best]][field])
    }
    advance(&heads, nodeOf)
    var items = makeItems(placed, sightings)
    // An occurrence that did not count must not change the shown value either.
    for (index, value) in values.enumerated() where items[index].fieldObservations != nil {
      items[index].result.fields[field] = value
    }
    return (items, heads)
  }

  /// Moves a position in each list past the items whose entities are placed.
  private mutating func advance(_ positions: inout [Int], _ nodeOf: [[Int]]) {
    for list in positions.indices {
      while positions[list] < nodeOf[list].count, isPlaced[root(nodeOf[list][positions[list]])] {
        positions[list] += 1
      }
    }
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
