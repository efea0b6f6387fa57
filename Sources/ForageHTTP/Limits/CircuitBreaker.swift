import Synchronization

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Remembers which servers cannot be reached: one value for all providers of a run.
///
/// For a server in good standing it costs one read of the storage in a run and no write.
package final class CircuitBreaker: Sendable {
  /// How often a request looks whether the probe of its own process has ended; well below what a user notices.
  private static let probePoll: Duration = .milliseconds(20)

  private struct Local {
    /// What is known; `nil` for good standing.
    var circuit: Circuit?
    var isProbing = false
    var hasForced = false
  }

  private enum Admission {
    case send(isProbe: Bool)
    case refuse(Circuit)
    /// This process probes; its outcome decides.
    case wait
  }

  private enum Outcome {
    case answered
    case unauthorized
    case failed(String)
    /// Nothing was learnt of the server.
    case nothing
  }

  private let storage: CircuitStorage
  private let failures: StorageFailureReport
  private let now: @Sendable () -> Date
  private let jitter: @Sendable () -> Double
  private let scopes = Mutex<[String: Local]>([:])

  /// Creates an empty memory; nothing is read yet.
  ///
  /// - Parameters:
  ///   - failures: Told when the storage fails; circuits are then those of this process.
  ///   - now: The time of day, in which circuits open and close.
  ///   - jitter: From 0 to 1, drawn for each time that a circuit opens.
  package init(
    _ storage: CircuitStorage, failures: StorageFailureReport,
    now: @escaping @Sendable () -> Date = { Date() },
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.storage = storage
    self.failures = failures
    self.now = now
    self.jitter = jitter
  }

  /// The name under which the storage keeps a circuit.
  ///
  /// - Parameter credential: The credential's fingerprint, `nil` for none.
  package static func scope(host: String, credential: String?) -> String {
    host + " " + (credential ?? "anonymous")
  }

  func send(
    _ request: HTTPRequest, over transport: HTTPTransport, host: String, credential: String?, forced: Bool
  ) async throws -> HTTPResponse {
    let scope = Self.scope(host: host, credential: credential)
    while true {
      switch admit(scope, forced: forced, deadline: request.deadline) {
      case .refuse(let circuit): return try refusal(circuit, host: host)
      case .send(let isProbe):
        return try await send(
          request, over: transport, scope: scope, isProbe: isProbe, hasCredential: credential != nil)
      case .wait:
        guard ContinuousClock.now < request.deadline else {
          throw HTTPError(.timeout, "\(host) did not answer in time")
        }
        try await Task.sleep(for: Self.probePoll)
      }
    }
  }

  private func send(
    _ request: HTTPRequest, over transport: HTTPTransport, scope: String, isProbe: Bool, hasCredential: Bool
  ) async throws -> HTTPResponse {
    do {
      let response = try await transport.send(request)
      if response.header(NotSent.header) != nil {
        finish(scope, isProbe: isProbe, .nothing)
      } else {
        // Without a credential, status 401 says that this address needs one, not that the others do.
        finish(scope, isProbe: isProbe, response.status == 401 && hasCredential ? .unauthorized : .answered)
      }
      return response
    } catch {
      finish(scope, isProbe: isProbe, Self.outcome(error, isProbe: isProbe))
      throw error
    }
  }

  /// A deadline tells more of the user's patience than of the server (a connection that cannot be opened is
  /// `unreachable`), but a probe without an answer has not shown that the server is back.
  private static func outcome(_ error: any Error, isProbe: Bool) -> Outcome {
    guard let error = error as? HTTPError else { return .nothing }
    switch error.code {
    case .unreachable, .connectionLost: return .failed(error.message)
    case .timeout: return isProbe ? .failed(error.message) : .nothing
    case .malformed, .tooLarge, .redirect: return .answered
    default: return .nothing
    }
  }

  private func admit(_ scope: String, forced: Bool, deadline: ContinuousClock.Instant) -> Admission {
    let known = scopes.withLock { $0[scope] }
    if let known, known.circuit == nil { return .send(isProbe: false) }
    guard let circuit = read(scope), circuit.isTripped else { return .send(isProbe: false) }
    let time = now()
    let isDue = !circuit.isOpen(at: time) && !circuit.isProbed(at: time)
    let (admission, isForced) = scopes.withLock { scopes -> (Admission?, Bool) in
      var local = scopes[scope] ?? Local()
      guard !local.isProbing else { return (.wait, false) }
      let isForced = forced && !local.hasForced
      guard isForced || isDue else { return (.refuse(circuit), false) }
      local.isProbing = true
      if isForced { local.hasForced = true }
      scopes[scope] = local
      return (nil, isForced)
    }
    return admission ?? probe(scope, circuit, isForced: isForced, deadline: deadline)
  }

  /// Takes the one probe that all processes share.
  private func probe(
    _ scope: String, _ circuit: Circuit, isForced: Bool, deadline: ContinuousClock.Instant
  ) -> Admission {
    let lease = min(max(deadline - ContinuousClock.now, .seconds(1)), Circuit.longestProbe)
    let time = now()
    var isGranted = false
    let changed = change(scope) { circuit in
      isGranted = true
      // Meanwhile another process has found the server well.
      guard var next = circuit, next.isTripped else { return circuit }
      guard isForced || (!next.isOpen(at: time) && !next.isProbed(at: time)) else {
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
    case .unauthorized:
      change(scope) { _ in
        Circuit(failures: 0, openUntil: .distantFuture, reason: Circuit.unauthorized)
      }
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

  /// What the storage knows of a scope, remembered.
  private func read(_ scope: String) -> Circuit? {
    guard let stored = failures.attempt({ try storage.load(scope) }) else {
      return scopes.withLock { scopes in
        scopes[scope, default: Local()].circuit
      }
    }
    scopes.withLock { $0[scope, default: Local()].circuit = stored }
    return stored
  }

  /// Changes the storage, or this process's memory when that fails.
  @discardableResult
  private func change(_ scope: String, _ change: (Circuit?) -> Circuit?) -> Circuit? {
    let stored = failures.attempt { try storage.change(scope, change) }
    let local = stored ?? change(scopes.withLock { $0[scope]?.circuit })
    scopes.withLock { $0[scope, default: Local()].circuit = local }
    return local
  }

  /// The answer of a server that is not asked.
  private func refusal(_ circuit: Circuit, host: String) throws(HTTPError) -> HTTPResponse {
    if circuit.reason == Circuit.unauthorized {
      let message = #"{"message": "it was refused before, and is not sent again until it changes"}"#
      return HTTPResponse(
        status: 401,
        headers: [
          (name: "content-type", value: "application/json"),
          (name: NotSent.header, value: NotSent.unauthorized),
        ], body: Array(message.utf8))
    }
    let time = now()
    let seconds = circuit.openUntil.map { Int($0.timeIntervalSince(time).rounded(.up)) } ?? 0
    let next =
      circuit.isOpen(at: time)
      ? "the next try is in \(max(1, seconds)) s" : "another request is trying it now"
    throw HTTPError(
      .circuitOpen,
      "\(host) was not asked: \(circuit.failures) failures in a row (\(circuit.reason)); \(next)")
  }
}

extension HTTPTransport {
  /// The transport that sends nothing to a server that could not be reached.
  ///
  /// Three failures in a row open its circuit; then `HTTPError.Code.circuitOpen` is thrown at once, until one probe
  /// shows that the server is back. A credential that was refused (status 401) is not sent again: in place of the
  /// server, status 401 with `NotSent.header` is answered until there is another. It belongs outside retries, so
  /// that a request counts once.
  ///
  /// - Parameters:
  ///   - credential: The credential's fingerprint, `nil` for none. Never a secret.
  ///   - forced: Whether the user named the provider: one probe is then sent whatever is known.
  package func breaking(
    _ breaker: CircuitBreaker, host: String, credential: String?, forced: Bool = false
  ) -> HTTPTransport {
    HTTPTransport { request in
      try await breaker.send(request, over: self, host: host, credential: credential, forced: forced)
    }
  }
}
