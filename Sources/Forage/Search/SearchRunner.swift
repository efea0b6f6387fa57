package import ForageCore
import ForageGitHub
import ForageLocal

/// Makes one search, from options to the merged and annotated result; `search`, `stars` and `feed` differ only in what they ask.
package struct SearchRunner: Sendable {
  package let options: SearchOptions
  package let choice: ProviderChoice
  /// The settings of the user, with the time limit of the search.
  package let settings: Settings
  package let federation: Federation
  let services: Services
  private let start: ContinuousClock.Instant

  private var timeout: Duration { options.timeout ?? SearchOptions.defaultTimeout }

  /// Chooses the providers; nothing is sent yet.
  ///
  /// - Parameter choose: Chooses the providers, `nil` for those of the options.
  /// - Throws: `ForageError` for options that cannot be used, and for settings that cannot be read.
  package init(
    _ options: SearchOptions, _ services: Services,
    choose: ((_ settings: Settings, _ asking: Asking) throws -> ProviderChoice)? = nil
  ) throws {
    start = ContinuousClock.now
    self.options = options
    self.services = services
    guard (1...SearchOptions.maximumLimit).contains(options.limit),
      options.timeout.map({ $0 > .zero }) ?? true
    else {
      throw ForageError(
        "a search takes a limit from 1 to \(SearchOptions.maximumLimit), and a time above 0",
        hint: "change the options of the search")
    }
    var settings = try services.settings()
    if let timeout = options.timeout { settings.commandTimeout = timeout }
    self.settings = settings
    let asking = Asking(
      cache: options.cache, named: ProviderChoice.ids(options.providers),
      reach: try Self.reach(options, services.reporter.message))
    choice = try choose.map { try $0(settings, asking) } ?? Self.choice(options, asking, settings, services)
    federation = Federation(choice.registry)
  }

  private static func choice(
    _ options: SearchOptions, _ asking: Asking, _ settings: Settings, _ services: Services
  ) throws -> ProviderChoice {
    let all = try services.registry(settings, asking)
    var choice = try ProviderChoice(names: options.providers, registry: all, installed: services.knownIDs) {
      services.isEnabled($0, settings)
    }
    if choice.named.isEmpty {
      choice.disabled = all.ids.filter {
        services.isBuiltIn($0, settings) && settings.providers[$0]?.isEnabled == false
      }
    }
    services.warnOfSecrets(choice.registry.ids, settings)
    return choice
  }

  /// How far providers read, with the id of the provider, which names it in messages.
  private static func reach(_ options: SearchOptions, _ notice: @escaping @Sendable (String) -> Void) throws
    -> @Sendable (_ provider: String) -> SearchReach
  {
    let offset = try options.after.map(SearchCursor.init)?.offset ?? 0
    let (end, overflow) = offset.addingReportingOverflow(options.limit)
    let maximum = options.maximumRequests ?? SearchReach.defaultMaximumRequests
    return { id in
      // A caller that asks for further pages gives the total that it may read.
      if options.reach > 0 { return SearchReach(wanted: options.reach, maximumRequests: maximum) }
      return SearchReach(wanted: overflow ? .max : end, offset: offset, maximumRequests: maximum) {
        results, requests in
        let (count, needed) = (HumanFormat.grouped(results), HumanFormat.grouped(requests))
        notice("\(id): \(count) results need about \(needed) requests")
      }
    }
  }

  /// Asks the providers.
  ///
  /// A cancelled search ends with what was found before.
  ///
  /// - Parameters:
  ///   - search: What to ask; the time that is left is set here.
  ///   - event: Takes the events of the federation, on any thread.
  ///   - searched: Called when the providers are done, before anything else is reported.
  /// - Throws: `ForageError` where there are no favorites, and for a cursor that cannot be continued; `SearchError` for one of another search.
  package func run(
    _ search: FederatedSearch, event: (@Sendable (SearchEvent) -> Void)? = nil,
    searched: () async -> Void = {}
  ) async throws -> SearchReport {
    let annotation = ResultAnnotation(services)
    let deadline = start + timeout
    var search = search
    if options.onlyFavorites { search.filter = try await annotation.favoritesOnly(until: deadline) }
    let sessions = SearchSessions(services)
    let continued = try options.after.map(sessions.continued)
    if choice.registry[LocalProvider.id] != nil {
      try await ClonePreparation(services).scanWhatIsNew(within: timeout / 2)
    }
    search.timeout = max(.milliseconds(1), timeout - (ContinuousClock.now - start))
    search.observer = event
    var (result, next) = try await sessions.page(
      search, federation, continuing: continued, isKept: options.isPaged && options.sample == nil
    ) {
      await searched()
      services.reportCacheProblems()
    }
    services.explainTimeouts(&result.outcomes)
    if let sample = options.sample {
      result.items = sample.chosen(result.items)
      result.nextOffset = result.items.count
    }
    await annotation.annotate(&result, until: deadline)
    return SearchReport(
      result: result, cursor: next, search: search, sessions: sessions, annotation: annotation)
  }

  /// Asks the providers as ``run(_:event:searched:)``, in a task of its own that ends with the sequence of updates; waits go to the reporter of the services.
  package func updates(_ search: FederatedSearch) -> SearchUpdates {
    SearchUpdates { stream in
      Task { await stream.send { try await run(search, event: stream.send) } }
    }
  }

  /// The results after those of a report of this runner, as soon as they are there.
  ///
  /// - Returns: `nil` where nothing follows.
  /// - Throws: `SearchError` where the search cannot be continued.
  package func more(after report: SearchReport, limit: Int) async throws(SearchError) -> SearchReport? {
    guard let session = report.result.session else { return nil }
    var search = report.search
    (search.limit, search.timeout, search.observer) = (limit, timeout, nil)
    let deadline = ContinuousClock.now + timeout
    var result = try await federation.search(search, from: report.result.nextOffset, of: session)
    await report.annotation.annotate(&result, until: deadline)
    return SearchReport(
      result: result, cursor: nil, search: search, sessions: report.sessions, annotation: report.annotation)
  }
}
