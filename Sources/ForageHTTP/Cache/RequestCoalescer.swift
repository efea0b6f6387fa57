import ForageCore
import Synchronization

/// Sends equal concurrent requests once.
///
/// Each waiter of a shared request has its own deadline and cancellation. The request is cancelled when its
/// last waiter leaves.
final class RequestCoalescer: Sendable {
  typealias Work = @Sendable (HTTPRequest) async throws -> HTTPResponse

  /// The properties that make requests equal; kept in memory only.
  private struct Identity: Hashable {
    var key: String
    var headers: [String]
    var maximumBodyBytes: Int
  }

  private typealias Waiter = CheckedContinuation<Landing, Never>

  private struct Flight {
    var number: Int
    var task: Task<Void, Never>
    var waiters: [Int: Waiter]
  }

  private struct Landing: Sendable {
    var result: Result<HTTPResponse, any Error>
    /// The deadline of the request, or of the waiter that left it.
    var deadline: ContinuousClock.Instant
  }

  private struct State {
    var flights: [Identity: Flight] = [:]
    var lastNumber = 0

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  private let state = Mutex(State())

  /// The number of requests that currently wait for a response.
  var waiting: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } } }

  /// Returns the response to a request, by sending it or by joining an equal request in progress.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - key: Identifies equal requests, together with their header fields and body limit.
  ///   - work: Sends the request, in a task that ends with the last waiter.
  func send(_ request: HTTPRequest, key: String, _ work: @escaping Work) async throws -> HTTPResponse {
    let identity = Identity(
      key: key, headers: request.headers.map { $0.name.lowercased() + ":" + $0.value },
      maximumBodyBytes: request.maximumBodyBytes)
    while true {
      try Task.checkCancellation()
      let answer = try await Deadline.ensure(request.deadline) { await self.wait(identity, request, work) }
      guard let landing = answer else {
        throw HTTPError(.timeout, "\(request.url.authority) did not answer in time")
      }
      if case .failure(let error as HTTPError) = landing.result, error.code == .timeout,
        landing.deadline < request.deadline, ContinuousClock.now < request.deadline
      {
        // The shared request ended at another waiter's deadline.
        continue
      }
      return try landing.result.get()
    }
  }

  private func wait(_ identity: Identity, _ request: HTTPRequest, _ work: @escaping Work) async -> Landing {
    let number = state.withLock { $0.nextNumber() }
    let cancelled = Landing(result: .failure(CancellationError()), deadline: request.deadline)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        join(identity, number, request, continuation, work)
        // The cancellation handler may have run before the waiter was registered.
        if Task.isCancelled { leave(identity, number, cancelled) }
      }
    } onCancel: {
      leave(identity, number, cancelled)
    }
  }

  private func join(
    _ identity: Identity, _ number: Int, _ request: HTTPRequest,
    _ continuation: CheckedContinuation<Landing, Never>, _ work: @escaping Work
  ) {
    state.withLock { state in
      guard state.flights[identity] != nil else {
        let flightNumber = state.nextNumber()
        // The cache, the limits and the circuits are in databases, which block while another process has locked them.
        let task = OwnThreadExecutor.task {
          let result: Result<HTTPResponse, any Error>
          do { result = .success(try await work(request)) } catch { result = .failure(error) }
          self.finish(identity, flightNumber, Landing(result: result, deadline: request.deadline))
        }
        state.flights[identity] = Flight(
          number: flightNumber, task: task, waiters: [number: continuation])
        return
      }
      state.flights[identity]?.waiters[number] = continuation
    }
  }

  private func finish(_ identity: Identity, _ flightNumber: Int, _ landing: Landing) {
    let waiters = state.withLock { state -> [Int: Waiter] in
      guard let flight = state.flights[identity], flight.number == flightNumber else { return [:] }
      state.flights[identity] = nil
      return flight.waiters
    }
    for waiter in waiters.values { waiter.resume(returning: landing) }
  }

  /// Removes a waiter if it still waits, and cancels the request after the last one.
  private func leave(_ identity: Identity, _ number: Int, _ landing: Landing) {
    let (waiter, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
      guard let waiter = state.flights[identity]?.waiters.removeValue(forKey: number) else {
        return (nil, nil)
      }
      guard let flight = state.flights[identity], flight.waiters.isEmpty else { return (waiter, nil) }
      state.flights[identity] = nil
      return (waiter, flight.task)
    }
    abandoned?.cancel()
    waiter?.resume(returning: landing)
  }
}
