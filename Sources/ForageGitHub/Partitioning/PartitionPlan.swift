import ForageCore

/// Decides what to request next in a partitioned search; it sends no requests itself.
///
/// By best match, the first thousand results are read as the server ranks them. Then the whole search is read
/// again in pieces by date, newest first, each as the server ranks it; the caller removes duplicates. For a
/// sort key that has a qualifier, the list stays sorted: after the first thousand results come all results
/// with the last one's value (in pieces by date if they are more than a thousand), then the next thousand
/// beyond that value, and so on.
struct PartitionPlan: Sendable {
  enum Order: Sendable {
    case bestMatch
    case by(PartitionAxis, SortOrder)
    /// By a key that has no qualifier.
    case other(String)
  }

  /// The properties of a page that determine the next step.
  struct Answer: Sendable {
    /// The total number of results of the query; `nil` if the server does not report it.
    var total: Int?
    /// The number of results on the pages up to this one, if all are full.
    var reached: Int
    /// Whether this is the last page that the server returns.
    var isCapped: Bool
    /// The dates of its items, as far as known.
    var dates: [Int] = []
    /// The sort value of its last item, if known.
    var level: Int?
    /// The server's link to the next page.
    var next: String?
  }

  struct Turn {
    /// Whether the page's items belong to the list; otherwise they only served for measuring.
    var isShown = true
    /// Where the list continues; `nil` at its end.
    var next: PartitionPosition?
    var shortfall: SearchShortfall?
  }

  var date: PartitionAxis
  var order: Order
  /// The dates that the query's own conditions allow.
  var dates: ClosedRange<Int>
  /// The values of the sort key that the query's own conditions allow.
  var levels: ClosedRange<Int>
  var rules = PartitionRules()
  /// Seconds since 1970; the end of the usual dates.
  var now: Int

  /// The step after the last page of the first query.
  func begin(_ answer: Answer) -> Turn {
    let total = answer.total ?? answer.reached
    switch order {
    case .bestMatch:
      let pieces = PartitionPieces(dates)
      guard pieces.canDivide else { return Turn(shortfall: heldBack(pieces, answer)) }
      return Turn(next: PartitionPosition(part: .pieces(pieces, level: nil), step: .divide, total: total))
    case .by: return level(of: answer, total: total)
    case .other(let key):
      guard total > answer.reached else { return Turn() }
      return Turn(
        shortfall: SearchShortfall(
          "GitHub returns no more sorted by \(key)",
          hint: "use another sort key, or none, to get the others"))
    }
  }

  /// The ranges to add to the query at a position; `nil` if the position does not belong to this search.
  func ranges(at position: PartitionPosition) -> [(axis: PartitionAxis, range: ClosedRange<Int>)]? {
    switch (position.part, order) {
    case (.pieces(let pieces, nil), .bestMatch): return [(date, pieces.first)]
    case (.pieces(let pieces, let level?), .by(let axis, _)):
      // The sort key may be the date itself.
      return axis.qualifier == date.qualifier
        ? [(date, pieces.first)] : [(date, pieces.first), (axis, level...level)]
    case (.window(let value), .by(let axis, let direction)):
      guard let range = range(beyond: value, direction) else { return nil }
      return [(axis, range)]
    default: return nil
    }
  }

  /// The step after the page at a position.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - answer: The page.
  ///   - isReadable: Whether the page has the page size of the search, so that its items can be shown.
  func turn(at position: PartitionPosition, _ answer: Answer, isReadable: Bool) -> Turn {
    switch position.part {
    case .window:
      if let link = answer.next { return Turn(next: position.reading(link)) }
      return answer.isCapped ? level(of: answer, total: position.total) : Turn()
    case .pieces(let pieces, let level):
      if position.step != .read, pieces.canDivide, position.step == .divide || (answer.total ?? 0) > rules.cap
      {
        return Turn(isShown: false, next: position.turning(to: divided(pieces, answer), level))
      }
      if position.step != .read, !isReadable { return Turn(isShown: false, next: position.reading(nil)) }
      if let link = answer.next { return Turn(next: position.reading(link)) }
      if answer.isCapped {
        // The piece is larger than was reported.
        if pieces.canDivide { return Turn(next: position.turning(to: pieces, level, .divide)) }
        return Turn(next: behind(pieces, level, position), shortfall: heldBack(pieces, answer))
      }
      return Turn(next: behind(pieces, level, position))
    }
  }

  private func divided(_ pieces: PartitionPieces, _ answer: Answer) -> PartitionPieces {
    // Halving always ends, whatever dates the server reports.
    guard pieces.count < rules.maximumPieces else {
      return pieces.dividing(into: 2, sample: [], usual: pieces.first)
    }
    let total = max(answer.total ?? 0, rules.cap + 1)
    let wanted = min(total / rules.target + 1, rules.widest, rules.maximumPieces - pieces.count)
    let sample = answer.dates.count < rules.smallestSample ? [] : answer.dates
    return pieces.dividing(into: max(2, wanted), sample: sample, usual: date.usual(now: now))
  }

  private func behind(_ pieces: PartitionPieces, _ level: Int?, _ position: PartitionPosition)
    -> PartitionPosition?
  {
    if let rest = pieces.dropFirst() { return position.turning(to: rest, level) }
    guard let level, case .by(_, let direction) = order, range(beyond: level, direction) != nil else {
      return nil
    }
    return PartitionPosition(part: .window(beyond: level), step: .read, total: position.total)
  }

  /// Continues with all results that have the sort value of the last one.
  private func level(of answer: Answer, total: Int) -> Turn {
    guard case .by(let axis, _) = order, let level = answer.level, levels.contains(level) else {
      guard (answer.total ?? 0) > answer.reached else { return Turn() }
      return Turn(
        shortfall: SearchShortfall(
          "GitHub returns no more in this order, and its results lack the field that they are sorted by",
          hint: "search without a sort key to get the others"))
    }
    let isDate = axis.qualifier == date.qualifier
    return Turn(
      next: PartitionPosition(
        part: .pieces(PartitionPieces(isDate ? level...level : dates), level: level), step: .measure,
        total: total
      ))
  }

  private func range(beyond value: Int, _ direction: SortOrder) -> ClosedRange<Int>? {
    switch direction {
    case .descending: value > levels.lowerBound ? levels.lowerBound...(value - 1) : nil
    case .ascending: value < levels.upperBound ? (value + 1)...levels.upperBound : nil
    }
  }

  /// The shortfall of a second that has more results than one query returns; `nil` if none is missing.
  private func heldBack(_ pieces: PartitionPieces, _ answer: Answer) -> SearchShortfall? {
    guard let total = answer.total, total > answer.reached else { return nil }
    return SearchShortfall(
      "GitHub returns at most \(answer.reached) of \(total) results of one second, \(date.sentence(pieces.first.lowerBound))",
      hint: "search for these alone, with another qualifier")
  }
}

extension PartitionPosition {
  /// The same part from a given page.
  fileprivate func reading(_ link: String?) -> PartitionPosition {
    PartitionPosition(part: part, step: .read, link: link, total: total)
  }

  /// Another part, from its beginning.
  fileprivate func turning(to pieces: PartitionPieces, _ level: Int?, _ step: Step = .measure)
    -> PartitionPosition
  {
    PartitionPosition(part: .pieces(pieces, level: level), step: step, total: total)
  }
}

extension PartitionPlan {
  /// Creates the plan for a search; `nil` for kinds that cannot be split and for empty ranges.
  ///
  /// - Parameters:
  ///   - request: The search.
  ///   - rules: The limits.
  ///   - now: Seconds since 1970.
  init?(_ request: SearchRequest, rules: PartitionRules, now: Int) {
    guard let date = PartitionAxis.date(of: request.kind), let query = request.query,
      let dates = Self.own(query, date)
    else { return nil }
    var order = Order.bestMatch
    var levels = date.bounds
    if let key = request.sort {
      order = .other(key)
      if let axis = PartitionAxis.sort(key, of: request.kind) {
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
  private static func own(_ query: QueryExpression, _ axis: PartitionAxis) -> ClosedRange<Int>? {
    var range = axis.bounds
    for condition in query.conjuncts {
      guard let value = value(condition, axis) else { continue }
      guard let own = axis.range(value), own.overlaps(range) else { return nil }
      range = range.clamped(to: own)
    }
    return range
  }

  /// The value of a top-level condition on an axis, if it has bounds.
  private static func value(_ condition: QueryExpression, _ axis: PartitionAxis) -> QualifierValue? {
    guard case .qualifier(let qualifier) = condition, qualifier.name == axis.qualifier else { return nil }
    switch qualifier.value {
    case .date, .number: return qualifier.value
    case .text, .list, .boolean: return nil
    }
  }

  /// The query restricted to the part at a position; `nil` if the position does not belong to this search.
  ///
  /// The query's own conditions on the same axis are replaced: the ranges lie within them, and GitHub treats
  /// two conditions on one axis inconsistently.
  func narrowed(_ query: QueryExpression, to position: PartitionPosition) -> QueryExpression? {
    guard let ranges = ranges(at: position) else { return nil }
    let kept = query.conjuncts.filter { condition in
      !ranges.contains { Self.value(condition, $0.axis) != nil }
    }
    return QueryExpression.all(kept + ranges.compactMap { $0.axis.condition($0.range) }) ?? query
  }
}
