/// A JSON text in the making: members keep their order, so that the same values give the same bytes.
public indirect enum FakeJSON: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number.
  case int(Int)
  /// A number with a fraction; must be finite.
  case double(Double)
  /// A text.
  case string(String)
  /// Values in their order.
  case array([FakeJSON])
  /// Members in their order.
  case object([Member])

  /// A name and its value.
  public struct Member: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value.
    public var value: FakeJSON

    /// Makes a member.
    public init(name: String, value: FakeJSON) {
      self.name = name
      self.value = value
    }
  }

  /// A string, or null.
  public static func optional(_ text: String?) -> FakeJSON { text.map(FakeJSON.string) ?? .null }

  /// The compact text, ASCII except for what the strings hold; escapes as RFC 8259 section 7 asks.
  public var text: String {
    var out = ""
    write(to: &out)
    return out
  }

  /// The text's bytes.
  public var bytes: [UInt8] { Array(text.utf8) }

  private func write(to out: inout String) {
    switch self {
    case .null: out += "null"
    case .bool(let value): out += value ? "true" : "false"
    case .int(let value): out += String(value)
    case .double(let value): out += String(value)
    case .string(let value): Self.write(value, to: &out)
    case .array(let values):
      out += "["
      for (index, value) in values.enumerated() {
        if index > 0 { out += "," }
        value.write(to: &out)
      }
      out += "]"
    case .object(let members):
      out += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { out += "," }
        Self.write(member.name, to: &out)
        out += ":"
        member.value.write(to: &out)
      }
      out += "}"
    }
  }

  private static func write(_ value: String, to out: inout String) {
    out += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\r": out += "\\r"
      case "\t": out += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: out.unicodeScalars.append(scalar)
      }
    }
    out += "\""
  }
}

extension FakeJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// An array.
  public init(arrayLiteral elements: FakeJSON...) { self = .array(elements) }
  /// An object, in the order of the literal.
  public init(dictionaryLiteral elements: (String, FakeJSON)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }
  /// Null.
  public init(nilLiteral: ()) { self = .null }
}
