package import ForageCore
import Synchronization

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
