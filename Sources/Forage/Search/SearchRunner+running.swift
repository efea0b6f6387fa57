package import ForageCore
import ForageLocal

/// A search that runs, from the providers that are asked to the annotated result.
extension SearchRunner {
  /// Asks the providers.
  ///
  /// A cancelled search ends with what was found before.
  ///
  /// - Parameters:
  ///   - search: What to ask; the time that is left is set here.
  ///   - event: Takes the events of the search, on any thread.
  /// - Throws: `ForageError` where there are no favorites.
  package func run(
    _ search: FederatedSearch, event: (@Sendable (SearchEvent) -> Void)? = nil
  ) async throws -> SearchReport {
    let annotation = ResultAnnotation(forage)
    let deadline = start + timeout
    var search = search
    var registry = choice.registry
    if options.onlyFavorites {
      let favorites = try await annotation.favorites(until: deadline)
      if !search.isFeed, let items = known(favorites) {
        registry = ProviderRegistry([FavoritesProvider(items: items, query: search.query)])
      } else {
        let ids = Set(favorites.map(\.id))
        search.filter = ResultFilter(name: "favorites") { ids.contains($0.id) }
      }
    }
    if registry[LocalProvider.id] != nil {
      try await ClonePreparation(forage).scanWhatIsNew(within: timeout / 2)
      if let root = search.query?.root { search.query?.root = findingClones(root) }
    }
    search.timeout = max(.milliseconds(1), timeout - (ContinuousClock.now - start))
    let run = SearchRun(search, registry)
    var result = await run.more(observer: event)
    let lacking = forges(among: result.outcomes, lackingWhatIsNamedIn: search.query)
    if !lacking.isEmpty { result = await run.excluding(lacking, from: result) }
    noteRepositoriesWithoutClone(&result.outcomes, search.query)
    warnOfSecrets(result.outcomes)
    forage.network.reportCacheProblems()
    if let sample = options.sample { (result.items, result.hasMore) = (sample.chosen(result.items), false) }
    await annotation.annotate(&result, until: deadline)
    return SearchReport(result, of: search, by: run, annotation)
  }

  /// Asks the providers as ``run(_:event:)``, in a task of its own that ends with the sequence of
  /// updates; waits go to the reporter.
  package func updates(_ search: FederatedSearch) -> SearchUpdates {
    SearchUpdates { stream in
      Task { await stream.send { try await run(search, event: stream.send) } }
    }
  }

  /// The favorites that the chosen providers know first-hand, whose stored facts answer a search.
  ///
  /// - Returns: `nil` where the providers themselves have to be asked: for their answers, and where a named
  ///   one knows things of others.
  private func known(_ favorites: [SearchResult]) -> [SearchResult]? {
    guard !choice.named.isEmpty else { return favorites }
    let named = choice.named.compactMap { choice.registry[$0]?.provider.info }
    guard !options.keepsAnswers, named.allSatisfy({ !$0.hosts.isEmpty }) else { return nil }
    let prefixes = named.flatMap { info in info.hosts.map { $0 + "/" } + [info.id + ":"] }
    return favorites.filter { favorite in prefixes.contains(where: favorite.id.hasPrefix) }
  }

  /// The forges that lack the one repository or owner in which a query searches, and take no part where
  /// another one has it: a name without a host can be meant for any. Of a forge that the user named its lack
  /// counts.
  ///
  /// - Returns: The places of their outcomes.
  private func forges(among outcomes: [ProviderOutcome], lackingWhatIsNamedIn query: Query?) -> [Int] {
    let places = (query?.root.leaves ?? []).compactMap { leaf -> Qualifier? in
      guard case .qualifier(let qualifier) = leaf.expression, !leaf.isNegated,
        ["repo", "org", "user", "owner"].contains(qualifier.name)
      else { return nil }
      return qualifier
    }
    guard places.count == 1, let place = places.first else { return [] }
    let kinds = Set(
      outcomes.filter {
        // Of an owner an empty list need not say that it is there, nor does a list that was only filtered by
        // a name.
        $0.state.isAnswer && !$0.residual.contains(place.name) && (place.name == "repo" || $0.returned > 0)
          && choice.registry[$0.id]?.provider is any ForgeProvider
      }.map(\.kind))
    return outcomes.indices.filter { index in
      let outcome = outcomes[index]
      guard outcome.state == .failed, let error = outcome.error else { return false }
      return kinds.contains(outcome.kind) && [.notFound, .invalidQuery].contains(error.code)
        && error.subject == place.valueText && !choice.named.contains(outcome.id)
    }
  }

  /// Says which repositories of a query for code were not searched, because only clones were, and of these
  /// there is none: the forges have no code search.
  private func noteRepositoriesWithoutClone(_ outcomes: inout [ProviderOutcome], _ query: Query?) {
    let answers = outcomes.indices.filter { outcomes[$0].kind == .code && outcomes[$0].state.isAnswer }
    guard let place = answers.first, answers.count == 1, outcomes[place].id == LocalProvider.id,
      outcomes.contains(where: \.isInClones)
    else { return }
    let named = (query?.root.leaves ?? []).compactMap { leaf -> Qualifier? in
      guard case .qualifier(let qualifier) = leaf.expression, case .text = qualifier.value,
        qualifier.name == "repo", !leaf.isNegated
      else { return nil }
      return qualifier
    }
    var seen: Set<String> = []
    let different = named.filter { seen.insert($0.value.texts.joined().lowercased()).inserted }
    let missing = different.filter { !hasClone($0) }.flatMap(\.value.texts)
    // Where none is cloned nothing is found, which says so itself.
    guard let first = missing.first, missing.count < different.count else { return }
    let note = Note(
      .incompleteSearch,
      "no clone of \(missing.joined(separator: ", ")) was searched, and no forge that was asked has searched it",
      hint: "clone \(first), and search again")
    if outcomes[place].state == .ok {
      outcomes[place].state = .partial
      outcomes[place].error = SearchError(note.code, note.message, hint: note.hint)
    } else {
      outcomes[place].notes.append(note)
    }
  }

  /// Warns about missing secrets of the providers that were asked; one whose answer needs its secret has said
  /// so itself.
  private func warnOfSecrets(_ outcomes: [ProviderOutcome]) {
    // Secrets are bound in the settings.
    guard !settings.providers.isEmpty else { return }
    let told = outcomes.filter { $0.state == .unauthorized }.map(\.id)
    let asked = outcomes.filter { $0.state != .unsupported && !told.contains($0.id) }
    forage.warnOfSecrets(asked.map(\.id), settings)
  }
}
