/// A JSON object of a response, decoded leniently: a missing member or one of another type is `nil`.
struct AnswerObject: Decodable {
  private let container: KeyedDecodingContainer<AnswerKey>

  init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: AnswerKey.self) }

  private init(_ container: KeyedDecodingContainer<AnswerKey>) { self.container = container }

  /// A text.
  func text(_ name: String) -> String? { optional(String.self, name) }

  /// A whole number, also if it is encoded as a string.
  func number(_ name: String) -> Int? {
    optional(Int.self, name) ?? optional(String.self, name).flatMap { Int($0) }
  }

  /// A Boolean.
  func flag(_ name: String) -> Bool? { optional(Bool.self, name) }

  /// A list of texts.
  func texts(_ name: String) -> [String]? { optional([String].self, name) }

  /// An object within this one.
  func object(_ name: String) -> AnswerObject? {
    (try? container.nestedContainer(keyedBy: AnswerKey.self, forKey: AnswerKey(name))).map(AnswerObject.init)
  }

  /// Decodes a member as a given type.
  ///
  /// - Throws: `DecodingError` if the member is missing or has another type.
  func value<Value: Decodable>(_ name: String) throws -> Value {
    try container.decode(Value.self, forKey: AnswerKey(name))
  }

  /// A list of which single elements may be invalid.
  ///
  /// - Parameters:
  ///   - name: The member.
  ///   - maximum: The maximum number of elements to decode.
  /// - Throws: `DecodingError` if there is no list.
  func list<Element: Decodable>(_ name: String, upTo maximum: Int) throws -> [Lenient<Element>] {
    var list = try container.nestedUnkeyedContainer(forKey: AnswerKey(name))
    var elements: [Lenient<Element>] = []
    while !list.isAtEnd, elements.count < maximum {
      elements.append(try list.decode(Lenient<Element>.self))
    }
    return elements
  }

  /// The objects of a list, without invalid elements; empty if there is no list.
  func objects(_ name: String, upTo maximum: Int) -> [AnswerObject] {
    let found: [Lenient<AnswerObject>]? = try? list(name, upTo: maximum)
    return (found ?? []).compactMap(\.value)
  }

  /// A list of whole numbers.
  func numbers(_ name: String) -> [Int]? { optional([Int].self, name) }

  /// Unwraps the value of a required member.
  ///
  /// - Throws: `DecodingError` if the value is `nil`.
  func required<Value>(_ name: String, _ value: Value?) throws -> Value {
    guard let value else {
      throw DecodingError.dataCorruptedError(
        forKey: AnswerKey(name), in: container, debugDescription: "no " + name)
    }
    return value
  }

  private func optional<Value: Decodable>(_ type: Value.Type, _ name: String) -> Value? {
    guard let value = try? container.decodeIfPresent(type, forKey: AnswerKey(name)) else { return nil }
    return value
  }
}

/// The name of a member.
private struct AnswerKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// A list element that decodes to `nil` instead of failing its list.
struct Lenient<Value: Decodable>: Decodable {
  var value: Value?

  init(from decoder: any Decoder) throws {
    value = try? Value(from: decoder)
  }
}
