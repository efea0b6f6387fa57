/// The remaining range of dates, divided into adjacent pieces, newest first.
struct SplitPieces: Hashable, Sendable {
  /// The last second of each piece, newest first; never empty.
  private(set) var ends: [Int]
  /// The first second of the oldest piece.
  let start: Int

  init(_ range: ClosedRange<Int>) {
    ends = [range.upperBound]
    start = range.lowerBound
  }

  /// Restores pieces from `ends` and `start`; `nil` if these are inconsistent.
  init?(ends: [Int], start: Int) {
    guard let last = ends.last, last >= start, zip(ends, ends.dropFirst()).allSatisfy(>) else { return nil }
    self.ends = ends
    self.start = start
  }

  var count: Int { ends.count }

  var first: ClosedRange<Int> { (ends.count > 1 ? ends[1] + 1 : start)...ends[0] }

  /// Whether the newest piece is longer than a second.
  var canDivide: Bool { first.lowerBound < first.upperBound }

  /// The pieces without the newest one; `nil` if none remain.
  func dropFirst() -> SplitPieces? { SplitPieces(ends: Array(ends.dropFirst()), start: start) }

  /// Divides the newest piece into several, each at least a second long.
  ///
  /// The cuts are placed between known dates, so that each piece contains an equal share of them. A second
  /// with several shares becomes a piece by itself. Without known dates, the usual range within the piece is
  /// divided evenly.
  ///
  /// - Parameters:
  ///   - count: The desired number of pieces. The result has at least two and may differ slightly.
  ///   - sample: Dates of some results in the piece.
  ///   - usual: The range in which most results lie.
  func dividing(into count: Int, sample: [Int], usual: ClosedRange<Int>) -> SplitPieces {
    let piece = first
    guard canDivide else { return self }
    let inside = sample.filter(piece.contains).sorted()
    // The first second of each piece.
    var starts: Set<Int> = []
    if !inside.isEmpty {
      var previous: Int?
      for index in 1..<max(2, count) {
        let value = inside[index * inside.count / max(2, count)]
        starts.insert(value)
        if value == previous { starts.insert(value + 1) }
        previous = value
      }
      if inside.first == inside.last, let only = inside.first { starts.formUnion([only, only + 1]) }
    } else {
      let part = piece.clamped(to: usual)
      let (low, length) = (part.lowerBound, part.upperBound - part.lowerBound + 1)
      for index in 1..<max(2, count) { starts.insert(low + length / max(2, count) * index) }
    }
    var cuts = starts.filter { $0 > piece.lowerBound && $0 <= piece.upperBound }
    if cuts.isEmpty { cuts = [piece.lowerBound + (piece.upperBound - piece.lowerBound + 1) / 2] }
    var copy = self
    copy.ends.insert(contentsOf: cuts.map { $0 - 1 }.sorted(by: >), at: 1)
    return copy
  }
}
