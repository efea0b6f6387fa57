package import ForagePlatform

/// A JSON value (RFC 8259) of unknown structure.
///
/// The members of an object keep their order in documents that are written for people; values are equal
/// whatever their order is.
public enum JSONTree: Sendable, Codable {
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
  /// Members with their names, in order. Of a name that occurs twice the last value counts.
  case object([(String, JSONTree)])

  /// An object, its members sorted by name.
  public static func object(_ members: [String: JSONTree]) -> JSONTree {
    var sorted: [(String, JSONTree)] = []
    sorted.reserveCapacity(members.count)
    for (name, value) in members { sorted.append((name, value)) }
    sorted.sort { $0.0 < $1.0 }
    return .object(sorted)
  }

  /// An object of the members that are there.
  package static func members(_ members: [(String, JSONTree?)]) -> JSONTree {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

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
    case .object: try container.encode(object)
    }
  }

  /// Encodes the value as JSON in UTF-8 without line breaks, with members sorted by name; a number that JSON
  /// cannot represent becomes `null`.
  package func encoded() -> [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.bytes
  }

  /// The value as a document for people: on one line, or over several with two spaces a level, its members in
  /// their order. What a terminal would interpret is escaped, so that JSON on a terminal is as safe as a
  /// table.
  package func text(isPretty: Bool = false) -> String {
    var writer = JSONWriter(isPretty: isPretty, isDocument: true)
    writer.write(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The member with a name of the same bytes, if the value is an object that has one.
  public subscript(name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    // Names have the same bytes; most have another length.
    let name = name.utf8
    return members.last { $0.0.utf8.count == name.count && $0.0.utf8.elementsEqual(name) }?.1
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
  /// Whether the value is an object.
  package var isObject: Bool { if case .object = self { true } else { false } }
  /// The members by name, if the value is an object.
  public var object: [String: JSONTree]? {
    if case .object(let members) = self { Dictionary(members) { _, last in last } } else { nil }
  }
}

extension JSONTree: Hashable {
  public static func == (left: JSONTree, right: JSONTree) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.object, .object): left.object == right.object
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let values): hasher.combine(values)
    case .object: hasher.combine(object)
    }
  }
}
