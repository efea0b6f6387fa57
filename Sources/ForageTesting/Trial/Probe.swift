import ForageCore
import Synchronization

/// Calls a provider, and remembers how every call came out.
final class Probe: Sendable {
  /// What a call was made for, which decides who judges how it came out.
  enum Purpose: Sendable {
    /// An ordinary call, which must be answered in time.
    case ordinary
    /// A query that nobody would type.
    case odd
    /// A call that was cancelled or is too late from the start.
    case abandoned
  }

  /// One call.
  struct Call: Sendable {
    /// What was asked.
    var subject: String
    /// What for.
    var purpose: Purpose
    /// What was thrown.
    var error: (any Error)?
    /// Whether it never ended.
    var isLate: Bool
  }

  private let log = Mutex<[Call]>([])

  /// Every call so far, in the order in which they ended.
  var calls: [Call] { log.withLock { $0 } }

  /// How many ordinary and odd calls never ended.
  var hangs: Int { calls.count { $0.isLate && $0.purpose != .abandoned } }

  /// Calls a provider and waits for a limited time.
  func call<Value: Sendable>(
    _ subject: String, purpose: Purpose = .ordinary, limit: Duration, cancellation: Cancellation = .never,
    _ body: @escaping @Sendable () async throws -> Value
  ) async -> BoundedResult<Value> {
    let result = await Bounded.run(limit, cancellation: cancellation, body)
    var call = Call(subject: subject, purpose: purpose, error: nil, isLate: false)
    switch result {
    case .value: break
    case .failed(let error): call.error = error
    case .late: call.isLate = true
    }
    log.withLock { [call] in $0.append(call) }
    return result
  }
}
