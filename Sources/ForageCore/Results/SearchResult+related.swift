extension SearchResult {
  /// Adds a relation to the repository at an address.
  ///
  /// The repository is identified by its canonical id, without a path inside it (`/tree/main/Sources`). The
  /// entity itself, existing relations, and links to hosts that are not known forges are ignored, since most
  /// of those lead to articles.
  ///
  /// - Parameters:
  ///   - address: A clone or web address. `nil` and addresses that name no repository are ignored.
  ///   - why: The type of relation.
  public mutating func relate(to address: String?, _ why: RelatedEntity.Reason) {
    // The address must name its host.
    guard let address, let other = EntityReference(address, defaultHost: ""), !other.host.isEmpty,
      let repository = other.repositoryID, repository != id,
      why != .link || RepositoryIdentity.ignoresCase(other.host)
    else { return }
    let claim = RelatedEntity(id: repository, why: why)
    if !related.contains(claim) { related.append(claim) }
  }

  /// The root commits by which the entity is related to others; `nil` for a fork, which shares them with its
  /// whole network.
  var familyRoots: [String]? {
    guard let roots = fields[.rootCommits]?.texts, fields[.fork]?.flag != true else { return nil }
    return roots.isEmpty ? nil : roots
  }
}

extension RelatedEntity {
  /// Relations without duplicates, ordered by the bytes of the id, then of the reason.
  static func ordered(_ relations: [RelatedEntity]) -> [RelatedEntity] {
    guard relations.count > 1 else { return relations }
    return Set(relations).sorted { a, b in
      a.id == b.id
        ? a.why.rawValue.bytesPrecede(b.why.rawValue)
        : a.id.bytesPrecede(b.id)
    }
  }
}
