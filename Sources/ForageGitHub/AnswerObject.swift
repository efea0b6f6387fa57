import ForageCore

/// A JSON object of a response, read leniently: a missing member or one of another type is `nil`.
struct AnswerObject: Sendable {
  private let members: [String: JSONTree]

  /// Wraps a value; `nil` if it is not an object.
  init?(_ tree: JSONTree?) {
    guard let members = tree?.object else { return nil }
    self.members = members
  }

  /// A text.
  func text(_ name: String) -> String? { members[name]?.string }

  /// A text that is not empty.
  func words(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// A whole number, also if it is encoded as a string.
  func number(_ name: String) -> Int? {
    members[name].flatMap { $0.integer ?? $0.string.flatMap { Int($0) } }
  }

  /// A Boolean.
  func flag(_ name: String) -> Bool? { members[name]?.bool }

  /// A list of texts; `nil` if one of its elements is none.
  func texts(_ name: String) -> [String]? { all(name, \.string) }

  /// A list of whole numbers; `nil` if one of its elements is none.
  func numbers(_ name: String) -> [Int]? { all(name, \.integer) }

  /// An object within this one.
  func object(_ name: String) -> AnswerObject? { AnswerObject(members[name]) }

  /// The elements of a list.
  func values(_ name: String, upTo maximum: Int) -> ArraySlice<JSONTree>? {
    members[name]?.array?.prefix(maximum)
  }

  /// The objects of a list, without other elements; empty if there is no list.
  func objects(_ name: String, upTo maximum: Int) -> [AnswerObject] {
    (values(name, upTo: maximum) ?? []).compactMap { AnswerObject($0) }
  }

  private func all<Value>(_ name: String, _ value: (JSONTree) -> Value?) -> [Value]? {
    guard let list = members[name]?.array else { return nil }
    let values = list.compactMap(value)
    return values.count == list.count ? values : nil
  }
}

/// A field of a result, and the member of a response that it is read from.
struct AnswerField: Sendable {
  /// What the member contains.
  enum Form: Sendable { case text, number, flag, date, texts }

  /// The field.
  let field: ResultField
  /// What the member contains.
  let form: Form
  /// The object that has the member; `nil` for the item itself.
  let parent: String?
  /// The name of the member.
  let member: String

  init(_ field: ResultField, _ form: Form, _ member: String, of parent: String? = nil) {
    (self.field, self.form, self.parent, self.member) = (field, form, parent, member)
  }
}

extension SearchResult {
  /// Sets the fields that a response contains.
  mutating func read(_ fields: [AnswerField], from item: AnswerObject) {
    for entry in fields {
      guard let object = entry.parent.map(item.object) ?? item else { continue }
      switch entry.form {
      case .text: set(entry.field, object.text(entry.member))
      case .number: set(entry.field, object.number(entry.member))
      case .flag: set(entry.field, object.flag(entry.member))
      case .date: set(entry.field, GitHubTime.date(object.text(entry.member)))
      case .texts: set(entry.field, object.texts(entry.member))
      }
    }
  }
}
