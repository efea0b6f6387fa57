#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A JSON value of any form (RFC 8259), for answers and messages whose members are not known beforehand.
public enum JSONTree: Hashable, Sendable, Codable {
  /// No value.
  case null
  /// Yes or no.
  case bool(Bool)
  /// A whole number that fits 64 bits.
  case integer(Int)
  /// Any other number.
  case double(Double)
  /// Text from outside: untrusted.
  case string(String)
  /// Values in order.
  case array([JSONTree])
  /// Values with names; of two of one name either may stay.
  case object([String: JSONTree])

  /// Arrays and objects within each other that are read at most: no API needs more, and a reader that recurses must end somewhere.
  public static let maximumDepth = 64

  /// Why bytes are no value.
  public enum Failure: Error, Hashable, Sendable {
    /// They are not JSON in UTF-8.
    case malformed
    /// Arrays and objects are within each other deeper than is read.
    case tooDeep
    /// There are more values than are read.
    case tooMany
  }

  /// Reads one value.
  ///
  /// - Parameters:
  ///   - bytes: The whole text, in UTF-8.
  ///   - maximumDepth: How deep arrays and objects may be within each other.
  ///   - maximumValues: The number of values, those within others included, that are read at most.
  /// - Throws: `Failure`.
  public init(
    parsing bytes: some Collection<UInt8>, maximumDepth: Int = JSONTree.maximumDepth,
    maximumValues: Int = .max
  ) throws(Failure) {
    self = try JSONReader.read(bytes, maximumDepth: maximumDepth, maximumValues: maximumValues) {
      reader throws(JSONTree.Failure) in
      try reader.tree()
    }
  }

  /// How deep the brackets of a text are within each other, those within strings left out.
  ///
  /// Looked at before anything is decoded, so that no text makes the decoder recurse without end.
  public static func depth(_ bytes: some Sequence<UInt8>) -> Int {
    var (depth, deepest, isText, isEscaped) = (0, 0, false, false)
    for byte in bytes {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        deepest = max(deepest, depth)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return deepest
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
      self = .double(try container.decode(Double.self))
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

  /// The value as JSON in UTF-8, without a line break, members by name.
  ///
  /// - Throws: What the encoder throws for numbers that JSON cannot write.
  public func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }

  /// A member of an object, `nil` where there is none.
  public subscript(name: String) -> JSONTree? {
    if case .object(let members) = self { members[name] } else { nil }
  }
  /// The text, where the value is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The whole number, where the value is one.
  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  /// The flag, where the value is one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The elements, where the value is an array.
  public var array: [JSONTree]? { if case .array(let values) = self { values } else { nil } }
  /// The members, where the value is an object.
  public var object: [String: JSONTree]? { if case .object(let members) = self { members } else { nil } }
}
