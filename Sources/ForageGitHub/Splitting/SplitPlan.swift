import ForageCore

/// Decides, from what has come, what to ask for next: the algorithm without the asking.
///
/// By best match, the first thousand results come as the server ranks them; then the whole search once more in pieces, by date from newest to
/// oldest, each as the server ranks it. What was there before is left out by whoever puts the pages together. In an order that a qualifier can
/// follow, the list stays sorted throughout: behind the first thousand come all results with the last one's value (in pieces by date, where they
/// are more than a thousand), then the next thousand behind that value, and so on.
struct SplitPlan: Sendable {
  /// How the results of a search are ordered.
  enum Order: Sendable {
    case bestMatch
    case by(SplitAxis, SortOrder)
    /// By a key that no qualifier selects by.
    case other(String)
  }

  /// What an answer says that matters here.
  struct Answer: Sendable {
    /// How many results the query has, `nil` where the server does not tell.
    var total: Int?
    /// How many of them the pages up to this one hold, when none of these is short.
    var reached: Int
    /// Whether the page is the last of those that the server gives out.
    var isCapped: Bool
    /// The dates of its items, where they tell.
    var dates: [Int] = []
    /// What its last item is sorted by, where it tells.
    var level: Int?
    /// The server's link to the next page.
    var next: String?
  }

  /// What to do after an answer.
  struct Turn {
    /// Whether the answer's items belong to the list; otherwise they were only looked at.
    var isShown = true
    /// Where the list goes on, `nil` at its end.
    var next: SplitPlace?
    var shortfall: SearchShortfall?
  }

  var date: SplitAxis
  var order: Order
  /// The dates that the query itself allows.
  var dates: ClosedRange<Int>
  /// The values that the query itself allows of what is sorted by.
  var levels: ClosedRange<Int>
  var rules = SplitRules()
  /// Seconds since 1970, the end of the usual dates.
  var now: Int

  /// The turn after the last page that one query gives out.
  func begin(_ answer: Answer) -> Turn {
    let total = answer.total ?? answer.reached
    switch order {
    case .bestMatch:
      let pieces = SplitPieces(dates)
      guard pieces.canDivide else { return Turn(shortfall: heldBack(pieces, answer)) }
      return Turn(next: SplitPlace(part: .pieces(pieces, level: nil), step: .divide, total: total))
    case .by: return level(of: answer, total: total)
    case .other(let key):
      guard total > answer.reached else { return Turn() }
      return Turn(
        shortfall: SearchShortfall(
          "GitHub returns no more sorted by \(key)",
          hint: "sort by another key, or leave --sort out, to reach the others"))
    }
  }

  /// What to ask for at a place: ranges of axes, beside the query. `nil` when the place does not belong to such a search.
  func ranges(at place: SplitPlace) -> [(axis: SplitAxis, range: ClosedRange<Int>)]? {
    switch (place.part, order) {
    case (.pieces(let pieces, nil), .bestMatch): return [(date, pieces.first)]
    case (.pieces(let pieces, let level?), .by(let axis, _)):
      // What is sorted by may be the very date.
      return axis.qualifier == date.qualifier
        ? [(date, pieces.first)] : [(date, pieces.first), (axis, level...level)]
    case (.window(let value), .by(let axis, let direction)):
      guard let range = range(beyond: value, direction) else { return nil }
      return [(axis, range)]
    default: return nil
    }
  }

  /// The turn after an answer to what was asked at a place.
  ///
  /// - Parameter isReadable: Whether the answer has the page size of the search, so that it can be shown.
  func turn(at place: SplitPlace, _ answer: Answer, isReadable: Bool) -> Turn {
    switch place.part {
    case .window:
      if let link = answer.next { return Turn(next: place.reading(link)) }
      return answer.isCapped ? level(of: answer, total: place.total) : Turn()
    case .pieces(let pieces, let level):
      if place.step != .read, pieces.canDivide, place.step == .divide || (answer.total ?? 0) > rules.cap {
        return Turn(isShown: false, next: place.turning(to: divided(pieces, answer), level))
      }
      if place.step != .read, !isReadable { return Turn(isShown: false, next: place.reading(nil)) }
      if let link = answer.next { return Turn(next: place.reading(link)) }
      if answer.isCapped {
        // It is larger than it was said to be.
        if pieces.canDivide { return Turn(next: place.turning(to: pieces, level, .divide)) }
        return Turn(next: behind(pieces, level, place), shortfall: heldBack(pieces, answer))
      }
      return Turn(next: behind(pieces, level, place))
    }
  }

  private func divided(_ pieces: SplitPieces, _ answer: Answer) -> SplitPieces {
    // Halving ends at a second whatever a server says its dates are.
    guard pieces.count < rules.maximumPieces else {
      return pieces.dividing(into: 2, sample: [], usual: pieces.first)
    }
    let total = max(answer.total ?? 0, rules.cap + 1)
    let wanted = min(total / rules.target + 1, rules.widest, rules.maximumPieces - pieces.count)
    let sample = answer.dates.count < rules.smallestSample ? [] : answer.dates
    return pieces.dividing(into: max(2, wanted), sample: sample, usual: date.usual(now: now))
  }

  /// The place behind the newest piece.
  private func behind(_ pieces: SplitPieces, _ level: Int?, _ place: SplitPlace) -> SplitPlace? {
    if let rest = pieces.dropFirst() { return place.turning(to: rest, level) }
    guard let level, case .by(_, let direction) = order, range(beyond: level, direction) != nil else {
      return nil
    }
    return SplitPlace(part: .window(beyond: level), step: .read, total: place.total)
  }

  /// Goes on with all results that have the value of the last one.
  private func level(of answer: Answer, total: Int) -> Turn {
    guard case .by(let axis, _) = order, let level = answer.level, levels.contains(level) else {
      guard (answer.total ?? 0) > answer.reached else { return Turn() }
      return Turn(
        shortfall: SearchShortfall(
          "GitHub returns no more in this order, and its results lack the field that they are sorted by",
          hint: "leave --sort out to reach the others"))
    }
    let isDate = axis.qualifier == date.qualifier
    return Turn(
      next: SplitPlace(
        part: .pieces(SplitPieces(isDate ? level...level : dates), level: level), step: .measure, total: total
      ))
  }

  private func range(beyond value: Int, _ direction: SortOrder) -> ClosedRange<Int>? {
    switch direction {
    case .descending: value > levels.lowerBound ? levels.lowerBound...(value - 1) : nil
    case .ascending: value < levels.upperBound ? (value + 1)...levels.upperBound : nil
    }
  }

  /// What is said of a second that has more results than one query gives out; `nil` when it seems to have just as many.
  private func heldBack(_ pieces: SplitPieces, _ answer: Answer) -> SearchShortfall? {
    guard let total = answer.total, total > answer.reached else { return nil }
    return SearchShortfall(
      "GitHub returns at most \(answer.reached) of \(total) results of one second, \(date.sentence(pieces.first.lowerBound))",
      hint: "search for these alone, with another qualifier")
  }
}

extension SplitPlace {
  /// The same part, read from a page on.
  fileprivate func reading(_ link: String?) -> SplitPlace {
    SplitPlace(part: part, step: .read, link: link, total: total)
  }

  /// Another part, from its beginning.
  fileprivate func turning(to pieces: SplitPieces, _ level: Int?, _ step: Step = .measure) -> SplitPlace {
    SplitPlace(part: .pieces(pieces, level: level), step: step, total: total)
  }
}
