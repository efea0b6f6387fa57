package import ForageGit

/// The language of each file of a tree and the line counts; each file is read at most once.
package struct ClassifiedFiles: Sendable {
  /// The files that are classified by name between two polls of `isCancelled`; each takes some
  /// microseconds.
  private static let nameStride = 4096
  /// Files above this size (8 MiB) whose names do not decide the language are not read, because blobs are
  /// unpacked whole.
  private static let fileLimit = 8 << 20

  /// Parallel to the listing's files; nil for symbolic links, empty and binary files, and unknown languages.
  package private(set) var verdicts: [LanguageVerdict?]
  /// The number of files whose names do not decide the language and that were too large or could not be
  /// read; they are classified by name alone.
  package private(set) var unreadCount = 0
  /// The number of those that could not be read.
  private(set) var damagedCount = 0
  /// The line counts, if they were requested.
  private(set) var lines = LineTally()
  /// The files whose lines are not counted, if lines were requested.
  private(set) var skipped = InspectionReport.Skipped()
  /// The files with the most lines, if they were requested.
  private(set) var largestByLines: [InspectionReport.FileLines] = []
  /// The size of each file in bytes, parallel to the verdicts.
  private let sizes: [Int]

  /// Classifies the files of a tree. After a cancellation the result is incomplete.
  ///
  /// - Parameters:
  ///   - attributes: returns the attributes of a path.
  ///   - countsLines: whether to count the lines of files that are neither vendored nor generated.
  ///   - readers: called once with the number of files to read; returns a factory that each thread calls for
  ///     its reader.
  package init(
    _ listing: TreeListing, attributes: (String) -> LinguistAttributes?, countsLines: Bool, threads: Int,
    isCancelled: @escaping @Sendable () -> Bool, readers: (Int) -> @Sendable () -> any FileReader
  ) {
    verdicts = [LanguageVerdict?](repeating: nil, count: listing.files.count)
    sizes = listing.files.map { max(0, $0.size ?? 0) }
    var classifier = LanguageClassifier()
    var items: [FilePass.Item] = []
    for (index, file) in listing.files.enumerated() {
      if index % Self.nameStride == 0, isCancelled() { return }
      guard file.kind != .symlink, sizes[index] > 0 else { continue }
      let classification = classifier.classifyByName(
        file.path, size: sizes[index], attributes: attributes(file.path))
      verdicts[index] = classification.verdict
      let isOpen = classification.needsContents && sizes[index] <= Self.fileLimit
      if classification.needsContents, !isOpen { unreadCount += 1 }
      if countsLines { skipped.add(classification.traits, isBinary: classification.isBinary) }
      if isOpen || countsLines && classification.verdict?.hasLines == true {
        items.append(.init(file: index, classification: isOpen ? classification : nil))
      }
    }
    guard !items.isEmpty else { return }
    let pass = FilePass(
      listing: listing, items: items, verdicts: verdicts, classifier: classifier, countsLines: countsLines)
    let found = pass.run(threads: threads, open: readers(items.count), isCancelled: isCancelled)
    for (file, verdict) in found.byContent { verdicts[file] = verdict }
    unreadCount += found.unread
    damagedCount = found.unread
    lines = found.lines
    skipped.generated += found.generated
    skipped.binary += found.binary
    largestByLines = found.largest.map { item in
      .init(
        path: listing.files[item.file].path, language: LanguageTable.shared.name(Int(item.language)),
        code: item.counts.code, comment: item.counts.comment, blank: item.counts.blank)
    }
  }

  /// Returns the bytes of each language (under the name of its group), largest first; files that do not count
  /// are omitted.
  package func shares() -> [InspectionReport.Language] {
    var bytes = [Int](repeating: 0, count: LanguageTable.shared.count)
    var total = 0
    for (index, verdict) in verdicts.enumerated() {
      guard let verdict, verdict.counts else { continue }
      // A listing whose sizes overflow an Int is refused, so no part of the sum can overflow.
      total += sizes[index]
      bytes[verdict.group] += sizes[index]
    }
    return bytes.indices.filter { bytes[$0] > 0 }
      .map { (name: LanguageTable.shared.name($0), bytes: bytes[$0]) }
      .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
      .map { .init(name: $0.name, bytes: $0.bytes, share: share($0.bytes, of: total)) }
  }
}

extension InspectionReport.Skipped {
  /// Counts a file that is left out because of its name.
  fileprivate mutating func add(_ traits: FileTraits, isBinary: Bool) {
    if traits.contains(.vendored) {
      vendored += 1
    } else if traits.contains(.generated) {
      generated += 1
    } else if isBinary {
      binary += 1
    }
  }
}
