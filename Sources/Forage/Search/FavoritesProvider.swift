import ForageCore

/// The favorites on this machine, with the facts that were known when they were last seen.
struct FavoritesProvider: SearchProvider {
  static let id = "favorites"

  /// The favorites, the newest first.
  let items: [SearchResult]
  /// The query, which is checked on the facts.
  var query: Query?

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
    return SearchPage(items: found, total: ResultTotal(found.count), notes: notes(on: found))
  }

  /// Says which repositories cannot fulfil the conditions of the query because nothing but their names is
  /// known.
  private func notes(on items: [SearchResult]) -> [Note] {
    let names: Set = ["repo", "user", "org", "owner"]
    let hasConditions = (query?.root.leaves ?? []).contains { leaf in
      if case .qualifier(let qualifier) = leaf.expression { !names.contains(qualifier.name) } else { false }
    }
    let unknown = items.filter { $0.kind == .repo && $0[.stars] == nil && $0[.description] == nil }
    guard hasConditions, let first = unknown.first else { return [] }
    let count = unknown.count
    return [
      Note(
        .outOfReach,
        count == 1
          ? "of \(first.title) only the name is known" : "of \(count) favorites only the names are known",
        hint: "a page of one tells what is known of it: forage show \(first.title)")
    ]
  }
}
