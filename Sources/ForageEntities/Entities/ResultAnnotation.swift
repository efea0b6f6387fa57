import ForageClones
package import ForageCore
import ForageGit
import ForageLocal
package import ForageSetup
import ForageStore
import Synchronization

/// Adds to results what is known of them on this machine: the folders of their clones, whether they are
/// favorites, whether they are starred, and, where no forge was asked, how many stars they had at last.
package final class ResultAnnotation: Sendable {
  private let forage: Forage
  private let isQuiet: Bool
  /// The messages written so far, each only once.
  private let reported = Mutex<Set<String>>([])

  /// The favorites among the results, as the store has them.
  private let known = Mutex<[String: Favorite]>([:])

  /// - Parameter isQuiet: Whether a failure of the store has been reported already.
  package init(_ forage: Forage, isQuiet: Bool = false) {
    self.forage = forage
    self.isQuiet = isQuiet
  }

  /// The time for the store when the deadline has passed: it takes a few milliseconds unless it is locked.
  private static let leastTime: Duration = .milliseconds(40)

  private static let fields: [ResultField] = [.path, .paths, .rootCommits, .favorite, .starred, .stars]

  /// Annotates a merged list, also with clones that the local provider did not or could not rank.
  ///
  /// - Parameter deadline: When the list must be there. Where the store takes longer, the list stays as it
  ///   is, with a warning.
  package func annotate(_ result: inout FederatedResult, until deadline: ContinuousClock.Instant) async {
    guard !result.items.isEmpty else { return }
    // The looked-up fields alone, because a result with all its fields would be copied as soon as one is set.
    let plain = result.items.map { item in
      var plain = SearchResult(
        id: item.result.id, forgeID: item.result.forgeID, kind: item.result.kind, title: item.result.title)
      for field in Self.fields { plain[field] = item.result[field] }
      return plain
    }
    // The provider of the clones has the same store, and reports what is wrong with it.
    reported.withLock { $0.formUnion(result.outcomes.compactMap(\.error?.message)) }
    let lookUp: @Sendable () -> (results: [SearchResult], hasMore: Bool) = { [self] in
      var results = plain
      let hasMore = annotate(&results)
      return (results, hasMore)
    }
    let annotated: (results: [SearchResult], hasMore: Bool)?
    do {
      // Without a store nothing is waited for.
      annotated =
        forage.store.isMissing
        ? lookUp() : try await Deadline.run(until: max(deadline, .now + Self.leastTime), lookUp)
    } catch {
      // The command was interrupted.
      return
    }
    guard let (results, hasMore) = annotated else {
      return warn("there was no time left", hint: forage.reporter.text(.allowTime))
    }
    for index in results.indices {
      for field in Self.fields where results[index][field] != plain[index][field] {
        result.items[index].result[field] = results[index][field]
      }
    }
    if hasMore { result.relateItems() }
  }

  /// Annotates a list; where the store fails, it stays as it is, with a warning.
  ///
  /// - Returns: Whether clones have added first commits, so that more results may be related.
  @discardableResult
  package func annotate(_ results: inout [SearchResult]) -> Bool {
    addEarlierStars(to: &results)
    return addMarks(to: &results)
  }

  /// Adds what the store knows, and the marks of stars.
  private func addMarks(to results: inout [SearchResult]) -> Bool {
    if FileAccess.isDirectory(forage.paths.starsFolder) { StarMarks(forage).mark(&results) }
    do throws(StoreError) {
      let store = try forage.store.existing()
      var (clones, favorites) = ([String: [CloneRecord]](), [String: Favorite]())
      if let store {
        let ids = results.map(\.id)
        clones = try store.clones(ofEntities: ids)
        if try RepositoryNames(forage).learn(results, clones, in: store) {
          clones = try store.clones(ofEntities: ids)
        }
        favorites = try store.favorites(of: ids)
      }
      known.withLock { $0.merge(favorites) { _, new in new } }
      var hasMore = false
      for index in results.indices {
        if let found = clones[results[index].id] {
          results[index].addClones(found.map(\.path))
          if results[index].addRoots(found.compactMap(\.rootCommit)) { hasMore = true }
        }
        results[index].set(.favorite, favorites[results[index].id] != nil)
      }
      return hasMore
    } catch {
      warn(error.message, hint: error.hint)
      return false
    }
  }

  /// Annotates the result of a page, which shows the stars of now or none.
  package func annotate(_ result: inout SearchResult) {
    var results = [result]
    _ = addMarks(to: &results)
    result = results[0]
  }

  /// Adds the stars of an earlier answer to repositories of which no forge told them now.
  private func addEarlierStars(to results: inout [SearchResult]) {
    let places = results.indices.filter { results[$0].kind == .repo && results[$0][.stars] == nil }
    guard !places.isEmpty else { return }
    let facts = forage.knownRepositories.facts(of: Set(places.map { results[$0].id }))
    for index in places {
      results[index].set(.stars, facts[results[index].id]?.stars)
    }
  }

  /// Remembers what was shown: the facts of repositories, also of favorites, and what is starred.
  ///
  /// The store is written only where a favorite has changed, and only without waiting for others.
  ///
  /// - Parameters:
  ///   - answers: What was shown, with the ids of the providers that told it.
  ///   - providers: As for ``SearchReport/remember(everyStarOf:)``.
  package func remember(
    _ answers: [(result: SearchResult, providers: [String])], everyStarOf providers: [String] = []
  ) {
    let results = answers.map(\.result)
    let starred = Dictionary(
      results.filter { $0.kind == .repo }.compactMap { item in item[.starred]?.flag.map { (item.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    if !starred.isEmpty || !providers.isEmpty {
      StarMarks(forage).record(starred, everyOf: providers)
    }
    let told = results.filter(\.isReportedByForge)
    forage.knownRepositories.record(told.compactMap(KnownRepositories.Facts.init))
    forage.recordSSHHosts(ofForges(answers))
    let favorites = known.withLock { $0 }
    let changed = told.compactMap { favorites[$0.id]?.refreshed(by: $0) }
    guard !changed.isEmpty else { return }
    do throws(StoreError) {
      try forage.store.existing()?.refreshFavorites(changed)
    } catch {
      forage.reporter.trace?("favorites were not updated: " + error.message)
    }
  }

  /// The repositories of which their own forge has told, and nobody else but a clone: by the host for SSH that
  /// another one names, the names of private clones would be sent to a forge.
  private func ofForges(_ answers: [(result: SearchResult, providers: [String])]) -> [SearchResult] {
    var known: [[String]: Bool] = [:]
    func isForge(_ id: String, _ host: String) -> Bool {
      let isForge = known[[id, host]] ?? forage.isForge(id, at: host)
      known[[id, host]] = isForge
      return isForge
    }
    return answers.compactMap { result, providers in
      guard result.kind == .repo, result[.sshURL] != nil, let host = result[.host]?.text, !providers.isEmpty,
        providers.allSatisfy({ $0 == BuiltInProvider.clonesID || isForge($0, host) })
      else { return nil }
      return result
    }
  }

  private func warn(_ message: String, hint: String) {
    guard !isQuiet, reported.withLock({ $0.insert(message).inserted }) else { return }
    forage.reporter.warning("clones and favorites could not be looked up: " + message, hint)
  }

  /// The favorites, the newest first.
  ///
  /// - Parameter deadline: When they must have been read.
  /// - Throws: `ForageError` when there are none, or when the store is locked for longer.
  package func favorites(until deadline: ContinuousClock.Instant) async throws -> [SearchResult] {
    let known = try await Deadline.run(until: deadline) { [forage] in try Favorites(forage).list() }
    guard let favorites = known else {
      throw ForageError(
        "the favorites could not be read: the store is in use by another process",
        hint: "try again in a moment", code: .failed)
    }
    guard !favorites.isEmpty else {
      throw ForageError(
        "there are no favorites", .addFavorite, code: .nothingFound)
    }
    return favorites
  }
}

extension KnownRepositories.Facts {
  /// What a forge has told of a repository; `nil` for other results.
  fileprivate init?(_ result: SearchResult) {
    guard result.kind == .repo, let stars = result[.stars]?.number else { return nil }
    let title = result.title
    guard result.id.hasSuffix("/" + title.lowercased()) else { return nil }
    self.init(
      name: result.id.dropLast(title.count) + title, stars: stars, topics: result[.topics]?.texts ?? [])
  }
}

extension SearchResult {
  /// Adds the folders of clones; one folder is the path, several are listed as well.
  package mutating func addClones(_ found: [String]) {
    if self[.path] == nil { set(.path, found.first) }
    if found.count > 1 { set(.paths, found) }
  }
}

extension SearchResult {
  /// Whether it is from a forge or another site, not from a clone alone: of a clone no more than the stars of
  /// an earlier answer is known.
  package var isReportedByForge: Bool {
    guard kind == .repo else { return true }
    return self[.stars] != nil && (self[.path] == nil || self[.forks] != nil || self[.createdAt] != nil)
  }
}
