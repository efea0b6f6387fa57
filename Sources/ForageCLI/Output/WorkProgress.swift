import ForageCore
import Synchronization

/// Shows on one line of the terminal what is being worked on; nothing anywhere else.
final class WorkProgress: Sendable {
  private struct State {
    var done = 0
    /// How many there are at most.
    var total = 0
    /// The names of those in progress, each with how far it is.
    var current: [(name: String, lastLine: @Sendable () -> String?)] = []
    var entry: StatusDisplay.Entry?
  }

  private let verb: String
  private let output: Output
  private let state = Mutex(State())

  /// - Parameter verb: What is done, for example `cloning`.
  init(_ verb: String, _ output: Output) { (self.verb, self.output) = (verb, output) }

  /// Shows what is in progress from now on.
  ///
  /// - Parameter total: How many are to be worked on.
  func start(total: Int) {
    let entry = output.showStatus { [weak self] in self?.text.map { [StatusDisplay.Row(text: $0)] } ?? [] }
    state.withLock { ($0.total, $0.entry) = (total, entry) }
  }

  /// Adds one to those in progress.
  ///
  /// - Parameter lastLine: How far it is, in words; `nil` while that is not known.
  func begin(_ name: String, lastLine: @escaping @Sendable () -> String? = { nil }) {
    state.withLock { $0.current.append((name, lastLine)) }
  }

  /// Removes one from those in progress, if it was.
  func end(_ name: String) {
    state.withLock { state in
      if let index = state.current.firstIndex(where: { $0.name == name }) {
        state.current.remove(at: index)
        state.done += 1
      }
    }
  }

  /// Removes the line.
  func finish() { state.withLock { $0.entry }?.end() }

  /// What is in progress, `nil` for nothing.
  private var text: String? {
    let (current, done, total) = state.withLock { ($0.current, $0.done, $0.total) }
    guard let (name, lastLine) = current.first else { return nil }
    guard total == 1 else {
      return "\(verb): \(done) of \(total) done; \(current.map(\.name).joined(separator: ", "))"
    }
    return "\(verb) \(name)" + (lastLine().map { ": \($0)" } ?? "")
  }
}
