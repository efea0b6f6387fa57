/// A violation of the contract of `SearchProvider`.
public struct ComplianceFinding: Hashable, Sendable, CustomStringConvertible {
  /// The id of the check that found it, in kebab-case, for example `page-size`.
  public var check: String
  /// What was checked: the search, its page and the item, for example
  /// `repo "parser" page 2 item 3 (example.org/a/b)`.
  public var subject: String
  /// The expectation, as the end of "expected …".
  public var expected: String
  /// The actual result, as a clause.
  public var found: String

  /// The finding as one line that is safe for a terminal: control characters in the provider's text are
  /// escaped.
  public var description: String {
    ReportText.line("\(check): \(subject): expected \(expected), but \(found)")
  }
}
