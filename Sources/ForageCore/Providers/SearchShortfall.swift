/// Why a provider's list lacks available results.
public struct SearchShortfall: Hashable, Sendable {
  /// The cause as a phrase without a full stop, for use after the number of results reached. It may contain
  /// untrusted text.
  public var message: String
  /// What to do, whatever program shows it; empty if that follows from the pause.
  public var hint: String
  /// Whether the list is only interrupted and can be continued from `next` by another search; otherwise the
  /// results are out of reach.
  public var isPause: Bool
  /// The number of requests that all results need, if it is known.
  public var neededRequests: Int?

  /// Creates a shortfall.
  public init(_ message: String, hint: String = "", isPause: Bool = false, neededRequests: Int? = nil) {
    self.message = message
    self.hint = hint
    self.isPause = isPause
    self.neededRequests = neededRequests
  }
}
