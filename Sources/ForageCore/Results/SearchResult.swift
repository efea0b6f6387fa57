#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What kind of thing a result is; open, so that providers can add their own.
public struct ResultKind: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
  /// The name in lower case.
  public let rawValue: String

  /// Creates a kind.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a kind from a literal.
  public init(stringLiteral value: String) { rawValue = value }

  /// A repository.
  public static let repo: ResultKind = "repo"
}

/// One thing that a provider found.
///
/// A field that is not known is absent, never empty and never a stand-in such as -1.
public struct SearchResult: Hashable, Sendable, Codable {
  /// What names the entity everywhere: for a repository `host/owner/name` in canonical form, for a clone without a forge its path.
  public var id: String
  /// The provider's own identifier of the entity, where it has one that survives renames, together with the forge: `github.com:1234`.
  public var forgeID: String?
  /// The kind of thing.
  public var kind: ResultKind
  /// What a person calls it, for a repository `owner/name`.
  public var title: String
  /// Where a person can look at it.
  public var url: String?
  /// Its properties.
  public var fields: [ResultField: FieldValue]

  /// Creates a result.
  public init(
    id: String, forgeID: String? = nil, kind: ResultKind, title: String, url: String? = nil,
    fields: [ResultField: FieldValue] = [:]
  ) {
    self.id = id
    self.forgeID = forgeID
    self.kind = kind
    self.title = title
    self.url = url
    self.fields = fields
  }

  /// The value of a field.
  public subscript(field: ResultField) -> FieldValue? {
    get { fields[field] }
    set { fields[field] = newValue }
  }

  /// Sets a text field; absent and empty texts leave it out.
  public mutating func set(_ field: ResultField, _ text: String?) {
    if let text, !text.isEmpty { fields[field] = .text(text) }
  }

  /// Sets a number, where there is one.
  public mutating func set(_ field: ResultField, _ number: Int?) {
    if let number { fields[field] = .number(number) }
  }

  /// Sets a flag, where there is one.
  public mutating func set(_ field: ResultField, _ flag: Bool?) {
    if let flag { fields[field] = .flag(flag) }
  }

  /// Sets a date, where there is one.
  public mutating func set(_ field: ResultField, _ date: Date?) {
    if let date { fields[field] = .date(date) }
  }

  /// Sets a list; absent and empty lists leave it out.
  public mutating func set(_ field: ResultField, _ list: [String]?) {
    if let list, !list.isEmpty { fields[field] = .list(list) }
  }

  /// The field names in the order in which they are written.
  public var orderedFields: [ResultField] {
    let known = ResultField.order.filter { fields[$0] != nil }
    let other = fields.keys.filter { !ResultField.order.contains($0) }
    return known + other.sorted { $0.rawValue < $1.rawValue }
  }
}
