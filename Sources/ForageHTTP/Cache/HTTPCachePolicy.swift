/// How a request uses the cache.
package struct HTTPCachePolicy: Sendable {
  package enum Mode: Sendable {
    /// Fresh entries answer; older ones are checked with the server.
    case normal
    /// The cache is neither read nor written.
    case bypass
    /// Nothing is sent.
    case offline
  }

  /// A day: long enough for a journey or an outage, short enough that results still mean something.
  package static let staleFor: Duration = .seconds(24 * 60 * 60)

  package var mode: Mode
  /// The age below which an entry answers without a request; zero for never.
  ///
  /// It is ours to set: servers say `no-cache` for searches that a user pages through within seconds.
  package var freshFor: Duration
  /// The age up to which an entry may stand in for an answer that cannot be had.
  package var staleFor: Duration
  /// Whether an answer of status 200 is whole; one that is not is never stored.
  package var isComplete: @Sendable (HTTPResponse) -> Bool

  package init(
    mode: Mode = .normal, freshFor: Duration, staleFor: Duration = HTTPCachePolicy.staleFor,
    isComplete: @escaping @Sendable (HTTPResponse) -> Bool = { _ in true }
  ) {
    self.mode = mode
    self.freshFor = freshFor
    self.staleFor = staleFor
    self.isComplete = isComplete
  }
}

/// What the cache had to do with an answer.
package enum HTTPCacheState: Hashable, Sendable {
  /// The server sent it.
  case none
  /// It was kept, and is young enough to need no check; the time since the server last stood by it.
  case fresh(age: Duration)
  /// It was kept, and the server said just now that it is current.
  case validated
  /// It was kept, and the server could not be asked; the time since it last stood by it.
  case stale(age: Duration)

  /// How old the answer is, `nil` when it does not come from the cache.
  package var age: Duration? {
    switch self {
    case .none: nil
    case .validated: .zero
    case .fresh(let age), .stale(let age): age
    }
  }

  /// Whether the answer is past its time.
  package var isStale: Bool { if case .stale = self { true } else { false } }
}
