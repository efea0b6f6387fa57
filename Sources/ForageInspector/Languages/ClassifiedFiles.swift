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

  /// Parallel to the listing's files; nil for symbolic links, empty and binary files, pointers, and unknown
  /// languages.
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

/// The `linguist-*` attributes of a path; nil where none is set.
package struct LinguistAttributes: Sendable, Equatable {
  /// The names of the attributes, in the order of ``init(_:)``.
  static let names = ["language", "vendored", "generated", "documentation", "detectable"].map {
    "linguist-\($0)"
  }

  /// The value of `linguist-language`: a language, or the name of an unknown one, which leaves the file
  /// without one.
  package var language: String?
  package var isVendored: Bool?
  package var isGenerated: Bool?
  package var isDocumentation: Bool?
  package var isDetectable: Bool?

  /// Creates values with nothing set.
  package init() {}

  /// Takes the values of ``names``. GitHub takes every value of a flag but `false` for true.
  init(_ values: [TreeAttributes.Value]) {
    language =
      switch values[0] {
      case .text(let name): name
      case .set: ""
      case .unset, .unspecified: nil
      }
    let flags = values.map { value -> Bool? in
      switch value {
      case .set: true
      case .unset: false
      case .text(let text): text != "false"
      case .unspecified: nil
      }
    }
    (isVendored, isGenerated, isDocumentation, isDetectable) = (flags[1], flags[2], flags[3], flags[4])
  }
}

/// The `.gitattributes` files of a tree.
package struct AttributeFiles {
  /// The name of an attribute file.
  package static let name = ".gitattributes"
  /// The most files that are read; large repositories have some hundred.
  private static let countLimit = 10_000
  /// The most bytes of all files together (4 MiB); a blob that is in several folders counts in each. The
  /// largest known repositories have some 100 KB.
  private static let byteLimit = 4 << 20
  /// The longest name of a file or folder in bytes, which bounds those ways; file systems have the same
  /// limit.
  private static let nameLimit = 255
  /// The note about files that were not read.
  static let cutMessage = "some .gitattributes files were ignored: too many or too large"

  /// Whether some files were not read, because of a limit.
  private(set) var isCut = false
  /// Whether a limit excluded some attributes of languages.
  var isIncomplete: Bool { isCut || hasSlowFile || isExhausted }
  /// Whether the time for lookups was over.
  var isExhausted: Bool { lookup?.isExhausted == true }
  private var hasSlowFile = false
  /// The number of files that could not be read.
  private(set) var unread = 0
  /// Whether a file marks others for Git LFS.
  private(set) var marksLFS = false
  /// Whether a file marks others for Git LFS, or speaks of git-annex.
  private(set) var marksPointers = false
  /// The lookup of the languages' attributes; nil if no file has one.
  private var lookup: TreeAttributes?

  /// Reads the attribute files of a tree; one that cannot be read counts as empty.
  package init(_ listing: TreeListing, _ repository: GitRepository) {
    let files = listing.files.filter { file in
      file.kind != .symlink && file.path.hasSuffix(Self.name) && FileAccess.name(of: file.path) == Self.name
    }
    self.init(files.map { ($0.path, $0.id, $0.size) }, repository)
  }

  /// Reads some attribute files; one that cannot be read counts as empty.
  package init(_ files: [(path: String, id: ObjectID, size: Int?)], _ repository: GitRepository) {
    var read: [(path: String, id: ObjectID)] = []
    var (rest, speaksOfLanguages) = (Self.byteLimit, false)
    for file in files where file.size != 0 {
      guard let size = file.size else {
        unread += 1
        continue
      }
      guard read.count < Self.countLimit, size <= rest else {
        isCut = true
        continue
      }
      rest -= size
      guard let bytes = try? repository.blob(file.id, limit: Self.byteLimit) else {
        unread += 1
        continue
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if text.contains("filter=lfs") { marksLFS = true }
      if marksLFS || text.contains("annex") { marksPointers = true }
      guard !RuleFiles.isSlow(attributes: bytes) else {
        hasSlowFile = true
        continue
      }
      if text.contains("linguist-") { speaksOfLanguages = true }
      read.append((file.path, file.id))
    }
    if speaksOfLanguages { lookup = try? repository.attributes(LinguistAttributes.names, in: read) }
  }

  /// Returns the attributes of a path relative to the root; nil if no file speaks of languages.
  package func attributes(of path: String) -> LinguistAttributes? {
    guard let lookup,
      !path.utf8.split(separator: UInt8(ascii: "/")).contains(where: { $0.count > Self.nameLimit })
    else { return nil }
    return lookup.values(of: path).map(LinguistAttributes.init)
  }
}
