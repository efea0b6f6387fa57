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
  /// A place in a file.
  public static let code: ResultKind = "code"
  /// An issue or a pull request.
  public static let issue: ResultKind = "issue"
  /// A commit.
  public static let commit: ResultKind = "commit"
  /// An account of a person or an organisation.
  public static let user: ResultKind = "user"
  /// A label that repositories carry.
  public static let topic: ResultKind = "topic"
  /// A story of a news site.
  public static let story: ResultKind = "story"
  /// A question with its answers.
  public static let question: ResultKind = "question"
  /// A package of a registry or a distribution.
  public static let package: ResultKind = "package"
}

/// Another entity that a result has to do with.
public struct RelatedEntity: Hashable, Sendable, Codable {
  /// What names the other entity, as its own `id` does: for a repository `host/owner/name` in canonical form.
  public var id: String
  /// How they belong together.
  public var why: Reason

  /// How two entities belong together; open, so that providers can add their own.
  public struct Reason: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The word as it stands in JSON.
    public let rawValue: String

    /// Creates a reason.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a reason from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// One is a copy of the other that is kept up to date.
    public static let mirror: Reason = "mirror"
    /// Both begin with the same commit, on different hosts.
    public static let sameHistory: Reason = "same history"
    /// One is the repository of the other, of a package for example.
    public static let repository: Reason = "repository"
    /// One links to the other, a story for example to what it is about.
    public static let link: Reason = "link"
  }

  /// Creates a relation.
  public init(id: String, why: Reason) {
    self.id = id
    self.why = why
  }
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
  /// The entities that it says it belongs to without being them: what it mirrors, the repository of a package.
  public var related: [RelatedEntity]
  /// When the provider observed it, where that is not when it answered: a clone is as it was when its folder was scanned.
  public var observedAt: Date?

  /// Creates a result.
  public init(
    id: String, forgeID: String? = nil, kind: ResultKind, title: String, url: String? = nil,
    fields: [ResultField: FieldValue] = [:], related: [RelatedEntity] = [],
    observedAt: Date? = nil
  ) {
    self.id = id
    self.forgeID = forgeID
    self.kind = kind
    self.title = title
    self.url = url
    self.fields = fields
    self.related = related
    self.observedAt = observedAt
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
    typealias Placed = (place: Int, field: ResultField)
    let placed = fields.keys.map { field -> Placed in (ResultField.places[field] ?? .max, field) }
    let ordered = placed.sorted { (a: Placed, b: Placed) -> Bool in
      a.place != b.place ? a.place < b.place : a.field.rawValue < b.field.rawValue
    }
    return ordered.map(\.field)
  }
}
