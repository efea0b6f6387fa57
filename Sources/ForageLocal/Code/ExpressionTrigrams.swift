package import ForageCore

/// Finds the trigrams that every match of a regular expression contains.
///
/// It reads the syntax of PCRE2, or that of Rust's crate `regex`, as far as that helps to exclude texts. For
/// an expression with anything else, recursion or a comment for example, nothing is required.
struct ExpressionTrigrams {
  enum Syntax {
    case pcre2, rust
  }

  /// The expression uses syntax that is not analysed here.
  private struct Unknown: Error {}

  /// The most characters of a class that are enumerated.
  private static let classLimit = 10
  /// The deepest nesting of groups that is analysed.
  private static let depthLimit = 100

  private let scalars: [Unicode.Scalar]
  private let ignoresCase: Bool
  private let crossesLines: Bool
  private let syntax: Syntax
  private var position = 0
  private var depth = 0

  private init(_ expression: String, ignoresCase: Bool, crossesLines: Bool, _ syntax: Syntax) {
    scalars = Array(expression.unicodeScalars)
    self.ignoresCase = ignoresCase
    self.crossesLines = crossesLines
    self.syntax = syntax
  }

  /// The condition on the trigrams of a text that matches.
  ///
  /// - Parameters:
  ///   - expression: A valid expression.
  ///   - crossesLines: Whether a match may extend over several lines.
  static func formula(
    _ expression: String, ignoresCase: Bool, crossesLines: Bool = false, syntax: Syntax = .pcre2
  ) -> TrigramFormula {
    // A flag in the expression can make it ignore case.
    let hasFlags = expression.contains("(?")
    var reader = ExpressionTrigrams(
      expression, ignoresCase: ignoresCase || hasFlags, crossesLines: crossesLines, syntax)
    guard let info = try? reader.alternatives(), reader.position == reader.scalars.count else { return .all }
    return info.required
  }

  private var current: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func next(_ offset: Int) -> Unicode.Scalar? {
    position + offset < scalars.count ? scalars[position + offset] : nil
  }

  private mutating func alternatives() throws -> TrigramInfo {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw Unknown() }
    var result = try sequence()
    while current == "|" {
      position += 1
      result = result.alternating(with: try sequence())
    }
    return result
  }

  private mutating func sequence() throws -> TrigramInfo {
    var result = TrigramInfo.empty(ignoresCase)
    while let scalar = current, scalar != "|", scalar != ")" {
      result = result.followed(by: try quantified(try atom()))
    }
    return result
  }

  private mutating func quantified(_ atom: TrigramInfo) throws -> TrigramInfo {
    var result = atom
    while let scalar = current {
      switch scalar {
      case "*": result = .any(canBeEmpty: true, ignoresCase)
      case "+": result = result.repeated
      case "?": result = result.optional
      case "{":
        guard let (least, end) = count() else {
          // In Rust no brace stands for itself.
          if syntax == .rust { throw Unknown() }
          return result
        }
        result = least == 0 ? .any(canBeEmpty: true, ignoresCase) : result.repeated
        position = end - 1
      default: return result
      }
      position += 1
      // Lazy and possessive quantifiers match the same texts or fewer.
      if current == "?" || syntax == .pcre2 && current == "+" { position += 1 }
    }
    return result
  }

  /// The minimum of a quantifier `{n}`, `{n,}` or `{n,m}` and the position after it; `nil` for other braces,
  /// which stand for themselves.
  private func count() -> (least: Int, end: Int)? {
    var place = position + 1
    var digits = ""
    while place < scalars.count, ("0"..."9").contains(scalars[place]) {
      digits.unicodeScalars.append(scalars[place])
      place += 1
    }
    guard let least = Int(digits) else { return nil }
    if place < scalars.count, scalars[place] == "," {
      place += 1
      while place < scalars.count, ("0"..."9").contains(scalars[place]) { place += 1 }
    }
    return place < scalars.count && scalars[place] == "}" ? (least, place + 1) : nil
  }

  private mutating func atom() throws -> TrigramInfo {
    guard let scalar = current else { throw Unknown() }
    switch scalar {
    case "(": return try group()
    case "[": return try syntax == .rust ? rustClass() : characterClass()
    case "{" where syntax == .rust: throw Unknown()
    case "\\": return try escape()
    case "^", "$":
      position += 1
      return .empty(ignoresCase)
    case ".":
      position += 1
      return .any(canBeEmpty: false, ignoresCase)
    case "*", "+", "?": throw Unknown()
    default:
      position += 1
      return characters([scalar])
    }
  }

  /// One of some characters; between lines there are no trigrams.
  private func characters(_ scalars: Set<Unicode.Scalar>) -> TrigramInfo {
    crossesLines && scalars.contains("\n")
      ? .any(canBeEmpty: false, ignoresCase) : .characters(scalars, ignoresCase)
  }

  private mutating func group() throws -> TrigramInfo {
    position += 1
    var isCondition = false
    if current == "*" { throw Unknown() }
    if current == "?" {
      position += 1
      switch current {
      case ":", ">", "|": position += 1
      case "=", "!":
        position += 1
        isCondition = true
      case "<" where next(1) == "=" || next(1) == "!":
        position += 2
        isCondition = true
      case "<", "'",
        "P" where next(1) == "<":
        if current == "P" { position += 1 }
        let end: Unicode.Scalar = current == "'" ? "'" : ">"
        position += 1
        while let scalar = current, scalar != end { position += 1 }
        guard current == end else { throw Unknown() }
        position += 1
      default:
        var flags = position
        while flags < scalars.count, "imsnUJ-^".unicodeScalars.contains(scalars[flags]) { flags += 1 }
        guard flags > position, flags < scalars.count else { throw Unknown() }
        position = flags + 1
        if scalars[flags] == ")" { return .empty(ignoresCase) }
        guard scalars[flags] == ":" else { throw Unknown() }
      }
    }
    let inner = try alternatives()
    guard current == ")" else { throw Unknown() }
    position += 1
    // What a condition looks at is no part of the match.
    return isCondition ? .empty(ignoresCase) : inner
  }

  private mutating func escape() throws -> TrigramInfo {
    guard let scalar = next(1) else { throw Unknown() }
    switch scalar {
    // `\b{start}` of Rust.
    case "b" where syntax == .rust && next(2) == "{": throw Unknown()
    case "<" where syntax == .rust, ">" where syntax == .rust, "b", "B", "A", "z", "Z", "G", "K":
      position += 2
      return .empty(ignoresCase)
    case "d", "D", "w", "W", "s", "S", "h", "H", "v", "V", "N", "R":
      position += 2
      if scalar == "N", current == "{", count() == nil {
        // A character by its number, `\N{U+e9}`.
        while let inner = current, inner != "}" {
          _ = inner
          position += 1
        }
        position += 1
      }
      return .any(canBeEmpty: false, ignoresCase)
    case "p", "P":
      position += 2
      if current == "{" {
        while let inner = current, inner != "}" {
          _ = inner
          position += 1
        }
      }
      position += 1
      return .any(canBeEmpty: false, ignoresCase)
    default:
      guard let literal = try character() else { throw Unknown() }
      return characters([literal])
    }
  }

  /// Reads an escaped character that stands for one character; `nil` for anything else.
  private mutating func character() throws -> Unicode.Scalar? {
    guard let scalar = next(1) else { throw Unknown() }
    let controls: [Unicode.Scalar: Unicode.Scalar] = [
      "t": "\t", "n": "\n", "r": "\r", "f": "\u{C}", "e": "\u{1B}",
    ]
    if let control = controls[scalar] {
      position += 2
      return control
    }
    let isPlain = scalar.value >= 0x80 || !(scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
    guard isPlain else { return nil }
    position += 2
    return scalar
  }

  /// A class of Rust, which can have classes in it and be the result of set operations; of such a one no
  /// member is known.
  private mutating func rustClass() throws -> TrigramInfo {
    let start = position
    var depth = 0
    var isSimple = true
    repeat {
      guard let scalar = current else { throw Unknown() }
      switch scalar {
      case "\\": position += 1
      case "[":
        depth += 1
        if depth > 1 { isSimple = false }
        if next(1) == "^" { position += 1 }
        // At its beginning a bracket stands for itself.
        if next(1) == "]" { position += 1 }
      case "]": depth -= 1
      case "&", "-", "~": if next(1) == scalar { isSimple = false }
      default: break
      }
      position += 1
    } while depth > 0
    guard isSimple else { return .any(canBeEmpty: false, ignoresCase) }
    position = start
    return try characterClass()
  }

  private mutating func characterClass() throws -> TrigramInfo {
    position += 1
    var members: Set<Unicode.Scalar> = []
    var isOpen = false
    if current == "^" {
      isOpen = true
      position += 1
    }
    var isFirst = true
    while let scalar = current, scalar != "]" || isFirst {
      isFirst = false
      guard let first = try member() else {
        isOpen = true
        continue
      }
      var last = first
      if current == "-", let end = next(1), end != "]" {
        position += 1
        guard let end = try member() else { throw Unknown() }
        last = end
      }
      guard first.value <= last.value else { throw Unknown() }
      if Int(last.value - first.value) + members.count >= Self.classLimit {
        isOpen = true
      } else {
        for value in first.value...last.value {
          if let scalar = Unicode.Scalar(value) { members.insert(scalar) }
        }
      }
    }
    guard current == "]" else { throw Unknown() }
    position += 1
    return isOpen || members.isEmpty
      ? .any(canBeEmpty: false, ignoresCase) : characters(members)
  }

  /// Reads a member of a class; `nil` for a set of characters.
  private mutating func member() throws -> Unicode.Scalar? {
    guard let scalar = current else { throw Unknown() }
    if scalar == "[", let kind = next(1), kind == ":" || kind == "." || kind == "=" {
      guard kind == ":" else { throw Unknown() }
      position += 2
      while let inner = current, inner != "]" {
        _ = inner
        position += 1
      }
      position += 1
      return nil
    }
    guard scalar == "\\" else {
      position += 1
      return scalar
    }
    if let literal = try character() { return literal }
    guard let name = next(1), "dDwWsShHvV".unicodeScalars.contains(name) else { throw Unknown() }
    position += 2
    return nil
  }
}

extension QueryTerm {
  /// Whether it is a regular expression that needs a line break, so that no line matches it.
  package var matchesNoLine: Bool {
    isExpression && ExpressionTrigrams.formula(text, ignoresCase: true) == .none
  }
}
