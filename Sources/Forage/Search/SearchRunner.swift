package import ForageCore
import ForageGitHub
import ForageLocal
import ForageStore

/// Makes one search, from options to the merged and annotated result; `search`, `stars` and `feed` differ only in what they ask.
package struct SearchRunner: Sendable {
  package let options: SearchOptions
  /// The providers to ask.
  package let choice: ProviderChoice
  /// The settings of the user, with the time limit of the search.
  package let settings: Settings
  /// Asks the providers.
  package let federation: Federation
  let services: Services
  private let relay: SearchRelay
  private let start: ContinuousClock.Instant

  /// How long the whole search may take.
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
    let relay = SearchRelay(services.reporter)
    self.relay = relay
    var settings = try services.settings()
    if let timeout = options.timeout { settings.commandTimeout = timeout }
    self.settings = settings
    let asking = Asking(
      cache: options.cache.mode, named: ProviderChoice.ids(options.providers),
      reach: try Self.reach(options) { relay.notice($0) },
      waiting: { relay.waiting($0, $1) })
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
  /// - Parameter search: What to ask; the time that is left is set here.
  /// - Throws: `ForageError` where there are no favorites, and for a cursor that cannot be continued; `SearchError` for one of another search.
  package func run(_ search: FederatedSearch, _ observer: SearchObserver = SearchObserver()) async throws
    -> SearchReport
  {
    relay.follow(observer)
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
    search.observer = observer.event
    let paging = Paging(
      federation: federation, search: search,
      sessions: options.isPaged && options.sample == nil ? sessions : nil, after: options.after,
      reporter: services.reporter,
      searched: { [services] in
        await observer.searched()
        services.reportCacheProblems()
      })
    var (result, next) = try await paging.page(continued)
    services.explainTimeouts(&result.outcomes)
    if let sample = options.sample {
      result.items = sample.chosen(result.items)
      result.nextOffset = result.items.count
    }
    await annotation.annotate(&result, until: deadline)
    return SearchReport(result: result, cursor: next, search: search, paging: paging, annotation: annotation)
  }

  /// Asks the providers as ``run(_:_:)``, in a task of its own that ends with the sequence of updates.
  package func updates(_ search: FederatedSearch) -> SearchUpdates {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: SearchUpdate.self)
    let task = Task { await continuation.send { try await run(search, .telling(continuation)) } }
    continuation.onTermination = { _ in task.cancel() }
    return SearchUpdates(stream)
  }

  /// The results after those of a report of this runner, as soon as they are there; its waits go to the reporter of the services.
  ///
  /// - Returns: `nil` where nothing follows.
  /// - Throws: `SearchError` where the search cannot be continued.
  package func more(after report: SearchReport, limit: Int) async throws(SearchError) -> SearchReport? {
    guard let session = report.result.session else { return nil }
    relay.follow(SearchObserver())
    var search = report.search
    (search.limit, search.timeout, search.observer) = (limit, timeout, nil)
    let deadline = ContinuousClock.now + timeout
    var result = try await federation.search(search, from: report.result.nextOffset, of: session)
    await report.annotation.annotate(&result, until: deadline)
    return SearchReport(
      result: result, cursor: nil, search: search, paging: report.paging, annotation: report.annotation)
  }
}

/// Reads one page of a search, and stores where the next one starts.
struct Paging {
  let federation: Federation
  let search: FederatedSearch
  /// Where cursors are stored, `nil` for nowhere.
  let sessions: SearchSessions?
  /// The cursor that the user gave.
  let after: String?
  let reporter: Reporter
  /// Called when the providers are done, before anything is written.
  let searched: @Sendable () async -> Void

  /// One page, and the cursor for the next one.
  func page(_ continued: SearchSessions.Continued?) async throws -> (FederatedResult, SearchCursor?) {
    var continued = continued
    while true {
      let result =
        if let continued {
          try await federation.search(search, from: continued.cursor.offset, of: continued.session)
        } else {
          await federation.search(search)
        }
      await searched()
      guard let sessions else { return (result, nil) }
      let keeping: SearchSessions.Keeping
      do throws(StoreError) {
        keeping = try sessions.keep(result, continuing: continued)
      } catch {
        reporter.warning(error.message, error.hint)
        return (result, nil)
      }
      switch keeping {
      case .kept(let cursor): return (result, cursor)
      // Another run has continued from the same cursor meanwhile: its sequence is the valid one.
      case .overtaken: continued = try after.map(sessions.continued)
      }
    }
  }

  /// Stores the session of a cursor, after the results are written.
  func store(_ cursor: SearchCursor?) {
    guard let sessions, let draft = cursor?.draft else { return }
    do throws(StoreError) {
      try sessions.files.write(draft)
    } catch {
      reporter.warning(error.message, error.hint)
    }
  }
}
