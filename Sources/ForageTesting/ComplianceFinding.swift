/// One way in which a provider does not do what the contract of `SearchProvider` asks.
public struct ComplianceFinding: Hashable, Sendable, CustomStringConvertible {
  /// The check that found it, in kebab-case, for example `page-size`.
  public var check: String
  /// What was looked at: the search, its page and the item, for example `repo "parser" page 2 item 3 (example.org/a/b)`.
  public var subject: String
  /// What should have been there, as the end of "expected …".
  public var expected: String
  /// What was there instead, as a clause.
  public var found: String

  /// Creates a finding.
  public init(check: String, subject: String, expected: String, found: String) {
    self.check = check
    self.subject = subject
    self.expected = expected
    self.found = found
  }

  /// The finding as one line that can be written to a terminal: control characters in what the provider said are shown as escapes.
  public var description: String {
    Legible.line("\(check): \(subject): expected \(expected), but \(found)")
  }
}
