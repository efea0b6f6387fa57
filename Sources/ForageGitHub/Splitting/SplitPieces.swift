/// What is left of a range of dates, cut into pieces that lie end to end, the newest first.
struct SplitPieces: Hashable, Sendable {
  /// The last second of each piece, the newest first; never empty.
  private(set) var ends: [Int]
  /// The first second of the oldest piece.
  let start: Int

  /// One piece.
  init(_ range: ClosedRange<Int>) {
    ends = [range.upperBound]
    start = range.lowerBound
  }

  /// Reads what `ends` and `start` were; `nil` for what cannot have been.
  init?(ends: [Int], start: Int) {
    guard let last = ends.last, last >= start, zip(ends, ends.dropFirst()).allSatisfy(>) else { return nil }
    self.ends = ends
    self.start = start
  }

  /// How many pieces there are.
  var count: Int { ends.count }

  /// The newest piece.
  var first: ClosedRange<Int> { (ends.count > 1 ? ends[1] + 1 : start)...ends[0] }

  /// Whether the newest piece is longer than a second.
  var canDivide: Bool { first.lowerBound < first.upperBound }

  /// What is left without the newest piece, `nil` for nothing.
  func dropFirst() -> SplitPieces? { SplitPieces(ends: Array(ends.dropFirst()), start: start) }

  /// The newest piece cut into several, each at least a second long.
  ///
  /// The cuts go between known dates, so that each piece has its share of them; a second that has several shares becomes a piece by itself. Where
  /// none are known, the usual part of the piece is cut evenly.
  ///
  /// - Parameters:
  ///   - count: How many pieces are wanted; there may be fewer or a few more, but always two.
  ///   - sample: Dates of some results in the piece.
  ///   - usual: Where results usually lie.
  func dividing(into count: Int, sample: [Int], usual: ClosedRange<Int>) -> SplitPieces {
    let piece = first
    guard canDivide else { return self }
    let inside = sample.filter(piece.contains).sorted()
    // Where pieces begin.
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
