public import ForageCore

/// The parameters of `search/items`: items of a pending request.
public struct ItemsParams: Codable, Hashable, Sendable {
  /// The id of the request.
  public var id: RequestID
  /// The items, in the provider's order.
  public var items: [Item]

  /// Creates parameters.
  public init(id: RequestID, items: [Item]) {
    self.id = id
    self.items = items
  }
}

/// A result.
public struct Item: Codable, Hashable, Sendable {
  /// The provider's own id of the entity, or the canonical id of an entity of a forge.
  public var id: String
  /// The kind of entity.
  public var kind: String
  /// The address of the entity's web page, `http` or `https`; absent only if there is none.
  public var url: String?
  /// The display name.
  public var title: String
  /// The properties; an unknown property is absent. Times are RFC 3339, `2024-01-15T10:00:00Z`, in fields
  /// whose names end in `At`.
  public var fields: [String: JSONTree]?
  /// Related entities; absent if there are none.
  public var related: [RelatedItem]?
  /// When the provider observed the data, in RFC 3339, if that is not now.
  public var observedAt: String?

  /// Creates an item.
  public init(
    id: String, kind: String, url: String? = nil, title: String, fields: [String: JSONTree]? = nil,
    related: [RelatedItem]? = nil, observedAt: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.url = url
    self.title = title
    self.fields = fields
    self.related = related
    self.observedAt = observedAt
  }
}

/// A related entity, identified by its canonical id or an address.
public struct RelatedItem: Codable, Hashable, Sendable {
  /// The canonical id; for a repository `host/owner/name`.
  public var id: String?
  /// A clone or web address.
  public var url: String?
  /// The type of relation: `mirror`, `repository` or `link`.
  public var why: String

  /// Creates a relation.
  public init(id: String? = nil, url: String? = nil, why: String) {
    self.id = id
    self.url = url
    self.why = why
  }
}

/// The result of `search`, `feed` and `details`, which ends a page.
public struct SearchAnswer: Codable, Hashable, Sendable {
  /// The number of items sent for the request, those of `items` included.
  public var count: Int
  /// The cursor of the next page; absent only at the end of the list. It is opaque and stays valid after a
  /// restart of the plugin.
  public var next: String?
  /// The total number of results, if known.
  public var total: ResultTotal?
  /// Notes on what is missing from the list or odd about it.
  public var notes: [NoteInfo]?
  /// The items, or the last of them after those of `search/items`.
  public var items: [Item]?

  /// Creates a result.
  public init(
    count: Int, next: String? = nil, total: ResultTotal? = nil, notes: [NoteInfo]? = nil, items: [Item]? = nil
  ) {
    self.count = count
    self.next = next
    self.total = total
    self.notes = notes
    self.items = items
  }
}

/// Something that is missing from a list or odd about it.
public struct NoteInfo: Codable, Hashable, Sendable {
  /// The cause in `snake_case`, for example `incomplete_results`.
  public var code: String
  /// A phrase without a full stop that says what is missing or odd.
  public var message: String
  /// A phrase without a full stop that says what to do.
  public var hint: String?
  /// Whether results are missing, so that the list is incomplete; default false.
  public var incomplete: Bool?
  /// The part of the entity that is missing, for `details`.
  public var field: String?

  /// Creates a note.
  public init(
    code: String, message: String, hint: String? = nil, incomplete: Bool? = nil, field: String? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.incomplete = incomplete
    self.field = field
  }
}
