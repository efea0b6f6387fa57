package import ForageCore
import ForageLocal
package import ForageSetup
import Synchronization

/// The repositories of an account: of the forge of plain names, or of the one whose host is named.
package struct AccountRepositories: Sendable {
  /// Whose repositories are meant.
  package enum Selection: Sendable {
    /// Those that the owner of the token has starred, on the forge of a provider, where one is named.
    case stars(provider: String? = nil)
    /// Those of an account: its name, or `host/name`; on the forge of a provider, where one is named.
    case owner(String, provider: String? = nil)

    /// The repositories in a sentence.
    package var words: String {
      switch self {
      case .stars: "starred repositories"
      case .owner(let name, _): "repositories of \(name)"
      }
    }
  }

  /// The repositories, in the order of the forge, without the forks that were not wanted.
  package var items: [SearchResult]
  package var forks = 0
  /// Host and name of the account as ids of its repositories begin; `nil` for stars.
  package var account: String?
  /// How many there are of which there is nothing to clone, by the reason.
  package var obstacles: [String: Int] = [:]
  /// The problems of answers that are not complete.
  package var problems: [(provider: String, error: SearchError)] = []
  package var isIncomplete = false

  /// How long the list may take: its pages may have to wait for the limits of the forge.
  fileprivate static let timeLimit: Duration = .seconds(600)
  /// The most requests: a page each for ten times the results that can be listed.
  private static let maximumRequests = 1000

  /// Lists the repositories of an account; what has arrived, and waits for limits, are reported as progress.
  ///
  /// - Parameter cache: How cached answers are used.
  /// - Throws: `SearchError` when nothing could be listed; `CancellationError`.
  package static func list(
    _ selection: Selection, includesForks: Bool, cache: CacheMode = .normal, _ forage: Forage
  ) async throws -> AccountRepositories {
    guard let (list, account) = try selection.list(forage, RequestOptions(cache: cache)) else {
      return AccountRepositories(items: [])
    }
    let reporter = forage.reporter
    let settings = try forage.settings()
    var search = FederatedSearch(feedOf: [.repo], limit: SearchOptions.maximumLimit, timeout: timeLimit)
    search.depth = SearchDepth(wanted: search.limit, maximumRequests: maximumRequests) {
      reporter.message(
        "\($0): \(HumanFormat.grouped($1)) results need about \(HumanFormat.grouped($2)) requests")
    }
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
      throw SearchError(.notFound, "\(list.info.id): \(error.message)", hint: error.hint)
    }
    let all = result.items.map(\.result)
    let cloneable = all.filter { $0.obstacle == nil }
    let kept = includesForks ? cloneable : cloneable.filter { $0[.fork]?.flag != true }
    return AccountRepositories(
      items: kept, forks: cloneable.count - kept.count, account: account,
      obstacles: all.compactMap(\.obstacle).reduce(into: [:]) { $0[$1, default: 0] += 1 },
      problems: result.outcomes.compactMap { outcome in outcome.error.map { (outcome.id, $0) } },
      isIncomplete: !result.isComplete)
  }
}

extension AccountRepositories.Selection {
  /// The provider whose feed lists them, and host and name of an account; `nil` without any forge.
  ///
  /// - Throws: `ForageError` for a provider that is no forge or has no stars, and for a host that is none of
  ///   a forge.
  fileprivate func list(_ forage: Forage, _ requestOptions: RequestOptions) throws -> (
    list: any SearchProvider, account: String?
  )? {
    func repositories(of name: String, at forge: any ForgeProvider) -> (any SearchProvider, String?) {
      let host = forge.info.hosts.first
      let whole = host.flatMap { RepositoryIdentity.canonical("\($0)/\(name)/x") }
      return (
        ForgeListProvider(repositoriesOf: name, at: forge), whole.map { String($0.dropLast(2)) }
      )
    }
    switch self {
    case .stars(let id): return (try forage.starForge(called: id, requestOptions), nil)
    case .owner(let text, let id):
      var name = forage.remoteHosts.resolved(text)[...]
      for scheme in ["https://", "http://"] where name.hasPrefix(scheme) {
        name = name.dropFirst(scheme.count)
      }
      while name.last == "/" { name.removeLast() }
      let host = name.prefix { $0 != "/" }.lowercased()
      let rest = String(name.dropFirst(host.count + 1))
      if let id {
        let forge = try forage.forgeProvider(called: id, requestOptions)
        let isNamed = !rest.isEmpty && forge.info.hosts.contains(host)
        return repositories(of: isNamed ? rest : String(name), at: forge)
      }
      if rest.isEmpty {
        return repositories(of: String(name), at: try forage.usualForge(requestOptions))
      }
      guard let forge = forage.forgeProvider(at: host, requestOptions) else {
        throw forage.noForge(at: host)
      }
      return repositories(of: rest, at: forge)
    }
  }
}
