import ForageCore
import ForageHTTP
import ForageTesting
import Foundation
import Testing

@testable import DocumentedExamples

/// A provider that somebody wrote who knew the documentation alone: it keeps the contract, and a search gets
/// from it what there is.
struct GiteaRepositoryTests {
  private struct Repository {
    var (number, owner, name, description) = (0, "", "", "")
    var (stars, isArchived, isFork, isMirror) = (0, false, false, false)
    var forks: Int { number % 5 }
    var day: Int { number % 28 + 1 }
    var created: String { String(format: "2020-01-%02dT08:00:00+01:00", day) }
    var path: String { "\(owner)/\(name)" }

    var json: [String: Any] {
      [
        "id": number, "owner": ["login": owner], "name": name, "full_name": path, "description": description,
        "archived": isArchived, "fork": isFork, "mirror": isMirror, "stars_count": stars,
        "forks_count": forks,
        "language": "", "topics": NSNull(), "html_url": "https://git.example.org/\(path)",
        "created_at": created,
        // What is absent is in year 1.
        "updated_at": number % 9 == 0 ? "0001-01-01T00:00:00Z" : created,
      ]
    }
  }

  private static let repositories = (1...72).map { number in
    Repository(
      number: number, owner: ["example", "tools", "acme"][number % 3],
      name: ["parser", "web-kit", "lexer-tool", "parser-kit"][number % 4] + "-\(number)",
      description: ["A parser for Größen", "構文解析器 parser", "", "Überprüft Maße"][number % 4],
      stars: number * 37 % 50, isArchived: number % 5 == 0, isFork: number % 4 == 1,
      isMirror: number % 8 == 3)
  }

  /// Answers as a Gitea server does whose pages have at most some entries, whatever is asked for.
  private static func transport(largestPage: Int, status: Int) -> HTTPTransport {
    let transport = HTTPTransport { request in
      if status == 200 { return try answer(request.url, largestPage) }
      return HTTPResponse(
        status: status, headers: status == 429 ? [("Retry-After", "30")] : [],
        body: Array(#"{"message": "token is required"}"#.utf8))
    }
    return transport.counting()
  }

  private static func answer(_ url: HTTPURL, _ largestPage: Int) throws -> HTTPResponse {
    let address = try #require(URLComponents(string: url.text))
    let path = address.path.split(separator: "/").map(String.init)
    if path.last == "search" { return try list(address.queryItems ?? [], largestPage) }
    guard path.count >= 5, let known = repositories.first(where: { $0.path == path[3] + "/" + path[4] })
    else {
      return HTTPResponse(status: 404, body: Array("404 page not found".utf8))
    }
    return try json(path.last == "languages" ? ["Swift": 7500, "Shell": 2500] : known.json)
  }

  private static func list(_ items: [URLQueryItem], _ largestPage: Int) throws -> HTTPResponse {
    let given = Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    let word = given["q"]?.lowercased() ?? ""
    var found = repositories.filter { repository in
      word.isEmpty || repository.name.contains(word) || repository.description.lowercased().contains(word)
    }
    if let isArchived = given["archived"] { found = found.filter { $0.isArchived == (isArchived == "true") } }
    if given["mode"] == "fork" { found = found.filter(\.isFork) }
    let key: (Repository) -> Int =
      switch given["sort"] {
      case "stars": { $0.stars }
      case "forks": { $0.forks }
      case "created": { $0.day }
      case "updated": { $0.number % 9 == 0 ? 0 : $0.day }
      default: { $0.number }
      }
    found.sort { key($0) < key($1) }
    if given["order"] == "desc" { found.reverse() }
    let page = given["page"].flatMap { Int($0) } ?? 1
    let size = min(largestPage, given["limit"].flatMap { Int($0) } ?? largestPage)
    let start = min((page - 1) * size, found.count)
    let part = found[start..<min(start + size, found.count)]
    return try json(
      ["ok": true, "data": part.map(\.json)] as [String: Any], [("X-Total-Count", String(found.count))])
  }

  private static func json(_ body: [String: Any], _ headers: [(name: String, value: String)] = []) throws
    -> HTTPResponse
  {
    let bytes = try JSONSerialization.data(withJSONObject: body)
    return HTTPResponse(status: 200, headers: headers, body: Array(bytes))
  }

  private static func provider(largestPage: Int = 50, status: Int = 200) throws -> GiteaRepositories {
    GiteaRepositories(
      server: try #require(HTTPURL("https://git.example.org")),
      transport: transport(largestPage: largestPage, status: status))
  }

  private func search(_ text: String, _ provider: GiteaRepositories, limit: Int = 100) async throws
    -> FederatedResult
  {
    let registry = ProviderRegistry([provider])
    let query = try QueryParser(vocabulary: registry.vocabulary).parse(text)
    let (sort, order) = (query.sort?.key, query.sort?.order ?? .descending)
    return await SearchRun(FederatedSearch(query: query, limit: limit, sort: sort, order: order), registry)
      .more()
  }

  /// Also with a server that shortens pages without a word.
  @Test(arguments: [50, 7])
  func theContractIsKept(_ largestPage: Int) async throws {
    let provider = try Self.provider(largestPage: largestPage)
    let report = await ProviderComplianceTests(
      provider: provider,
      samples: .init(
        words: ["parser", "größen"], qualifiers: ["archived:true", "fork:only"])
    ).run()
    #expect(report.failures.isEmpty, "\(report)")
  }

  /// A query, and what it finds.
  @Test func conditions() async throws {
    let provider = try Self.provider()
    func check(_ query: String, _ isFound: (Repository) -> Bool) async throws {
      let result = try await search(query, provider)
      let expected = Self.repositories.filter(isFound).map { "git.example.org/" + $0.path }
      #expect(Set(result.items.map(\.result.id)) == Set(expected), "\(query)")
      #expect(result.isComplete && result.items.count == expected.count, "\(query)")
    }
    func has(_ word: String, _ repository: Repository) -> Bool {
      (repository.path + " " + repository.description).lowercased().contains(word)
    }
    try await check("parser") { has("parser", $0) }
    try await check("größen") { has("größen", $0) }
    try await check("\"a parser\"") { has("a parser", $0) }
    try await check("parser archived:true") { has("parser", $0) && $0.isArchived }
    try await check("parser -archived:true") { has("parser", $0) && !$0.isArchived }
    try await check("parser fork:only") { has("parser", $0) && $0.isFork }
    try await check("parser fork:false") { has("parser", $0) && !$0.isFork }
    try await check("parser mirror:true NOT kit") { has("parser", $0) && $0.isMirror && !has("kit", $0) }
  }

  @Test func sortsAndPages() async throws {
    let result = try await search("archived:false sort:stars", try Self.provider(largestPage: 7))
    let stars = result.items.compactMap { $0.result[.stars]?.number }
    #expect(stars.count == 58 && stars == stars.sorted(by: >))
    #expect(result.outcomes.first?.requests == 9)
    #expect(
      result.items.allSatisfy { ($0.result[.updatedAt]?.date).map { $0.timeIntervalSince1970 > 0 } ?? true })
  }

  @Test func detailsOfOne() async throws {
    let registry = ProviderRegistry([try Self.provider()])
    let known = try #require(EntityReference("git.example.org/tools/parser-4", defaultHost: "github.com"))
    let details = await registry.details(of: known, timeout: .seconds(20))
    #expect(details.item?.id == known.id && details.missing.isEmpty)
    #expect(details.item?[.languages]?.elements.count == 2)
    let unknown = try #require(EntityReference("git.example.org/tools/none", defaultHost: "github.com"))
    #expect(await registry.details(of: unknown, timeout: .seconds(20)).item == nil)
  }

  /// What a server refuses, and what the provider makes of it.
  @Test(
    arguments: [
      (401, "unauthorized"), (403, "forbidden"), (404, "not_found"), (410, "unavailable"),
      (422, "invalid_query"), (429, "rate_limited"), (500, "server_error"), (418, "invalid_response"),
    ])
  func refusals(_ status: Int, _ code: String) async throws {
    let result = try await search("parser", try Self.provider(status: status))
    let error = try #require(result.outcomes.first?.error)
    #expect(error.code.rawValue == code && result.items.isEmpty)
    #expect(error.message.contains("token is required"))
    #expect((error.retryAfterMilliseconds == 30_000) == (status == 429))
  }
}
