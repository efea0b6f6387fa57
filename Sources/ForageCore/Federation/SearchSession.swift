/// The state of a paged search: the entities already returned, those that are ready, and the position at each
/// provider.
///
/// The value contains everything needed to continue; the federation itself keeps no state.
public struct SearchSession: Sendable {
  /// The state of a provider for a kind.
  struct Part: Sendable {
    var provider: String
    var kind: ResultKind
    /// The page size, which is the same for all pages of the search.
    var pageSize: Int
    /// Items that passed the residual filter and are not merged yet, in the provider's order.
    var pending: [SearchResult] = []
    var used = 0
    /// The ids of all delivered items.
    var seen: Set<String> = []
    var cursor: String?
    /// Whether it has delivered its last page.
    var isEnded = false
    /// Whether the page at the cursor was interrupted, so that a part of it is known.
    var isTruncated = false
    /// The number of consecutive pages without results because of failures.
    var failures = 0
    /// The total number of results that the provider reports.
    var total: ResultTotal?
    /// Why the provider takes no part in the search; `nil` if it does.
    var exclusion: SearchError?

    /// How often a provider may fail before it is not asked again.
    static let maximumFailures = 2

    /// Whether it failed too often and is not asked again.
    var isDropped: Bool { failures > Self.maximumFailures }
    var isOpen: Bool { !isEnded && !isDropped }
  }

  /// Identifies the search that the session belongs to.
  var fingerprint: String
  /// The number of entities before the first of `ready`.
  var base = 0
  /// The names of those entities.
  var emitted: [EntityName] = []
  /// Placed entities from `base` on.
  var ready: [MergedItem] = []
  /// The states of the providers, in their order.
  var parts: [Part]

  /// The number of placed entities.
  package var count: Int { base + ready.count }

  /// The progress of each provider, to detect whether anything has changed.
  package var standing: [String] {
    parts.map { "\($0.seen.count) \($0.used) \($0.failures) \($0.isEnded) \($0.cursor ?? "")" }
  }

  /// Whether further entities may follow.
  var isOpen: Bool { parts.contains { $0.isOpen || !$0.pending.isEmpty } }

  var hasBegun: Bool { parts.contains { !$0.seen.isEmpty } }

  /// The offset of the first entity that the session contains; earlier ones cannot be requested again.
  package var firstOffset: Int { base }

  /// The names of the entities before an offset, in order.
  func names(before offset: Int) -> [EntityName] {
    offset <= base
      ? Array(emitted.prefix(max(0, offset))) : emitted + ready.prefix(offset - base).map { EntityName($0) }
  }

  mutating func add(_ items: [MergedItem]) {
    // Avoids a copy in the usual case.
    if ready.isEmpty { ready = items } else { ready += items }
  }

  /// The entities from an offset on, which must not be less than `base`.
  func page(from offset: Int, limit: Int) -> [MergedItem] {
    offset == base && ready.count <= limit ? ready : Array(ready.dropFirst(offset - base).prefix(limit))
  }

  /// Removes the entities before an offset, and keeps only their names.
  package mutating func drop(before offset: Int) {
    let count = min(max(0, offset - base), ready.count)
    for index in 0..<count { emitted.append(EntityName(ready[index])) }
    // The page shares the array, so removing elements would copy it.
    if count == ready.count { ready = [] } else { ready.removeFirst(count) }
    base += count
  }
}

extension SearchSession.Part {
  /// Records the progress of a search, after which a number of items of the list are placed.
  mutating func update(_ state: ProviderProgress.State, list: RankedList, used: Int) {
    let hasAdvanced = state.items.count > pending.count
    self = state.part
    if state.isAsked { failures = !state.outcome.state.isFailure || hasAdvanced ? 0 : failures + 1 }
    pending = Array(list.items.dropFirst(used))
    self.used += used
    isEnded =
      isEnded || state.outcome.isSortApproximate && self.used + pending.count >= RankFusion.window
    total = state.outcome.total
    exclusion = state.outcome.state.isExcluded ? state.outcome.error : nil
  }
}

/// The names and relations of an entity of an earlier page.
struct EntityName: Hashable, Sendable {
  var kind: ResultKind
  var id: String
  var forgeID: String?
  /// Other ids of the entity; `nil` for none.
  var aliases: [String]?
  /// The entities that it refers to; `nil` for none.
  var related: [RelatedEntity]?
  /// The root commits of its history; `nil` if unknown, and for forks, which are not related by history.
  var roots: [String]?
}

extension EntityName {
  init(_ item: MergedItem) {
    kind = item.result.kind
    id = item.result.id
    forgeID = item.result.forgeID
    var others = item.fieldObservations == nil ? [] : item.aliases
    others += item.result.filePlaces
    aliases = others.isEmpty ? nil : others
    related = item.result.related.isEmpty ? nil : item.result.related
    roots = item.result.familyRoots
  }
}
