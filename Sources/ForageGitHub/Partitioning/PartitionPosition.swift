import ForageCore

/// The position in a partitioned search: what the next request needs besides query and order.
struct PartitionPosition: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    /// Results in pieces by date; with a level, only those with this value of the sort key.
    case pieces(PartitionPieces, level: Int?)
    /// Results beyond a value of the sort key, in the order of the search.
    case window(beyond: Int)
  }

  enum Step: String, Sendable {
    /// Request the first page of the part to find out whether the part fits into one query.
    case measure = "m"
    /// As `measure`, but the part is known to be too large and is divided in any case.
    case divide = "d"
    /// Read the part.
    case read = "r"
  }

  var part: Part
  var step: Step
  /// The server's link to the next page; `nil` for the first page of the part.
  var link: String?
  /// The total number of results as reported at the beginning.
  var total: Int
}

extension PartitionPosition {
  /// The prefix of partition cursors; no server link has it.
  private static let prefix = "split1."
  /// The radix of numbers in a cursor, which keeps them short.
  private static let radix = 36
  /// The maximum number of pieces in a cursor: the limit of `PartitionRules`, one division beyond it, and one
  /// piece for each halving of a date.
  private static let mostPieces = 128

  /// Whether a cursor is a partition cursor rather than a server's link.
  static func isCursor(_ text: String) -> Bool { text.hasPrefix(prefix) }

  /// The position as text: version, checksum, step, total, and the part's numbers; after a bar the link.
  var cursor: String {
    func digits(_ number: Int) -> String { String(number, radix: Self.radix) }
    let numbers: [String]
    switch part {
    case .window(let value): numbers = ["w", digits(value)]
    case .pieces(let pieces, let level):
      numbers =
        ["p", level.map(digits) ?? "", digits(pieces.start), pieces.ends.map(digits).joined(separator: ",")]
    }
    let body =
      ([step.rawValue, digits(total)] + numbers).joined(separator: ".") + (link.map { "|" + $0 } ?? "")
    return Self.prefix + body.utf8.fingerprint + "." + body
  }

  /// Parses a partition cursor; `nil` for any other text.
  init?(cursor: String) {
    func number(_ text: Substring) -> Int? {
      guard let value = Int(text, radix: Self.radix), value >= 0 else { return nil }
      return value
    }
    let parts = cursor.dropFirst(Self.prefix.count).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard Self.isCursor(cursor), parts.count == 2, parts[0] == parts[1].utf8.fingerprint
    else { return nil }
    let halves = parts[1].split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let words = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    guard words.count >= 4, let step = Step(rawValue: String(words[0])), let total = number(words[1]) else {
      return nil
    }
    switch (words[2], words.count) {
    case ("w", 4):
      guard let value = number(words[3]) else { return nil }
      part = .window(beyond: value)
    case ("p", 6):
      let ends = words[5].split(separator: ",", omittingEmptySubsequences: false).map(number)
      guard ends.count <= Self.mostPieces, !ends.contains(nil), let start = number(words[4]),
        words[3].isEmpty || number(words[3]) != nil,
        let pieces = PartitionPieces(ends: ends.compactMap(\.self), start: start)
      else { return nil }
      part = .pieces(pieces, level: number(words[3]))
    default: return nil
    }
    self.step = step
    self.total = total
    link = halves.count == 2 ? String(halves[1]) : nil
  }
}

/// The remaining range of dates, divided into adjacent pieces, newest first.
struct PartitionPieces: Hashable, Sendable {
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
  func dropFirst() -> PartitionPieces? { PartitionPieces(ends: Array(ends.dropFirst()), start: start) }

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
  func dividing(into count: Int, sample: [Int], usual: ClosedRange<Int>) -> PartitionPieces {
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
