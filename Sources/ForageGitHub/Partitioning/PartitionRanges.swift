import ForageCore
import ForageFoundation

/// The qualifier by whose ranges a search is split, and the result field that holds its value.
///
/// Values are whole numbers; dates are seconds since 1970.
struct PartitionAxis: Hashable, Sendable {
  var qualifier: String
  var field: ResultField
  /// The range of all values. Its ends include everything beyond them.
  var bounds: ClosedRange<Int>
  var isDate = true

  /// Dates from October 2007, when GitHub began, or another time, to 2100.
  static func date(_ qualifier: String, _ field: ResultField, from start: Int = 1_190_000_000)
    -> PartitionAxis
  {
    PartitionAxis(qualifier: qualifier, field: field, bounds: start...4_102_444_800)
  }

  /// Counts, in ranges up to a million.
  static func count(_ qualifier: String, _ field: ResultField) -> PartitionAxis {
    PartitionAxis(qualifier: qualifier, field: field, bounds: 0...1_048_575, isDate: false)
  }

  /// The value of a result; `nil` if the result does not contain it.
  func value(of item: SearchResult) -> Int? {
    isDate ? item[field]?.date.map(seconds) : item[field]?.number.map(clamped)
  }

  private func seconds(_ date: Date) -> Int {
    clamped(Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0)
  }

  private func clamped(_ value: Int) -> Int { min(max(value, bounds.lowerBound), bounds.upperBound) }

  /// A value in GitHub's notation.
  func text(_ value: Int) -> String {
    isDate ? Timestamp.text(Date(timeIntervalSince1970: Double(value))) : String(value)
  }

  /// The range that a query's own top-level conditions allow; `nil` if it is empty.
  func range(of query: QueryExpression) -> ClosedRange<Int>? {
    var (low, high) = (bounds.lowerBound, bounds.upperBound)
    for case .qualifier(let condition) in query.conjuncts where condition.name == qualifier {
      switch condition.value {
      case .date(let dates) where isDate:
        if let end = dates.lower {
          low = max(low, seconds(end.isInclusive ? end.value.start : end.value.end))
        }
        if let end = dates.upper {
          high = min(high, seconds(end.isInclusive ? end.value.end : end.value.start) - 1)
        }
      case .number(let numbers) where !isDate:
        if let end = numbers.lower { low = max(low, clamped(end.value) + (end.isInclusive ? 0 : 1)) }
        if let end = numbers.upper { high = min(high, clamped(end.value) - (end.isInclusive ? 0 : 1)) }
      default: break
      }
    }
    return low <= high ? low...high : nil
  }

  /// A query restricted to a range within ``range(of:)``.
  ///
  /// The query's own conditions are replaced, because GitHub treats two conditions on one qualifier
  /// inconsistently. A range at an end of the axis is open there. A single value is written as a range with
  /// equal ends, which is unambiguous for dates.
  func narrowed(_ query: QueryExpression, to range: ClosedRange<Int>) -> QueryExpression {
    let kept = query.conjuncts.filter { condition in
      guard case .qualifier(let own) = condition, own.name == qualifier else { return true }
      switch own.value {
      case .date, .number: return false
      case .text, .list, .boolean: return true
      }
    }
    let value: String? =
      switch (range.lowerBound <= bounds.lowerBound, range.upperBound >= bounds.upperBound) {
      case (true, true): nil
      case (true, false): "<=" + text(range.upperBound)
      case (false, true): ">=" + text(range.lowerBound)
      case (false, false): text(range.lowerBound) + ".." + text(range.upperBound)
      }
    let condition = value.map { QueryExpression.qualifier(Qualifier(qualifier, .text($0))) }
    return QueryExpression.all(kept + (condition.map { [$0] } ?? [])) ?? query
  }
}

extension PartitionAxis {
  /// The axis for a kind: its date, or the qualifier for the values of a sort key, so that the list stays
  /// sorted.
  ///
  /// Source: GitHub's documentation, "Sorting search results" and the page on searching each kind. There is
  /// no qualifier for `updated` of repositories and for single reactions.
  ///
  /// - Returns: `nil` for kinds without a date and for sort keys without a qualifier.
  static func of(_ kind: ResultKind, sort: String?) -> PartitionAxis? {
    switch (kind, sort) {
    case (.repo, nil), (.issue, nil), (.user, nil), (.issue, "created"), (.user, "joined"):
      date("created", .createdAt)
    // Commits can be older than GitHub.
    case (.commit, nil), (.commit, "committer-date"): date("committer-date", .committedAt, from: 0)
    case (.commit, "author-date"): date("author-date", .authoredAt, from: 0)
    case (.issue, "updated"): date("updated", .updatedAt)
    case (.repo, "stars"): count("stars", .stars)
    case (.repo, "forks"): count("forks", .forks)
    case (.issue, "comments"): count("comments", .comments)
    case (.user, "followers"): count("followers", .followers)
    case (.user, "repositories"): count("repos", .repositoryCount)
    default: nil
    }
  }
}

/// The position in a partitioned search: what the next request needs besides query and order.
struct PartitionPosition: Hashable, Sendable {
  /// The qualifier of the ranges.
  var qualifier: String
  /// The remaining ranges in the order in which they are read; never empty.
  var ranges: [ClosedRange<Int>]
  /// The total number of results as reported at the beginning.
  var total: Int
  /// The server's link to the next page of the first range; `nil` for its first page.
  var link: String?

  /// The first page of the ranges after the first one; `nil` if none remain.
  var following: PartitionPosition? {
    guard ranges.count > 1 else { return nil }
    return PartitionPosition(qualifier: qualifier, ranges: Array(ranges.dropFirst()), total: total)
  }

  /// The same ranges with the first one halved; `nil` if it is a single value.
  ///
  /// - Parameters:
  ///   - sample: Values of some results in the range. If all are the same, the cut is beside that value, so
  ///     that a second with many results is found soon.
  ///   - now: Seconds since 1970. A range that ends later is cut in the middle of the time before.
  ///   - isAscending: Whether the lower half is read first.
  func halved(sample: [Int], now: Int, isAscending: Bool) -> PartitionPosition? {
    let range = ranges[0]
    guard range.lowerBound < range.upperBound else { return nil }
    let middle: Int
    if let value = sample.first, sample.allSatisfy({ $0 == value }), range.contains(value) {
      middle = min(value, range.upperBound - 1)
    } else {
      let end = now > range.lowerBound ? min(now, range.upperBound) : range.upperBound
      middle = range.lowerBound + (end - range.lowerBound) / 2
    }
    let halves = [range.lowerBound...middle, middle + 1...range.upperBound]
    return PartitionPosition(
      qualifier: qualifier, ranges: (isAscending ? halves : halves.reversed()) + ranges.dropFirst(),
      total: total)
  }
}

extension PartitionPosition {
  /// The prefix of partition cursors; no server link has it.
  private static let prefix = "ranges "

  /// The position as text: qualifier, total and the ends of the ranges; after a bar the link.
  var cursor: String {
    let numbers = [total] + ranges.flatMap { [$0.lowerBound, $0.upperBound] }
    return Self.prefix + qualifier + " " + numbers.map(String.init).joined(separator: " ")
      + (link.map { "|" + $0 } ?? "")
  }

  /// Parses a cursor.
  ///
  /// - Returns: `nil` for a server's link.
  /// - Throws: `SearchError` with code `invalid_cursor` for a damaged cursor.
  static func parsed(_ cursor: String) throws(SearchError) -> PartitionPosition? {
    guard cursor.hasPrefix(prefix) else { return nil }
    let halves = cursor.dropFirst(prefix.count).split(
      separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let words = halves[0].split(separator: " ", omittingEmptySubsequences: false)
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard numbers.count == words.count - 1, numbers.count >= 3, numbers.count % 2 == 1
    else { throw damaged }
    var ranges: [ClosedRange<Int>] = []
    for index in stride(from: 1, to: numbers.count, by: 2) {
      guard 0 <= numbers[index], numbers[index] <= numbers[index + 1] else { throw damaged }
      ranges.append(numbers[index]...numbers[index + 1])
    }
    return PartitionPosition(
      qualifier: String(words[0]), ranges: ranges, total: numbers[0],
      link: halves.count == 2 ? String(halves[1]) : nil)
  }

  /// The error for a cursor that is damaged or belongs to another search.
  static let damaged = SearchError(
    .invalidCursor, "the cursor is damaged or belongs to another search")
}
