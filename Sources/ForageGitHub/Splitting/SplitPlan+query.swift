import ForageCore

extension SplitPlan {
  /// The plan for a search, `nil` for kinds that cannot be split and for ranges in which nothing can lie.
  ///
  /// - Parameter now: Seconds since 1970.
  init?(_ request: SearchRequest, rules: SplitRules, now: Int) {
    guard let date = SplitAxis.date(of: request.kind), let query = request.query,
      let dates = Self.own(query, date)
    else { return nil }
    var order = Order.bestMatch
    var levels = date.bounds
    if let key = request.sort {
      order = .other(key)
      if let axis = SplitAxis.sort(key, of: request.kind) {
        guard let own = Self.own(query, axis) else { return nil }
        (order, levels) = (.by(axis, request.order), own)
      }
    }
    self.init(date: date, order: order, dates: dates, levels: levels, rules: rules, now: now)
  }

  /// Whether the list stays sorted when it is read in pieces.
  var isSorted: Bool { if case .by = order { true } else { false } }

  /// Whether anything beyond one query can be reached at all.
  var reachesFurther: Bool { if case .other = order { false } else { true } }

  /// The range that the query itself allows on an axis: what its outermost conditions have in common; `nil` for nothing.
  private static func own(_ query: QueryExpression, _ axis: SplitAxis) -> ClosedRange<Int>? {
    var range = axis.bounds
    for condition in query.conjuncts {
      guard let value = value(condition, axis) else { continue }
      guard let own = axis.range(value), own.overlaps(range) else { return nil }
      range = range.clamped(to: own)
    }
    return range
  }

  /// The value of an outermost condition on an axis, where it has bounds.
  private static func value(_ condition: QueryExpression, _ axis: SplitAxis) -> QualifierValue? {
    guard case .qualifier(let qualifier) = condition, qualifier.name == axis.qualifier else { return nil }
    switch qualifier.value {
    case .date, .number: return qualifier.value
    case .text, .list, .boolean: return nil
    }
  }

  /// The query narrowed to what a place reads, `nil` when the place does not belong to such a search.
  ///
  /// Conditions of its own on the same axis give way: the ranges lie within them, and two on one axis are read differently from search to search.
  func narrowed(_ query: QueryExpression, to place: SplitPlace) -> QueryExpression? {
    guard let ranges = ranges(at: place) else { return nil }
    let kept = query.conjuncts.filter { condition in
      !ranges.contains { Self.value(condition, $0.axis) != nil }
    }
    return QueryExpression.all(kept + ranges.compactMap { $0.axis.condition($0.range) }) ?? query
  }
}
