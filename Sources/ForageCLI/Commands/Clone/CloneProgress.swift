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
  private let line: ProgressLine
  private let state = Mutex(State())

  /// - Parameter total: How many repositories are to be cloned.
  init(_ output: Output, total: Int) {
    self.total = total
    line = ProgressLine(output)
    guard output.isMessageTerminal else { return }
    Task { [weak self] in
      try? await Task.sleep(for: Self.delay)
      while self?.draw() == true { try? await Task.sleep(for: Self.interval) }
    }
  }

  /// Adds a repository to those in progress.
  func begin(_ name: String, messages: String) {
    state.withLock { $0.current.append((name, messages)) }
  }

  /// Removes a repository from those in progress, if it was, and writes its result in the place of the line.
  func end(_ name: String, _ write: () throws -> Void) rethrows {
    try state.withLock { state in
      if let index = state.current.firstIndex(where: { $0.name == name }) {
        state.current.remove(at: index)
        state.done += 1
      }
      line.clear()
      try write()
    }
  }

  /// Removes the line.
  func finish() {
    state.withLock { state in
      state.isOver = true
      line.clear()
    }
  }

  /// - Returns: Whether there is more to show.
  private func draw() -> Bool {
    state.withLock { state in
      if state.isOver { return false }
      if total == 1, let (name, messages) = state.current.first {
        let text = GitCloneFailure.tail(messages, limit: Self.tail).split(whereSeparator: \.isNewline).last
        line.show("cloning \(name)" + (text.map { ": \($0)" } ?? ""))
      } else if !state.current.isEmpty {
        let names = state.current.map(\.name).joined(separator: ", ")
        line.show("cloning: \(state.done) of \(total) done; \(names)")
      }
      return true
    }
  }
}
