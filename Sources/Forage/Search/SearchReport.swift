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
  /// Whether only clones have answered, so that names in the query are those of clones.
  package var isOfClonesAlone: Bool {
    let answers = outcomes.filter(\.state.isAnswer)
    return !answers.isEmpty && answers.allSatisfy { $0.id == BuiltInProvider.clonesID }
  }

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

  /// Remembers what was shown, for later commands: facts of repositories, those of favorites too, and what is
  /// starred.
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
