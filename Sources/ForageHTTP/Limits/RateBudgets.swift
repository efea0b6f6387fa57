import ForageCore
package import ForageFoundation
import Synchronization

/// The limits of all servers that a process knows: one value for all providers.
///
/// A search below all limits costs one read for each limit and no write.
package final class RateBudgets: Sendable {
  /// The most waits for one request: a wait may end early, or in a window that other processes have used up.
  static let maximumWaits = 3
  /// Time that must be left after a wait, for the answer.
  static let waitMargin: Duration = .seconds(1)
  /// The most time that is added to a wait, so that waiting processes do not all ask at once; clocks differ by about as much.
  static let longestJitter: Duration = .milliseconds(500)
  /// The name for all resources of a host and credential: a secondary limit applies to all requests.
  package static let everything = "*"
  /// The longest name of a resource; a longer value of the header field is ignored.
  private static let longestResource = 64

  private struct Local {
    var budget = RateBudget()
    var inFlight = 0
    /// Whether the budget is stored, so that changes must be stored too.
    var isStored = false
  }

  private let storage: any RateBudgetStorage
  private let failures: StorageFailureReport
  private let now: @Sendable () -> Date
  private let jitter: @Sendable () -> Double
  private let pause: @Sendable (Duration) async throws -> Void
  private let scopes = Mutex<[String: Local]>([:])

  /// Creates an empty set of limits; nothing is read yet.
  ///
  /// - Parameters:
  ///   - failures: Called when the storage fails; requests go on without it.
  ///   - now: The time of day.
  ///   - jitter: From 0 to 1, drawn for each wait.
  ///   - pause: Waits for a limit to end; throws when it is cancelled.
  package init(
    _ storage: any RateBudgetStorage, failures: StorageFailureReport,
    now: @escaping @Sendable () -> Date = { Date() },
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.storage = storage
    self.failures = failures
    self.now = now
    self.jitter = jitter
    self.pause = pause
  }

  /// The key of a limit in the storage.
  ///
  /// - Parameter credential: The credential's fingerprint, `nil` for none.
  package static func scope(host: String, credential: String?, resource: String) -> String {
    [host, credential ?? "anonymous", resource].joined(separator: " ")
  }

  /// The requests that are left of a limit, as far as answers of this process or others have told; `nil` if that is unknown.
  package func remaining(host: String, credential: String?, resource: String) -> Int? {
    known(host, credential, resource)?.current(at: now()).remaining
  }

  /// Until when nothing may be asked, as far as this process or others were told; `nil` if something may be.
  package func end(host: String, credential: String?, resource: String) -> Date? {
    known(host, credential, resource)?.exceededUntil(at: now())
  }

  private func known(_ host: String, _ credential: String?, _ resource: String) -> RateBudget? {
    let scope = Self.scope(host: host, credential: credential, resource: resource)
    if !scopes.withLock({ $0[scope] != nil }) { read(scope) }
    return scopes.withLock { $0[scope]?.budget }
  }

  /// Keeps a limit whose end is known by other means than an HTTP response.
  ///
  /// - Returns: The end, at most a day ahead.
  package func block(host: String, credential: String?, resource: String, for wait: Duration) -> Date {
    let seconds = min(max(wait / .seconds(1), 0), RateBudget.longestWait)
    let end = now().addingTimeInterval(seconds)
    block(Self.scope(host: host, credential: credential, resource: resource), until: end)
    return end
  }

  /// Sends a request when its limit allows, and once more after a refusal, where there is time to wait.
  func send(
    _ request: HTTPRequest, over transport: HTTPTransport, host: String, credential: String?,
    resource: String, onWait: (@Sendable (LimitWait) -> Void)?
  ) async throws -> HTTPResponse {
    let scope = Self.scope(host: host, credential: credential, resource: resource)
    let everything = Self.scope(host: host, credential: credential, resource: Self.everything)
    for name in [scope, everything] where !scopes.withLock({ $0[name] != nil }) { read(name) }
    var waits = 0
    var wasRefused = false
    while true {
      while let (end, budget) = refusal(scope, everything) {
        guard waits < Self.maximumWaits,
          try await wait(until: end, for: request, host: host, resource: resource, onWait)
        else { return answer(budget, resource: resource, end: end) }
        waits += 1
        // Another process may have been refused meanwhile.
        read(scope)
        read(everything)
      }
      let response: HTTPResponse
      do {
        response = try await transport.send(request)
      } catch {
        scopes.withLock { $0[scope]?.inFlight -= 1 }
        throw error
      }
      let named = response.header("x-ratelimit-resource").flatMap(Self.resource) ?? resource
      let target = Self.scope(host: host, credential: credential, resource: named)
      guard let end = learn(response, scope: target, everything: everything, endOf: scope) else {
        return response
      }
      guard !wasRefused, waits < Self.maximumWaits,
        try await wait(until: end, for: request, host: host, resource: named, onWait)
      else { return addingRetryAfter(response, end: end) }
      wasRefused = true
      waits += 1
      read(scope)
    }
  }

  /// Waits for a limit to end.
  ///
  /// - Returns: False at once without `onWait`, or when the deadline leaves no time.
  private func wait(
    until end: Date, for request: HTTPRequest, host: String, resource: String,
    _ onWait: (@Sendable (LimitWait) -> Void)?
  ) async throws -> Bool {
    guard let onWait else { return false }
    let left = Duration.seconds(max(0, end.timeIntervalSince(now())))
    let whole = left + Self.longestJitter * min(max(jitter(), 0), 1)
    guard ContinuousClock.now + whole + Self.waitMargin < request.deadline else { return false }
    onWait(LimitWait(host: host, resource: resource, duration: whole))
    try await pause(whole)
    return true
  }

  /// Until when nothing may be sent, and why; `nil` counts the request as sent.
  private func refusal(_ scope: String, _ everything: String) -> (Date, RateBudget)? {
    let time = now()
    return scopes.withLock { scopes in
      let whole = scopes[everything]?.budget.current(at: time)
      var local = scopes[scope] ?? Local()
      local.budget = local.budget.current(at: time)
      defer { scopes[scope] = local }
      var budget = local.budget
      budget.blockedUntil = [budget.blockedUntil, whole?.blockedUntil].compactMap(\.self).max()
      if let end = budget.exceededUntil(at: time, inFlight: local.inFlight) { return (end, budget) }
      local.inFlight += 1
      return nil
    }
  }

  private func read(_ scope: String) {
    let stored = failures.attempt { try storage.budget(scope: scope) } ?? nil
    let time = now()
    scopes.withLock { scopes in
      var local = scopes[scope] ?? Local()
      if let stored {
        let strikes = max(stored.current(at: time).strikes, local.budget.strikes)
        local.budget = stored.merged(with: local.budget, at: time)
        local.budget.strikes = strikes
        local.isStored = true
      }
      scopes[scope] = local
    }
  }

  /// Stores the limit that an answer reports, and counts a request as answered.
  ///
  /// - Returns: For a refusal, when something may be sent again.
  private func learn(_ response: HTTPResponse, scope: String, everything: String, endOf ended: String)
    -> Date?
  {
    let time = now()
    let isOwn = response.header(NotSent.header) != nil
    let refusal = LimitRefusal(response, at: time)
    let (toRecord, end) = scopes.withLock { scopes -> (RateBudget?, Date?) in
      scopes[ended]?.inFlight -= 1
      var local = scopes[scope] ?? Local()
      let known = local.budget.current(at: time)
      // A request that is refused during a block was sent before it: the refusals of one burst are one.
      let before = known.blockedUntil == nil ? known.strikes : max(0, known.strikes - 1)
      guard !isOwn, let said = RateBudget(response, at: time, strikes: before) else {
        return (nil, nil)
      }
      // A stored budget whose window is over needs no update.
      if known.resetAt == nil, known.blockedUntil == nil, known.strikes == 0 { local.isStored = false }
      local.budget = known.merged(with: said, at: time)
      let mustRecord = local.budget.isLow || local.isStored
      if mustRecord { local.isStored = true }
      scopes[scope] = local
      return (mustRecord ? local.budget : nil, local.budget.exceededUntil(at: time))
    }
    if let toRecord { failures.attempt { try storage.record(scope: scope, toRecord, now: time) } }
    if refusal?.isSecondary == true, !isOwn, let end { block(everything, until: end) }
    return refusal == nil ? nil : end
  }

  private func block(_ scope: String, until end: Date) {
    let block = RateBudget(blockedUntil: end)
    let time = now()
    scopes.withLock { scopes in
      var local = scopes[scope] ?? Local()
      local.budget = local.budget.merged(with: block, at: time)
      scopes[scope] = local
    }
    failures.attempt { try storage.record(scope: scope, block, now: time) }
  }

  private static func resource(_ text: String) -> String? {
    let isWord = !text.isEmpty && text.consists(of: "a"..."z", "0"..."9", and: "_-")
    return isWord && text.utf8.count <= longestResource ? text : nil
  }

  /// The answer in place of the server's.
  private func answer(_ budget: RateBudget, resource: String, end: Date) -> HTTPResponse {
    var headers = [
      (name: "retry-after", value: seconds(until: end)),
      (name: "x-ratelimit-resource", value: resource), (name: NotSent.header, value: NotSent.limit),
    ]
    if let limit = budget.limit { headers.append((name: "x-ratelimit-limit", value: String(limit))) }
    // A block leaves the remainder of the window as it is; otherwise the sent requests have used it.
    if let remaining = budget.remaining {
      let shown = budget.blockedUntil == nil ? 0 : remaining
      headers.append((name: "x-ratelimit-remaining", value: String(shown)))
    }
    if let reset = budget.resetAt {
      headers.append((name: "x-ratelimit-reset", value: String(Int(reset.timeIntervalSince1970))))
    }
    return HTTPResponse(status: 429, headers: headers)
  }

  /// The server's own refusal, with the end of the wait where the server names none.
  private func addingRetryAfter(_ response: HTTPResponse, end: Date) -> HTTPResponse {
    guard LimitRefusal(response, at: now())?.end == nil else { return response }
    var response = response
    response.headers.remove("retry-after")
    response.headers.append((name: "retry-after", value: seconds(until: end)))
    return response
  }

  private func seconds(until end: Date) -> String {
    String(end.wholeSeconds(after: now()))
  }
}

extension HTTPTransport {
  /// The transport that sends nothing to a server whose limit is known to be exceeded.
  ///
  /// Its answer is then status 429 with the header fields `retry-after`, `x-ratelimit-*` and `NotSent.header`, and no body, which
  /// the provider reports like any limit.
  ///
  /// - Parameters:
  ///   - credential: The credential's fingerprint, `nil` for none. Never a secret.
  ///   - onWait: Called when a wait begins. With it, limits that end a second before the request's deadline are waited for: those
  ///     that are known and, once, one that an answer reports.
  ///   - resource: The limit that a request counts against; an answer that names another one counts there.
  package func budgeted(
    by budgets: RateBudgets, host: String, credential: String?,
    onWait: (@Sendable (LimitWait) -> Void)? = nil,
    resource: @escaping @Sendable (HTTPRequest) -> String
  ) -> HTTPTransport {
    HTTPTransport { request in
      try await budgets.send(
        request, over: self, host: host, credential: credential, resource: resource(request), onWait: onWait)
    }
  }
}
