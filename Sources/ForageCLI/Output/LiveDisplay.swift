import Dispatch
import ForageCore
import Synchronization

/// Shows the progress of a search on the terminal: a line for each provider that is asked, and the results so far.
///
/// It is drawn on the stream for messages and removed before the results are written. All of it is written by one queue: a terminal that does
/// not take what is written must not stop the providers, which call the observer.
final class LiveDisplay: Sendable {
  private struct State {
    /// One for each provider that is asked; empty until the search starts.
    var lines: [Line] = []
    var found: [(provider: String, items: [SearchResult])] = []
    var drawn = 0
    var last: ContinuousClock.Instant?
    var isOver = false
    /// Whether anything was written.
    var isWritten = false
    var isAwaitingTurn = false
    var isCounting = false
  }

  private struct Line {
    var id: String
    var text = "waiting"
    var style: Style = .dim
    /// The kinds that the provider has not answered for yet.
    var pending: Set<ResultKind>
    var count = 0
    /// Until when it waits for a limit.
    var waitsUntil: ContinuousClock.Instant?

    var isDone: Bool { pending.isEmpty }

    func text(at now: ContinuousClock.Instant) -> String {
      guard !isDone, let waitsUntil, waitsUntil > now else { return text }
      return "waiting \(HumanFormat.wait(waitsUntil - now)) for the limit"
    }
  }

  /// A search that is faster than this shows nothing, to avoid flicker.
  private static let delay: Duration = .milliseconds(150)
  /// The least time between two drawings.
  private static let interval: Duration = .milliseconds(60)
  /// Rows of results that are shown while the search runs: they fit the smallest terminal together with the lines.
  private static let rows = 10

  private let federation: Federation
  private let output: Output
  private let state = Mutex(State())
  /// Writes to the terminal, in order.
  private let writer = DispatchQueue(label: "forage.display")

  /// - Returns: `nil` where there is no terminal whose lines can be replaced.
  init?(_ federation: Federation, output: Output) {
    guard output.isTerminal, output.isMessageTerminal, output.canMoveCursor else { return nil }
    self.federation = federation
    self.output = output
    Task { [weak self] in
      try? await Task.sleep(for: Self.delay)
      self?.begin()
    }
  }

  /// Follows the events of a search.
  var observer: @Sendable (SearchEvent) -> Void {
    { [self] event in
      state.withLock { state in
        switch event {
        case .started(let outcomes):
          for outcome in outcomes {
            if let index = state.lines.firstIndex(where: { $0.id == outcome.id }) {
              state.lines[index].pending.insert(outcome.kind)
            } else {
              state.lines.append(Line(id: outcome.id, pending: [outcome.kind]))
            }
          }
        case .found(let outcome, let items):
          state.found.append((outcome.id, items))
          update(&state, outcome) { line in
            line.count += items.count
            line.text = HumanFormat.plural(line.count, "result")
          }
        case .ended(let outcome):
          update(&state, outcome) { Self.end(&$0, outcome) }
          // A provider that is not searched is not shown.
          if outcome.state.isExcluded {
            state.lines.removeAll { $0.id == outcome.id && $0.isDone && $0.count == 0 }
          }
        }
        draw(&state)
      }
    }
  }

  /// Writes a message above what is shown.
  func report(_ message: String) {
    let isOver = state.withLock { state in
      guard !state.isOver else { return true }
      erase(&state)
      state.isWritten = true
      writer.async { [output] in output.message(message) }
      draw(&state)
      return false
    }
    if isOver { output.message(message) }
  }

  /// Counts down while a provider waits for a limit.
  func wait(_ provider: String, for duration: Duration) {
    state.withLock { state in
      guard let index = state.lines.firstIndex(where: { $0.id == provider }) else { return }
      state.lines[index].waitsUntil = .now + duration
      draw(&state)
      guard !state.isCounting else { return }
      state.isCounting = true
      Task { [weak self] in
        repeat { try? await Task.sleep(for: .seconds(1)) } while self?.countDown() == true
      }
    }
  }

  /// Draws the seconds that are left, and the line without them at the end.
  ///
  /// - Returns: Whether there is more to count.
  private func countDown() -> Bool {
    state.withLock { state in
      draw(&state)
      state.isCounting =
        !state.isOver && state.lines.contains { !$0.isDone && $0.waitsUntil.map { $0 > .now } ?? false }
      return state.isCounting
    }
  }

  /// Removes everything that is shown, and returns when that is done.
  func clear() async {
    let isWritten = state.withLock { state in
      erase(&state)
      state.isOver = true
      return state.isWritten
    }
    guard isWritten else { return }
    await withCheckedContinuation { continuation in writer.async { continuation.resume() } }
  }

  /// Writes to the terminal, behind what is being written.
  private func write(_ text: String, _ state: inout State) {
    state.isWritten = true
    writer.async { [output] in output.writeMessage(text) }
  }

  private func begin() {
    state.withLock { state in
      state.last = ContinuousClock.now - Self.interval
      draw(&state)
    }
  }

  private func update(_ state: inout State, _ outcome: ProviderOutcome, _ change: (inout Line) -> Void) {
    guard let index = state.lines.firstIndex(where: { $0.id == outcome.id }) else { return }
    change(&state.lines[index])
  }

  private static func end(_ line: inout Line, _ outcome: ProviderOutcome) {
    line.pending.remove(outcome.kind)
    switch outcome.state {
    case .ok:
      let origin = outcome.cache.age == nil ? "" : ", from cache"
      line.text =
        HumanFormat.plural(max(line.count, outcome.returned), "result") + origin + " in "
        + HumanFormat.duration(outcome.elapsed)
      line.style = .source
    case .unsupported, .skipped: break
    default:
      line.text = outcome.error?.message ?? outcome.state.rawValue
      line.style = .error
    }
  }

  private func draw(_ state: inout State) {
    let now = ContinuousClock.now
    // Before the delay is over nothing is shown; at the end the results themselves are.
    guard !state.isOver, let last = state.last, state.lines.contains(where: { !$0.isDone }) else { return }
    guard now - last >= Self.interval else { return drawLater(&state) }
    erase(&state)
    let width = state.lines.map(\.id.count).max() ?? 0
    let color = output.hasMessageColor
    var lines = state.lines.map { line in
      let id = TextWidth.padded(line.id, to: width)
      let text = TextWidth.truncated(
        SafeText.line(line.text(at: now)), to: max(1, output.columns - width - 3))
      return Style.title.apply(id, color) + "  " + line.style.apply(text, color)
    }
    lines += federation.provisional(state.found, limit: Self.rows).map { item in
      Style.dim.apply(
        TextWidth.truncated(
          "  " + SafeText.line(KindRendering.of(item.result.kind).line(item.result)), to: output.columns - 1),
        color)
    }
    write(lines.map { $0 + "\n" }.joined(), &state)
    state.drawn = lines.count
    state.last = now
  }

  /// Draws once the interval since the last drawing is over.
  private func drawLater(_ state: inout State) {
    guard !state.isAwaitingTurn else { return }
    state.isAwaitingTurn = true
    Task { [weak self] in
      try? await Task.sleep(for: Self.interval)
      self?.state.withLock { state in
        state.isAwaitingTurn = false
        self?.draw(&state)
      }
    }
  }

  /// Goes back to the first line that was drawn and deletes from there on.
  private func erase(_ state: inout State) {
    guard state.drawn > 0 else { return }
    write("\u{1B}[\(state.drawn)A\r\u{1B}[J", &state)
    state.drawn = 0
  }
}
