/// Reads the text of a `JSONPath`.
struct PathReader {
  typealias Failure = JSONPath.Failure

  /// RFC 9535, section 2.1: numbers of a path are exact in every language.
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
      default: throw Failure(reason: "\"\(scalar)\" stands where a . or a [ should")
      }
    }
    return steps
  }

  /// Behind a dot: a name of letters, digits and `_` that does not begin with a digit.
  private mutating func dotted() throws(Failure) -> JSONPath.Step {
    if next == "." { throw Failure(reason: "it looks deeper with .., which no path here does") }
    if next == "*" { throw Failure(reason: "all values are written [*], not .*") }
    var name = String.UnicodeScalarView()
    while let scalar = next, Self.isOfName(scalar, isFirst: name.isEmpty) {
      name.append(scalar)
      place += 1
    }
    guard !name.isEmpty else {
      throw Failure(reason: "there is no name behind a dot; other names are written ['like-this']")
    }
    if let scalar = next, scalar != ".", scalar != "[" {
      throw Failure(
        reason: "\"\(scalar)\" cannot be part of a name behind a dot; such a name is written ['like-this']")
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
    case "?": throw Failure(reason: "it has a filter [?...], which no path here does")
    default: throw Failure(reason: "behind [ stands neither a number, nor *, nor a name in quotes")
    }
    guard take("]") else { throw Failure(reason: "a [ is not closed by ] right behind what stands in it") }
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
      throw Failure(reason: "\"\(digits)\" is no place in a list")
    }
    return number
  }

  /// A name in quotes with the escapes of JSON, and of the quote itself.
  private mutating func quoted() throws(Failure) -> String {
    let quote = scalars[place]
    place += 1
    var name = String.UnicodeScalarView()
    while let scalar = next {
      place += 1
      if scalar == quote { return String(name) }
      if scalar.value < 0x20 { throw Failure(reason: "a name holds a control character") }
      name.append(scalar == "\\" ? try escaped(quote) : scalar)
    }
    throw Failure(reason: "a name in quotes is not closed")
  }

  private mutating func escaped(_ quote: Unicode.Scalar) throws(Failure) -> Unicode.Scalar {
    guard let scalar = next else { throw Failure(reason: "a name in quotes is not closed") }
    place += 1
    switch scalar {
    case quote, "\\", "/": return scalar
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return try codePoint()
    default: throw Failure(reason: "\"\\\(scalar)\" is no escape")
    }
  }

  private mutating func codePoint() throws(Failure) -> Unicode.Scalar {
    let first = try fourDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800..<0xDC00).contains(first), take("\\"), take("u") else {
      throw Failure(reason: "an escape \\u names half a character")
    }
    let second = try fourDigits()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw Failure(reason: "an escape \\u names half a character") }
    return scalar
  }

  private mutating func fourDigits() throws(Failure) -> UInt32 {
    let digits = scalars[place...].prefix(4)
    var text = String.UnicodeScalarView()
    text.append(contentsOf: digits)
    guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit),
      let number = UInt32(String(text), radix: 16)
    else { throw Failure(reason: "behind \\u stand no four hexadecimal digits") }
    place += 4
    return number
  }
}
