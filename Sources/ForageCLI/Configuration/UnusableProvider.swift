import ForageCore

/// Stands in for a provider whose own settings are wrong, so that the others can still be asked.
struct UnusableProvider: SearchProvider {
  let descriptor: ProviderDescriptor
  /// What is wrong; every request ends with it.
  let error: SearchError

  func search(_ request: SearchRequest) async throws -> SearchPage { throw error }

  func details(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws
    -> SearchResult?
  {
    throw error
  }
}

extension [ProviderOutcome] {
  /// Whether nothing was there to be asked but providers whose settings are wrong.
  var isMisconfigured: Bool {
    let failures = filter(\.state.isFailure)
    return !failures.isEmpty && failures.allSatisfy { $0.error?.code == .configuration }
      && !contains(where: \.state.isAnswer)
  }
}
