import Dispatch
import ForageCore
import Synchronization

/// The rows at the bottom of the terminal that show what a command waits for and how far it is.
///
/// The rows are read from their entries at a fixed interval and written where they differ from what is shown.
/// One queue writes, never while a lock is held: changing an entry does not wait for the terminal, ending one
/// does. Every other text erases the rows before it is written.
///
/// On a terminal whose cursor cannot be moved the rows of an entry are written once, as lines that stay.
final class StatusDisplay: Sendable {
  /// A row, whose texts need not be safe for a terminal.
  struct Row: Sendable {
    /// The beginning of the row, aligned with that of the others.
    var title = ""
    var text: String
    var style: Style?
    /// The provider whose wait for a rate limit takes the place of the text.
    var provider: String?
  }

  /// Rows that are shown until they end.
  struct Entry: Sendable {
    fileprivate var number: Int
    fileprivate var display: StatusDisplay

    /// Removes the rows.
    func end() { display.end(number) }
  }

  private struct Source {
    var number: Int
    var start: ContinuousClock.Instant
    var isColored: Bool
    var rows: @Sendable () -> [Row]
  }

  private struct State {
    var sources: [Source] = []
    /// The providers that wait for a rate limit, and until when.
    var limits: [String: ContinuousClock.Instant] = [:]
    var count = 0
    /// When another text was written.
    var lastText: ContinuousClock.Instant?
    /// The lines on the terminal; only the queue changes them.
    var drawn: [String] = []
    var isTicking = false
    /// How many questions are being asked.
    var pauses = 0
    /// The entries, and the limits by provider, whose lines were written and stay.
    var announced: Set<String> = []
  }

  /// A shorter wait shows nothing, also one after another text. With the interval it is 0.3 s.
  static let standardDelay: Duration = .milliseconds(250)
  /// The time between two drawings.
  private static let interval: DispatchTimeInterval = .milliseconds(50)

  /// Whether rows can be replaced.
  let canMoveCursor: Bool
  private let columns: Int
  private let rows: Int
  private let delay: Duration
  private let write: @Sendable (String) -> Void
  private let queue = DispatchQueue(label: "forage.terminal")
  private let state = Mutex(State())

  /// - Parameters:
  ///   - rows: The terminal's height, which what is shown does not exceed: it could not be erased.
  ///   - canMoveCursor: Whether the terminal can replace rows.
  ///   - delay: How long an entry exists before it is shown.
  init(
    columns: Int, rows: Int, canMoveCursor: Bool = true, delay: Duration = standardDelay,
    write: @escaping @Sendable (String) -> Void
  ) {
    self.canMoveCursor = canMoveCursor
    self.columns = columns
    self.rows = rows
    self.delay = delay
    self.write = write
  }

  /// Shows rows after the delay.
  ///
  /// - Parameter rows: Returns the rows as they are now; called by the queue.
  func show(isColored: Bool = false, _ rows: @escaping @Sendable () -> [Row]) -> Entry {
    let number = state.withLock { state in
      state.count += 1
      state.sources.append(
        Source(number: state.count, start: .now, isColored: isColored, rows: rows))
      return state.count
    }
    start()
    return Entry(number: number, display: self)
  }

  /// Counts down the wait of a provider for its rate limit: in the row of the provider, or in one of its own.
  func showLimit(of provider: String, _ duration: Duration) {
    state.withLock { $0.limits[provider] = .now + duration }
    start()
  }

  /// Removes everything that is shown, and returns when that is done.
  func clear() {
    state.withLock { ($0.sources, $0.limits) = ([], [:]) }
    queue.sync { replace(by: []) }
  }

  /// Removes everything that is shown, and shows nothing any more.
  func close() {
    state.withLock { $0.pauses += 1 }
    clear()
  }

  /// Erases the rows and runs a body that writes; nothing is drawn meanwhile. The body must not use this
  /// display.
  func erased(_ body: () throws -> Void) rethrows {
    try queue.sync {
      replace(by: [])
      state.withLock { $0.lastText = .now }
      try body()
    }
  }

  /// Runs a body that asks a question; nothing is drawn meanwhile.
  func paused<Value>(_ body: () -> Value) -> Value {
    state.withLock { $0.pauses += 1 }
    defer { state.withLock { $0.pauses -= 1 } }
    return body()
  }

  /// Draws the rows as they are now, and returns when that is done.
  func settle() { queue.sync { draw() } }

  private func end(_ number: Int) {
    state.withLock { state in
      state.sources.removeAll { $0.number == number }
      if state.sources.isEmpty { state.limits = [:] }
    }
    settle()
  }

  /// Draws at the interval, as long as there is anything to show.
  private func start() {
    let isFirst = state.withLock { state in
      defer { state.isTicking = true }
      return !state.isTicking
    }
    if isFirst { tickLater() }
  }

  private func tickLater() {
    queue.asyncAfter(deadline: .now() + Self.interval) { [self] in
      draw()
      let isNeeded = state.withLock { state in
        state.isTicking = !state.sources.isEmpty || !state.limits.isEmpty
        return state.isTicking
      }
      if isNeeded { tickLater() }
    }
  }

  private func draw() {
    let now = ContinuousClock.now
    let (sources, limits) = state.withLock { state -> ([Source], [String: ContinuousClock.Instant]) in
      for (provider, end) in state.limits where end <= now {
        state.limits[provider] = nil
        state.announced.remove(provider)
      }
      let isQuiet = state.lastText.map { $0 + delay <= now } ?? true
      guard isQuiet, state.pauses == 0 else { return ([], [:]) }
      return (state.sources.filter { $0.start + delay <= now }, state.limits)
    }
    var waits = limits.mapValues { "waiting \(HumanFormat.wait($0 - now)) for the limit" }
    var rows = sources.flatMap { source in
      source.rows().map { row in
        var row = row
        var key = "\(source.number) " + row.title
        if let provider = row.provider, let wait = waits.removeValue(forKey: provider) {
          row.text = row.title.isEmpty ? provider + ": " + wait : wait
          key = provider
        }
        return (key: key, row: row, isColored: source.isColored)
      }
    }
    rows += waits.sorted { $0.key < $1.key }.map {
      (key: $0.key, row: Row(text: $0.key + ": " + $0.value), isColored: false)
    }
    if !canMoveCursor {
      rows = state.withLock { state in rows.filter { state.announced.insert($0.key).inserted } }
    }
    let width = rows.map { TextWidth.of(SafeText.line($0.row.title)) }.max() ?? 0
    let lines = rows.prefix(max(1, self.rows - 1)).map {
      line($0.row, titleWidth: width, isColored: $0.isColored)
    }
    canMoveCursor ? replace(by: lines) : write(lines.map { $0 + "\n" }.joined())
  }

  private func line(_ row: Row, titleWidth: Int, isColored: Bool) -> String {
    let hasTitle = !row.title.isEmpty
    let text = TextWidth.truncated(
      SafeText.line(row.text), to: max(1, columns - 1 - (hasTitle ? titleWidth + 2 : 0)))
    let title = hasTitle ? TextWidth.padded(SafeText.line(row.title), to: titleWidth) : ""
    return (hasTitle ? Style.title.apply(title, isColored) + "  " : "")
      + (row.style?.apply(text, isColored) ?? text)
  }

  /// Goes back to the first line that is shown, deletes from there on, and writes others.
  private func replace(by lines: [String]) {
    let old = state.withLock { state in
      defer { state.drawn = lines }
      return state.drawn
    }
    guard old != lines else { return }
    let erasure = old.isEmpty ? "" : "\u{1B}[\(old.count)A\r\u{1B}[J"
    write(erasure + lines.map { $0 + "\n" }.joined())
  }
}

extension Output {
  /// Shows rows until they end; `nil` where there is no terminal that shows them.
  func showStatus(_ rows: @escaping @Sendable () -> [StatusDisplay.Row]) -> StatusDisplay.Entry? {
    hasProgress ? status.show(isColored: hasMessageColor, rows) : nil
  }
}

/// A row of the status display whose text changes.
final class StatusLine: Sendable {
  private let output: Output
  private let state = Mutex<(text: String, entry: StatusDisplay.Entry?)>(("", nil))

  init(_ output: Output) { self.output = output }

  /// Shows a text in place of the last one; `nil` removes the row.
  func show(_ text: String?) {
    let ended = state.withLock { state -> StatusDisplay.Entry? in
      state.text = text ?? ""
      if text == nil {
        defer { state.entry = nil }
        return state.entry
      }
      if state.entry == nil {
        state.entry = output.showStatus { [weak self] in
          self?.state.withLock { [StatusDisplay.Row(text: $0.text)] } ?? []
        }
      }
      return nil
    }
    // Drawing reads the text under the same lock.
    ended?.end()
  }
}
