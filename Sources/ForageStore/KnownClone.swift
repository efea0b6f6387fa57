/// What a scan needs to know from before of a clone.
package struct KnownClone: Sendable, Hashable {
  /// The registered folder in which it was found.
  package var folder: String
  /// What tells whether anything changed; empty when it must be opened in any case.
  package var fingerprint: String
  /// The current commit then.
  package var commit: String?
  /// The commit that its first parents lead back to.
  package var rootCommit: String?
}
