import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A JSON document whose objects keep the order of their members.
indirect enum JSONValue {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case date(Date)
  case array([JSONValue])
  case object([(String, JSONValue)])

  /// An object of the members that are there.
  static func members(_ members: [(String, JSONValue?)]) -> JSONValue {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  /// The document on one line, or over several with two spaces a level.
  func text(isPretty: Bool = false) -> String {
    var output: [UInt8] = []
    write(to: &output, indent: isPretty ? 0 : nil)
    return String(decoding: output, as: UTF8.self)
  }

  private func write(to output: inout [UInt8], indent: Int?) {
    switch self {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .int(let value): output += String(value).utf8
    case .double(let value): output += (value.isFinite ? String(value) : "null").utf8
    case .string(let value): Self.write(value, to: &output)
    case .date(let value): Self.write(HumanFormat.timestamp(value), to: &output)
    case .array(let values):
      Self.write(values, open: "[", close: "]", to: &output, indent: indent) { value, output, indent in
        value.write(to: &output, indent: indent)
      }
    case .object(let members):
      Self.write(members, open: "{", close: "}", to: &output, indent: indent) { member, output, indent in
        Self.write(member.0, to: &output)
        output += (indent == nil ? ":" : ": ").utf8
        member.1.write(to: &output, indent: indent)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], open: String, close: String, to output: inout [UInt8], indent: Int?,
    element: (Element, inout [UInt8], Int?) -> Void
  ) {
    output += open.utf8
    let inner = indent.map { $0 + 2 }
    for (index, value) in elements.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      newline(inner, to: &output)
      element(value, &output, inner)
    }
    if !elements.isEmpty { newline(indent, to: &output) }
    output += close.utf8
  }

  private static func newline(_ indent: Int?, to output: inout [UInt8]) {
    guard let indent else { return }
    output.append(UInt8(ascii: "\n"))
    output += repeatElement(UInt8(ascii: " "), count: indent)
  }

  /// Writes a string; what a terminal would interpret is escaped, so that JSON on a terminal is as safe as a table.
  private static func write(_ text: String, to output: inout [UInt8]) {
    var text = text
    let isPlain = text.withUTF8 { bytes in
      for byte in bytes where byte < 32 || byte > 126 || byte == quote || byte == backslash { return false }
      output.append(quote)
      output.append(contentsOf: bytes)
      output.append(quote)
      return true
    }
    if !isPlain { writeEscaped(text, to: &output) }
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  private static func writeEscaped(_ text: String, to output: inout [UInt8]) {
    output.append(quote)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\"".utf8
      case "\\": output += "\\\\".utf8
      case "\n": output += "\\n".utf8
      case "\t": output += "\\t".utf8
      case "\r": output += "\\r".utf8
      default:
        if scalar.value < 32 || scalar.value == 127 || SafeText.isDangerous(scalar) {
          for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
            output += escape(unit).utf8
          }
        } else {
          output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
      }
    }
    output.append(quote)
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension JSONValue {
  /// The document that a value encodes to, members in alphabetical order.
  init(encoding value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    self = try JSONDecoder().decode(JSONTree.self, from: try encoder.encode(value)).value
  }

  /// The members in the given order, others behind them.
  func ordered(_ names: [String]) -> JSONValue {
    guard case .object(let members) = self else { return self }
    let places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
    return .object(
      members.enumerated().sorted {
        (places[$0.element.0] ?? .max, $0.offset) < (places[$1.element.0] ?? .max, $1.offset)
      }.map(\.element))
  }
}

/// Reads any JSON into a `JSONValue`.
private struct JSONTree: Decodable {
  var value: JSONValue

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Name.self) {
      value = .object(
        try object.allKeys.sorted { $0.stringValue < $1.stringValue }.map {
          ($0.stringValue, try object.decode(JSONTree.self, forKey: $0).value)
        })
      return
    }
    if var list = try? decoder.unkeyedContainer() {
      var values: [JSONValue] = []
      while !list.isAtEnd { values.append(try list.decode(JSONTree.self).value) }
      value = .array(values)
      return
    }
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      value = .null
    } else if let flag = try? single.decode(Bool.self) {
      value = .bool(flag)
    } else if let number = try? single.decode(Int.self) {
      value = .int(number)
    } else if let number = try? single.decode(Double.self) {
      value = .double(number)
    } else {
      value = .string(try single.decode(String.self))
    }
  }
}
