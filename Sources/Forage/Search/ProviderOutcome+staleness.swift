package import ForageCore

extension ProviderOutcome {
  /// How old an old answer from the cache is, as the end of a message; `nil` for a current answer.
  package var staleness: String? {
    cache.isStale ? cache.age.map { "its answer is from the cache and \(HumanFormat.span($0)) old" } : nil
  }
}
