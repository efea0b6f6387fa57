package import ForageCore

extension ProviderOutcome {
  /// That the answer is an old one from the cache, and what to do; `nil` for a current answer.
  ///
  /// - Parameter isOffline: Whether the user allowed no requests.
  package func staleness(isOffline: Bool) -> (message: String, remedy: Remedy)? {
    guard cache.isStale, let age = cache.age else { return nil }
    let old = "its answer is from the cache and \(HumanFormat.span(age)) old"
    return requests > 0
      ? ("\(name) could not be asked again; \(old)", .traceRequests)
      : ("\(name) was not asked again; \(old)", isOffline ? .askOnline : .askAgain)
  }
}
