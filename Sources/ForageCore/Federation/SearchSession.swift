/// Where a paged search stands: what it has given out, what is ready to be given out, and how each provider goes on.
///
/// The value is all that a continuation needs, so a program can keep it wherever it likes; the federation itself remembers nothing.
public struct SearchSession: Sendable, Codable {
  /// One provider's part, for one kind.
  struct Part: Sendable, Codable {
    /// The provider's id.
    var provider: String
    /// The kind that it is asked for.
    var kind: ResultKind
    /// Items a page; the same for every page of the search.
    var pageSize: Int
    /// Items that passed the residual filter and are not merged yet, in the provider's order.
    var pending: [SearchResult] = []
    /// When those were observed.
    var observed: [ObservedSpan] = []
    /// How many items have been merged.
    var used = 0
    /// The ids of every item that it has delivered.
    var seen: Set<String> = []
    /// Where its next page begins.
    var cursor: String?
    /// Whether it has delivered its last page.
    var isEnded = false
    /// Whether the page at the cursor has broken off; absent where not.
    var isTruncated: Bool?
    /// How many pages of results in turn it has missed.
    var failures = 0
    /// How many results it says there are.
    var total: ResultTotal?
    /// Why the provider takes no part in the search; absent where it does.
    var exclusion: Exclusion?

    /// A provider that fails joins a later block, twice at most.
    static let maximumFailures = 2

    /// Whether it has been given up because it failed too often.
    var isDropped: Bool { failures > Self.maximumFailures }
    /// Whether more can come from it.
    var isOpen: Bool { !isEnded && !isDropped }
  }

  /// Why a provider takes no part in a search.
  struct Exclusion: Sendable, Codable {
    /// Whether it has nothing to search; otherwise it does not support the search.
    var isSkipped: Bool
    var reason: String
    var hint: String
  }

  /// Tells the search that the session belongs to from others.
  var fingerprint: String
  /// How many entities were given out before the first of `ready`.
  var base = 0
  /// The names of those entities.
  var emitted: [EntityName] = []
  /// Entities that have their places, from `base` on.
  var ready: [MergedItem] = []
  /// The providers' parts, in the order of the providers.
  var parts: [Part]

  /// How many entities have their places.
  public var count: Int { base + ready.count }

  /// How far each provider has come, to tell whether anything has happened.
  public var standing: [String] {
    parts.map { "\($0.seen.count) \($0.used) \($0.failures) \($0.isEnded) \($0.cursor ?? "")" }
  }

  /// Whether entities may follow those that have their places.
  public var isOpen: Bool { parts.contains { $0.isOpen || !$0.pending.isEmpty } }

  /// Whether any provider has delivered anything yet.
  var hasBegun: Bool { parts.contains { !$0.seen.isEmpty } }

  /// The offset of the first entity that the session still holds; earlier ones cannot be asked for again.
  public var firstOffset: Int { base }

  /// The names of the entities before an offset, in order.
  func names(before offset: Int) -> [EntityName] {
    offset <= base
      ? Array(emitted.prefix(max(0, offset))) : emitted + ready.prefix(offset - base).map { EntityName($0) }
  }

  /// Adds entities that have got their places.
  mutating func add(_ items: [MergedItem]) {
    // Mostly there are no others, and then nothing is copied.
    if ready.isEmpty { ready = items } else { ready += items }
  }

  /// The entities from an offset on, which must not lie before `base`.
  func page(from offset: Int, limit: Int) -> [MergedItem] {
    offset == base && ready.count <= limit ? ready : Array(ready.dropFirst(offset - base).prefix(limit))
  }

  /// Forgets the entities before an offset, but for their names.
  mutating func drop(before offset: Int) {
    let count = min(max(0, offset - base), ready.count)
    for index in 0..<count { emitted.append(EntityName(ready[index])) }
    // The page shares them, so removing from them would copy them first.
    if count == ready.count { ready = [] } else { ready.removeFirst(count) }
    base += count
  }
}
