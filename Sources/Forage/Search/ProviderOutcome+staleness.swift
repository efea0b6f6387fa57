package import ForageCore

extension ProviderOutcome {
  /// That the answer is an old one from the cache, and what to do; `nil` for a current answer.
  ///
  /// - Parameter isOffline: Whether the user allowed no requests.
  package func staleness(isOffline: Bool) -> (message: String, remedy: Remedy)? {
    guard let old = staleness else { return nil }
    return requests > 0
      ? ("\(name) could not be asked again; \(old)", .traceRequests)
      : ("\(name) was not asked again; \(old)", isOffline ? .askOnline : .askAgain)
  }

  /// How old an old answer from the cache is, as the end of a message; `nil` for a current answer.
  package var staleness: String? {
    guard cache.isStale, let age = cache.age else { return nil }
    return "its answer is from the cache and \(HumanFormat.span(age)) old"
  }
}
