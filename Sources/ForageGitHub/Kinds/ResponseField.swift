import ForageCore
import ForageFoundation
import ForagePlatform

/// A field of a result, and the member of a response that it is read from.
struct ResponseField: Sendable {
  let field: ResultField
  /// The object that has the member; `nil` for the item itself.
  let parent: String?
  let member: String

  init(_ field: ResultField, _ member: String, of parent: String? = nil) {
    (self.field, self.parent, self.member) = (field, parent, member)
  }
}

extension SearchResult {
  mutating func read(_ fields: [ResponseField], from item: JSONTree) {
    for entry in fields {
      guard let object = entry.parent.map({ item[$0] }) ?? item else { continue }
      switch FieldType.known[entry.field.rawValue] {
      case .text: set(entry.field, object.text(entry.member))
      case .number: set(entry.field, object.count(entry.member))
      case .flag: set(entry.field, object.flag(entry.member))
      case .date: set(entry.field, object.date(entry.member))
      case .list: set(entry.field, object.texts(entry.member))
      case .fraction, nil: continue
      }
    }
  }
}

/// Lenient reading of the members of an object: a missing member or one of another type is `nil`.
extension JSONTree {
  func text(_ name: String) -> String? { self[name]?.string }

  /// A text that is not empty.
  func words(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// A whole number, also if it is encoded as a string.
  func number(_ name: String) -> Int? { self[name].flatMap { $0.integer ?? $0.string.flatMap { Int($0) } } }

  /// A whole number that is not negative: -1 stands for an unknown one. Of one beyond 64 bits the largest.
  func count(_ name: String) -> Int? {
    self[name].flatMap { $0.count ?? $0.string.flatMap { Count($0) } }?.value
  }

  func flag(_ name: String) -> Bool? { self[name]?.bool }

  /// Parses GitHub's times: `2024-01-31T10:00:00Z`, `2024-01-31T10:00:00.000+02:00` or `2024-01-31`.
  /// Fractions of a second are dropped.
  func date(_ name: String) -> Date? { text(name).flatMap(DatePoint.instant) }

  /// A list of texts; `nil` if one of its elements is none.
  func texts(_ name: String) -> [String]? {
    guard let list = self[name]?.array else { return nil }
    let texts = list.compactMap(\.string)
    return texts.count == list.count ? texts : nil
  }

  /// The objects of a list, without other elements; empty if there is no list.
  func objects(_ name: String, upTo maximum: Int) -> [JSONTree] {
    (self[name]?.array ?? []).prefix(maximum).filter { $0.isObject }
  }

  /// What the elements of a list say, without those that say nothing; `nil` if there is no list, or all of it
  /// says nothing.
  func texts(_ name: String, upTo maximum: Int, _ read: (JSONTree) -> String?) -> [String]? {
    guard let list = self[name]?.array else { return nil }
    let texts = list.prefix(maximum).compactMap(read).filter { !$0.isEmpty }
    return texts.isEmpty && !list.isEmpty ? nil : texts
  }
}
