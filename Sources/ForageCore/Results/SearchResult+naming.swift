extension SearchResult {
  /// The id of an entity that only has an id of its provider's own and an address.
  ///
  /// A repository is named by its address, so that it is the same entity wherever it was found; everything else, and a repository whose
  /// address names none, by the provider and its id there.
  ///
  /// - Parameters:
  ///   - kind: The kind of thing.
  ///   - url: Where a person can look at it.
  ///   - provider: The provider's id.
  ///   - ownID: The provider's own id of the entity.
  public static func id(_ kind: ResultKind, at url: String?, provider: String, ownID: String) -> String {
    if kind == .repo, let name = url.flatMap(RepositoryIdentity.repository) { return name }
    return provider + ":" + ownID
  }
}
