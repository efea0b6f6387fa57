/// Five forges that are asked side by side, of which only the last is well.
public struct FiveForges: Sendable {
  /// What they are called in the settings, in order; each does what its name says.
  public static let ids = ["hanging", "dripping", "failing", "repeating", "complete"]
  /// How many repositories the last one has: three pages.
  public static let count = 250

  /// The servers in the order of `ids`.
  public let servers: [LoopbackServer]

  /// What they all know; every one is found with the word `match`. The fourth gets no further than the first
  /// page.
  public static let repositories = FakeRepository.sample(count: count).map { repository in
    repository.with {
      $0.description = "match " + ($0.description ?? "")
      $0.fork = false
    }
  }

  /// The settings that make them the only providers beside the clones.
  public var settings: String {
    let lines = zip(Self.ids, servers).map { id, server in
      "  \(id): {type: github, url: \"\(server.baseURL)/api/v3\"}\n"
    }
    return "providers:\n  github: {enabled: false}\n" + lines.joined()
  }

  fileprivate static func handlers() -> [LoopbackServer.Handler] {
    // Nobody sees more of the first three than a few bytes; the answer that is then spoilt is made all the
    // same, and costs time.
    let services = ids.indices.map { index in
      FakeGitHub(repositories: index < 3 ? Array(repositories.prefix(3)) : repositories) {
        $0.limits = .absent
      }
    }
    services[0].fail(.hang)
    services[1].fail(.drip())
    services[2].fail(.serverError)
    return services[..<3].map(\.handler) + [services[3].repeatingHandler, services[4].handler]
  }
}

/// Runs a body with five forges whose servers are stopped afterwards, whatever happens.
public func withFiveForges<Result>(_ body: (FiveForges) async throws -> Result) async throws -> Result {
  try await withServers(FiveForges.handlers()) { try await body(FiveForges(servers: $0)) }
}

/// Runs a body with a server for each handler, all of which are stopped afterwards, whatever happens.
public func withServers<Result>(
  _ handlers: [LoopbackServer.Handler], _ body: ([LoopbackServer]) async throws -> Result
) async throws -> Result {
  var servers: [LoopbackServer] = []
  do {
    for handler in handlers { servers.append(try await LoopbackServer.start(handler: handler)) }
    let result = try await body(servers)
    for server in servers { await server.stop() }
    return result
  } catch {
    for server in servers { await server.stop() }
    throw error
  }
}
