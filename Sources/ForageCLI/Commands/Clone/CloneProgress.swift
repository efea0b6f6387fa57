import Synchronization

/// Shows on one line of the terminal which repositories are being cloned; nothing anywhere else.
final class CloneProgress: Sendable {
  private struct State {
    var done = 0
    /// The names of the repositories in progress, each with the file of git's messages.
    var current: [(name: String, messages: String)] = []
    var isOver = false
  }

  /// A wait that is shorter than this shows nothing.
  private static let delay: Duration = .milliseconds(300)
  private static let interval: Duration = .milliseconds(200)
  /// Bytes at the end of git's messages that hold the last line about its progress.
  private static let tail = 512

  private let total: Int
  private let output: Output
  private let state = Mutex(State())

  /// - Parameter total: How many repositories are to be cloned.
  init(_ output: Output, total: Int) {
    self.total = total
    self.output = output
    guard output.hasProgress else { return }
    Task { [weak self] in
      try? await Task.sleep(for: Self.delay)
      while self?.draw() == true { try? await Task.sleep(for: Self.interval) }
    }
  }

  /// Adds a repository to those in progress.
  func begin(_ name: String, messages: String) {
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
    let (current, done, isOver) = state.withLock { ($0.current, $0.done, $0.isOver) }
    guard !isOver, let (name, messages) = current.first else { return nil }
    guard total == 1 else {
      return "cloning: \(done) of \(total) done; \(current.map(\.name).joined(separator: ", "))"
    }
    let last = GitCloneFailure.tail(messages, limit: Self.tail).split(whereSeparator: \.isNewline).last
    return "cloning \(name)" + (last.map { ": \($0)" } ?? "")
  }
}
