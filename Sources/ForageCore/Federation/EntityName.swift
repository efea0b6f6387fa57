/// What is kept of an entity that has been given out on an earlier page: its names, and what it has to do with others.
struct EntityName: Hashable, Sendable, Codable {
  var kind: ResultKind
  var id: String
  var forgeID: String?
  /// Other ids by which providers know it; `nil` for none.
  var aliases: [String]?
  /// What it says that it belongs to; `nil` for nothing.
  var related: [RelatedEntity]?
  /// The commits that its history begins with; `nil` where they are not known, and for forks, which are not related by history.
  var roots: [String]?
}

extension EntityName {
  /// What is to be kept of an entity.
  init(_ item: MergedItem) {
    kind = item.result.kind
    id = item.result.id
    forgeID = item.result.forgeID
    if item.fieldObservations != nil {
      let others = item.aliases
      aliases = others.isEmpty ? nil : others
    }
    related = item.result.related.isEmpty ? nil : item.result.related
    roots = item.result.familyRoots
  }
}
