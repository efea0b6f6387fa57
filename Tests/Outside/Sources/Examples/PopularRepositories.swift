import ForageCore
import ForageGitHub
import ForageHTTP

/// The ten repositories with the most stars that match a query such as `parser language:swift`.
func popularRepositories(_ text: String, token: String?, transport: HTTPTransport) async throws -> [String] {
  let github = try GitHubProvider(token: token, userAgent: "example/1.0", transport: transport)
  let registry = ProviderRegistry([github])
  let query = try QueryParser(vocabulary: registry.vocabulary).parse(text)
  let search = FederatedSearch(query: query, kinds: [.repo], limit: 10, sort: "stars")
  let run = SearchRun(search, registry)
  let result = await run.more()
  if let error = result.outcomes.compactMap(\.error).first { throw error }
  return result.items.map { item in
    "\(item.result.title): \(item.result[.stars]?.number ?? 0) stars"
  }
}
