/// Parses a `JSONPath`.
struct PathReader {
  typealias Failure = JSONPath.Failure

  /// The largest exact integer (RFC 9535, section 2.1).
  private static let largestIndex = 9_007_199_254_740_991

  private let scalars: [Unicode.Scalar]
  private var place = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  mutating func read() throws(Failure) -> [JSONPath.Step] {
    guard take("$") else { throw Failure(reason: "it does not begin with $") }
    var steps: [JSONPath.Step] = []
    while let scalar = next {
      place += 1
      switch scalar {
      case ".": steps.append(try dotted())
      case "[": steps.append(try bracketed())
      default: throw Failure(reason: "\"\(scalar)\" is not allowed here; expected . or [")
      }
    }
    return steps
  }

  /// Reads a name after a dot: letters, digits and `_`, not beginning with a digit.
  private mutating func dotted() throws(Failure) -> JSONPath.Step {
    if next == "." { throw Failure(reason: "descendants (..) are not supported") }
    if next == "*" { throw Failure(reason: ".* is not supported; use [*]") }
    var name = String.UnicodeScalarView()
    while let scalar = next, Self.isOfName(scalar, isFirst: name.isEmpty) {
      name.append(scalar)
      place += 1
    }
    guard !name.isEmpty else {
      throw Failure(reason: "a name is missing after a dot; write other names as ['like-this']")
    }
    if let scalar = next, scalar != ".", scalar != "[" {
      throw Failure(
        reason: "\"\(scalar)\" is not allowed in a name after a dot; write such a name as ['like-this']")
    }
    return .member(String(name))
  }

  private static func isOfName(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    case "0"..."9": !isFirst
    default: scalar.value >= 0x80
    }
  }

  private mutating func bracketed() throws(Failure) -> JSONPath.Step {
    let step: JSONPath.Step
    guard let scalar = next else { throw Failure(reason: "a [ is not closed by ]") }
    switch scalar {
    case "*":
      place += 1
      step = .all
    case "'", "\"": step = .member(try quoted())
    case "-", "0"..."9": step = .element(try index())
    case "?": throw Failure(reason: "filters [?...] are not supported")
    default: throw Failure(reason: "[ must be followed by a number, * or a quoted name")
    }
    guard take("]") else { throw Failure(reason: "a [ is not closed by ] after its selector") }
    return step
  }

  private mutating func index() throws(Failure) -> Int {
    var digits = take("-") ? "-" : ""
    while let scalar = next, ("0"..."9").contains(scalar) {
      digits.unicodeScalars.append(scalar)
      place += 1
    }
    let hasPlainForm = digits == "0" || (digits != "-0" && !digits.drop { $0 == "-" }.hasPrefix("0"))
    guard hasPlainForm, let number = Int(digits), abs(number) <= Self.largestIndex else {
      throw Failure(reason: "\"\(digits)\" is not a valid index")
    }
    return number
  }

  /// Reads a quoted name with the escapes of JSON and of its quote character.
  private mutating func quoted() throws(Failure) -> String {
    let quote = scalars[place]
    place += 1
    var name = String.UnicodeScalarView()
    while let scalar = next {
      place += 1
      if scalar == quote { return String(name) }
      if scalar.value < 0x20 { throw Failure(reason: "a name contains a control character") }
      name.append(scalar == "\\" ? try escaped(quote) : scalar)
    }
    throw Failure(reason: "a quoted name is not closed")
  }

  private mutating func escaped(_ quote: Unicode.Scalar) throws(Failure) -> Unicode.Scalar {
    guard let scalar = next else { throw Failure(reason: "a quoted name is not closed") }
    place += 1
    switch scalar {
    case quote, "\\", "/": return scalar
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return try codePoint()
    default: throw Failure(reason: "\"\\\(scalar)\" is not a valid escape")
    }
  }

  private mutating func codePoint() throws(Failure) -> Unicode.Scalar {
    let first = try fourDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800..<0xDC00).contains(first), take("\\"), take("u") else {
      throw Failure(reason: "an escape \\u encodes half of a surrogate pair")
    }
    let second = try fourDigits()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw Failure(reason: "an escape \\u encodes half of a surrogate pair") }
    return scalar
  }

  private mutating func fourDigits() throws(Failure) -> UInt32 {
    let digits = scalars[place...].prefix(4)
    var text = String.UnicodeScalarView()
    text.append(contentsOf: digits)
    guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit),
      let number = UInt32(String(text), radix: 16)
    else { throw Failure(reason: "\\u must be followed by four hexadecimal digits") }
    place += 4
    return number
  }
}
