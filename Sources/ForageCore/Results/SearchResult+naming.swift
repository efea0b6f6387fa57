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
  /// revision; `nil` for other kinds.
  var filePlace: String? {
    guard kind == .code, let repository = fields[.repository]?.text, let path = fields[.path]?.text else {
      return nil
    }
    return repository + ":" + path
  }
}
