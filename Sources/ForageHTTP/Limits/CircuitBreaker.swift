import ForageCore
package import ForageFoundation
import Synchronization

/// Remembers which servers cannot be reached: one value for all providers of a process.
///
/// A server that answers costs one read of the storage in a process and no write. The first request of a process to a server is
/// always sent, once and without retries where the circuit is open; later ones wait until a probe is due.
package final class CircuitBreaker: Sendable {
  /// How often a request checks whether the probe of its own process has ended: too short for a user to notice.
  private static let probePoll: Duration = .milliseconds(20)

  private struct Local {
    /// `nil` for a closed circuit without failures.
    var circuit: Circuit?
    var isProbing = false
    var hasSent = false
  }

  private enum Admission {
    case send(isProbe: Bool)
    case refuse(Circuit)
    /// Another request of this process probes; its outcome decides.
    case wait
  }

  private enum Outcome {
    case answered
    case failed(String)
    /// The request says nothing about the server.
    case nothing
  }

  private let storage: any CircuitStorage
  private let failures: StorageFailureReport
  private let now: @Sendable () -> Date
  private let jitter: @Sendable () -> Double
  private let scopes = Mutex<[String: Local]>([:])

  /// Creates a breaker; nothing is read yet.
  ///
  /// - Parameters:
  ///   - failures: Called when the storage fails; circuits are then those of this process.
  ///   - now: The time of day.
  ///   - jitter: From 0 to 1, drawn for each time that a circuit opens.
  package init(
    _ storage: any CircuitStorage, failures: StorageFailureReport,
    now: @escaping @Sendable () -> Date = { Date() },
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.storage = storage
    self.failures = failures
    self.now = now
    self.jitter = jitter
  }

  /// Lets the next request to each server be sent, as the first of a process is.
  package func admitNextRequests() {
    scopes.withLock { scopes in
      for scope in Array(scopes.keys) { scopes[scope]?.hasSent = false }
    }
  }

  /// The key of a circuit in the storage.
  ///
  /// - Parameter credential: The credential's fingerprint, `nil` for none.
  package static func scope(host: String, credential: String?) -> String {
    host + " " + (credential ?? "anonymous")
  }

  func send(
    _ request: HTTPRequest, over transport: HTTPTransport, host: String, credential: String?
  ) async throws -> HTTPResponse {
    let scope = Self.scope(host: host, credential: credential)
    while true {
      switch admit(scope, deadline: request.deadline) {
      case .refuse(let circuit): throw refusal(circuit, host: host)
      case .send(let isProbe):
        return try await send(request, over: transport, scope: scope, isProbe: isProbe)
      case .wait:
        guard ContinuousClock.now < request.deadline else {
          throw HTTPError(.timeout, "\(host) did not answer in time")
        }
        try await Task.sleep(for: Self.probePoll)
      }
    }
  }

  private func send(
    _ request: HTTPRequest, over transport: HTTPTransport, scope: String, isProbe: Bool
  ) async throws -> HTTPResponse {
    var request = request
    // One attempt shows whether the server is back.
    if isProbe { request.allowsRetries = false }
    do {
      let response = try await transport.send(request)
      finish(scope, isProbe: isProbe, response.header(NotSent.header) == nil ? .answered : .nothing)
      return response
    } catch {
      finish(scope, isProbe: isProbe, Self.outcome(error, isProbe: isProbe))
      throw error
    }
  }

  /// A deadline is the user's choice and no failure of the server (a connection that cannot be opened is `unreachable`), but a
  /// probe without an answer does not show that the server is back.
  private static func outcome(_ error: any Error, isProbe: Bool) -> Outcome {
    guard let error = error as? HTTPError else { return .nothing }
    switch error.code {
    case .unreachable, .connectionLost: return .failed(error.message)
    case .timeout: return isProbe ? .failed(error.message) : .nothing
    case .malformed, .tooLarge, .redirect: return .answered
    default: return .nothing
    }
  }

  private func admit(_ scope: String, deadline: ContinuousClock.Instant) -> Admission {
    let known = scopes.withLock { $0[scope] }
    let isClosed = known != nil && known?.circuit == nil
    guard !isClosed, let circuit = read(scope), circuit.isTripped else {
      scopes.withLock { $0[scope, default: Local()].hasSent = true }
      return .send(isProbe: false)
    }
    let time = now()
    let isDue = !circuit.isOpen(at: time) && !circuit.isProbed(at: time)
    let (admission, isFirst) = scopes.withLock { scopes -> (Admission?, Bool) in
      var local = scopes[scope] ?? Local()
      guard !local.isProbing else { return (.wait, false) }
      let isFirst = !local.hasSent
      guard isFirst || isDue else { return (.refuse(circuit), false) }
      local.isProbing = true
      local.hasSent = true
      scopes[scope] = local
      return (nil, isFirst)
    }
    return admission ?? probe(scope, circuit, isFirst: isFirst, deadline: deadline)
  }

  /// Takes the probe that all processes share; the first request of a process does not need it.
  private func probe(
    _ scope: String, _ circuit: Circuit, isFirst: Bool, deadline: ContinuousClock.Instant
  ) -> Admission {
    let lease = min(max(deadline - ContinuousClock.now, .seconds(1)), Circuit.longestProbe)
    let time = now()
    var isGranted = false
    let changed = change(scope) { circuit in
      isGranted = true
      // Another process has closed the circuit meanwhile.
      guard var next = circuit, next.isTripped else { return circuit }
      guard isFirst || (!next.isOpen(at: time) && !next.isProbed(at: time)) else {
        isGranted = false
        return next
      }
      next.probeUntil = time.addingTimeInterval(lease.inSeconds)
      return next
    }
    if isGranted { return .send(isProbe: true) }
    scopes.withLock { $0[scope]?.isProbing = false }
    return .refuse(changed ?? circuit)
  }

  private func finish(_ scope: String, isProbe: Bool, _ outcome: Outcome) {
    let time = now()
    switch outcome {
    case .answered:
      let isKnown = scopes.withLock { $0[scope]?.circuit != nil }
      if isKnown || isProbe { change(scope) { _ in nil } }
    case .failed(let reason):
      let jitter = jitter()
      change(scope) { Circuit.failed($0, isProbe: isProbe, reason: reason, at: time, jitter: jitter) }
    case .nothing:
      guard isProbe else { break }
      change(scope) { circuit in
        var next = circuit
        next?.probeUntil = nil
        return next
      }
    }
    if isProbe { scopes.withLock { $0[scope]?.isProbing = false } }
  }

  /// Reads the stored circuit of a scope, and remembers it.
  private func read(_ scope: String) -> Circuit? {
    guard let stored = failures.attempt({ try storage.circuit(scope) }) else {
      return scopes.withLock { scopes in
        scopes[scope, default: Local()].circuit
      }
    }
    scopes.withLock { $0[scope, default: Local()].circuit = stored }
    return stored
  }

  /// Changes the stored circuit, or the one of this process if the storage fails.
  @discardableResult
  private func change(_ scope: String, _ change: (Circuit?) -> Circuit?) -> Circuit? {
    let stored = failures.attempt { try storage.change(scope, now: now(), change) }
    let local = stored ?? change(scopes.withLock { $0[scope]?.circuit })
    scopes.withLock { $0[scope, default: Local()].circuit = local }
    return local
  }

  /// Why a server is not asked.
  private func refusal(_ circuit: Circuit, host: String) -> HTTPError {
    let time = now()
    let seconds = circuit.openUntil.map { Int($0.timeIntervalSince(time).rounded(.up)) } ?? 0
    let next =
      circuit.isOpen(at: time)
      ? "the next try is in \(max(1, seconds)) s" : "another request is trying it now"
    return HTTPError(
      .circuitOpen,
      "\(host) was not asked: \(circuit.failures) failures in a row (\(circuit.reason)); \(next)")
  }
}

extension HTTPTransport {
  /// The transport with a circuit breaker.
  ///
  /// Three failures in a row open the circuit. The first request of a process is then sent once, without retries; further ones
  /// throw `HTTPError.Code.circuitOpen` at once, until one probe shows that the server is back. A server that refuses a credential
  /// (status 401) answers. The breaker belongs outside retries, so that a request counts once.
  ///
  /// - Parameter credential: The credential's fingerprint, `nil` for none. Never a secret.
  package func breaking(_ breaker: CircuitBreaker, host: String, credential: String?) -> HTTPTransport {
    HTTPTransport { request in
      try await breaker.send(request, over: self, host: host, credential: credential)
    }
  }
}

/// The failures of a server that cannot be reached; a server that answers has no circuit.
///
/// An open circuit keeps a long-running process from asking a dead server again and again. It never refuses the first request of a
/// process: whoever repeats a command gets one new attempt each time.
package struct Circuit: Hashable, Sendable {
  /// Failures in a row that open a circuit: one or two lost connections happen in any network.
  package static let failuresToOpen = 3
  /// The first time that a circuit is open: short, since most networks come back at once.
  package static let shortestOpen: Duration = .seconds(5)
  /// The longest time: a process should notice a repaired network within minutes.
  package static let longestOpen: Duration = .seconds(600)
  /// The longest probe; an older one belonged to a process that died.
  package static let longestProbe: Duration = .seconds(60)

  /// Failures in a row.
  package var failures: Int
  /// Until when the circuit is open; `nil` while there are too few failures.
  package var openUntil: Date?
  /// Until when one process tests whether the server is back.
  package var probeUntil: Date?
  /// The last failure, a sentence without a secret.
  package var reason: String

  package init(failures: Int, openUntil: Date? = nil, probeUntil: Date? = nil, reason: String) {
    self.failures = failures
    self.openUntil = openUntil
    self.probeUntil = probeUntil
    self.reason = reason
  }

  /// Whether the circuit has opened and no success has closed it since.
  package var isTripped: Bool { openUntil != nil }

  /// Whether no probe is due yet; a time that this program would not set comes from a clock that was set back, and is ignored.
  package func isOpen(at time: Date) -> Bool {
    openUntil.map { Self.holds($0, at: time, atMost: Self.longestOpen) } ?? false
  }

  /// Whether a process probes.
  package func isProbed(at time: Date) -> Bool {
    probeUntil.map { Self.holds($0, at: time, atMost: Self.longestProbe) } ?? false
  }

  private static func holds(_ end: Date, at time: Date, atMost bound: Duration) -> Bool {
    end > time && end <= time.addingTimeInterval(bound.inSeconds)
  }

  /// The circuit after one more failure.
  ///
  /// - Parameters:
  ///   - isProbe: Whether the request tested an open circuit. Another request that fails after the circuit opened adds nothing.
  ///   - jitter: From 0 to 1; the circuit is open for half of the time to all of it, so that processes do not return at once.
  static func failed(
    _ circuit: Circuit?, isProbe: Bool, reason: String, at time: Date, jitter: Double
  ) -> Circuit {
    var next = circuit ?? Circuit(failures: 0, reason: reason)
    if next.isOpen(at: time), !isProbe { return next }
    next.failures = min(next.failures, Int(Int32.max)) + 1
    next.reason = reason
    next.probeUntil = nil
    guard next.failures >= failuresToOpen || isProbe else { return next }
    // Thirty doublings exceed the bound and cannot overflow.
    let doublings = min(max(0, next.failures - failuresToOpen), 30)
    let whole = min(shortestOpen * (1 << doublings), longestOpen)
    next.openUntil = time.addingTimeInterval(whole.inSeconds * (0.5 + 0.5 * min(max(jitter, 0), 1)))
    return next
  }
}
