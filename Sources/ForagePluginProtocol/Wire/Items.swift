public import ForageCore

/// The parameters of `search/items`: items of a pending request.
public struct ItemsParams: Codable, Hashable, Sendable {
  /// The id of the request.
  public var id: RequestID
  /// The sequence number of the message within the request: 0, 1, 2 and so on.
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
  public var fields: [String: JSONTree]
  /// Related entities; absent if there are none.
  public var related: [RelatedItem]?
  /// When the provider observed the data, in RFC 3339, if that is not now.
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
  /// The number of items sent for the request, in all its messages.
  public var count: Int
  /// The cursor of the next page; absent only at the end of the list. It is opaque and stays valid after a
  /// restart of the plugin.
  public var next: String?
  /// The numbers of the filters that were not applied; the host applies them.
  public var unapplied: [Int]?
  /// Whether the list contains all of the provider's results; default true.
  public var complete: Bool?
  /// The total number of results, if known.
  public var total: ResultTotal?
  /// The state of the service's rate limit.
  public var rate: RateInfo?
  /// The number of results that could not be read and are omitted.
  public var unreadable: Int?
  /// Whether the page may contain no new items although the list continues.
  public var mayRepeat: Bool?
  /// Why available results are missing.
  public var shortfall: ShortfallInfo?
  /// The age of the answer in milliseconds, if it comes from a cache.
  public var cacheAgeMs: Int?
  /// Whether the answer is stale because the service could not be reached.
  public var stale: Bool?
  /// When the data was observed, in RFC 3339, if that is not now.
  public var observedAt: String?
  /// The parts of the entity that are missing, for `details`.
  public var missing: [MissingInfo]?
  /// The names of members that have another type than they must have, and are treated as absent.
  package var oddMembers: [String] = []

  /// Creates a result.
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

  private enum CodingKeys: String, CodingKey {
    case count, next, unapplied, complete, total, rate, unreadable, mayRepeat, shortfall, cacheAgeMs, stale
    case observedAt, missing
  }

  /// Decodes a result.
  ///
  /// - Throws: `DecodingError` without a valid `count`; another member that is invalid is treated as absent.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var odd: [String] = []
    func member<Value: Decodable>(_ key: CodingKeys) -> Value? {
      do { return try container.decodeIfPresent(Value.self, forKey: key) } catch {
        odd.append(key.rawValue)
        return nil
      }
    }
    self.init(
      count: try container.decode(Int.self, forKey: .count), next: member(.next),
      unapplied: member(.unapplied),
      complete: member(.complete), total: member(.total), rate: member(.rate),
      unreadable: member(.unreadable),
      mayRepeat: member(.mayRepeat), shortfall: member(.shortfall), cacheAgeMs: member(.cacheAgeMs),
      stale: member(.stale), observedAt: member(.observedAt), missing: member(.missing))
    oddMembers = odd
  }
}

/// The state of a rate limit. If no requests remain, the host sends none until it resets.
public struct RateInfo: Codable, Hashable, Sendable {
  /// Requests remaining.
  public var remaining: Int?
  /// Milliseconds until the limit resets.
  public var resetMs: Int?

  /// Creates the state.
  public init(remaining: Int? = nil, resetMs: Int? = nil) {
    self.remaining = remaining
    self.resetMs = resetMs
  }
}

/// Why a list lacks available results.
public struct ShortfallInfo: Codable, Hashable, Sendable {
  /// The cause, as a phrase without a full stop.
  public var message: String
  /// What to do.
  public var hint: String?
  /// Whether the list is only interrupted and can be continued from `next`; default false.
  public var pause: Bool?

  /// Creates a shortfall.
  public init(message: String, hint: String? = nil, pause: Bool? = nil) {
    self.message = message
    self.hint = hint
    self.pause = pause
  }
}

/// A missing part of an entity.
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
