import ForageGit

/// The languages of a tree by bytes.
struct LanguageShares {
  /// Bytes by language, largest first; files that do not count are omitted.
  let languages: [InspectionReport.Language]
  /// Whether a limit excluded some attributes.
  let isCut: Bool

  /// Classifies the files, reading blobs where names do not decide. After a cancellation the result is
  /// incomplete.
  init(
    _ listing: TreeListing, _ attributes: AttributeFiles, _ repository: GitRepository,
    isCancelled: @escaping @Sendable () -> Bool
  ) {
    let reopen = repository.reopening
    // One thread, because many clones are read at the same time.
    let files = ClassifiedFiles(
      listing, attributes: attributes.files, countsLines: false, threads: 1, isCancelled: isCancelled
    ) { _ in { CloneFileReader(reopen(), clean: CleanFiles()) } }
    languages = files.shares()
    isCut = attributes.isCut || files.isCut
  }
}
