extension SearchResult {
  /// Derives the canonical id of an entity from its address and its id at the provider.
  ///
  /// A repository is identified by its address, so that it is the same entity for every provider. Any other
  /// entity, and a repository whose address names none, is identified by the provider and its id there.
  ///
  /// - Parameters:
  ///   - kind: The kind of the entity.
  ///   - url: The address of its web page.
  ///   - provider: The provider's id.
  ///   - ownID: The entity's id at the provider.
  public static func id(_ kind: ResultKind, at url: String?, provider: String, ownID: String) -> String {
    if kind == .repo, let name = url.flatMap(RepositoryIdentity.repository) { return name }
    return provider + ":" + ownID
  }
}

extension SearchResult {
  /// The repository and path of a file, by which files of different providers are one entity whatever their
  /// revision, and those of the other places with the same content; empty for other kinds.
  var filePlaces: [String] {
    guard kind == .code else { return [] }
    let own = Self.place(fields[.repository], fields[.path])
    let others = fields[.places]?.elements.lazy.compactMap { Self.place($0["repository"], $0["path"]) }
    return (own.map { [$0] } ?? []) + (others.map(Array.init) ?? [])
  }

  private static func place(_ repository: FieldValue?, _ path: FieldValue?) -> String? {
    guard let repository = repository?.text, let path = path?.text else { return nil }
    return repository + ":" + path
  }

  /// The fields as they are at another place with the same content, which changes places with the own one; unchanged
  /// if `result` is at none of them.
  func fields(atPlaceOf result: SearchResult) -> [ResultField: FieldValue] {
    guard kind == .code, var places = fields[.places]?.elements,
      let wanted = Self.place(result.fields[.repository], result.fields[.path]),
      Self.place(fields[.repository], fields[.path]) != wanted,
      let index = places.firstIndex(where: { Self.place($0["repository"], $0["path"]) == wanted })
    else { return fields }
    var moved = fields
    var own: [String: FieldValue] = [:]
    for field in [ResultField.repository, .path, .ref, .commit, .file] {
      own[field.rawValue] = fields[field]
      moved[field] = places[index][field.rawValue]
    }
    places[index] = .record(own)
    moved[.places] = .items(places)
    return moved
  }
}
