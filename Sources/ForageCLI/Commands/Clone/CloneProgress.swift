import Forage
import Synchronization

/// Shows on one line of the terminal which repositories are being cloned; nothing anywhere else.
final class CloneProgress: Sendable {
  private struct State {
    var done = 0
    /// The most repositories that are cloned.
    var total = 0
    /// The names of the repositories in progress, each with git's messages.
    var current: [(name: String, messages: GitMessages)] = []
    var isOver = false
  }

  /// A wait that is shorter than this shows nothing.
  private static let delay: Duration = .milliseconds(300)
  private static let interval: Duration = .milliseconds(200)

  private let output: Output
  private let state = Mutex(State())

  init(_ output: Output) { self.output = output }

  /// Shows what is in progress from now on.
  ///
  /// - Parameter total: How many repositories are to be cloned.
  func start(total: Int) {
    state.withLock { $0.total = total }
    guard output.hasProgress else { return }
    Task { [weak self] in
      try? await Task.sleep(for: Self.delay)
      while self?.draw() == true { try? await Task.sleep(for: Self.interval) }
    }
  }

  /// Adds a repository to those in progress.
  func begin(_ name: String, messages: GitMessages) {
    state.withLock { $0.current.append((name, messages)) }
  }

  /// Removes a repository from those in progress, if it was.
  func end(_ name: String) {
    state.withLock { state in
      if let index = state.current.firstIndex(where: { $0.name == name }) {
        state.current.remove(at: index)
        state.done += 1
      }
    }
  }

  /// Removes the line.
  func finish() {
    state.withLock { $0.isOver = true }
    output.progress.erase()
  }

  /// Draws what is in progress at the time when the terminal can take it.
  ///
  /// - Returns: Whether there is more to show.
  private func draw() -> Bool {
    output.changeProgress { [weak self] in self?.text.map { .draw($0) } }
    return state.withLock { !$0.isOver }
  }

  /// What is in progress, `nil` for nothing.
  private var text: String? {
    let state = state.withLock { $0 }
    guard !state.isOver, let (name, messages) = state.current.first else { return nil }
    guard state.total == 1 else {
      return
        "cloning: \(state.done) of \(state.total) done; \(state.current.map(\.name).joined(separator: ", "))"
    }
    return "cloning \(name)" + (messages.lastLine.map { ": \($0)" } ?? "")
  }
}
