import ForageCore

/// What a provider says of itself.
struct Declaration: Sendable {
  let info: ProviderInfo
  let kinds: [ResultKind: Abilities]
  /// The kinds of entities that it has details of; empty for a provider without details.
  let detailedKinds: Set<ResultKind>
  /// Whether it has the function for feeds.
  let canHaveFeeds: Bool

  init(_ provider: any SearchProvider) {
    info = provider.info
    kinds = provider.kinds
    detailedKinds = (provider as? any DetailsProvider)?.detailedKinds ?? []
    canHaveFeeds = provider is any FeedProvider
  }
}

extension Declaration {
  /// All properties as text, to compare two declarations.
  var properties: [(name: String, value: String)] {
    var result: [(name: String, value: String)] = [
      ("id", info.id), ("name", info.name), ("group", info.group),
      ("hosts", info.hosts.joined(separator: ", ")),
      ("detailedKinds", detailedKinds.map(\.rawValue).sorted().joined(separator: ", ")),
      ("timeLimit", info.timeLimit.map { "\($0)" } ?? "none"),
      (
        "vocabulary",
        info.vocabulary.map { "\($0.name) \($0.type) \($0.field?.rawValue ?? "")" }.joined(separator: ", ")
      ),
      ("kinds", kinds.keys.map(\.rawValue).sorted().joined(separator: ", ")),
    ]
    for (kind, abilities) in kinds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let pushes = abilities.qualifiers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.rawValue)" }
      let properties = [
        ("qualifiers", pushes.joined(separator: ", ")),
        ("fields", abilities.fields.map(\.rawValue).sorted().joined(separator: ", ")),
        ("sorts", abilities.sorts.joined(separator: ", ")), ("booleans", String(abilities.booleans)),
        ("needsText", String(abilities.needsText)), ("needsToken", String(abilities.needsToken)),
        ("maximumPageSize", String(abilities.maximumPageSize)),
        ("reachable", abilities.reachable.map(String.init) ?? "all"),
        ("feed", abilities.feed.map { "by " + $0.sorts.joined(separator: ", ") } ?? "none"),
      ]
      result += properties.map { (name: kind.rawValue + " " + $0.0, value: $0.1) }
    }
    return result
  }
}
