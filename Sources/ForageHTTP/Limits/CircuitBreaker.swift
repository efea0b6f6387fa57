import ForageCore
import Synchronization

/// Remembers which servers this process could not reach: one value for all providers.
///
/// Three failed connections in a row open the circuit of a host: nothing is sent to it for 5 s, and after
/// each further failure for twice as long, at most 60 s. An answer closes it.
package final class CircuitBreaker: Sendable {
  /// Failures in a row that open a circuit: one or two lost connections happen in any network.
  private static let failuresToOpen = 3
  /// The first time that a circuit is open: short, since most networks come back at once.
  private static let shortestOpen: Duration = .seconds(5)
  /// The longest time: a running program should notice a repaired network soon.
  private static let longestOpen: Duration = .seconds(60)

  private struct Circuit {
    var failures = 0
    var openUntil: ContinuousClock.Instant?
    /// The last failure, whose message has no secret.
    var failure: HTTPError?

    var hasOpened: Bool { failures >= CircuitBreaker.failuresToOpen }

    /// Counts a failure; one of a request that was under way when the circuit opened adds nothing.
    mutating func fail(_ failure: HTTPError, at time: ContinuousClock.Instant) {
      if let openUntil, time < openUntil { return }
      failures += 1
      self.failure = failure
      guard hasOpened else { return }
      // Ten doublings exceed the longest time.
      let doublings = min(failures - CircuitBreaker.failuresToOpen, 10)
      openUntil = time + min(CircuitBreaker.shortestOpen * (1 << doublings), CircuitBreaker.longestOpen)
    }
  }

  private let now: @Sendable () -> ContinuousClock.Instant
  /// By host; a host that answers has none.
  private let circuits = Mutex<[String: Circuit]>([:])

  /// Creates a breaker with closed circuits.
  ///
  /// - Parameter now: The current time.
  package init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) { self.now = now }

  /// Lets the next request to each server be sent.
  package func admitNextRequests() {
    circuits.withLock { circuits in
      for host in Array(circuits.keys) { circuits[host]?.openUntil = nil }
    }
  }

  func send(_ request: HTTPRequest, over transport: HTTPTransport, host: String) async throws -> HTTPResponse
  {
    var request = request
    if let circuit = circuits.withLock({ $0[host] }), circuit.hasOpened {
      if let end = circuit.openUntil, now() < end {
        let seconds = Int(((end - now()) / .seconds(1)).rounded(.up))
        var error = HTTPError(
          .circuitOpen,
          "\(host) was not asked: \(circuit.failures) failures in a row (\(circuit.failure?.message ?? "")); "
            + "the next try is in \(max(1, seconds)) s")
        error.proxyVariable = circuit.failure?.proxyVariable
        throw error
      }
      // One attempt shows whether the server is back.
      request.allowsRetries = false
    }
    do {
      let response = try await transport.send(request)
      close(host)
      return response
    } catch let error as HTTPError {
      finish(error, host: host, countsTimeout: !request.allowsRetries)
      throw error
    }
  }

  private func close(_ host: String) { _ = circuits.withLock { $0.removeValue(forKey: host) } }

  /// Counts the failure of a request.
  ///
  /// A deadline is the user's choice and no failure of the server (a connection that cannot be opened is
  /// `unreachable`), but without an answer the single attempt does not show that the server is back.
  private func finish(_ error: HTTPError, host: String, countsTimeout: Bool) {
    switch error.code {
    case .timeout where !countsTimeout: break
    case .unreachable, .connectionLost, .timeout:
      let time = now()
      circuits.withLock { $0[host, default: Circuit()].fail(error, at: time) }
    case .malformed, .unknownEncoding, .tooLarge, .redirect, .limited: close(host)
    default: break
    }
  }
}

extension HTTPTransport {
  /// The transport with a circuit breaker, which throws `HTTPError` with code `circuitOpen` instead of asking
  /// a host that could not be reached.
  ///
  /// It belongs outside retries, so that a request counts once.
  package func breaking(_ breaker: CircuitBreaker, host: String) -> HTTPTransport {
    HTTPTransport { request in try await breaker.send(request, over: self, host: host) }
  }

  /// Retries safe requests after a lost connection and a failure of the server, after the status 500 once.
  ///
  /// - Returns: A transport that sends a request at most three times, and waits 50 to 150 ms before the first
  ///   retry and twice that before the second, or for the time that the answer names; without a retry where
  ///   that ends after the deadline.
  public func retryingReads() -> HTTPTransport { retryingReads(pause: HTTPTransport.jitteredPause) }

  /// Retries safe requests after a lost connection and a failure of the server, after the status 500 once.
  ///
  /// - Parameters:
  ///   - pause: Waits before a retry; receives the number of the retry, from 1.
  ///   - wait: Waits before a retry for the time that the answer names.
  package func retryingReads(
    pause: @escaping @Sendable (Int) async throws -> Void,
    wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) -> HTTPTransport {
    HTTPTransport { request in
      guard request.isSafe, request.allowsRetries else { return try await self.send(request) }
      var attempt = 0
      while true {
        attempt += 1
        let hasTime = ContinuousClock.now + HTTPLimits.retryMargin < request.deadline
        let mayRetry = hasTime && attempt <= HTTPLimits.maximumRetries
        do {
          let response = try await self.send(request)
          guard hasTime, attempt <= HTTPLimits.retries(after: response.status) else { return response }
          if response.header("retry-after") != nil {
            guard let time = response.namedWait,
              ContinuousClock.now + time + HTTPLimits.retryMargin < request.deadline
            else { return response }
            try await wait(time)
            continue
          }
        } catch let error as HTTPError where error.code == .connectionLost && mayRetry {
          // A lost connection can be transient; a failed name resolution or a refused connection rarely is.
        }
        try await pause(attempt)
      }
    }
  }

  /// Waits 50 to 150 ms before the first retry, and twice that before the second.
  package static let jitteredPause: @Sendable (Int) async throws -> Void = { attempt in
    try await Task.sleep(for: .milliseconds(Int.random(in: 50...150) << (attempt - 1)))
  }
}
