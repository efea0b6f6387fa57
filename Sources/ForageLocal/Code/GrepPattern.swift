import ForageCore

/// Why a pattern of a request cannot be used.
package struct GrepPatternProblem: Error {
  /// The pattern.
  package var pattern: String
  /// What is wrong, without a full stop.
  package var message: String
  /// Where in the pattern, as a Unicode scalar offset.
  package var offset: Int
  /// What to do about it.
  package var hint: String
}

extension PatternSource {
  /// The characters that mean something in a regular expression.
  private static let special = Set("\\^$.|?*+()[]{}".unicodeScalars)

  /// The patterns of a request as one.
  ///
  /// - Throws: `GrepPatternProblem` for an expression that is not valid, and for one that needs a line break
  ///   where matches do not extend over lines.
  init(_ request: GrepRequest) throws(GrepPatternProblem) {
    if let symbol = request.symbol {
      let ignoresCase = Self.ignoresCase([symbol], request, isLiteral: true)
      self.init(text: symbol, kind: .literal, ignoresCase: ignoresCase)
      try check(symbol)
      return
    }
    var patterns = request.isLiteral ? request.patterns : request.patterns.map(Self.withWordEdges)
    if request.isLiteral, !request.crossesLines {
      // As in rg, each line is a text of its own.
      patterns = patterns.flatMap {
        $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      }
    }
    let isPlain =
      request.isLiteral || patterns.allSatisfy { !$0.unicodeScalars.contains(where: Self.special.contains) }
    let ignoresCase = Self.ignoresCase(patterns, request, isLiteral: isPlain)
    for pattern in patterns where !isPlain {
      let source = PatternSource(
        text: pattern, kind: .expression, ignoresCase: ignoresCase, crossesLines: request.crossesLines,
        hasUnicodeClasses: true)
      try source.check(pattern)
    }
    let isPart = !request.matchesWords && !request.matchesLines
    if patterns.count == 1, isPlain, isPart, !patterns[0].contains("\n") {
      self.init(text: patterns[0], kind: .literal, ignoresCase: ignoresCase)
    } else {
      let parts = isPlain ? patterns.map(Self.quoted) : patterns.map(Self.withEndOfComment)
      // Each pattern counts its own groups.
      let joined =
        parts.count == 1 ? parts[0] : "(?|" + parts.map { "(?:\($0))" }.joined(separator: "|") + ")"
      // Over several lines, `$` does not see the end of a line before its carriage return.
      let end = request.crossesLines ? "(?=\\r?$)" : "$"
      self.init(
        text: request.matchesLines ? "^(?:\(joined))\(end)" : joined, kind: .expression,
        ignoresCase: ignoresCase,
        crossesLines: request.crossesLines, matchesWords: request.matchesWords && !request.matchesLines,
        hasUnicodeClasses: true)
    }
    if !request.crossesLines, let pattern = patterns.first(where: { Self.needsLineBreak($0, isPlain) }) {
      throw GrepPatternProblem(
        pattern: pattern, message: "the pattern needs a line break, and no line has one",
        offset: Self.lineBreak(in: pattern),
        hint: "use -U to match over several lines")
    }
    // Together they may be too long.
    try check(patterns.joined(separator: "|"))
  }

  /// A pattern in which `\<` and `\>`, which PCRE2 does not know, are written as it does.
  private static func withWordEdges(_ pattern: String) -> String {
    var (result, isEscaped) = ("", false)
    for character in pattern {
      if isEscaped, character == "<" || character == ">" {
        result.removeLast()
        result += character == "<" ? #"\b(?=\w)"# : #"\b(?<=\w)"#
      } else {
        result.append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return result
  }

  /// A pattern that something can follow: under `(?x)` a comment extends to the end of its line.
  private static func withEndOfComment(_ pattern: String) -> String {
    guard pattern.hasPrefix("(?"), pattern.contains("#") else { return pattern }
    let flags = pattern.dropFirst(2).prefix { $0 != ")" && $0 != "-" }
    let isExtended = flags.contains("x") && flags.allSatisfy { $0.isLetter || $0 == "^" }
    return isExtended ? pattern + "\n" : pattern
  }

  /// - Throws: `GrepPatternProblem` for a pattern that cannot be compiled.
  private func check(_ pattern: String) throws(GrepPatternProblem) {
    do throws(ExpressionProblem) {
      _ = try CodePattern(self)
    } catch {
      throw GrepPatternProblem(
        pattern: pattern, message: "the pattern is not valid: \(error.message)", offset: error.offset,
        hint: "use -F for a literal text, or write \\ before a character that stands for itself")
    }
  }

  private static func ignoresCase(_ patterns: [String], _ request: GrepRequest, isLiteral: Bool) -> Bool {
    switch request.caseRule {
    case .ignored: true
    case .exact: false
    case .smart: ignoresCase(patterns, isLiteral: isLiteral)
    }
  }

  private static func needsLineBreak(_ pattern: String, _ isPlain: Bool) -> Bool {
    !isPlain && ExpressionTrigrams.formula(pattern, ignoresCase: true) == .none || pattern.contains("\n")
  }

  private static func lineBreak(in pattern: String) -> Int {
    let scalars = Array(pattern.unicodeScalars)
    return scalars.indices.first { place in
      scalars[place] == "\n"
        || scalars[place] == "\\" && place + 1 < scalars.count && scalars[place + 1] == "n"
    } ?? 0
  }

  /// An expression for a literal text.
  private static func quoted(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if special.contains(scalar) { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }

  /// Whether smart case ignores case: no pattern has an upper-case letter, and one has another character that stands for itself.
  static func ignoresCase(_ patterns: [String], isLiteral: Bool) -> Bool {
    var hasLiteral = false
    for pattern in patterns {
      for scalar in isLiteral ? Array(pattern.unicodeScalars) : literals(in: pattern) {
        if scalar.properties.isUppercase { return false }
        hasLiteral = true
      }
    }
    return hasLiteral
  }

  /// The characters of an expression that stand for themselves, roughly: escapes such as `\W` and `\p{Lu}`, names of groups and of
  /// classes do not.
  private static func literals(in expression: String) -> [Unicode.Scalar] {
    let scalars = Array(expression.unicodeScalars)
    var result: [Unicode.Scalar] = []
    var place = 0
    func skip(to end: Unicode.Scalar) {
      while place < scalars.count, scalars[place] != end { place += 1 }
    }
    while place < scalars.count {
      let scalar = scalars[place]
      let next = place + 1 < scalars.count ? scalars[place + 1] : "\0"
      switch scalar {
      case "\\":
        place += 2
        if place < scalars.count, scalars[place] == "{", "pPxNkgo".unicodeScalars.contains(next) {
          skip(to: "}")
        } else if next == "p" || next == "P" {
          place += 1
        } else if !next.properties.isAlphabetic {
          result.append(next)
        }
        // What follows is no part of the escape, unless a brace was skipped.
        if place < scalars.count, scalars[place] == "}" { place += 1 }
        continue
      case "(" where next == "?":
        place += 2
        // A name ends with ">", flags with ")" or ":", the sign of a condition is no letter.
        if place < scalars.count, scalars[place] == "P" || scalars[place] == "<" || scalars[place] == "'" {
          let isCondition =
            scalars[place] == "<" && place + 1 < scalars.count
            && "=!".unicodeScalars.contains(scalars[place + 1])
          if isCondition {
            place += 1
          } else if scalars[place] == "'" {
            place += 1
            skip(to: "'")
          } else {
            skip(to: ">")
          }
        } else {
          while place < scalars.count, scalars[place].properties.isAlphabetic { place += 1 }
        }
      case "[" where next == ":":
        place += 2
        skip(to: "]")
      default: if !special.contains(scalar) { result.append(scalar) }
      }
      place += 1
    }
    return result
  }
}
