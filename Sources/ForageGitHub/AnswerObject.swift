/// One JSON object of an answer, read leniently: an odd or missing member is `nil`.
///
/// Every answer is read through this one type, so that the decoder meets one type of key.
struct AnswerObject: Decodable {
  private let container: KeyedDecodingContainer<AnswerKey>

  init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: AnswerKey.self) }

  private init(_ container: KeyedDecodingContainer<AnswerKey>) { self.container = container }

  /// A text.
  func text(_ name: String) -> String? { optional(String.self, name) }

  /// A whole number, also one that is written as a text.
  func number(_ name: String) -> Int? {
    optional(Int.self, name) ?? optional(String.self, name).flatMap { Int($0) }
  }

  /// A truth value.
  func flag(_ name: String) -> Bool? { optional(Bool.self, name) }

  /// A list of texts.
  func texts(_ name: String) -> [String]? { optional([String].self, name) }

  /// An object within this one.
  func object(_ name: String) -> AnswerObject? {
    (try? container.nestedContainer(keyedBy: AnswerKey.self, forKey: AnswerKey(name))).map(AnswerObject.init)
  }

  /// A member of a form of its own.
  ///
  /// - Throws: `DecodingError` where it is not there or has another form.
  func value<Value: Decodable>(_ name: String) throws -> Value {
    try container.decode(Value.self, forKey: AnswerKey(name))
  }

  /// A list whose elements may be unreadable one by one.
  ///
  /// - Throws: `DecodingError` where there is no list.
  func list<Element: Decodable>(_ name: String, upTo maximum: Int) throws -> [Lenient<Element>] {
    var list = try container.nestedUnkeyedContainer(forKey: AnswerKey(name))
    var elements: [Lenient<Element>] = []
    while !list.isAtEnd, elements.count < maximum {
      elements.append(try list.decode(Lenient<Element>.self))
    }
    return elements
  }

  /// The objects of a list; none where there is no list, and without those that are none.
  func objects(_ name: String, upTo maximum: Int) -> [AnswerObject] {
    let found: [Lenient<AnswerObject>]? = try? list(name, upTo: maximum)
    return (found ?? []).compactMap(\.value)
  }

  /// A list of whole numbers.
  func numbers(_ name: String) -> [Int]? { optional([Int].self, name) }

  /// The value of a member that must be there.
  ///
  /// - Throws: `DecodingError` where it is not.
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

/// An element that may be unreadable without spoiling its list.
struct Lenient<Value: Decodable>: Decodable {
  var value: Value?

  init(from decoder: any Decoder) throws {
    value = try? Value(from: decoder)
  }
}
