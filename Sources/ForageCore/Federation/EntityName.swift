/// The names and relations of an entity of an earlier page.
struct EntityName: Hashable, Sendable, Codable {
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
  /// Extracts the names of an item.
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
