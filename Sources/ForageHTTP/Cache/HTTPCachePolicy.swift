package import ForageCore

/// How a request uses the cache.
package struct HTTPCachePolicy: Sendable {
  /// The age up to which an entry is used when the server cannot be reached. One day is long enough to cover
  /// an outage, and short enough for results to be useful.
  package static let staleFor: Duration = .seconds(24 * 60 * 60)

  package var mode: CacheMode
  /// The age below which an entry is used without revalidation; zero for never.
  ///
  /// This overrides the server's directives, because servers send `no-cache` for searches.
  package var freshFor: Duration

  package init(mode: CacheMode = .normal, freshFor: Duration) {
    self.mode = mode
    self.freshFor = freshFor
  }
}

/// How the cache contributed to a response.
package enum HTTPCacheState: Hashable, Sendable {
  /// The response comes from the server.
  case none
  /// A stored response, fresh enough to need no validation; `age` is the time since its last validation.
  case fresh(age: Duration)
  /// A stored response that the server validated.
  case validated
  /// A stored response, used because the server could not be reached; `age` is the time since its last
  /// validation.
  case stale(age: Duration)

  /// The age of the response; `nil` if it does not come from the cache.
  package var age: Duration? {
    switch self {
    case .none: nil
    case .validated: .zero
    case .fresh(let age), .stale(let age): age
    }
  }

  package var use: CacheUse {
    if case .stale(let age) = self { CacheUse(age: age, isStale: true) } else { CacheUse(age: age) }
  }
}
