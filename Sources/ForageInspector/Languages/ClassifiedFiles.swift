package import ForageGit

/// The language of each file of a tree, told once for all that need it.
package struct ClassifiedFiles: Sendable {
  /// How many files are judged between two questions whether to stop: names take some tenths of a
  /// microsecond each.
  private static let nameStride = 4096
  /// The same for files that are read: some microseconds each.
  private static let contentStride = 64
  /// Larger files with an undecided name are not read (8 MiB): packed objects are unpacked whole.
  private static let fileLimit = 8 << 20

  /// Parallel to the listing's files; nil for symbolic links, empty and binary files, and where the language
  /// is not known.
  package private(set) var verdicts: [LanguageVerdict?]
  /// Whether some attributes were not heeded.
  package private(set) var isCut = false
  /// How many files were read because their names do not tell enough.
  package private(set) var readCount = 0
  /// How many files would have been read but were too large or could not be; their names alone spoke.
  package private(set) var unreadCount = 0
  /// Bytes of each file, parallel to the verdicts.
  private let sizes: [Int]

  /// Classifies the files of a tree; what is told after a cancellation is incomplete.
  ///
  /// - Parameters:
  ///   - attributes: the tree's `.gitattributes` files.
  ///   - isCancelled: asked now and then.
  ///   - contents: the first bytes of a file, at most as many as given; nil if it cannot be read. Called
  ///     only where the name does not decide.
  package init(
    _ listing: TreeListing, attributes: [GitAttributesFile], isCancelled: () -> Bool,
    contents: (TreeFile, Int) -> [UInt8]?
  ) {
    verdicts = [LanguageVerdict?](repeating: nil, count: listing.files.count)
    sizes = listing.files.map { max(0, $0.size ?? 0) }
    var classifier = LanguageClassifier(attributes: attributes)
    var undecided: [(file: Int, judgement: LanguageClassifier.Judgement)] = []
    for (index, file) in listing.files.enumerated() {
      if index % Self.nameStride == 0, isCancelled() { return }
      guard file.kind != .symlink, sizes[index] > 0 else { continue }
      let judgement = Self.withBytes(of: file.path) { classifier.judge($0, size: sizes[index]) }
      verdicts[index] = judgement.verdict
      guard judgement.needsContents else { continue }
      if sizes[index] <= Self.fileLimit {
        undecided.append((index, judgement))
      } else {
        unreadCount += 1
      }
    }
    isCut = classifier.isCut
    for (position, (index, judgement)) in undecided.enumerated() {
      if position % Self.contentStride == 0, isCancelled() { return }
      let file = listing.files[index]
      guard let bytes = contents(file, LanguageClassifier.prefixLimit) else {
        unreadCount += 1
        continue
      }
      readCount += 1
      verdicts[index] = Self.withBytes(of: file.path) {
        classifier.settle(judgement, path: $0, contents: bytes)
      }
    }
  }

  /// Bytes by language (each under its group's name), most first; only what counts.
  package func shares() -> [InspectionReport.Language] {
    var bytes = [Int](repeating: 0, count: LanguageTable.shared.count)
    var total = 0
    for (index, verdict) in verdicts.enumerated() {
      guard let verdict, verdict.counts else { continue }
      // A listing is refused when its sizes add up to more than an Int; no part of the sum is larger.
      let (sum, overflow) = total.addingReportingOverflow(sizes[index])
      if overflow { break }
      total = sum
      bytes[verdict.group] += sizes[index]
    }
    return bytes.indices.filter { bytes[$0] > 0 }
      .map { (name: LanguageTable.shared.name($0), bytes: bytes[$0]) }
      .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
      .map { .init(name: $0.name, bytes: $0.bytes, share: share($0.bytes, of: total)) }
  }

  /// Lends the bytes of a path; those of a native string without a copy.
  @inline(__always)
  private static func withBytes<Result>(of path: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
  {
    let result = path.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
    return result ?? Array(path.utf8).withUnsafeBytes(body)
  }
}
