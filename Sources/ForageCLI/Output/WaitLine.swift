import ForageCore
import Synchronization

/// Shows on one line of the terminal what a command waits for, once a wait is longer than 0.3 s; does nothing anywhere else.
final class WaitLine: Sendable {
  /// A wait that has begun.
  struct Wait: Sendable {
    fileprivate var number: Int
  }

  private struct Subject {
    var number: Int
    var name: String
    /// Whether it has been waited for long enough to be shown.
    var isDue = false
  }

  private struct State {
    var subjects: [Subject] = []
    /// The providers that wait for a rate limit, and until when.
    var limits: [(provider: String, end: ContinuousClock.Instant)] = []
    var count = 0
    var isShown = false
    var isCounting = false
  }

  /// A shorter wait shows nothing.
  static let standardDelay: Duration = .milliseconds(300)
  /// The time between two drawings of a countdown.
  private static let interval: Duration = .seconds(1)

  private let output: Output
  private let delay: Duration
  private let state = Mutex(State())

  /// - Parameter delay: How long a wait lasts before it is shown.
  init(_ output: Output, delay: Duration = WaitLine.standardDelay) {
    self.output = output
    self.delay = delay
  }

  /// Begins to wait.
  ///
  /// - Parameter name: What is waited for, for example `github`.
  func begin(_ name: String) -> Wait {
    let number = state.withLock { state in
      state.count += 1
      state.subjects.append(Subject(number: state.count, name: name))
      return state.count
    }
    if output.hasProgress {
      Task { [weak self, delay] in
        try? await Task.sleep(for: delay)
        self?.showDue(number)
      }
    }
    return Wait(number: number)
  }

  /// Changes what is waited for, for example to how much is left.
  func update(_ wait: Wait, _ name: String) {
    state.withLock { state in
      guard let index = state.subjects.firstIndex(where: { $0.number == wait.number }) else { return }
      state.subjects[index].name = name
    }
    draw()
  }

  /// Shows the line again after something else was written, unless the waits end before the delay.
  func showAgain() {
    guard output.hasProgress else { return }
    Task { [weak self, delay] in
      try? await Task.sleep(for: delay)
      self?.draw()
    }
  }

  /// Ends a wait; the line goes with the last one.
  func end(_ wait: Wait) {
    state.withLock { state in
      state.subjects.removeAll { $0.number == wait.number }
      if state.subjects.isEmpty { state.limits = [] }
    }
    draw()
  }

  /// Counts down the wait of a provider for its rate limit.
  func wait(_ provider: String, for duration: Duration) {
    guard output.hasProgress else { return }
    let isFirst = state.withLock { state in
      state.limits.removeAll { $0.provider == provider }
      state.limits.append((provider, .now + duration))
      defer { state.isCounting = true }
      return !state.isCounting
    }
    draw()
    guard isFirst else { return }
    Task { [weak self] in
      repeat { try? await Task.sleep(for: Self.interval) } while self?.countDown() == true
    }
  }

  private func showDue(_ number: Int) {
    state.withLock { state in
      guard let index = state.subjects.firstIndex(where: { $0.number == number }) else { return }
      state.subjects[index].isDue = true
    }
    draw()
  }

  /// Draws the seconds that are left, and the line without them at the end.
  ///
  /// - Returns: Whether there is more to count.
  private func countDown() -> Bool {
    draw()
    return state.withLock { state in
      let now = ContinuousClock.now
      state.isCounting = state.limits.contains { $0.end > now }
      return state.isCounting
    }
  }

  /// Draws what is waited for at the time when the terminal can take it.
  private func draw() {
    output.changeProgress { [weak self] in self?.state.withLock { Self.change(&$0) } }
  }

  private static func change(_ state: inout State) -> TransientLine.Change? {
    let now = ContinuousClock.now
    state.limits.removeAll { $0.end <= now }
    let names = state.subjects.filter(\.isDue).map(\.name)
    let wasShown = state.isShown
    state.isShown = true
    if let limit = state.limits.first {
      return .draw("\(limit.provider): waiting \(HumanFormat.wait(limit.end - now)) for the limit")
    }
    if !names.isEmpty { return .draw("waiting for " + names.joined(separator: ", ")) }
    state.isShown = false
    return wasShown ? .erase : nil
  }
}
