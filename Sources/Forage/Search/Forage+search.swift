import ForageCore

/// Searches, and lists without a query.
extension Forage {
  /// Searches all chosen providers and merges their results.
  ///
  /// - Parameters:
  ///   - query: Words and qualifiers, in GitHub's search syntax.
  ///   - options: How the search is made.
  /// - Returns: The updates of the search, which begins at once. It ends when nobody reads them any more.
  public func search(_ query: String, _ options: SearchOptions = SearchOptions()) -> SearchUpdates {
    updates(options) { try $0.search(query) }
  }

  /// Lists what the providers offer without a query: stars, clones with new commits, and others.
  ///
  /// - Returns: As for ``search(_:_:)``.
  public func feed(_ options: SearchOptions = SearchOptions()) -> SearchUpdates {
    updates(options) { try $0.feed() }
  }

  private func updates(
    _ options: SearchOptions, _ search: @escaping @Sendable (SearchRunner) throws -> FederatedSearch
  ) -> SearchUpdates {
    SearchUpdates { stream in
      let forage = reporting(to: stream.reporter)
      return running.start {
        await stream.send {
          let runner = try SearchRunner(options, forage)
          return try await runner.run(try search(runner), event: stream.send)
        }
      }
    }
  }
}
