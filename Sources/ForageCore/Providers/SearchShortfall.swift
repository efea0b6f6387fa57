/// Why a provider's list lacks results that there are.
public struct SearchShortfall: Hashable, Sendable {
  /// What keeps them back, a part of a sentence without a full stop, to stand behind how many were reached; may hold text from outside.
  public var message: String
  /// What to do about it.
  public var hint: String
  /// Whether the list is only put down, to be taken up from `next` by another search; otherwise the results are out of reach.
  public var isPause: Bool

  /// Creates a shortfall.
  public init(_ message: String, hint: String, isPause: Bool = false) {
    self.message = message
    self.hint = hint
    self.isPause = isPause
  }
}
