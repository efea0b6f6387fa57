import ForageCore

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
