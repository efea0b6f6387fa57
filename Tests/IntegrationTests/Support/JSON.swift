import Foundation
import TestSupport
import Testing

/// Any JSON document, read strictly.
indirect enum JSON: Decodable, Hashable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .int(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSON].self))
    }
  }

  /// Reads a document.
  init(_ text: some StringProtocol) throws {
    self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
  }

  subscript(name: String) -> JSON? { if case .object(let members) = self { members[name] } else { nil } }
  subscript(index: Int) -> JSON? {
    guard case .array(let values) = self, values.indices.contains(index) else { return nil }
    return values[index]
  }

  var string: String? { if case .string(let value) = self { value } else { nil } }
  var int: Int? { if case .int(let value) = self { value } else { nil } }
  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var array: [JSON] { if case .array(let values) = self { values } else { [] } }
  var keys: Set<String> { if case .object(let members) = self { Set(members.keys) } else { [] } }

  /// The outcome of a provider in an envelope.
  func provider(_ id: String) -> JSON? { self["providers"]?.array.first { $0["id"]?.string == id } }
  /// The item with an id in an envelope.
  func item(_ id: String) -> JSON? { self["items"]?.array.first { $0["id"]?.string == id } }
}

extension ProcessResult {
  /// Standard output as one JSON document on one line.
  func json(_ location: SourceLocation = #_sourceLocation) throws -> JSON {
    #expect(outLines.count == 1, "\(out.prefix(500))\(err)", sourceLocation: location)
    return try JSON(out)
  }
}
