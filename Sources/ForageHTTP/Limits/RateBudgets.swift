package import ForageCore
public import ForageFoundation
import ForagePlatform
import Synchronization

/// The limits of all servers, as their answers to this process say: one value for all providers.
package final class RateBudgets: Sendable {
  /// The most waits for one request: a wait may end early, or in a window that other processes have used up.
  static let maximumWaits = 3
  /// Time that must be left after a wait, for the answer.
  static let waitMargin: Duration = .seconds(1)
  /// The most time that is added to a wait, so that waiting requests are not all sent at once; clocks differ
  /// by about as much.
  static let longestJitter: Duration = .milliseconds(500)
  /// The longest wait in seconds after a refusal without a time: an hour, the longest window in common use.
  private static let longestUnspecifiedWait = 3600.0
  /// Seconds by which two answers may differ about the end of one window: the servers of one host differ by
  /// about a second.
  private static let windowTolerance = 2.0
  /// The name for all resources of a host and credential: a secondary limit applies to all requests.
  private static let everything = "*"
  /// The longest name of a resource; a longer value of the header field is ignored.
  private static let longestResource = 64

  private struct Scope: Hashable {
    var host: String
    /// The credential's fingerprint; `nil` for none.
    var credential: String?
    var resource: String
  }

  /// What is known of one limit.
  private struct Budget {
    /// Requests left in the window.
    var remaining: Int?
    /// When the window ends.
    var resetAt: Date?
    /// The refusal that holds; it has an end.
    var refusal: LimitRefusal?
    /// Refusals in a row that named no time; each doubles the wait.
    var strikes = 0
    /// Requests that were sent and not answered yet; they may count.
    var inFlight = 0

    /// Removes the window and the refusal that have ended at a time.
    mutating func expire(at time: Date) {
      func holds(_ end: Date) -> Bool {
        end > time && end <= time.addingTimeInterval(LimitRefusal.longestWait)
      }
      if let end = resetAt, !holds(end) { (remaining, resetAt) = (nil, nil) }
      if let end = refusal?.end, !holds(end) { refusal = nil }
    }

    /// The refusal of further requests at a time; `nil` when one may be sent.
    func exceeded(at time: Date) -> LimitRefusal? {
      var current = self
      current.expire(at: time)
      let isSpent = current.remaining.map { $0 <= inFlight } ?? false
      return .later(current.refusal, isSpent ? current.resetAt.map(LimitRefusal.init(until:)) : nil)
    }

    /// Adds the window that an answer reports; answers may arrive in another order than they were given.
    mutating func add(_ response: HTTPResponse, at time: Date) {
      // A limit of 0 beside an answer means that limits are switched off.
      guard let left = response.limitNumber("x-ratelimit-remaining"),
        response.limitNumber("x-ratelimit-limit") != 0,
        let end = response.windowEnd(at: time, ServerClock(response, at: time))
      else { return }
      guard let known = resetAt, abs(end.timeIntervalSince(known)) <= RateBudgets.windowTolerance else {
        // An earlier window than the known one is over.
        if resetAt.map({ $0 < end }) ?? true { (remaining, resetAt) = (left, end) }
        return
      }
      (remaining, resetAt) = (min(remaining ?? left, left), max(known, end))
    }

    /// The end of the wait after a refusal without a time. The refusals of requests that were sent at once
    /// count as one.
    mutating func strike(at time: Date) -> Date {
      if refusal == nil || strikes == 0 { strikes += 1 }
      // The longest wait is reached long before this doubling, which keeps the number from overflowing.
      let wait = LimitRefusal.unspecifiedWait * Double(1 << min(strikes - 1, 30))
      return time.addingTimeInterval(min(wait, RateBudgets.longestUnspecifiedWait))
    }
  }

  private let now: @Sendable () -> Date
  private let jitter: @Sendable () -> Double
  private let pause: @Sendable (Duration) async throws -> Void
  private let budgets = Mutex<[Scope: Budget]>([:])

  /// Creates an empty set of limits.
  ///
  /// - Parameters:
  ///   - now: The time of day.
  ///   - jitter: From 0 to 1, drawn for each wait.
  ///   - pause: Waits for a limit to end; throws when it is cancelled.
  package init(
    now: @escaping @Sendable () -> Date = { Date() },
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.now = now
    self.jitter = jitter
    self.pause = pause
  }

  /// The requests that are left of a limit, as far as answers have told; `nil` if that is unknown.
  ///
  /// - Parameter credential: The credential's fingerprint; `nil` for none.
  package func remaining(host: String, credential: String?, resource: String) -> Int? {
    let scope = Scope(host: host, credential: credential, resource: resource)
    guard var budget = budgets.withLock({ $0[scope] }) else { return nil }
    budget.expire(at: now())
    return budget.remaining
  }

  /// Keeps a pause that a good answer asks for in its body, of at most a day.
  package func pause(host: String, credential: String?, resource: String, for wait: Duration) {
    let end = now().addingTimeInterval(min(max(wait / .seconds(1), 0), LimitRefusal.longestWait))
    let scope = Scope(host: host, credential: credential, resource: resource)
    budgets.withLock { budgets in
      let known = budgets[scope, default: Budget()].refusal
      budgets[scope, default: Budget()].refusal = .later(known, LimitRefusal(until: end))
    }
  }

  /// Sends a request when its limit allows, and once more after a refusal, where there is time to wait.
  ///
  /// - Throws: `HTTPError` with code `limited` for a refusal, of the server or known before.
  func send(
    _ request: HTTPRequest, over transport: HTTPTransport, host: String, credential: String?,
    resource: String, onWait: (@Sendable (LimitWait) -> Void)?
  ) async throws -> HTTPResponse {
    let scope = Scope(host: host, credential: credential, resource: resource)
    var waits = 0
    var wasRefused = false
    while true {
      while let refusal = begin(scope) {
        guard waits < Self.maximumWaits,
          try await wait(until: refusal.end, for: request, host: host, resource: resource, onWait)
        else { throw HTTPError(limited: refusal) }
        waits += 1
      }
      let answer: Result<HTTPResponse, HTTPError>
      var named = resource
      do {
        let response = try await transport.send(request)
        if let name = response.header("x-ratelimit-resource").flatMap(Self.resource) { named = name }
        answer = .success(response)
      } catch let error as HTTPError where error.limit != nil {
        // The transport has found the refusal in the body of an answer.
        answer = .failure(error)
      } catch {
        budgets.withLock { $0[scope]?.inFlight -= 1 }
        throw error
      }
      let counted = Scope(host: host, credential: credential, resource: named)
      guard let refusal = learn(answer, of: counted, sentAs: scope) else { return try answer.get() }
      guard !wasRefused, waits < Self.maximumWaits,
        try await wait(until: refusal.end, for: request, host: host, resource: named, onWait)
      else { throw HTTPError(limited: refusal) }
      wasRefused = true
      waits += 1
    }
  }

  /// Waits for a limit to end.
  ///
  /// - Returns: False at once without `onWait`, or when the deadline leaves no time.
  private func wait(
    until end: Date?, for request: HTTPRequest, host: String, resource: String,
    _ onWait: (@Sendable (LimitWait) -> Void)?
  ) async throws -> Bool {
    guard let onWait, let end else { return false }
    let left = Duration.seconds(max(0, end.timeIntervalSince(now())))
    let whole = left + Self.longestJitter * min(max(jitter(), 0), 1)
    guard ContinuousClock.now + whole + Self.waitMargin < request.deadline else { return false }
    onWait(LimitWait(host: host, resource: resource, duration: whole))
    try await pause(whole)
    return true
  }

  /// The refusal of a request that would be sent now; `nil` counts the request as sent.
  private func begin(_ scope: Scope) -> LimitRefusal? {
    let time = now()
    var everything = scope
    everything.resource = Self.everything
    return budgets.withLock { [everything] budgets in
      let own = budgets[scope]?.exceeded(at: time)
      if let refusal = LimitRefusal.later(own, budgets[everything]?.exceeded(at: time)) { return refusal }
      budgets[scope, default: Budget()].inFlight += 1
      return nil
    }
  }

  /// Keeps the limit that an answer reports, and counts a request as answered.
  ///
  /// - Parameters:
  ///   - scope: The limit that the answer is about.
  ///   - sent: The limit that the request was counted against.
  /// - Returns: The refusal, with the end of the wait.
  private func learn(_ answer: Result<HTTPResponse, HTTPError>, of scope: Scope, sentAs sent: Scope)
    -> LimitRefusal?
  {
    let time = now()
    let response = try? answer.get()
    let said: LimitRefusal? =
      switch answer {
      case .success(let response): LimitRefusal(response, at: time)
      case .failure(let error): error.limit
      }
    return budgets.withLock { budgets in
      budgets[sent]?.inFlight -= 1
      var budget = budgets[scope] ?? Budget()
      defer { budgets[scope] = budget }
      budget.expire(at: time)
      if let response { budget.add(response, at: time) }
      guard var refusal = said else {
        // A failure of the server says nothing of its limits.
        if let response, response.status < 500 { budget.strikes = 0 }
        return nil
      }
      if refusal.end == nil { refusal.end = budget.strike(at: time) } else { budget.strikes = 0 }
      budget.refusal = .later(budget.refusal, refusal)
      if refusal.isSecondary {
        var everything = scope
        everything.resource = Self.everything
        let known = budgets[everything, default: Budget()].refusal
        budgets[everything, default: Budget()].refusal = .later(known, refusal)
      }
      return refusal
    }
  }

  private static func resource(_ text: String) -> String? {
    let isWord = !text.isEmpty && text.consists(of: "a"..."z", "0"..."9", and: "_-")
    return isWord && text.utf8.count <= longestResource ? text : nil
  }
}

/// A wait for a limit that has begun.
package struct LimitWait: Hashable, Sendable {
  /// The server, as users know it.
  package var host: String
  /// The resource that is limited, for example `search`.
  package var resource: String
  package var duration: Duration
}

extension HTTPTransport {
  /// The transport that sends nothing to a server whose limit is known to be exceeded.
  ///
  /// It throws `HTTPError` with code `limited` then, and for every refusal of the server because of a limit.
  ///
  /// - Parameters:
  ///   - credential: The credential's fingerprint, `nil` for none. Never a secret.
  ///   - onWait: Called when a wait begins. With it, limits that end a second before the request's deadline
  ///     are waited for: those that are known and, once, one that an answer reports.
  ///   - resource: The limit that a request counts against; an answer that names another one counts there.
  package func budgeted(
    by budgets: RateBudgets, host: String, credential: String?,
    onWait: (@Sendable (LimitWait) -> Void)? = nil,
    resource: String
  ) -> HTTPTransport {
    HTTPTransport { request in
      try await budgets.send(
        request, over: self, host: host, credential: credential, resource: resource, onWait: onWait)
    }
  }
}

/// A server's refusal because of a rate limit.
///
/// Source of the rules: GitHub's documentation, "Rate limits for the REST API".
public struct LimitRefusal: Hashable, Sendable {
  /// Whether it is a secondary limit, on bursts, and no exceeded window.
  package var isSecondary: Bool
  /// Until when nothing should be sent, by this machine's clock; `nil` when the server names no plausible
  /// time.
  public var end: Date?
  /// The status of the refusal; `nil` if the request was not sent, because an earlier answer said that none
  /// is left.
  package var status: Int?
  /// The body of the refusal; empty if there is none, or it is larger than `keptBytes`.
  package var body: [UInt8] = []

  /// The longest wait in seconds; a limit that ends later is an error of a clock or a counter.
  static let longestWait = 86_400.0
  /// Seconds to wait after a refusal without a time; source: GitHub's documentation (a minute, doubled each
  /// time).
  static let unspecifiedWait = 60.0
  /// Bytes of the body that are searched for the message, which comes first.
  private static let searchedBytes = 4096
  /// The largest body that is kept for the server's message, which can stand beside a trace or a web page.
  private static let keptBytes = 64 << 10

  /// Creates a refusal of requests that are not sent.
  init(until end: Date) { (isSecondary, self.end) = (false, end) }

  /// Reads an answer; `nil` when it is no refusal, or one for another reason (missing permissions are status
  /// 403 too).
  ///
  /// The end is the time that the server names, otherwise the end of the exceeded window.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - time: When the answer arrived.
  public init?(_ response: HTTPResponse, at time: Date) { self.init(response, at: time, isKnown: false) }

  /// Reads an answer of which the body may have told that it is a refusal because of a limit.
  ///
  /// - Parameter isKnown: Whether it is one, whatever its status.
  package init?(_ response: HTTPResponse, at time: Date, isKnown: Bool) {
    guard isKnown || response.status == 403 || response.status == 429 else { return nil }
    let clock = ServerClock(response, at: time)
    let retry = response.header("retry-after").flatMap { Self.retry($0, at: time, clock) }
    let isSpent = response.limitNumber("x-ratelimit-remaining") == 0
    let text = String(decoding: response.body.prefix(Self.searchedBytes), as: UTF8.self).lowercased()
    let saysSecondary = text.contains("secondary rate limit") || text.contains("abuse detection")
    let saysPrimary = text.contains("rate limit exceeded")
    guard isKnown || isSpent || saysSecondary || saysPrimary || retry != nil || response.status == 429 else {
      return nil
    }
    isSecondary = saysSecondary || !(isSpent || saysPrimary)
    end = retry ?? (isSpent ? response.windowEnd(at: time, clock) : nil)
    status = response.status
    if response.body.count <= Self.keptBytes { body = response.body }
  }

  /// The refusal that ends later; of two with the same end the first.
  static func later(_ first: LimitRefusal?, _ second: LimitRefusal?) -> LimitRefusal? {
    guard let first, let second else { return first ?? second }
    return (first.end ?? .distantPast) < (second.end ?? .distantPast) ? second : first
  }

  /// The time in `Retry-After`, seconds or a date (RFC 9110, section 10.2.3), at most a day ahead.
  fileprivate static func retry(_ text: String, at time: Date, _ clock: ServerClock) -> Date? {
    let latest = time.addingTimeInterval(longestWait)
    if let seconds = Count(text) { return min(time.addingTimeInterval(Double(seconds.value)), latest) }
    return ServerClock.date(text).map { min(max(clock.local($0), time), latest) }
  }
}

extension HTTPResponse {
  /// How long the server asks to wait before the next request; `nil` where it names no time.
  var namedWait: Duration? {
    let now = Date()
    let end = header("retry-after").flatMap { LimitRefusal.retry($0, at: now, ServerClock(self, at: now)) }
    return end.map { .seconds($0.timeIntervalSince(now)) }
  }
}

extension HTTPError {
  /// Creates the error for a request that a limit refuses.
  package init(limited limit: LimitRefusal) {
    self.init(.limited, limit.status.map { "status \($0)" } ?? "the rate limit is exceeded")
    self.limit = limit
  }
}

extension SearchError {
  /// Creates the provider error for an exceeded rate limit.
  ///
  /// - Parameters:
  ///   - refusal: The refusal; without an end, the wait is a minute.
  ///   - time: The time from which the wait is counted.
  ///   - limit: The limit, for example `the rate limit of GitHub`.
  ///   - said: The server's own message; `nil` for none.
  ///   - advice: The end of the hint, after the time to wait.
  package init(
    limited refusal: LimitRefusal?, at time: Date, limit: String, said: String? = nil, advice: String = ""
  ) {
    let end = refusal?.end ?? time.addingTimeInterval(LimitRefusal.unspecifiedWait)
    let seconds = end.wholeSeconds(after: time)
    let clock = Timestamp.moment(time.addingTimeInterval(Double(seconds)), now: time)
    let wait = seconds < 120 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    self.init(
      .rateLimited, "\(limit) is exceeded until \(clock)" + (said.map { ": " + $0 } ?? ""),
      hint: "try again in \(wait)" + advice,
      retryAfterMilliseconds: seconds * 1000)
  }
}

extension HTTPResponse {
  /// A header field that holds a count, for example `x-ratelimit-reset`, which GitLab sends as
  /// `ratelimit-reset`; `nil` when it is absent or no count.
  func limitNumber(_ name: String) -> Int? {
    (header(name) ?? header(String(name.dropFirst(2)))).flatMap { Count($0)?.value }
  }

  /// When the window of the limit ends, by this machine's clock; `nil` when it is over or further away than
  /// any window.
  func windowEnd(at time: Date, _ clock: ServerClock) -> Date? {
    guard let reset = limitNumber("x-ratelimit-reset") else { return nil }
    let end = clock.local(Date(timeIntervalSince1970: Double(reset)))
    return end > time && end <= time.addingTimeInterval(LimitRefusal.longestWait) ? end : nil
  }
}

extension Date {
  /// Whole seconds after another moment, rounded up and not below 0; less than a millisecond is an error of
  /// arithmetic.
  package func wholeSeconds(after moment: Date) -> Int {
    Int(max(0, timeIntervalSince(moment) - 0.001).rounded(.up))
  }
}

/// The clock of a server relative to the clock of this machine.
package struct ServerClock {
  /// Seconds of difference that are ignored: `Date` has whole seconds, and answers take time.
  static let tolerance = 2.0

  /// Seconds by which the server's clock is ahead; 0 without a `Date` and within the tolerance.
  let offset: Double

  /// Compares the clocks.
  ///
  /// - Parameter time: When the answer arrived, by this machine's clock.
  package init(_ response: HTTPResponse, at time: Date) {
    let said = response.header("date").flatMap(Self.date)
    let difference = said.map { $0.timeIntervalSince(time) } ?? 0
    offset = abs(difference) > Self.tolerance ? difference : 0
  }

  /// A moment of the server's clock by this machine's.
  package func local(_ moment: Date) -> Date { moment.addingTimeInterval(-offset) }

  /// Reads a date of a header field, `Tue, 15 Nov 1994 08:12:31 GMT` (RFC 9110, section 5.6.7); `nil` for
  /// anything else, the two obsolete forms included.
  static func date(_ text: String) -> Date? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[0].utf8.count == 4, parts[0].hasSuffix(","), parts[5] == "GMT",
      let month = months.firstIndex(of: parts[2])
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return DatePoint("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")?.start
  }

  private static let months: [Substring] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
