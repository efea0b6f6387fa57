package import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One JSON value that was checked but not yet decoded, on one line.
package struct JSONText: Hashable, Sendable {
  /// The value in UTF-8.
  package let bytes: [UInt8]

  /// Takes bytes that are known to be one JSON value within the limits.
  init(checked bytes: [UInt8]) { self.bytes = bytes }

  /// Takes what a writer has written.
  package init(_ writer: JSONWriter) { bytes = writer.bytes }

  /// Writes a value.
  ///
  /// - Throws: What the encoder throws, for numbers that JSON cannot write.
  package init(encoding value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    bytes = Array(try encoder.encode(value))
  }

  /// An object without members.
  package static let empty = JSONText(checked: Array("{}".utf8))

  /// Decodes the value.
  ///
  /// - Throws: `DecodingError` where it has not the form of the type.
  package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }

  /// The value as a tree, `null` where it is none, which checked bytes always are.
  package var tree: JSONTree {
    (try? JSONReader.read(bytes) { reader throws(JSONTree.Failure) in try reader.tree() }) ?? .null
  }
}
