/// Writes JSON (RFC 8259) on one line, faster than `JSONEncoder` for large numbers of messages.
package struct JSONWriter {
  /// The output so far, in UTF-8 without line breaks.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Creates a writer with empty output.
  package init() {}

  /// Writes a value, with members of objects sorted by name.
  package mutating func write(_ tree: JSONTree) {
    switch tree {
    case .null: write(literal: "null")
    case .bool(let value): write(literal: value ? "true" : "false")
    case .integer(let value): write(value)
    case .double(let value): write(literal: value.isFinite ? value.description : "null")
    case .string(let value): write(value)
    case .array(let values): array { writer in for value in values { writer.write(value) } }
    case .object(let members):
      object { writer in
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
          writer.member(name) { $0.write(value) }
        }
      }
    }
  }

  /// Writes a whole number.
  package mutating func write(_ number: Int) { write(literal: number.description) }

  /// Writes a string.
  package mutating func write(_ text: String) {
    separate()
    append(text)
    needsComma = true
  }

  /// Writes a value that is already encoded as JSON without line breaks.
  package mutating func write(json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
    needsComma = true
  }

  /// Writes an object.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
  }

  /// Writes an array.
  package mutating func array(_ elements: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
  }

  /// Writes a member of an object; `value` must write exactly one value.
  package mutating func member(_ name: String, _ value: (inout JSONWriter) -> Void) {
    separate()
    append(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
    value(&self)
  }

  private mutating func enclose(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes.append(open)
    needsComma = false
    body(&self)
    bytes.append(close)
    needsComma = true
  }

  private mutating func write(literal: String) {
    separate()
    bytes.append(contentsOf: literal.utf8)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func append(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { part in
      var start = 0
      for place in part.indices {
        let byte = part[place]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
        bytes.append(contentsOf: part[start..<place])
        appendEscaped(byte)
        start = place + 1
      }
      bytes.append(contentsOf: part[start...])
    }
    bytes.append(UInt8(ascii: "\""))
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
