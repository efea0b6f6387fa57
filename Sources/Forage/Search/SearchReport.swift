public import ForageCore

/// A part of the merged result of a search.
public struct SearchReport: Sendable {
  package var result: FederatedResult
  package let search: FederatedSearch
  /// The running search; `nil` for results of none.
  private let run: SearchRun?
  /// What remembers the results; `nil` for those of no search.
  private let annotation: ResultAnnotation?

  package init(
    _ result: FederatedResult, of search: FederatedSearch, by run: SearchRun? = nil,
    _ annotation: ResultAnnotation? = nil
  ) {
    (self.result, self.search, self.run, self.annotation) = (result, search, run, annotation)
  }

  /// The merged list, best first, without duplicates.
  public var items: [MergedItem] { result.items }
  /// The outcome for each provider and kind, in the order of the providers.
  public var outcomes: [ProviderOutcome] { result.outcomes }
  /// Whether no results are missing except by the limit.
  public var isComplete: Bool { result.isComplete }
  /// The number of results before the part.
  public var offset: Int { result.offset }
  /// Whether results may follow.
  public var hasMore: Bool { result.hasMore }

  /// Continues the search.
  ///
  /// - Parameters:
  ///   - limit: The number of results wanted; `nil` for as many as before.
  ///   - timeout: The time limit; `nil` for the usual one.
  /// - Returns: The results after those of the report, as soon as they are there; `nil` where nothing
  ///   follows.
  public func more(limit: Int? = nil, timeout: Duration = SearchOptions.defaultTimeout) async -> SearchReport?
  {
    hasMore ? await part(from: offset + items.count, limit: limit, timeout: timeout) : nil
  }

  /// Another part of the same list.
  ///
  /// - Parameters:
  ///   - offset: The number of results before it, at most as many as were returned so far.
  ///   - limit: As for ``more(limit:timeout:)``, as is the time limit.
  /// - Returns: `nil` for results of no search.
  package func part(
    from offset: Int, limit: Int? = nil, timeout: Duration = SearchOptions.defaultTimeout
  ) async -> SearchReport? {
    guard let run else { return nil }
    let deadline = ContinuousClock.now + timeout
    var result = await run.part(from: offset, limit: limit, timeout: timeout)
    await annotation?.annotate(&result, until: deadline)
    return SearchReport(result, of: search, by: run, annotation)
  }

  /// Remembers what was shown: the facts of favorites, and what is starred.
  ///
  /// - Parameter providers: The ids of those of which the list has every star of the token's account.
  package func remember(everyStarOf providers: [String] = []) {
    annotation?.remember(
      result.items.map { ($0.result, $0.sources.map(\.provider)) }, everyStarOf: providers)
  }
}

/// An event of a running search.
public enum SearchUpdate: Sendable {
  /// The search began, or a provider delivered results or ended.
  case event(SearchEvent)
  /// A provider waits for a rate limit.
  case waiting(provider: String, duration: Duration)
  /// Something that does not end the search and that a person may want to know, with what to do about it.
  case warning(message: String, hint: String)
  /// The search ended; the last update.
  case finished(SearchReport)
}

/// The updates of a running search, in the order in which they happen; ``SearchUpdate/finished(_:)`` is the
/// last.
///
/// Iterating throws what ends the search: ``ForageError`` for options that cannot be used, `QueryError` for a
/// query that cannot be read, and `CancellationError` when the iterating task is cancelled or
/// ``Forage/Forage/close()`` ends the search. What goes wrong with a provider is no error: its outcome says
/// it. They can be iterated once.
public struct SearchUpdates: AsyncSequence, Sendable {
  /// An iterator of updates.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncThrowingStream<SearchUpdate, any Error>.AsyncIterator

    /// The next update, `nil` behind the last.
    public mutating func next() async throws -> SearchUpdate? {
      if let update = try await base.next(isolation: #isolation) { return update }
      try Task.checkCancellation()
      return nil
    }
  }

  private let stream: AsyncThrowingStream<SearchUpdate, any Error>

  /// - Parameter start: Starts the task that sends the updates; it is cancelled when nobody reads them any
  ///   more.
  init(_ start: (AsyncThrowingStream<SearchUpdate, any Error>.Continuation) -> Task<Void, Never>) {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: SearchUpdate.self)
    self.stream = stream
    let task = start(continuation)
    continuation.onTermination = { _ in task.cancel() }
  }

  /// Starts to iterate.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }

  /// Waits for the end of the search.
  ///
  /// - Returns: The merged result.
  /// - Throws: As iterating.
  public func report() async throws -> SearchReport {
    for try await update in self {
      if case .finished(let report) = update { return report }
    }
    throw CancellationError()
  }
}

extension AsyncThrowingStream<SearchUpdate, any Error>.Continuation {
  /// Sends what a search ends with.
  func send(_ search: () async throws -> SearchReport) async {
    do {
      let report = try await search()
      try Task.checkCancellation()
      yield(.finished(report))
      finish()
    } catch {
      finish(throwing: ForageError.nameable(error))
    }
  }

  @Sendable func send(_ event: SearchEvent) { yield(.event(event)) }

  var reporter: Reporter {
    var reporter = Reporter()
    reporter.warning = { yield(.warning(message: $0, hint: $1)) }
    reporter.problem = reporter.warning
    reporter.waiting = { yield(.waiting(provider: $0, duration: $1)) }
    return reporter
  }
}

extension [ProviderOutcome] {
  /// Whether no provider can answer the search.
  package var areAllUnsupported: Bool { !isEmpty && allSatisfy { $0.state == .unsupported } }

  /// Whether that is said of all together: either none was named or the query is one for another kind of
  /// results.
  ///
  /// - Parameter named: The ids of the providers that the user named.
  package func areUnsupportedTogether(named: Set<String>) -> Bool {
    areAllUnsupported && (!contains { named.contains($0.id) } || contains { !$0.otherKinds.isEmpty })
  }
}

extension FederatedResult {
  /// Why nothing could be answered: each provider that was asked failed, or none can answer the search. `nil`
  /// where there is an answer, an empty one too.
  ///
  /// - Parameter named: The ids of the providers that the user named.
  package func failure(named: Set<String>) -> ForageError? {
    if outcomes.areUnsupportedTogether(named: named) { return unsupported }
    // One that was named cannot answer, or could have if it had been asked alone.
    let lacking = outcomes.first {
      named.contains($0.id) && ($0.refusesQuery || outcomes.areAllUnsupported)
    }
    if let lacking, items.isEmpty, outcomes.allSatisfy(\.state.isExcluded) {
      return ForageError(
        "\(outcomes.label(of: lacking)): \(lacking.error?.message ?? "")", hint: lacking.error?.hint ?? "",
        code: .usage)
    }
    // What clones refuse is a mistake in the query.
    let wrong = outcomes.first { outcome in
      outcome.error?.code == .unknownRef
        || outcome.id == BuiltInProvider.clonesID && outcome.error?.code == .invalidQuery
    }
    if items.isEmpty, let wrong = wrong?.error {
      return ForageError(wrong.message, hint: wrong.hint, code: .usage)
    }
    guard items.isEmpty, let first = outcomes.first(where: \.isWithoutAnswer) else { return nil }
    return ForageError(
      "\(outcomes.label(of: first)): \(first.error?.message ?? first.state.rawValue)",
      hint: first.error?.hint ?? "",
      code: outcomes.isMisconfigured ? .usage : .failed)
  }

  /// No provider can answer the search; the hint leads to one that can.
  private var unsupported: ForageError {
    // A provider without the kind takes no part, whatever the query.
    let able = outcomes.filter { !$0.lacksKind }
    let concerned = able.isEmpty ? outcomes : able
    var reasons: [String] = []
    for outcome in concerned {
      let reason = outcome.reason ?? outcome.state.rawValue
      let isShared = concerned.allSatisfy { $0.reason == outcome.reason }
      let text = isShared ? reason : "\(outcome.id): \(reason)"
      if !reasons.contains(text) { reasons.append(text) }
    }
    let kinds = outcomes.nearest?.otherKinds.map(\.rawValue) ?? []
    return ForageError(
      "no provider can answer this search: " + reasons.joined(separator: "; "),
      hint: kinds.isEmpty
        ? "change the query, or choose other providers"
        : "leave it out, or search for kinds: " + kinds.joined(separator: ", "),
      code: .usage)
  }
}

extension [ProviderOutcome] {
  /// The outcome whose other kinds are nearest to an unsupported query: the fewer kinds, the more of the
  /// query they have in common. The clones count where no other provider has any: their kinds are a part of
  /// what can be searched.
  package var nearest: ProviderOutcome? {
    let able = filter { !$0.otherKinds.isEmpty }
    let others = able.filter { $0.id != BuiltInProvider.clonesID }
    return (others.isEmpty ? able : others).min { $0.otherKinds.count < $1.otherKinds.count } ?? first
  }

  /// The name of an outcome: its provider, with the kind where its other kinds have another outcome.
  package func label(of outcome: ProviderOutcome) -> String {
    allSatisfy { $0.id != outcome.id || Self.failAlike($0, outcome) }
      ? outcome.id : "\(outcome.id) (\(outcome.kind.rawValue))"
  }

  /// Whether another kind of the same provider failed in the same way before: a server that is down is
  /// reported once.
  package func hasReported(_ outcome: ProviderOutcome) -> Bool {
    first { $0.id == outcome.id && Self.failAlike($0, outcome) }.map { $0.kind != outcome.kind } ?? false
  }

  private static func failAlike(_ a: ProviderOutcome, _ b: ProviderOutcome) -> Bool {
    a.kind == b.kind || (!a.state.isAnswer && a.state == b.state && a.error?.message == b.error?.message)
  }
}

extension ProviderOutcome {
  /// Whether it lacks a qualifier that says where to search, or was asked and does not support the query.
  fileprivate var refusesQuery: Bool {
    error?.code == .needsQualifier || error?.code == .unsupportedQuery && requests > 0
  }
}

extension ProviderOutcome {
  /// How old an old answer from the cache is, as the end of a message; `nil` for a current answer.
  package var staleness: String? {
    cache.isStale ? cache.age.map { "its answer is from the cache and \(HumanFormat.span($0)) old" } : nil
  }
}
