/// Where a clone is, and where its history begins.
package struct ClonePlace: Sendable, Hashable {
  /// The folder.
  package var path: String
  /// The commit that its first parents lead back to; absent where that is not known.
  package var rootCommit: String?
}
