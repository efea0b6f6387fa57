package import ForagePlatform

/// A JSON value (RFC 8259) of unknown structure.
public enum JSONTree: Hashable, Sendable, Codable {
  /// JSON `null`.
  case null
  /// A Boolean.
  case bool(Bool)
  /// A number that is whole and fits in 64 bits.
  case integer(Int)
  /// Any other number; of one beyond the range of `Double` the largest one, with its sign.
  case double(Double)
  /// Untrusted text.
  case string(String)
  /// Values in order.
  case array([JSONTree])
  /// Values by name. If a name occurs twice, either value may be kept.
  case object([String: JSONTree])

  /// The default maximum nesting of arrays and objects, which bounds the recursion of readers.
  package static let maximumDepth = 64

  package enum Failure: Error, Hashable, Sendable {
    /// It is not valid JSON in UTF-8.
    case malformed
    /// Arrays and objects are nested too deeply.
    case tooDeep
    /// There are too many values.
    case tooMany
  }

  /// Parses one value.
  ///
  /// - Parameters:
  ///   - bytes: The complete text in UTF-8.
  ///   - maximumDepth: The maximum nesting of arrays and objects.
  ///   - maximumValues: The maximum number of values, including nested ones.
  /// - Throws: `Failure`.
  package init(
    parsing bytes: some Collection<UInt8>, maximumDepth: Int = JSONTree.maximumDepth,
    maximumValues: Int = .max
  ) throws(Failure) {
    self = try JSONReader.read(bytes, maximumDepth: maximumDepth, maximumValues: maximumValues) {
      reader throws(JSONTree.Failure) in
      try reader.tree()
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([String: JSONTree].self) {
      self = .object(value)
    } else if let value = try? container.decode([JSONTree].self) {
      self = .array(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if container.decodeNil() {
      self = .null
    } else {
      // A decoder does not tell the sign of a number beyond the range of Double. It costs no other value.
      self = (try? container.decode(Double.self)).map { .double($0) } ?? .null
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }

  /// Encodes the value as JSON in UTF-8 without line breaks, with members sorted by name; a number that JSON
  /// cannot represent becomes `null`.
  package func encoded() -> [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.bytes
  }

  /// The member with a name, if the value is an object that has one.
  public subscript(name: String) -> JSONTree? {
    if case .object(let members) = self { members[name] } else { nil }
  }
  /// The string, if the value is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The whole number, if the value is one.
  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  /// The number, if the value is one of any form.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }
  /// The whole number, of one beyond 64 bits the nearest.
  private var nearestInteger: Int? {
    guard let number, number == number.rounded() else { return nil }
    return integer ?? Int(nearest: number)
  }
  /// The whole number as a count; `nil` for other values and negative numbers.
  package var count: Count? { nearestInteger.flatMap { Count($0) } }
  /// The whole number as that of a line or a column; `nil` for other values and numbers below 1.
  package var lineNumber: LineNumber? { nearestInteger.flatMap { LineNumber($0) } }
  /// The whole number as an offset; `nil` for other values and negative numbers.
  package var offset: Offset? { nearestInteger.flatMap { Offset($0) } }
  /// The Boolean, if the value is one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The elements, if the value is an array.
  public var array: [JSONTree]? { if case .array(let values) = self { values } else { nil } }
  /// The members, if the value is an object.
  public var object: [String: JSONTree]? { if case .object(let members) = self { members } else { nil } }
}
