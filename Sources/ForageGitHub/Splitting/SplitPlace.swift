import ForageHTTP

/// The position in a split search: what the next request needs besides query and order.
struct SplitPlace: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    /// Results in pieces by date; with a level, only those with this value of the sort key.
    case pieces(SplitPieces, level: Int?)
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

extension SplitPlace {
  /// The prefix of split cursors; no server link has it.
  private static let prefix = "split1."
  /// The radix of numbers in a cursor, which keeps them short.
  private static let radix = 36
  /// The maximum number of pieces in a cursor: the limit of `SplitRules`, one division beyond it, and one
  /// piece for each halving of a date.
  private static let mostPieces = 128

  /// Whether a cursor is a split cursor rather than a server's link.
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
    return Self.prefix + CredentialFingerprint.of(body) + "." + body
  }

  /// Parses a split cursor; `nil` for any other text.
  init?(cursor: String) {
    func number(_ text: Substring) -> Int? {
      guard let value = Int(text, radix: Self.radix), value >= 0 else { return nil }
      return value
    }
    let parts = cursor.dropFirst(Self.prefix.count).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard Self.isCursor(cursor), parts.count == 2, parts[0] == CredentialFingerprint.of(String(parts[1]))
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
        let pieces = SplitPieces(ends: ends.compactMap(\.self), start: start)
      else { return nil }
      part = .pieces(pieces, level: number(words[3]))
    default: return nil
    }
    self.step = step
    self.total = total
    link = halves.count == 2 ? String(halves[1]) : nil
  }
}
