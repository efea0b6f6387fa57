import ForageCore
import Synchronization

/// Calls a provider and records the result of every call.
final class Probe: Sendable {
  /// The purpose of a call, which selects the checks that evaluate its result.
  enum Purpose: Sendable {
    /// An ordinary call, which must be answered in time.
    case ordinary
    /// An unusual query or an invalid cursor.
    case odd
    /// A call that is cancelled or starts after its deadline.
    case abandoned
  }

  struct Call: Sendable {
    var subject: String
    var purpose: Purpose
    var error: (any Error)?
    var isLate: Bool
  }

  private let log = Mutex<[Call]>([])

  /// All calls so far, in the order in which they ended.
  var calls: [Call] { log.withLock { $0 } }

  /// The number of ordinary and odd calls that did not end.
  var hangs: Int { calls.count { $0.isLate && $0.purpose != .abandoned } }

  /// Calls a provider with a time limit and records the result.
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
