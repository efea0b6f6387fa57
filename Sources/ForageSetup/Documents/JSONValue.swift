package import ForageCore
package import ForageFoundation

/// A JSON document whose objects keep the order of their members.
package indirect enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case date(Date)
  case array([JSONValue])
  /// An array whose values are made one by one when they are written: a long list never stands in memory
  /// twice.
  case list(count: Int, value: @Sendable (_ index: Int) -> JSONValue)
  case object([(String, JSONValue)])

  /// An object of the members that are there.
  package static func members(_ members: [(String, JSONValue?)]) -> JSONValue {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  /// Reads a document.
  package init(parsing text: String) throws(JSONTree.Failure) {
    self = try JSONReader.read(text.utf8) { reader throws(JSONTree.Failure) in try Self.read(&reader) }
  }

  private static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> JSONValue {
    switch try reader.peek() {
    case UInt8(ascii: "{"):
      var members: [(String, JSONValue)] = []
      try reader.object { name, reader throws(JSONTree.Failure) in members.append((name, try read(&reader))) }
      return .object(members)
    case UInt8(ascii: "["):
      var values: [JSONValue] = []
      try reader.array { reader throws(JSONTree.Failure) in values.append(try read(&reader)) }
      return .array(values)
    default:
      return switch try reader.tree() {
      case .bool(let value): .bool(value)
      case .integer(let value): .int(value)
      case .double(let value): .double(value)
      case .string(let value): .string(value)
      case .null, .array, .object: .null
      }
    }
  }

  /// The document on one line, or over several with two spaces a level. What a terminal would interpret is
  /// escaped, so that JSON on a terminal is as safe as a table.
  package func text(isPretty: Bool = false) -> String {
    var writer = JSONWriter(isPretty: isPretty, isForTerminals: true)
    write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The same without an order of members.
  package var tree: JSONTree {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .integer(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .date(let value): .string(Timestamp.text(value))
    case .array(let values): .array(values.map(\.tree))
    case .list(let count, let value): .array((0..<count).map { value($0).tree })
    case .object(let members):
      .object(Dictionary(members.map { ($0, $1.tree) }) { _, last in last })
    }
  }

  private func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.write(.null)
    case .bool(let value): writer.write(.bool(value))
    case .int(let value): writer.write(value)
    case .double(let value): writer.write(value)
    case .string(let value): writer.write(value)
    case .date(let value): writer.write(Timestamp.text(value))
    case .array(let values): writer.array { for value in values { value.write(to: &$0) } }
    case .list(let count, let value):
      writer.array { for index in 0..<count { value(index).write(to: &$0) } }
    case .object(let members):
      writer.object { for (name, value) in members { $0.member(name) { value.write(to: &$0) } } }
    }
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// An object of the members that are there, in the order of the literal.
  package init(dictionaryLiteral members: (String, (any JSONConvertible)?)...) {
    self = .members(members.map { ($0, $1?.json) })
  }
}

/// A value that can be a member of a JSON document.
package protocol JSONConvertible {
  var json: JSONValue { get }
}

extension JSONValue: JSONConvertible {
  package var json: JSONValue { self }
}

extension String: JSONConvertible {
  package var json: JSONValue { .string(self) }
}

extension Int: JSONConvertible {
  package var json: JSONValue { .int(self) }
}

extension Bool: JSONConvertible {
  package var json: JSONValue { .bool(self) }
}

extension Double: JSONConvertible {
  package var json: JSONValue { .double(self) }
}

extension Date: JSONConvertible {
  package var json: JSONValue { .date(self) }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  package var json: JSONValue { .array(map(\.json)) }
}
