package import ForageCore

extension ProviderOutcome {
  /// That the answer is an old one from the cache, why, and what to do about it; `nil` for a current answer.
  ///
  /// - Parameter isOffline: Whether the user allowed no requests.
  package func staleness(isOffline: Bool) -> (message: String, remedy: Remedy?)? {
    guard let old = staleness else { return nil }
    if isOffline { return ("\(name) was not asked again; \(old)", nil) }
    let reason = cache.failure.map { " (\($0))" } ?? ""
    return ("\(name) could not be asked again\(reason); \(old)", .askAgain)
  }

  /// How old an old answer from the cache is, as the end of a message; `nil` for a current answer.
  package var staleness: String? {
    guard cache.isStale, let age = cache.age else { return nil }
    return "its answer is from the cache and \(HumanFormat.span(age)) old"
  }
}
