package import ForageCore
import ForageFoundation

extension JSONTree {
  /// Converts a value of a message.
  ///
  /// - Throws: `EncodingError` for numbers that JSON cannot represent; `JSONTree.Failure` for a value that is
  ///   nested too deeply.
  package init(encoding value: some Encodable) throws {
    try self.init(parsing: JSONEncoder().encode(value))
  }

  /// Converts the value to a type of the protocol.
  ///
  /// - Throws: `DecodingError` if it does not match the type.
  package func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(encoded()))
  }
}
