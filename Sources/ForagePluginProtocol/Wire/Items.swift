public import ForageCore

/// Items of a request that is not yet answered.
public struct ItemsParams: Codable, Hashable, Sendable {
  /// The request.
  public var id: RequestID
  /// The number of the message among those of the request, from 0 without a gap.
  public var seq: Int
  /// The items, in the provider's order.
  public var items: [Item]

  /// Creates parameters.
  public init(id: RequestID, seq: Int, items: [Item]) {
    self.id = id
    self.seq = seq
    self.items = items
  }
}

/// One result.
public struct Item: Codable, Hashable, Sendable {
  /// The provider's own id of the entity, or the canonical id of an entity of a forge.
  public var id: String
  /// The kind of thing.
  public var kind: String
  /// Where a person can look at it, `http` or `https`; absent only where there is no such place.
  public var url: String?
  /// What a person calls it.
  public var title: String
  /// Its properties; one that is not known is absent. Times are RFC 3339, `2024-01-15T10:00:00Z`, in fields whose names end in `At`.
  public var fields: [String: JSONTree]
  /// The entities that it has to do with; absent for none.
  public var related: [RelatedItem]?
  /// When the provider observed it, RFC 3339, where that is not now.
  public var observedAt: String?

  /// Creates an item.
  public init(
    id: String, kind: String, url: String? = nil, title: String, fields: [String: JSONTree] = [:],
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

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    kind = try container.decode(String.self, forKey: .kind)
    url = try container.decodeIfPresent(String.self, forKey: .url)
    title = try container.decode(String.self, forKey: .title)
    fields = try container.decodeIfPresent([String: JSONTree].self, forKey: .fields) ?? [:]
    related = try container.decodeIfPresent([RelatedItem].self, forKey: .related)
    observedAt = try container.decodeIfPresent(String.self, forKey: .observedAt)
  }
}

/// An entity that an item has to do with, named by its canonical id or by an address.
public struct RelatedItem: Codable, Hashable, Sendable {
  /// Its canonical id, for a repository `host/owner/name`.
  public var id: String?
  /// Any clone or web address of it.
  public var url: String?
  /// How they belong together: `mirror`, `repository`, `link`.
  public var why: String

  /// Creates a relation.
  public init(id: String? = nil, url: String? = nil, why: String) {
    self.id = id
    self.url = url
    self.why = why
  }
}

/// What ends a page.
public struct SearchAnswer: Codable, Hashable, Sendable {
  /// How many items were sent for the request, in all its messages.
  public var count: Int
  /// Where the next page begins; only its absence is the end. Opaque, and good after a restart of the plugin.
  public var next: String?
  /// The numbers of the filters that were not applied, which the host then applies.
  public var unapplied: [Int]?
  /// Whether the list is all that the provider has to tell; assumed when absent.
  public var complete: Bool?
  /// How many results there are, where the provider knows.
  public var total: ResultTotal?
  /// What is left of the provider's rate limit.
  public var rate: RateInfo?
  /// How many results could not be read and are left out.
  public var unreadable: Int?
  /// Whether the page may hold nothing new and the list go on all the same.
  public var mayRepeat: Bool?
  /// Why results are lacking that there are.
  public var shortfall: ShortfallInfo?
  /// How old the answer is in milliseconds, where it was kept.
  public var cacheAgeMs: Int?
  /// Whether the answer is past its time, because nothing newer could be had.
  public var stale: Bool?
  /// When what it tells was observed, RFC 3339, where that is not now.
  public var observedAt: String?
  /// The parts of an entity that could not be had, for `details`.
  public var missing: [MissingInfo]?

  /// Creates an answer.
  public init(
    count: Int, next: String? = nil, unapplied: [Int]? = nil, complete: Bool? = nil,
    total: ResultTotal? = nil, rate: RateInfo? = nil, unreadable: Int? = nil, mayRepeat: Bool? = nil,
    shortfall: ShortfallInfo? = nil, cacheAgeMs: Int? = nil, stale: Bool? = nil, observedAt: String? = nil,
    missing: [MissingInfo]? = nil
  ) {
    self.count = count
    self.next = next
    self.unapplied = unapplied
    self.complete = complete
    self.total = total
    self.rate = rate
    self.unreadable = unreadable
    self.mayRepeat = mayRepeat
    self.shortfall = shortfall
    self.cacheAgeMs = cacheAgeMs
    self.stale = stale
    self.observedAt = observedAt
    self.missing = missing
  }
}

/// What is left of a rate limit.
public struct RateInfo: Codable, Hashable, Sendable {
  /// Requests that are left.
  public var remaining: Int?
  /// Milliseconds until there are more.
  public var resetMs: Int?

  /// Creates what is told of a limit.
  public init(remaining: Int? = nil, resetMs: Int? = nil) {
    self.remaining = remaining
    self.resetMs = resetMs
  }
}

/// Why a list lacks results that there are.
public struct ShortfallInfo: Codable, Hashable, Sendable {
  /// What keeps them back, a part of a sentence.
  public var message: String
  /// What to do about it.
  public var hint: String?
  /// Whether the list is only put down, to be taken up from `next` later; assumed not when absent.
  public var pause: Bool?

  /// Creates a shortfall.
  public init(message: String, hint: String? = nil, pause: Bool? = nil) {
    self.message = message
    self.hint = hint
    self.pause = pause
  }
}

/// A part of an entity that could not be had.
public struct MissingInfo: Codable, Hashable, Sendable {
  /// The field.
  public var field: String
  /// Why it is missing.
  public var error: ErrorObject

  /// Creates a missing part.
  public init(field: String, error: ErrorObject) {
    self.field = field
    self.error = error
  }
}
