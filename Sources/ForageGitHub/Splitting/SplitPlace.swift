/// Where a search stands that is read in pieces: all that its next request needs, beside the query and the order.
struct SplitPlace: Hashable, Sendable {
  /// What is being read.
  enum Part: Hashable, Sendable {
    /// Results cut by their date; with a value, only those that have just this value of what is sorted by.
    case pieces(SplitPieces, level: Int?)
    /// Results behind a value, in the order of the search.
    case window(beyond: Int)
  }

  /// What comes next.
  enum Step: String, Sendable {
    /// Ask for the first page of the part to see whether it is small enough to be read.
    case measure = "m"
    /// The same, but it is known to be too large, so it is cut in any case.
    case divide = "d"
    /// Read it.
    case read = "r"
  }

  var part: Part
  var step: Step
  /// The server's link to the page to be read, `nil` for the first page of the part.
  var link: String?
  /// How many results the whole search has, as was told at its beginning.
  var total: Int
}

extension SplitPlace {
  /// What every such cursor begins with; no link does.
  private static let prefix = "split1."
  /// Numbers are written to this base, which keeps them short.
  private static let radix = 36
  /// More pieces than `SplitRules` lets wait: that many at most, one division more, and then one more for each halving of a date.
  private static let mostPieces = 128

  /// Whether a cursor is of this kind rather than a server's link.
  static func isCursor(_ text: String) -> Bool { text.hasPrefix(prefix) }

  /// The place as text: a version, a checksum, then step, total, and the part's numbers; behind a bar the link.
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
    return Self.prefix + Self.checksum(body) + "." + body
  }

  /// Reads what `cursor` has written; `nil` for anything else.
  init?(cursor: String) {
    func number(_ text: Substring) -> Int? {
      guard let value = Int(text, radix: Self.radix), value >= 0 else { return nil }
      return value
    }
    let parts = cursor.dropFirst(Self.prefix.count).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard Self.isCursor(cursor), parts.count == 2, parts[0] == Self.checksum(parts[1]) else { return nil }
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
        let pieces = SplitPieces(ends: ends.compactMap(\.self), start: start)
      else { return nil }
      part = .pieces(pieces, level: number(words[3]))
    default: return nil
    }
    self.step = step
    self.total = total
    link = halves.count == 2 ? String(halves[1]) : nil
  }

  /// Eight hexadecimal digits, by which a damaged cursor is known.
  ///
  /// Formula: FNV-1a with 32 bits (Fowler, Noll, Vo).
  private static func checksum(_ text: some StringProtocol) -> String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
