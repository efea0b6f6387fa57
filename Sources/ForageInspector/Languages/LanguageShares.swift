import ForageGit

/// The languages of a tree by bytes.
struct LanguageShares {
  /// Bytes by language, most first; only what counts.
  let languages: [InspectionReport.Language]
  /// Whether some attributes were not heeded.
  let isCut: Bool

  /// Classifies the files, reading blobs where names do not decide; what is told after a cancellation is
  /// incomplete.
  init(
    _ listing: TreeListing, _ attributes: AttributeFiles, _ repository: GitRepository,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    let reopen = repository.reopening
    // Many clones are read at a time, each on one thread.
    let files = ClassifiedFiles(
      listing, attributes: attributes.files, countsLines: false, threads: 1, isCancelled: isCancelled
    ) { _ in { CloneFileReader(reopen(), clean: CleanFiles()) } }
    languages = files.shares()
    isCut = attributes.isCut || files.isCut
  }
}
