import Forage
import ForageCore

/// An expression of the part of jq's language that is evaluated where the program is not installed: what the
/// manual of gh has, and the functions on lists and strings that go with it.
///
/// Source: "jq 1.6 Manual".
indirect enum JQExpression: Sendable {
  case identity, elements
  case literal(JSONTree)
  case member(JSONTree)
  case slice(Int?, Int?)
  /// A string with expressions in it: literals and expressions alternate.
  case text([JQExpression])
  case array(JQExpression)
  case object([(key: JQExpression, value: JQExpression)])
  case condition(JQExpression, then: JQExpression, otherwise: JQExpression)
  /// `?`: nothing in place of an error.
  case attempt(JQExpression)
  case binary(JQExpression, operation: String, JQExpression)
  case call(String, [JQExpression])
}

/// Why an expression cannot be read or evaluated.
struct JQFailure: Error {
  let message: String
  /// The action that helps; `nil` where the expression is to be corrected.
  let hint: String?

  init(_ message: String, hint: String? = nil) { (self.message, self.hint) = (message, hint) }

  /// It is a part of the language that only the program may know.
  init(unknown name: String) {
    self.init(
      "\(name) is not known without the program jq",
      hint: "install jq (https://jqlang.org), or use --json or --format json without --jq")
  }
}

/// Reads an expression by recursive descent, operators by their precedence.
struct JQParser {
  /// The most parts of an expression and the most of them that are within each other, which bounds the
  /// recursion.
  private static let (maximumParts, maximumDepth) = (200, 100)
  /// The operators by precedence, weakest first, as in jq's grammar; one that begins with another stands
  /// before it.
  private static let operators: [[String]] = [
    ["|"], [","], ["//"], ["="], ["or"], ["and"], ["==", "!=", "<=", "<", ">=", ">"], ["+", "-"],
    ["*", "/", "%"],
  ]
  private static let comma = 1
  private static let signs = Set(operators.joined())
  private static let words: Set = ["then", "elif", "else", "end", "and", "or"]

  private let text: [Unicode.Scalar]
  private var position = 0
  private var parts = 0
  private var depth = 0

  /// Reads a whole expression.
  static func expression(_ text: String) throws(JQFailure) -> JQExpression {
    var parser = JQParser(text: Array(text.unicodeScalars))
    parser.skipSpace()
    guard parser.position < parser.text.count else { return .identity }
    let expression = try parser.expression()
    guard parser.position == parser.text.count else { throw parser.unexpected() }
    return expression
  }

  // MARK: Characters

  private mutating func skipSpace() {
    while position < text.count {
      if text[position] == "#" {
        while position < text.count, text[position] != "\n" { position += 1 }
      } else if text[position].properties.isWhitespace {
        position += 1
      } else {
        return
      }
    }
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "_") || isDigit(scalar)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private var next: Unicode.Scalar? { position < text.count ? text[position] : nil }
  private var isAtWord: Bool { next.map { Self.isWordPart($0) && !Self.isDigit($0) } ?? false }

  /// Skips a sign and the space behind it, if it is next.
  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard next == sign else { return false }
    position += 1
    skipSpace()
    return true
  }

  private mutating func expect(_ sign: Unicode.Scalar) throws(JQFailure) {
    guard take(sign) else { throw unexpected() }
  }

  private mutating func take(word: String) -> Bool {
    let start = position
    if isAtWord, self.word() == word { return true }
    position = start
    return false
  }

  private mutating func word() -> String {
    defer { skipSpace() }
    return scalars(Self.isWordPart)
  }

  private mutating func scalars(_ isPart: (Unicode.Scalar) -> Bool) -> String {
    var part = ""
    while let scalar = next, isPart(scalar) {
      part.unicodeScalars.append(scalar)
      position += 1
    }
    return part
  }

  private func unexpected() -> JQFailure {
    next.map { JQFailure("unexpected \($0) at character \(position + 1)") }
      ?? JQFailure("the expression has no end")
  }

  // MARK: Operators

  /// The operator that is next, without its operands, and its precedence.
  private func nextOperator() -> (sign: String, level: Int)? {
    for length in [3, 2, 1] {
      var sign = ""
      sign.unicodeScalars.append(contentsOf: text[position...].prefix(length))
      let isWord = sign.unicodeScalars.allSatisfy(Self.isWordPart)
      if isWord, position + length < text.count, Self.isWordPart(text[position + length]) { continue }
      guard Self.signs.contains(sign) else { continue }
      return Self.operators.firstIndex { $0.contains(sign) }.map { (sign, $0) }
    }
    return nil
  }

  /// Reads operators of a precedence or a stronger one.
  ///
  /// - Parameter hasComma: Whether a comma is an operator; between the members of an object it is none.
  private mutating func expression(_ least: Int = 0, hasComma: Bool = true) throws(JQFailure) -> JQExpression
  {
    depth += 1
    defer { depth -= 1 }
    var left = try term()
    while let (sign, level) = nextOperator(), level >= least, hasComma || level != Self.comma {
      position += sign.unicodeScalars.count
      if next == "=", "|+-*/%//".contains(sign) { throw JQFailure(unknown: sign + "=") }
      skipSpace()
      // Only this one belongs to the right.
      let right = try expression(sign == "//" ? level : level + 1, hasComma: hasComma)
      left = .binary(left, operation: sign, right)
    }
    return left
  }

  // MARK: Terms

  /// Reads a term with the steps behind it.
  private mutating func term() throws(JQFailure) -> JQExpression {
    depth += 1
    defer { depth -= 1 }
    var term = try firstTerm()
    while next == "." || next == "[" || next == "?" {
      let step = try next == "?" ? nil : self.step()
      let isOptional = take("?")
      while take("?") {}
      // A step that fails costs no other result of what is before it.
      if let step {
        term = .binary(term, operation: "|", isOptional ? .attempt(step) : step)
      } else {
        term = .attempt(term)
      }
    }
    if take(word: "as") { throw JQFailure(unknown: "as") }
    return term
  }

  /// Reads one step of a path: `.name`, `."name"`, `[…]` or `.[…]`.
  private mutating func step() throws(JQFailure) -> JQExpression {
    try count()
    if next == "." {
      position += 1
      if next == "." { throw JQFailure(unknown: "..") }
      if isAtWord { return .member(.string(word())) }
      if next == "\"" {
        guard case .literal(let name) = try string() else { throw unexpected() }
        return .member(name)
      }
    }
    try expect("[")
    if take("]") { return .elements }
    if next == "\"", case .literal(let name) = try string() {
      try expect("]")
      return .member(name)
    }
    let start = try index()
    if let start, take("]") { return .member(.integer(start)) }
    guard take(":") else { throw JQFailure(unknown: "an index that is no number and no string") }
    let end = try index()
    try expect("]")
    return .slice(start, end)
  }

  private mutating func index() throws(JQFailure) -> Int? {
    let isNegative = take("-")
    guard let number = Int(scalars(Self.isDigit)) else { return nil }
    skipSpace()
    return isNegative ? -number : number
  }

  private mutating func count() throws(JQFailure) {
    parts += 1
    guard parts < Self.maximumParts, depth < Self.maximumDepth else {
      throw JQFailure("the expression is too long")
    }
  }

  private mutating func firstTerm() throws(JQFailure) -> JQExpression {
    try count()
    switch next {
    case ".":
      let start = position
      position += 1
      if isAtWord || next == "\"" || next == "." {
        position = start
        return try step()
      }
      skipSpace()
      return .identity
    case "\"": return try string()
    case "@":
      position += 1
      let name = "@" + word()
      guard JQEvaluation.functions[name] != nil, next != "\"" else { throw JQFailure(unknown: name) }
      return .call(name, [])
    case "$": throw JQFailure(unknown: "a variable")
    case "(":
      _ = take("(")
      let inner = try expression()
      try expect(")")
      return inner
    case "[":
      _ = take("[")
      if take("]") { return .literal(.array([])) }
      let inner = try expression()
      try expect("]")
      return .array(inner)
    case "{": return try object()
    case "-":
      _ = take("-")
      return .binary(.literal(.integer(0)), operation: "-", try term())
    case let scalar? where Self.isDigit(scalar):
      let digits = scalars { Self.isDigit($0) || $0 == "." || $0 == "e" || $0 == "E" }
      guard let number = Double(digits) else { throw unexpected() }
      skipSpace()
      return .literal(JQValue.number(number))
    default: return try named()
    }
  }

  /// Reads a word: a literal, `if`, or a function with its arguments.
  private mutating func named() throws(JQFailure) -> JQExpression {
    guard isAtWord else { throw unexpected() }
    let start = position
    let name = word()
    switch name {
    case "null": return .literal(.null)
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case "if": return try condition()
    case _ where Self.words.contains(name):
      position = start
      throw unexpected()
    default: break
    }
    guard let hasArgument = JQEvaluation.functions[name] else { throw JQFailure(unknown: name) }
    guard hasArgument == (next == "(") else {
      throw JQFailure(unknown: name + (hasArgument ? " without an argument" : " of an argument"))
    }
    guard take("(") else { return .call(name, []) }
    let argument = try expression()
    if next == ";" { throw JQFailure(unknown: name + " of several arguments") }
    try expect(")")
    return .call(name, [argument])
  }

  /// Reads a condition behind `if` or `elif`.
  private mutating func condition() throws(JQFailure) -> JQExpression {
    let condition = try expression()
    guard take(word: "then") else { throw unexpected() }
    let then = try expression()
    if take(word: "elif") { return .condition(condition, then: then, otherwise: try self.condition()) }
    let otherwise = take(word: "else") ? try expression() : .identity
    guard take(word: "end") else { throw unexpected() }
    return .condition(condition, then: then, otherwise: otherwise)
  }

  private mutating func object() throws(JQFailure) -> JQExpression {
    _ = take("{")
    var members: [(key: JQExpression, value: JQExpression)] = []
    while !take("}") {
      if !members.isEmpty { try expect(",") }
      let key: JQExpression
      var value: JQExpression?
      if take("(") {
        key = try expression()
        try expect(")")
      } else {
        guard isAtWord || next == "\"" else { throw unexpected() }
        key = next == "\"" ? try string() : .literal(.string(word()))
        if case .literal(let name) = key { value = .member(name) }
      }
      if take(":") { value = try expression(hasComma: false) }
      guard let value else { throw unexpected() }
      members.append((key, value))
    }
    return .object(members)
  }

  /// Reads a string, which may have expressions in it.
  private mutating func string() throws(JQFailure) -> JQExpression {
    var (pieces, plain): ([JQExpression], String) = ([], "")
    position += 1
    while let scalar = next {
      position += 1
      if scalar == "\"" {
        skipSpace()
        return pieces.isEmpty ? .literal(.string(plain)) : .text(pieces + [.literal(.string(plain))])
      }
      guard scalar == "\\" else {
        plain.unicodeScalars.append(scalar)
        continue
      }
      guard next != "(" else {
        _ = take("(")
        pieces += [.literal(.string(plain)), try expression()]
        plain = ""
        guard next == ")" else { throw unexpected() }
        position += 1
        continue
      }
      switch next {
      case "n": plain += "\n"
      case "t": plain += "\t"
      case "r": plain += "\r"
      case "\"", "\\", "/": plain.unicodeScalars.append(text[position])
      default: throw JQFailure(unknown: "an escape sequence such as \\\(next.map { String($0) } ?? "")")
      }
      position += 1
    }
    throw unexpected()
  }
}
