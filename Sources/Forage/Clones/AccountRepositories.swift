package import ForageCore
import ForageGitHub
import Synchronization

/// The repositories of an account on the main GitHub.
package struct AccountRepositories: Sendable {
  /// Whose repositories are meant.
  package enum Selection: Sendable {
    /// Those that the owner of the token has starred.
    case stars
    /// Those of an account, in a query of GitHub's syntax.
    case owner(String)

    /// The repositories in a sentence.
    package var words: String {
      switch self {
      case .stars: "starred repositories"
      case .owner(let name): "repositories of \(name)"
      }
    }
  }

  /// The repositories, in the order of the forge, without the forks that were not wanted.
  package var items: [SearchResult]
  package var forks = 0
  /// What is wrong with an answer that is not complete.
  package var problems: [(provider: String, error: SearchError)] = []
  package var isIncomplete = false

  /// How long the list may take: its pages may have to wait for the limits of the forge.
  fileprivate static let timeLimit: Duration = .seconds(600)
  /// The most requests: a page each for ten times the results that can be listed.
  private static let maximumRequests = 1000

  /// Lists the repositories of an account; what has arrived, and waits for limits, are reported as progress.
  ///
  /// - Throws: `SearchError` when nothing could be listed; `CancellationError`.
  package static func list(_ selection: Selection, includesForks: Bool, _ services: Services) async throws
    -> AccountRepositories
  {
    guard let instance = services.instances.first else { return AccountRepositories(items: []) }
    let reporter = services.reporter
    let depth = SearchDepth(wanted: SearchOptions.maximumLimit, maximumRequestsPerProvider: maximumRequests) {
      reporter.message(
        "\(instance.id): \(HumanFormat.grouped($0)) results need about \(HumanFormat.grouped($1)) requests")
    }
    let settings = try services.settings()
    let provider = services.provider(instance, RequestOptions(depth: { _ in depth }))
    let search = try selection.search
    let count = Mutex(0)
    reporter.progress("listing \(selection.words)")
    defer { reporter.progress(nil) }
    let run = SearchRun(search, ProviderRegistry([provider], preferences: settings.preferences(of:)))
    let result = await run.more { event in
      guard case .found(_, let items) = event else { return }
      let known = count.withLock { count in
        count += items.count
        return count
      }
      reporter.progress("listing \(selection.words): \(known)")
    }
    try Task.checkCancellation()
    if let error = result.outcomes.first(where: { !$0.state.isAnswer })?.error {
      // GitHub refuses a search that names an account that it does not know.
      guard case .owner(let name) = selection, error.code == .invalidQuery else { throw error }
      throw SearchError(
        .notFound, "\(instance.id): there is no account \(name), or its repositories cannot be searched",
        hint: "check the name")
    }
    let all = result.items.map(\.result)
    let kept = includesForks ? all : all.filter { $0[.fork]?.flag != true }
    return AccountRepositories(
      items: kept, forks: all.count - kept.count,
      problems: result.outcomes.compactMap { outcome in outcome.error.map { (outcome.id, $0) } },
      isIncomplete: !result.isComplete)
  }
}

extension AccountRepositories.Selection {
  fileprivate var search: FederatedSearch {
    get throws {
      let (limit, timeout) = (SearchOptions.maximumLimit, AccountRepositories.timeLimit)
      switch self {
      case .stars: return FederatedSearch(feedOf: [.repo], limit: limit, timeout: timeout)
      case .owner(let name):
        let query = try QueryParser().parse("user:\(name) fork:true")
        return FederatedSearch(query: query, limit: limit, timeout: timeout)
      }
    }
  }
}
