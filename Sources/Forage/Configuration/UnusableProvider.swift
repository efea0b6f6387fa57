package import ForageCore

/// A provider whose settings are wrong: every request fails with the reason, and other providers still work.
package struct UnusableProvider: SearchProvider {
  package let descriptor: ProviderDescriptor
  package let error: SearchError

  package func search(_ request: SearchRequest) async throws -> SearchPage { throw error }

  package func feed(_ request: SearchRequest) async throws -> SearchPage { throw error }

  package func details(of id: EntityReference, deadline: ContinuousClock.Instant, requests: RequestCounter)
    async throws -> EntityDetails?
  {
    throw error
  }
}
