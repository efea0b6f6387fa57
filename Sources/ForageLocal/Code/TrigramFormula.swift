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

  /// The most trigrams of one conjunction: more would hardly exclude more texts, and FTS5 reads the list of
  /// each.
  private static let conjunctionLimit = 10
  /// The most alternatives of one disjunction: FTS5 bounds the size of expressions.
  private static let disjunctionLimit = 16
  /// The most trigrams of a whole expression for FTS5.
  private static let sizeLimit = 200

  /// The trigrams of a literal text that can be required.
  ///
  /// The folding of the index may differ from PCRE2's for characters of rare scripts, so that trigrams with
  /// these are not required if case is ignored.
  static func literal(_ text: some Sequence<Unicode.Scalar>, ignoresCase: Bool) -> TrigramFormula {
    let scalars = Array(text)
    guard scalars.count >= 3 else { return .all }
    let trigrams = (0...(scalars.count - 3)).map { scalars[$0..<$0 + 3] }.filter { trigram in
      trigram.allSatisfy { isIndexed($0, ignoresCase: ignoresCase) }
    }
    return conjunction(trigrams.map { .trigram(String(String.UnicodeScalarView($0))) })
  }

  /// The first scalar after Cyrillic, whose folding is the same everywhere.
  private static let foldedTheSame: UInt32 = 0x530

  private static func isIndexed(_ scalar: Unicode.Scalar, ignoresCase: Bool) -> Bool {
    // The index has U+FFFD in place of bytes that are not UTF-8, and no trigram across lines.
    if scalar == "\n" || scalar.value == 0xFFFD { return false }
    // Since Unicode 15.1 these two are also other letters in another case.
    if ignoresCase, scalar == "\u{390}" || scalar == "\u{3B0}" { return false }
    return scalar.value < foldedTheSame || !ignoresCase
      || !(scalar.properties.isCased || scalar.properties.changesWhenCaseFolded)
  }

  /// All parts hold.
  static func conjunction(_ parts: [TrigramFormula]) -> TrigramFormula {
    var flat: [TrigramFormula] = []
    var seen: Set<TrigramFormula> = []
    func add(_ part: TrigramFormula) { if seen.insert(part).inserted { flat.append(part) } }
    for part in parts {
      switch part {
      case .all: continue
      case .none: return .none
      case .and(let inner): inner.forEach(add)
      case .trigram, .or: add(part)
      }
    }
    if flat.isEmpty { return .all }
    if flat.count > conjunctionLimit {
      // Evenly spread parts differ most.
      flat = (0..<conjunctionLimit).map { flat[$0 * flat.count / conjunctionLimit] }
    }
    return flat.count == 1 ? flat[0] : .and(flat)
  }

  /// At least one part holds.
  static func disjunction(_ parts: [TrigramFormula]) -> TrigramFormula {
    var flat: [TrigramFormula] = []
    var seen: Set<TrigramFormula> = []
    func add(_ part: TrigramFormula) { if seen.insert(part).inserted { flat.append(part) } }
    for part in parts {
      switch part {
      case .all: return .all
      case .none: continue
      case .or(let inner): inner.forEach(add)
      case .trigram, .and: add(part)
      }
    }
    if flat.isEmpty { return .none }
    if flat.count > disjunctionLimit { return .all }
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
    case .all: return nil
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

/// What is known of the texts that a part of a regular expression matches.
///
/// Method: Russ Cox, "Regular Expression Matching with a Trigram Index" (2012).
struct TrigramInfo {
  typealias Text = [Unicode.Scalar]

  /// The most texts that are enumerated.
  private static let exactLimit = 7
  /// The most beginnings and ends that are enumerated.
  private static let setLimit = 20

  /// Whether the empty text matches.
  var canBeEmpty: Bool
  /// All texts that match; `nil` if they are not enumerated. Beginnings and ends are then known instead.
  var exact: Set<Text>?
  /// Beginnings, one of which every text has.
  var prefixes: Set<Text> = []
  /// Ends, one of which every text has.
  var suffixes: Set<Text> = []
  /// What every text fulfils.
  var formula = TrigramFormula.all
  /// Whether case is ignored.
  var ignoresCase: Bool

  /// Matches the empty text only.
  static func empty(_ ignoresCase: Bool) -> TrigramInfo {
    TrigramInfo(canBeEmpty: true, exact: [[]], ignoresCase: ignoresCase)
  }

  /// Matches some texts that are not known.
  static func any(canBeEmpty: Bool, _ ignoresCase: Bool) -> TrigramInfo {
    TrigramInfo(
      canBeEmpty: canBeEmpty, exact: nil, prefixes: [[]], suffixes: [[]], ignoresCase: ignoresCase)
  }

  /// Matches one of some characters; of a line break there is none, because texts are matched line by line.
  static func characters(_ scalars: some Sequence<Unicode.Scalar>, _ ignoresCase: Bool) -> TrigramInfo {
    let texts = Set(scalars.filter { $0 != "\n" }.map { [$0] })
    if texts.isEmpty {
      var nothing = TrigramInfo.any(canBeEmpty: false, ignoresCase)
      nothing.formula = .none
      return nothing
    }
    return TrigramInfo(canBeEmpty: false, exact: texts, ignoresCase: ignoresCase)
  }

  /// The part repeated at least once.
  var repeated: TrigramInfo {
    var result = self
    if let exact {
      // One copy must be there, as beginning and as end.
      result.requireExact()
      result.prefixes = exact
      result.suffixes = exact
      result.exact = nil
      result.simplify()
    }
    return result
  }

  /// This part or nothing.
  var optional: TrigramInfo { alternating(with: .empty(ignoresCase)) }

  /// This part, then another one.
  func followed(by other: TrigramInfo) -> TrigramInfo {
    var result = TrigramInfo(canBeEmpty: canBeEmpty && other.canBeEmpty, exact: nil, ignoresCase: ignoresCase)
    result.formula = .conjunction([formula, other.formula])
    if let exact, let otherExact = other.exact {
      result.exact = Self.joined(exact, otherExact)
    } else {
      if let exact {
        result.prefixes = Self.joined(exact, other.prefixes)
      } else {
        result.prefixes = canBeEmpty ? prefixes.union(other.exact ?? other.prefixes) : prefixes
      }
      if let otherExact = other.exact {
        result.suffixes = Self.joined(suffixes, otherExact)
      } else {
        result.suffixes =
          other.canBeEmpty ? other.suffixes.union(exact ?? suffixes) : other.suffixes
      }
    }
    if exact == nil, other.exact == nil, suffixes.count <= Self.setLimit,
      other.prefixes.count <= Self.setLimit
    {
      result.require(Self.joined(suffixes, other.prefixes))
    }
    result.simplify()
    return result
  }

  /// This part or another one.
  func alternating(with other: TrigramInfo) -> TrigramInfo {
    var (a, b) = (self, other)
    var result = TrigramInfo(canBeEmpty: canBeEmpty || other.canBeEmpty, exact: nil, ignoresCase: ignoresCase)
    if let exact, let otherExact = other.exact {
      result.exact = exact.union(otherExact)
    } else {
      result.prefixes = (exact ?? prefixes).union(other.exact ?? other.prefixes)
      result.suffixes = (exact ?? suffixes).union(other.exact ?? other.suffixes)
      a.requireExact()
      b.requireExact()
    }
    result.formula = .disjunction([a.formula, b.formula])
    result.simplify()
    return result
  }

  /// What every text fulfils.
  var required: TrigramFormula {
    var result = self
    result.requireExact()
    if exact == nil {
      result.require(prefixes)
      result.require(suffixes)
    }
    return result.formula
  }

  private mutating func requireExact() {
    if let exact { require(exact) }
  }

  /// Adds the condition that one of some texts occurs.
  private mutating func require(_ texts: Set<Text>) {
    guard !texts.isEmpty, texts.allSatisfy({ $0.count >= 3 }) else { return }
    let one = texts.map { TrigramFormula.literal($0, ignoresCase: ignoresCase) }
    formula = .conjunction([formula, .disjunction(one)])
  }

  /// Reduces what is enumerated to the limits; conditions are kept in the formula.
  private mutating func simplify() {
    if let texts = exact {
      let shortest = texts.map(\.count).min() ?? 0
      guard texts.count > Self.exactLimit || shortest >= 4 else { return }
      // The texts themselves say more than their trigrams.
      require(texts)
      exact = nil
      prefixes = Set(texts.map { Array($0.prefix(2)) })
      suffixes = Set(texts.map { Array($0.suffix(2)) })
    }
    require(prefixes)
    require(suffixes)
    prefixes = Self.shortened(prefixes) { Array($0.prefix($1)) }
    suffixes = Self.shortened(suffixes) { Array($0.suffix($1)) }
  }

  /// At most the limit of texts, of two characters or fewer.
  private static func shortened(_ texts: Set<Text>, _ part: (Text, Int) -> Text) -> Set<Text> {
    var (texts, length) = (texts, 2)
    repeat {
      texts = Set(texts.map { part($0, length) })
      length -= 1
    } while texts.count > setLimit && length >= 0
    return texts
  }

  private static func joined(_ a: Set<Text>, _ b: Set<Text>) -> Set<Text> {
    Set(a.flatMap { first in b.map { first + $0 } })
  }
}
