/// The previous state of a clone, for a scan.
package struct KnownClone: Sendable, Hashable {
  /// The registered folder in which it was found.
  package var folder: String
  /// Identifies the clone's state, to detect changes; empty if the clone must be opened in any case.
  package var fingerprint: String
  /// The current commit at that time.
  package var commit: String?
  /// The root commit of its first-parent history.
  package var rootCommit: String?
}
