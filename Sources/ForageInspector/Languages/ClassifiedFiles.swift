package import ForageGit

/// The language of each file of a tree, and how many lines there are; each file is read once at most.
package struct ClassifiedFiles: Sendable {
  /// How many files are judged between two questions whether to stop: names take some tenths of a
  /// microsecond each.
  private static let nameStride = 4096
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
  /// The lines, when they were to be counted.
  private(set) var lines = LineTally()
  /// Bytes of each file, parallel to the verdicts.
  private let sizes: [Int]

  /// Classifies the files of a tree; what is told after a cancellation is incomplete.
  ///
  /// - Parameters:
  ///   - attributes: the tree's `.gitattributes` files.
  ///   - countsLines: whether to count the lines of the files that count.
  ///   - threads: how many threads read files.
  ///   - isCancelled: asked now and then, from several threads.
  ///   - readers: given how many files are to be read, gives what makes a reader for a thread.
  package init(
    _ listing: TreeListing, attributes: [GitAttributesFile], countsLines: Bool, threads: Int,
    isCancelled: @escaping @Sendable () -> Bool, readers: (Int) -> @Sendable () -> any FileReader
  ) {
    verdicts = [LanguageVerdict?](repeating: nil, count: listing.files.count)
    sizes = listing.files.map { max(0, $0.size ?? 0) }
    var classifier = LanguageClassifier(attributes: attributes)
    var items: [FilePass.Item] = []
    for (index, file) in listing.files.enumerated() {
      if index % Self.nameStride == 0, isCancelled() { return }
      guard file.kind != .symlink, sizes[index] > 0 else { continue }
      let classification = file.withPathBytes { classifier.classifyByName($0, size: sizes[index]) }
      verdicts[index] = classification.verdict
      let isOpen = classification.needsContents && sizes[index] <= Self.fileLimit
      if classification.needsContents, !isOpen { unreadCount += 1 }
      if isOpen || countsLines && classification.verdict?.counts == true {
        items.append(.init(file: index, classification: isOpen ? classification : nil))
      }
    }
    isCut = classifier.isCut
    guard !items.isEmpty else { return }
    let pass = FilePass(
      listing: listing, items: items, verdicts: verdicts, classifier: classifier, countsLines: countsLines)
    let found = pass.run(threads: threads, open: readers(items.count), isCancelled: isCancelled)
    for (file, verdict) in found.settled { verdicts[file] = verdict }
    readCount = found.settled.count
    unreadCount += found.unread
    lines = found.lines
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
}
