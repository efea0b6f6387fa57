package import ForageGit

extension Inspector {
  /// Looks for work that is in the clone at a path alone, so that deleting the clone would lose it; nil when there is none.
  ///
  /// In doubt there is a reason.
  ///
  /// - Throws: as ``inspect(path:sections:memory:isCancelled:)`` when the repository cannot be opened; what reading its references,
  ///   commits and files throws; `cancelled`.
  package func unsavedWork(
    path: String, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(GitError) -> UnsavedWork? {
    try open(path).unsavedWork(isCancelled: isCancelled)
  }
}
