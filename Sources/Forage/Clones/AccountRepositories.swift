package import ForageCore
import Synchronization

/// The repositories of an account on the forge of plain names.
package struct AccountRepositories: Sendable {
  /// Whose repositories are meant.
  package enum Selection: Sendable {
    /// Those that the owner of the token has starred.
    case stars
    /// Those of an account.
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
  package static func list(_ selection: Selection, includesForks: Bool, _ forage: Forage) async throws
    -> AccountRepositories
  {
    guard let forge = forage.forges.first else { return AccountRepositories(items: []) }
    let reporter = forage.reporter
    let settings = try forage.settings()
    var search = FederatedSearch(feedOf: [.repo], limit: SearchOptions.maximumLimit, timeout: timeLimit)
    search.depth = SearchDepth(wanted: search.limit, maximumRequests: maximumRequests) {
      reporter.message(
        "\($0): \(HumanFormat.grouped($1)) results need about \(HumanFormat.grouped($2)) requests")
    }
    let list = selection.list(of: forage.provider(of: forge))
    let count = Mutex(0)
    reporter.progress("listing \(selection.words)")
    defer { reporter.progress(nil) }
    let run = SearchRun(search, ProviderRegistry([list], preferences: settings.preferences(of:)))
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
      guard case .owner = selection, error.code == .notFound else { throw error }
      throw SearchError(.notFound, "\(forge.id): \(error.message)", hint: error.hint)
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
  /// The provider whose feed lists them.
  fileprivate func list(of forge: any ForgeProvider) -> any SearchProvider {
    switch self {
    case .stars: forge
    case .owner(let name): ForgeListProvider(repositoriesOf: name, at: forge)
    }
  }
}
