public import ForageClones
public import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
public import ForageSetup
import ForageStore

/// One entity, stars, favorites, and cloning what is named.
extension Forage {
  /// Shows everything known about one entity: from its forge, the catalogue and its clone.
  ///
  /// - Parameters:
  ///   - reference: `owner/name`, `owner/name#12`, `owner/name@COMMIT` or `@login`, each with a host in front
  ///     or not, a URL, or the path of a clone.
  ///   - providers: The ids of the providers to ask, none for all that are enabled.
  ///   - comments: How many of the last comments of an issue are read.
  ///   - timeout: How long the providers and the inspection may take.
  /// - Throws: ``ForageError`` for a reference that names nothing, and where nothing is known of it.
  public func show(
    _ reference: String, providers: [String] = [], comments: Int = 0,
    timeout: Duration = SearchOptions.defaultTimeout
  ) async throws -> EntityRecord {
    try await throwingPublicErrors {
      let lookup = try EntityLookup(self, providers: providers)
      let answer = try await lookup.answer(
        try await lookup.target(reference), sections: InspectionSection.standard, within: timeout)
      lookup.reportMissing(answer)
      let record = try await lookup.record(of: answer, comments: comments, within: timeout)
      lookup.remember(answer)
      return record
    }
  }

  /// Stars a repository on its forge; needs a token.
  ///
  /// - Parameters:
  ///   - reference: As for ``show(_:providers:comments:timeout:)``.
  ///   - timeout: How long the forge may take.
  /// - Throws: ``ForageError`` for what is no repository on a forge; `SearchError` where the forge refuses;
  ///   `CancellationError`, after which the star may be set or not.
  public func star(_ reference: String, timeout: Duration = SearchOptions.defaultTimeout) async throws {
    try await change(.add, reference, timeout)
  }

  /// Removes the star of a repository; otherwise as ``star(_:timeout:)``.
  public func unstar(_ reference: String, timeout: Duration = SearchOptions.defaultTimeout) async throws {
    try await change(.remove, reference, timeout)
  }

  private func change(_ change: StarChange, _ reference: String, _ timeout: Duration) async throws {
    try await throwingPublicErrors {
      let starring = try Starring(self)
      let named = try await ReferenceReader(self).reference(reference)
      try await starring.change(change, of: try starring.repository(named, change), within: timeout)
    }
  }

  /// The favorites on this machine, the newest first.
  ///
  /// - Throws: ``ForageError`` where the store cannot be read.
  public func favorites() async throws -> [SearchResult] {
    try await throwingPublicErrors { try Favorites(self).list() }
  }

  /// Adds a favorite.
  ///
  /// - Parameter reference: As for ``show(_:providers:comments:timeout:)``.
  /// - Returns: Whether it is new.
  /// - Throws: ``ForageError`` for a reference that names nothing, and where the store cannot be written.
  @discardableResult
  public func addFavorite(_ reference: String) async throws -> Bool {
    try await throwingPublicErrors {
      try Favorites(self).add(try await ReferenceReader(self).reference(reference)).isNew
    }
  }

  /// Removes a favorite.
  ///
  /// - Parameter reference: As for ``show(_:providers:comments:timeout:)``, or the id of the favorite, also
  ///   when what it names is gone.
  /// - Returns: Whether it was one.
  /// - Throws: As ``addFavorite(_:)``.
  @discardableResult
  public func removeFavorite(_ reference: String) async throws -> Bool {
    try await throwingPublicErrors {
      let favorites = Favorites(self)
      if try favorites.ids().contains(reference) { return try favorites.remove(reference) }
      return try favorites.remove(try await ReferenceReader(self).reference(reference).id)
    }
  }

  /// Clones repositories with the git program, several at once, and adds them to the catalogue.
  ///
  /// They are placed in `HOST/OWNER/NAME` below the folder of the settings; what is cloned already is left
  /// alone.
  ///
  /// - Parameters:
  ///   - references: As for ``show(_:providers:comments:timeout:)``; what is in a repository names the
  ///     repository.
  ///   - extent: How much of each is cloned.
  ///   - ended: Takes each result as soon as it is known.
  /// - Returns: The results in the order of the references.
  /// - Throws: ``ForageError`` for a reference that names no repository, for a folder that cannot be used,
  ///   and where there is no git program; what `ended` throws; `CancellationError`.
  @discardableResult
  public func clone(
    _ references: [String], _ extent: CloneExtent = CloneExtent(),
    ended: (CloneResult) throws -> Void = { _ in }
  ) async throws -> [CloneResult] {
    try await throwingPublicErrors {
      let cloning = try Cloning(self, extent)
      let reader = ReferenceReader(self)
      var sources: [CloneSource] = []
      for reference in references {
        for source in try await cloning.sources(reference, reader)
        where !sources.contains(where: { $0.id == source.id }) {
          sources.append(source)
        }
      }
      let results = try await cloning.run(sources, ended: ended) ?? []
      try Task.checkCancellation()
      return results
    }
  }
}
