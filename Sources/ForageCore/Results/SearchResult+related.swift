extension SearchResult {
  /// Says that the entity has to do with the repository at an address: what it mirrors, is a package of, or links to.
  ///
  /// The repository is named by its canonical id; what leads into it (`/tree/main/Sources`) is cut off. Itself and what is known already are left
  /// out, and so are links to hosts that are not known as forges: most of them lead to articles.
  ///
  /// - Parameters:
  ///   - address: Any clone or web address; absent ones and those that name no repository are left out.
  ///   - why: What the two have to do with each other.
  public mutating func relate(to address: String?, _ why: RelatedEntity.Reason) {
    // An address names its host, so there is none to fall back on.
    guard let address, let other = EntityReference(address, defaultHost: ""), !other.host.isEmpty,
      let repository = other.repositoryID, repository != id,
      why != .link || RepositoryIdentity.ignoresCase(other.host)
    else { return }
    let claim = RelatedEntity(id: repository, why: why)
    if !related.contains(claim) { related.append(claim) }
  }

  /// The commits by which the entity is related to others: none of a fork, which begins like everything in its network.
  var familyRoots: [String]? {
    guard let roots = fields[.rootCommits]?.texts, fields[.fork]?.flag != true else { return nil }
    return roots.isEmpty ? nil : roots
  }
}

extension RelatedEntity {
  /// Relations in the order in which they are told: by the bytes of the id, then of the reason, each once.
  static func ordered(_ relations: [RelatedEntity]) -> [RelatedEntity] {
    guard relations.count > 1 else { return relations }
    return Set(relations).sorted { a, b in
      a.id == b.id
        ? a.why.rawValue.bytesPrecede(b.why.rawValue)
        : a.id.bytesPrecede(b.id)
    }
  }
}
