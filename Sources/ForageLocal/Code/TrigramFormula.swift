/// A condition on the trigrams of a text that every text with a match fulfils.
indirect enum TrigramFormula: Hashable, Sendable {
  /// No condition.
  case all
  /// No text can match.
  case none
  /// The text contains the trigram.
  case trigram(String)
  case and([TrigramFormula])
  case or([TrigramFormula])

  /// The most trigrams of one conjunction or alternatives of one disjunction: more would hardly exclude more
  /// texts, and FTS5 bounds the size of expressions.
  private static let partLimit = 32
  /// The most trigrams of a whole expression for FTS5.
  private static let sizeLimit = 200

  /// The trigrams of a literal text that can be required.
  ///
  /// The folding of the index may differ from PCRE2's for characters of rare scripts, so that trigrams with these are not required if case is ignored.
  static func literal(_ text: some Sequence<Unicode.Scalar>, ignoresCase: Bool) -> TrigramFormula {
    let scalars = Array(text)
    guard scalars.count >= 3 else { return .all }
    var found: [TrigramFormula] = []
    for start in 0...(scalars.count - 3) {
      let part = scalars[start..<start + 3]
      guard part.allSatisfy({ isIndexed($0, ignoresCase: ignoresCase) }) else { continue }
      found.append(.trigram(String(String.UnicodeScalarView(part))))
    }
    return conjunction(found)
  }

  /// The first scalar after Cyrillic, whose folding is the same everywhere.
  private static let foldedTheSame: UInt32 = 0x530

  private static func isIndexed(_ scalar: Unicode.Scalar, ignoresCase: Bool) -> Bool {
    // The index has U+FFFD in place of bytes that are not UTF-8, and no trigram across lines.
    if scalar == "\n" || scalar.value == 0xFFFD { return false }
    return scalar.value < foldedTheSame || !ignoresCase
      || !(scalar.properties.isCased || scalar.properties.changesWhenCaseFolded)
  }

  /// All parts hold.
  static func conjunction(_ parts: [TrigramFormula]) -> TrigramFormula {
    var flat: [TrigramFormula] = []
    var seen: Set<TrigramFormula> = []
    for part in parts {
      switch part {
      case .all: continue
      case .none: return .none
      case .and(let inner): for part in inner where seen.insert(part).inserted { flat.append(part) }
      case .trigram, .or: if seen.insert(part).inserted { flat.append(part) }
      }
    }
    if flat.isEmpty { return .all }
    if flat.count > partLimit {
      // Evenly spread parts differ most.
      flat = (0..<partLimit).map { flat[$0 * flat.count / partLimit] }
    }
    return flat.count == 1 ? flat[0] : .and(flat)
  }

  /// At least one part holds.
  static func disjunction(_ parts: [TrigramFormula]) -> TrigramFormula {
    var flat: [TrigramFormula] = []
    var seen: Set<TrigramFormula> = []
    for part in parts {
      switch part {
      case .all: return .all
      case .none: continue
      case .or(let inner): for part in inner where seen.insert(part).inserted { flat.append(part) }
      case .trigram, .and: if seen.insert(part).inserted { flat.append(part) }
      }
    }
    if flat.isEmpty { return .none }
    if flat.count > partLimit { return .all }
    return flat.count == 1 ? flat[0] : .or(flat)
  }

  /// The number of trigrams.
  private var size: Int {
    switch self {
    case .all, .none: 0
    case .trigram: 1
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.size }
    }
  }

  /// The formula as an FTS5 expression; `nil` if it requires nothing.
  var expression: String? {
    switch self {
    case .all, .none: return nil
    case .and(let parts) where size > Self.sizeLimit:
      // A part less excludes less, but never a match.
      let smaller = parts.filter { if case .trigram = $0 { true } else { $0.size < Self.sizeLimit / 2 } }
      return smaller.count < parts.count
        ? Self.conjunction(smaller).expression
        : Self.conjunction(Array(parts.prefix(parts.count / 2))).expression
    case _ where size > Self.sizeLimit: return nil
    default: return text
    }
  }

  private var text: String {
    switch self {
    case .all, .none: "\"\""
    case .trigram(let trigram): "\"" + TrigramTerms.term(trigram.unicodeScalars) + "\""
    case .and(let parts): "(" + parts.map(\.text).joined(separator: " AND ") + ")"
    case .or(let parts): "(" + parts.map(\.text).joined(separator: " OR ") + ")"
    }
  }
}
