package import ForageCore
import ForageFoundation

/// A validated but not yet decoded JSON value, on one line.
package struct JSONText: Hashable, Sendable {
  /// The value in UTF-8.
  package let bytes: [UInt8]

  /// Wraps bytes that are known to be one JSON value within the limits.
  init(checked bytes: [UInt8]) { self.bytes = bytes }

  package init(_ writer: JSONWriter) { bytes = writer.bytes }

  package init(_ tree: JSONTree) { bytes = tree.encoded() }

  /// Encodes a value.
  ///
  /// - Throws: `EncodingError` for numbers that JSON cannot represent.
  package init(encoding value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    bytes = Array(try encoder.encode(value))
  }

  package static let empty = JSONText(checked: Array("{}".utf8))

  /// Decodes the value.
  ///
  /// - Throws: `DecodingError` if it does not match the type.
  package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }

  package var tree: JSONTree {
    (try? JSONReader.read(bytes) { reader throws(JSONTree.Failure) in try reader.tree() }) ?? .null
  }
}
