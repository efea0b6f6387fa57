import ForageCore

/// The favorites on this machine, with the facts that were known when they were last seen.
struct FavoritesProvider: SearchProvider {
  static let id = "favorites"

  /// The favorites, the newest first.
  let items: [SearchResult]

  let info = ProviderInfo(id: id)

  let kinds: [ResultKind: Abilities] = {
    let sorts = ["stars", "forks", "updated", "pushed", "created", "size", "comments", "name"]
    // All conditions are checked on the facts.
    let abilities = Abilities(
      fields: Set(ResultField.order), text: .unsupported,
      // These read no single field.
      qualifiers: ["is": .inexact, "in": .inexact], sorts: sorts, booleans: true, needsText: false,
      maximumPageSize: 10_000)
    return Dictionary(uniqueKeysWithValues: ResultKind.known.map { ($0, abilities) })
  }()

  func search(_ request: SearchRequest) async throws -> SearchPage {
    var found = items.filter { $0.kind == request.kind }
    // When they were added belongs to the list of favorites alone.
    for index in found.indices { found[index][.addedAt] = nil }
    if let sort = request.sort { found = ResultOrder.sorted(found, by: sort, order: request.order) }
    return SearchPage(items: found, total: ResultTotal(found.count))
  }
}
