import ForageCore
import Synchronization

/// A provider that does what a test says and remembers what it was asked.
final class ScriptedProvider: FeedProvider {
  /// Answers a request; the number counts the requests from 1.
  typealias Answer = @Sendable (_ request: SearchRequest, _ number: Int) async throws -> SearchPage

  let info: ProviderInfo
  let kinds: [ResultKind: Abilities]
  private let answer: Answer
  private let log = Mutex<[SearchRequest]>([])
  private let shown = Mutex<[SearchRequest]>([])

  /// Makes a provider of any behaviour.
  init(_ info: ProviderInfo, kinds: [ResultKind: Abilities], answer: @escaping Answer) {
    self.info = info
    self.kinds = kinds
    self.answer = answer
  }

  /// Every request so far.
  var requests: [SearchRequest] { log.withLock { $0 } }

  /// Every request for the feed so far.
  var feedRequests: [SearchRequest] { shown.withLock { $0 } }

  func feed(_ request: SearchRequest) async throws -> SearchPage {
    let number = shown.withLock { log -> Int in
      log.append(request)
      return log.count
    }
    RequestCounter.current?.add()
    return try await answer(request, number)
  }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    let number = log.withLock { log -> Int in
      log.append(request)
      return log.count
    }
    RequestCounter.current?.add()
    return try await answer(request, number)
  }
}

extension ScriptedProvider {
  /// A provider of repositories; its id is the name in lower case.
  static func named(
    _ name: String, abilities: Abilities = .plain(), kinds: [ResultKind] = [.repo],
    group: String? = nil, hosts: [String] = [], timeout: Duration? = nil, answer: @escaping Answer
  ) -> ScriptedProvider {
    var offered: [ResultKind: Abilities] = [:]
    for kind in kinds { offered[kind] = abilities }
    return ScriptedProvider(
      ProviderInfo(id: name.lowercased(), name: name, group: group, hosts: hosts, timeLimit: timeout),
      kinds: offered, answer: answer)
  }

  /// A provider that holds a list, delivers it page by page, and tells the whole count.
  static func listing(
    _ name: String, _ items: [SearchResult], abilities: Abilities = .plain(),
    group: String? = nil, hosts: [String] = [],
    before: @escaping @Sendable (_ number: Int) async throws -> Void = { _ in }
  ) -> ScriptedProvider {
    named(name, abilities: abilities, group: group, hosts: hosts) { request, number in
      try await before(number)
      return page(of: items, for: request)
    }
  }

  /// The page of a list that a request asks for; cursors are offsets.
  static func page(of items: [SearchResult], for request: SearchRequest) -> SearchPage {
    let start = min(items.count, request.cursor.flatMap { Int($0) } ?? 0)
    let end = min(items.count, start + request.pageSize)
    return SearchPage(
      items: Array(items[start..<end]), next: end < items.count ? String(end) : nil,
      total: ResultTotal(items.count))
  }
}

extension Abilities {
  /// Takes words and `language:`; its items also carry stars, forks and topics.
  static func plain(
    _ qualifiers: [String: Pushdown] = ["language": .exact], sorts: [String] = [],
    page: Int = 100, reachable: Int? = nil
  ) -> Self {
    Self(
      fields: [.language, .stars, .forks, .topics], qualifiers: qualifiers, sorts: sorts, needsText: false,
      maximumPageSize: page, reachable: reachable)
  }
}

/// Something to wait for that no cancellation ends.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Waits until the gate is open, whatever is cancelled meanwhile.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state -> Bool in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Lets everybody through, now and later.
  func open() {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      defer { state.waiters = [] }
      state.isOpen = true
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// Searches with a deadline that no test reaches.
func federated(
  _ query: String, _ providers: [any SearchProvider], kinds: [ResultKind] = [.repo], limit: Int = 30,
  sort: String? = nil, order: SortOrder = .descending
) async throws -> FederatedResult {
  let search = FederatedSearch(
    query: try QueryParser().parse(query), kinds: kinds, limit: limit, sort: sort, order: order,
    timeout: .seconds(300))
  return await SearchRun(search, ProviderRegistry(providers)).more()
}

/// Every part of a search, until nothing follows.
///
/// - Parameter limits: The number of results of each part.
func parts(_ search: FederatedSearch, _ registry: ProviderRegistry, limits: () -> Int) async
  -> [FederatedResult]
{
  let run = SearchRun(search, registry)
  var parts = [await run.more(limit: limits())]
  while parts[parts.count - 1].hasMore, parts.count < 2_000 { parts.append(await run.more(limit: limits())) }
  return parts
}

/// Repositories `example.org/OWNER/0`, `/1` and so on.
func repositories(_ owner: String, _ count: Int, _ fields: (Int) -> [ResultField: FieldValue] = { _ in [:] })
  -> [SearchResult]
{
  (0..<count).map { repository("example.org/\(owner)/\($0)", fields($0)) }
}
