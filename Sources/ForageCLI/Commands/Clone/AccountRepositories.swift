import Forage
import ForageCore
import ForageGitHub
import Synchronization

/// Lists the repositories that `--stars` and `--owner` mean, on the main GitHub.
struct AccountRepositories {
  /// Whose repositories are meant.
  enum Selection {
    /// Those that the owner of the token has starred.
    case stars
    /// Those of an account.
    case owner(String)

    /// What to do where there are none.
    var adviceForNothing: String {
      switch self {
      case .stars: "star a repository with: forage star owner/name"
      case .owner: "check the name of the account"
      }
    }

    /// The repositories in a sentence.
    var words: String {
      switch self {
      case .stars: "starred repositories"
      case .owner(let name): "repositories of \(name)"
      }
    }
  }

  /// What was found.
  struct Found {
    /// The repositories, those that are left out not among them.
    var repositories: [SearchResult]
    /// How many forks are left out.
    var forks = 0
    /// Whether some could not be listed.
    var isIncomplete = false
  }

  /// How long the list may take: its pages may have to wait for the limits of the forge.
  private static let timeLimit: Duration = .seconds(600)

  let context: Context
  let settings: Settings

  /// Lists the repositories, in the order of the forge.
  ///
  /// - Throws: `SearchError` when nothing could be listed; `CancellationError`.
  func list(_ selection: Selection, includesForks: Bool) async throws -> Found {
    guard let instance = context.services.instances.first else {
      return Found(repositories: [])
    }
    let output = context.output
    let reach = SearchReach(
      wanted: ListOptions.maximumLimit, maximumRequests: SearchCommand.maximumRequests
    ) { results, requests in
      output.message(
        "\(instance.id): \(HumanFormat.grouped(results)) results need about \(HumanFormat.grouped(requests)) requests"
      )
    }
    let line = StatusLine(context.output)
    let provider = context.services.provider(
      instance, settings, isNamed: true, Asking(reach: { _ in reach }))
    let search = try search(selection)
    let result = await shown(selection, on: line) { observer in
      var search = search
      search.observer = observer
      let registry = ProviderRegistry([provider], preferences: settings.preferences(of:))
      return await Federation(registry).search(search)
    }
    try Task.checkCancellation()
    for outcome in result.outcomes {
      guard let error = outcome.error else { continue }
      guard outcome.state.isAnswer else { throw error }
      output.warning("\(outcome.id): \(error.message)", hint: outcome.advice)
    }
    let all = result.items.map(\.result)
    let kept = includesForks ? all : all.filter { $0[.fork]?.flag != true }
    if !result.isComplete {
      output.warning(
        "the list of \(selection.words) is not complete", hint: "run the command again to clone the rest")
    }
    return Found(
      repositories: kept, forks: all.count - kept.count, isIncomplete: !result.isComplete)
  }

  private func search(_ selection: Selection) throws -> FederatedSearch {
    let limit = ListOptions.maximumLimit
    switch selection {
    case .stars: return FederatedSearch(feedOf: [.repo], limit: limit, timeout: Self.timeLimit)
    case .owner(let name):
      let isName = !name.isEmpty && !name.contains { $0.isWhitespace || "/\":".contains($0) }
      guard isName, !name.hasPrefix("-") else {
        throw ForageError(
          "--owner takes the name of an account, not \"\(name)\"", hint: "for example: --owner octocat")
      }
      return FederatedSearch(
        query: try QueryParser().parse("user:\(name) fork:true"), limit: limit, timeout: Self.timeLimit)
    }
  }

  /// Lists with a line on the terminal that counts what has arrived and shows waits for limits.
  private func shown(
    _ selection: Selection, on line: StatusLine,
    _ body: (@escaping @Sendable (SearchEvent) -> Void) async -> FederatedResult
  ) async -> FederatedResult {
    let count = Mutex(0)
    defer { line.show(nil) }
    line.show("listing \(selection.words)")
    return await body { event in
      guard case .found(_, let items) = event else { return }
      let known = count.withLock { count in
        count += items.count
        return count
      }
      line.show("listing \(selection.words): \(known)")
    }
  }
}
