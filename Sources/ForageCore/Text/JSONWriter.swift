/// Writes JSON (RFC 8259), faster than `JSONEncoder` for large numbers of messages.
package struct JSONWriter {
  /// The output so far, in UTF-8.
  package private(set) var bytes: [UInt8] = []
  private let isPretty: Bool
  private let isDocument: Bool
  private var needsComma = false
  private var isBehindName = false
  private var level = 0

  /// Creates a writer with empty output.
  ///
  /// - Parameters:
  ///   - isPretty: Whether each element has a line of its own, with two spaces a level; otherwise all is on
  ///     one line.
  ///   - isDocument: Whether it is for people: members of objects keep their order, else they are sorted by
  ///     name, and everything that a terminal would interpret is escaped.
  package init(isPretty: Bool = false, isDocument: Bool = false) {
    self.isPretty = isPretty
    self.isDocument = isDocument
  }

  /// Writes a value.
  package mutating func write(_ tree: JSONTree) {
    switch tree {
    case .null: write(literal: "null")
    case .bool(let value): write(literal: value ? "true" : "false")
    case .integer(let value): write(value)
    case .double(let value): write(value)
    case .string(let value): write(value)
    case .array(let values): array { writer in for value in values { writer.write(value) } }
    case .object(let members):
      let members = isDocument ? members : Self.sorted(members)
      object { writer in for (name, value) in members { writer.member(name) { $0.write(value) } } }
    }
  }

  /// The members sorted by name, of one that occurs twice the last.
  private static func sorted(_ members: [(String, JSONTree)]) -> [(String, JSONTree)] {
    if zip(members, members.dropFirst()).allSatisfy({ $0.0 < $1.0 }) { return members }
    let sorted = members.indices.sorted { first, second in
      let (name, other) = (members[first].0, members[second].0)
      return name == other ? first < second : name < other
    }
    return sorted.indices.filter { place in
      place + 1 == sorted.count || members[sorted[place]].0 != members[sorted[place + 1]].0
    }.map { members[sorted[$0]] }
  }

  package mutating func write(_ number: Int) { write(literal: number.description) }

  /// Writes a number; `null` for one that JSON cannot represent.
  package mutating func write(_ number: Double) {
    write(literal: number.isFinite ? number.description : "null")
  }

  package mutating func write(_ text: String) {
    separate()
    append(text)
    needsComma = true
  }

  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }

  package mutating func array(_ elements: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
  }

  /// Writes a member of an object; `value` must write exactly one value.
  package mutating func member(_ name: String, _ value: (inout JSONWriter) -> Void) {
    separate()
    append(name)
    bytes.append(UInt8(ascii: ":"))
    if isPretty { bytes.append(UInt8(ascii: " ")) }
    isBehindName = true
    value(&self)
  }

  private mutating func enclose(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(open)
    needsComma = false
    level += 1
    body(&self)
    level -= 1
    if needsComma { breakLine() }
    bytes.append(close)
    needsComma = true
  }

  private mutating func write(literal: String) {
    separate()
    bytes.append(contentsOf: literal.utf8)
    needsComma = true
  }

  private mutating func separate() {
    guard !isBehindName else {
      isBehindName = false
      return
    }
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    if level > 0 { breakLine() }
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
  }

  private mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    let isPlain = text.withUTF8 { part in
      if isDocument, part.contains(where: { $0 >= 127 }) { return false }
      var start = 0
      for place in part.indices {
        let byte = part[place]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
        bytes.append(contentsOf: part[start..<place])
        appendEscaped(byte)
        start = place + 1
      }
      bytes.append(contentsOf: part[start...])
      return true
    }
    if !isPlain { for scalar in text.unicodeScalars { append(scalar) } }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a character; as an escape sequence if a terminal would interpret it.
  private mutating func append(_ scalar: Unicode.Scalar) {
    if scalar == "\u{7F}" || SafeText.isDangerous(scalar) {
      for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        bytes.append(contentsOf: "\\u".utf8)
        for shift in [12, 8, 4, 0] { bytes.append(Self.digits[Int(unit >> shift & 15)]) }
      }
    } else if scalar.value < 32 || scalar == "\"" || scalar == "\\" {
      appendEscaped(UInt8(scalar.value))
    } else {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(Self.digits[Int(byte >> 4)])
      bytes.append(Self.digits[Int(byte & 15)])
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
