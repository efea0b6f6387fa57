import Synchronization

/// Shows on one line of the terminal which repositories are being cloned; nothing anywhere else.
final class CloneProgress: Sendable {
  private struct State {
    var done = 0
    /// The names of the repositories in progress, each with the file of git's messages.
    var current: [(name: String, messages: String)] = []
    var entry: StatusDisplay.Entry?
  }

  /// Bytes at the end of git's messages that hold the last line about its progress.
  private static let tail = 512

  private let total: Int
  private let state = Mutex(State())

  /// - Parameter total: How many repositories are to be cloned.
  init(_ output: Output, total: Int) {
    self.total = total
    let entry = output.showStatus { [weak self] in
      self?.text.map { [StatusDisplay.Row(text: $0)] } ?? []
    }
    state.withLock { $0.entry = entry }
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
  func finish() { state.withLock { $0.entry }?.end() }

  /// What is in progress, `nil` for nothing.
  private var text: String? {
    let (current, done) = state.withLock { ($0.current, $0.done) }
    guard let (name, messages) = current.first else { return nil }
    guard total == 1 else {
      return "cloning: \(done) of \(total) done; \(current.map(\.name).joined(separator: ", "))"
    }
    let last = GitCloneFailure.tail(messages, limit: Self.tail).split(whereSeparator: \.isNewline).last
    return "cloning \(name)" + (last.map { ": \($0)" } ?? "")
  }
}
