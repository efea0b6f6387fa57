import ForageCore

extension SplitPlan {
  /// Creates the plan for a search; `nil` for kinds that cannot be split and for empty ranges.
  ///
  /// - Parameters:
  ///   - request: The search.
  ///   - rules: The limits.
  ///   - now: Seconds since 1970.
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

  /// Whether the list stays sorted when it is split.
  var isSorted: Bool { if case .by = order { true } else { false } }

  /// Whether results beyond one query are reachable.
  var reachesFurther: Bool { if case .other = order { false } else { true } }

  /// The range that the query's own conditions allow on an axis; `nil` if it is empty.
  private static func own(_ query: QueryExpression, _ axis: SplitAxis) -> ClosedRange<Int>? {
    var range = axis.bounds
    for condition in query.conjuncts {
      guard let value = value(condition, axis) else { continue }
      guard let own = axis.range(value), own.overlaps(range) else { return nil }
      range = range.clamped(to: own)
    }
    return range
  }

  /// The value of a top-level condition on an axis, if it has bounds.
  private static func value(_ condition: QueryExpression, _ axis: SplitAxis) -> QualifierValue? {
    guard case .qualifier(let qualifier) = condition, qualifier.name == axis.qualifier else { return nil }
    switch qualifier.value {
    case .date, .number: return qualifier.value
    case .text, .list, .boolean: return nil
    }
  }

  /// The query restricted to the part at a place; `nil` if the place does not belong to this search.
  ///
  /// The query's own conditions on the same axis are replaced: the ranges lie within them, and GitHub treats
  /// two conditions on one axis inconsistently.
  func narrowed(_ query: QueryExpression, to place: SplitPlace) -> QueryExpression? {
    guard let ranges = ranges(at: place) else { return nil }
    let kept = query.conjuncts.filter { condition in
      !ranges.contains { Self.value(condition, $0.axis) != nil }
    }
    return QueryExpression.all(kept + ranges.compactMap { $0.axis.condition($0.range) }) ?? query
  }
}
