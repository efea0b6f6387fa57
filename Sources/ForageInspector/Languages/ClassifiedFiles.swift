package import ForageGit

/// The language of each file of a tree and the line counts; each file is read at most once.
package struct ClassifiedFiles: Sendable {
  /// The files that are classified by name between two polls of `isCancelled`; each takes some
  /// microseconds.
  private static let nameStride = 4096
  /// The files that are read between two polls.
  private static let readStride = 16
  /// Files above this size (8 MiB) whose names do not decide the language are not read, because blobs are
  /// unpacked whole.
  private static let fileLimit = 8 << 20
  /// The most files in the list of those with the most lines.
  static let largestCount = 20
  /// The files from which those with the most lines are chosen at a time.
  private static let keptFiles = 1024

  /// Parallel to the listing's files; nil for symbolic links, empty and binary files, pointers, and unknown languages.
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
  /// The files with the most lines, as indexes of the listing, and others until ``cutLargest()``.
  private var largest: [(file: Int, language: UInt16, counts: LineCounts)] = []
  private let listing: TreeListing
  /// The size of each file in bytes, parallel to the verdicts.
  private let sizes: [Int]

  /// Classifies the files of a tree. After a cancellation the result is incomplete.
  ///
  /// - Parameters:
  ///   - attributes: returns the attributes of a path.
  ///   - countsLines: whether to count the lines of files that are neither vendored nor generated.
  ///   - readsPointers: whether files may be pointers, so that all that are small enough and count are read.
  ///   - reader: called once with the number of files to read, if there are any.
  package init(
    _ listing: TreeListing, attributes: (String) -> LinguistAttributes?, countsLines: Bool,
    readsPointers: Bool, isCancelled: () -> Bool, reader: (Int) -> any FileReader
  ) {
    self.listing = listing
    verdicts = [LanguageVerdict?](repeating: nil, count: listing.files.count)
    sizes = listing.files.map { max(0, $0.size ?? 0) }
    var classifier = LanguageClassifier()
    var open: [(file: Int, classification: LanguageClassifier.NameClassification?)] = []
    for (index, file) in listing.files.enumerated() {
      if index % Self.nameStride == 0, isCancelled() { return }
      guard file.kind != .symlink, sizes[index] > 0 else { continue }
      let classification = classifier.classifyByName(
        file.path, size: sizes[index], attributes: attributes(file.path))
      verdicts[index] = classification.verdict
      let isOpen = classification.needsContents && sizes[index] <= Self.fileLimit
      if classification.needsContents, !isOpen { unreadCount += 1 }
      if countsLines { skipped.add(classification.traits, isBinary: classification.isBinary) }
      let mayPoint =
        readsPointers && sizes[index] <= FilePointer.limit && classification.verdict?.counts == true
      if isOpen || mayPoint || countsLines && classification.verdict?.hasLines == true {
        open.append((index, isOpen ? classification : nil))
      }
    }
    guard !open.isEmpty else { return }
    let reader = reader(open.count)
    for (position, item) in open.enumerated() {
      if position % Self.readStride == 0, isCancelled() { break }
      read(item.file, item.classification, classifier, countsLines: countsLines, reader)
    }
    cutLargest()
  }

  /// Reads a file, to find its language where the name does not decide it, and to count its lines.
  ///
  /// - Parameter classification: what the name says; nil when it decides.
  private mutating func read(
    _ index: Int, _ classification: LanguageClassifier.NameClassification?, _ classifier: LanguageClassifier,
    countsLines: Bool, _ reader: any FileReader
  ) {
    let isCountable = countsLines && sizes[index] <= LineTally.fileLimit
    if countsLines, !isCountable, classification == nil {
      lines.tooLarge += 1
      return
    }
    let limit = isCountable ? sizes[index] : LanguageClassifier.prefixLimit
    let isRead = reader.read(listing.files[index], limit: limit) { bytes in
      let wasGenerated = verdicts[index]?.traits.contains(.generated) == true
      let isPointer = FilePointer.isPointer(bytes)
      if isPointer {
        verdicts[index] = nil
      } else if let classification {
        verdicts[index] = classifier.classifyByContent(
          classification, path: listing.files[index].path, contents: bytes)
      }
      guard isCountable else { return }
      if isPointer || bytes.isBinary {
        skipped.binary += 1
      } else if let verdict = verdicts[index], verdict.hasLines {
        largest.append((index, verdict.language, lines.count(bytes, verdict.language)))
        if largest.count > Self.keptFiles { cutLargest() }
      } else if !wasGenerated, verdicts[index]?.traits.contains(.generated) == true {
        skipped.generated += 1
      }
    }
    guard !isRead else { return }
    if classification != nil {
      unreadCount += 1
      damagedCount += 1
    }
    if isCountable, verdicts[index]?.hasLines == true { lines.unreadable += 1 }
  }

  /// Keeps the files with the most lines, of equal ones the first of the listing.
  private mutating func cutLargest() {
    largest.sort { ($1.counts.lines, $0.file) < ($0.counts.lines, $1.file) }
    largest = Array(largest.prefix(Self.largestCount))
  }

  /// The files with the most lines, if they were requested.
  var largestByLines: [InspectionReport.FileLines] {
    largest.map { item in
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
