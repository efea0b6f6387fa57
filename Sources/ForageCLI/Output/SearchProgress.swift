import ForageCore
import Synchronization

/// Shows the progress of a search on the terminal: a row for each provider that is asked, and the first
/// results so far.
final class SearchProgress: Sendable {
  private struct Line {
    var row: StatusDisplay.Row
    /// The kinds that the provider has not answered for yet.
    var pending: Set<ResultKind>
    var count = 0

    var isDone: Bool { pending.isEmpty }

    mutating func end(_ outcome: ProviderOutcome) {
      pending.remove(outcome.kind)
      if isDone { row.provider = nil }
      switch outcome.state {
      case .ok:
        let origin = outcome.cache.age == nil ? "" : ", from cache"
        row.text =
          HumanFormat.plural(max(count, outcome.returned), "result") + origin + " in "
          + HumanFormat.duration(outcome.elapsed)
        row.style = .source
      case .unsupported, .skipped: break
      default:
        row.text = outcome.error?.message ?? outcome.state.rawValue
        row.style = .error
      }
    }
  }

  private struct State {
    /// One for each provider that is asked; empty until the search starts.
    var lines: [Line] = []
    var found: [(provider: String, items: [SearchResult])] = []
    /// The rows of the results that were found; `nil` after a change.
    var results: [StatusDisplay.Row]?
    var entry: StatusDisplay.Entry?
  }

  /// Rows of results that are shown while the search runs: they fit the smallest terminal together with the
  /// lines.
  private static let rows = 10

  private let registry: ProviderRegistry
  private let showsResults: Bool
  private let state = Mutex(State())

  /// - Parameter showsResults: Whether results are shown.
  init(_ registry: ProviderRegistry, showsResults: Bool = true, output: Output) {
    self.registry = registry
    self.showsResults = showsResults && output.status.canMoveCursor
    let entry = output.showStatus { [weak self] in self?.rows ?? [] }
    state.withLock { $0.entry = entry }
  }

  func follow(_ event: SearchEvent) {
    state.withLock { state in
      guard state.entry != nil else { return }
      switch event {
      case .started(let outcomes):
        for outcome in outcomes {
          if let index = state.lines.firstIndex(where: { $0.row.title == outcome.id }) {
            state.lines[index].pending.insert(outcome.kind)
          } else {
            let row = StatusDisplay.Row(
              title: outcome.id, text: "waiting", style: .dim, provider: outcome.id)
            state.lines.append(Line(row: row, pending: [outcome.kind]))
          }
        }
      case .found(let outcome, let items):
        state.found.append((outcome.id, items))
        state.results = nil
        guard let index = state.lines.firstIndex(where: { $0.row.title == outcome.id }) else { return }
        state.lines[index].count += items.count
        state.lines[index].row.text = HumanFormat.plural(state.lines[index].count, "result")
      case .ended(let outcome):
        guard let index = state.lines.firstIndex(where: { $0.row.title == outcome.id }) else { return }
        state.lines[index].end(outcome)
        // A provider that is not searched is not shown.
        if outcome.state.isExcluded, state.lines[index].isDone, state.lines[index].count == 0 {
          state.lines.remove(at: index)
        }
      }
    }
  }

  /// Removes what is shown.
  func end() { state.withLock { $0.entry }?.end() }

  /// What is shown; nothing once all have answered, because the results follow.
  private var rows: [StatusDisplay.Row] {
    state.withLock { state in
      guard state.lines.contains(where: { !$0.isDone }) else { return [] }
      let results = state.results ?? (showsResults ? preview(state.found) : [])
      state.results = results
      return state.lines.map(\.row) + results
    }
  }

  private func preview(_ found: [(provider: String, items: [SearchResult])]) -> [StatusDisplay.Row] {
    registry.preview(found, limit: Self.rows).map { item in
      StatusDisplay.Row(text: "  " + KindRendering.of(item.result.kind).line(item.result), style: .dim)
    }
  }
}
