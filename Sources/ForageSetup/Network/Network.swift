package import ForageCore
import ForageHTTP
import ForageHTTPLive
import Synchronization

/// How requests are sent: connections, cache, and what is known of servers.
package struct Network: Sendable {
  /// Sends requests in place of connections of this run.
  private let given: HTTPTransport?
  private let live: Once<LiveTransport, SearchError>
  private let cache: HTTPCache
  /// The limits of servers and plugins, as they have told this process.
  let budgets: RateBudgets
  /// The servers that this process could not reach.
  private let breaker: CircuitBreaker
  private let allowance: RequestAllowance?
  /// The traced requests that have not ended.
  private let exchanges = PendingReports()
  /// What is wrong with the cache and not reported yet.
  private let cacheProblems: Locked<[String]>
  private let cacheFolder: String
  private let credentials: Credentials
  /// Takes the lines about requests and waits.
  private var reporter: Reporter
  /// Whether another network closes the connections.
  private let isShared: Bool

  /// Opens nothing and sends nothing.
  ///
  /// - Parameters:
  ///   - credentials: Holds the secrets that are masked in traces.
  ///   - reporter: Takes the lines about requests and answers from the cache.
  ///   - other: The network whose connections and knowledge of servers are used; `nil` for none.
  init(
    _ setup: ForageSetup, _ paths: Paths, _ credentials: Credentials, _ reporter: Reporter,
    sharing other: Network? = nil
  ) {
    (self.credentials, self.reporter) = (credentials, reporter)
    let environment = setup.environment
    given = setup.transport
    isShared = other != nil
    live =
      other?.live
      ?? Once { () throws(SearchError) in LiveTransport(try NetworkSettings(environment: environment)) }
    let problems = Locked<[String]>([])
    cacheProblems = problems
    cacheFolder = paths.cacheFolder
    cache = HTTPCache(
      folder: paths.answersFolder, report: { problem in problems.withLock { $0.append(problem) } },
      onCached: { request, age in
        reporter.trace?(
          "\(request.method) \(request.url.text) from cache, \(HumanFormat.duration(age)) old")
      })
    budgets = other?.budgets ?? RateBudgets()
    breaker = other?.breaker ?? CircuitBreaker()
    allowance = setup.maximumRequests.map(RequestAllowance.init)
  }

  /// The same, with another taker of lines.
  func reporting(to reporter: Reporter) -> Network {
    var copy = self
    copy.reporter = reporter
    return copy
  }

  /// The transport that every provider of this run shares.
  ///
  /// - Throws: `SearchError` with code `configuration` for a wrong proxy.
  func transport() throws(SearchError) -> HTTPTransport {
    let shared = if let given { given.counting() } else { try live.get().transport }
    let limited =
      allowance.map { allowance in
        HTTPTransport { request in
          try allowance.take()
          return try await shared.send(request)
        }
      } ?? shared
    guard let trace = reporter.trace else { return limited }
    let redaction = SecretRedaction(credentials.secretsOfVariables)
    return limited.reporting(exchanges) { [tracesHeaders = reporter.tracesHeaders] exchange in
      for line in [exchange.line] + (tracesHeaders ? exchange.headers : []) {
        trace(redaction.redacted(line))
      }
    }
  }

  /// The cache, limits and circuits for the requests of one provider: its waits for limits are reported with
  /// its id.
  func services(of provider: String, _ mode: CacheMode) -> HTTPServices {
    HTTPServices(
      cache: cache, mode: mode, budgets: budgets, breaker: breaker,
      onWait: { [reporter] wait in
        reporter.trace?(
          "\(provider): waiting \(HumanFormat.wait(wait.duration)) for the limit (\(wait.resource) of \(wait.host))"
        )
        reporter.waiting(provider, wait.duration)
      })
  }

  /// Makes each server be asked once more, whatever failed before.
  package func admitNextRequests() { breaker.admitNextRequests() }

  /// Reports what is wrong with the cache; not while something is drawn on the terminal.
  package func reportCacheProblems() {
    let problems = cacheProblems.withLock { problems in
      defer { problems = [] }
      return problems
    }
    for problem in problems {
      reporter.warning(
        problem,
        "the command works without it; check the permissions and the free space of \(cacheFolder), or delete it"
      )
    }
  }

  /// Reports the requests that the deadline ended and that have not told it yet.
  func giveUp() { exchanges.giveUp() }

  /// Closes the connections, unless another network does.
  func close() async { if !isShared { await live.made?.shutdown() } }
}

extension HTTPExchange {
  /// The exchange as `--verbose` shows it.
  fileprivate var line: String {
    let outcome = status.map(String.init) ?? "failed (\(failure ?? "no answer"))"
    return "\(method) \(url) \(outcome), \(HumanFormat.duration(elapsed)), \(HumanFormat.bytes(bytes))"
  }
}

extension SearchError.Code {
  /// The requests that the user allows were sent.
  package static let requestLimit: SearchError.Code = "request_limit"
}

/// Counts down the requests that may still be sent; every request of a run changes it.
package final class RequestAllowance: Sendable {
  private let maximum: Int
  private let left: Mutex<Int>

  package init(_ maximum: Int) {
    self.maximum = maximum
    left = Mutex(maximum)
  }

  /// Counts a request that is about to be sent.
  ///
  /// - Throws: `SearchError` when the limit is reached.
  package func take() throws(SearchError) {
    let isLeft = left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
    if isLeft { return }
    throw SearchError(
      .requestLimit, "the limit of \(HumanFormat.plural(maximum, "request")) is reached")
  }
}
