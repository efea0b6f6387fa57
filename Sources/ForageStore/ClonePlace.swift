/// The path of a clone and its root commit.
package struct ClonePlace: Sendable, Hashable {
  /// The folder.
  package var path: String
  /// The root commit of its first-parent history, if known.
  package var rootCommit: String?
}
