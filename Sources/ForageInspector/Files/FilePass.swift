import ForageGit
import ForagePlatform
import Synchronization

/// One pass over the files that must be read: finds the language where the name does not decide it, and
/// counts lines.
struct FilePass: Sendable {
  /// The files that a thread takes at a time; few, so that all threads finish together.
  private static let stride = 16
  /// The most files in the list of those with the most lines.
  static let largestCount = 20
  /// The files from which those with the most lines are chosen at a time.
  private static let keptFiles = 1024

  struct Item: Sendable {
    /// The index of the file in the listing.
    let file: Int
    /// What the name says about the language; nil when the name decides it.
    let classification: LanguageClassifier.NameClassification?
  }

  struct Result: Sendable {
    /// The verdicts on files whose names do not decide the language.
    var byContent: [(file: Int, verdict: LanguageVerdict?)] = []
    /// The number of such files that could not be read.
    var unread = 0
    var lines = LineTally()
    /// The numbers of files that are generated or binary by what is in them.
    var generated = 0
    var binary = 0
    /// The files with the most lines, and others until ``cutLargest()``.
    var largest: [CountedFile] = []

    /// Keeps the files with the most lines, of equal ones the first of the listing.
    mutating func cutLargest() {
      largest.sort { ($1.counts.lines, $0.file) < ($0.counts.lines, $1.file) }
      largest = Array(largest.prefix(FilePass.largestCount))
    }
  }

  struct CountedFile: Sendable {
    /// The index of the file in the listing.
    let file: Int
    let language: UInt16
    let counts: LineCounts
  }

  let listing: TreeListing
  let items: [Item]
  /// The verdicts by name, parallel to the listing's files.
  let verdicts: [LanguageVerdict?]
  let classifier: LanguageClassifier
  let countsLines: Bool

  /// Reads the files. After a cancellation the result is incomplete.
  ///
  /// - Parameter open: creates a reader; called once on each thread.
  func run(
    threads: Int, open: @escaping @Sendable () -> any FileReader, isCancelled: @escaping @Sendable () -> Bool
  ) -> Result {
    let shared = Shared()
    // A second thread costs more than it saves for a handful of files.
    let threads = items.count > 4 * Self.stride ? threads : 1
    OwnThread.perform(threads: threads) {
      let reader = open()
      var result = Result()
      while true {
        let start = shared.next.wrappingAdd(Self.stride, ordering: .relaxed).oldValue
        guard start < items.count, !isCancelled() else { break }
        for item in items[start..<min(start + Self.stride, items.count)] { read(item, reader, &result) }
      }
      let part = result
      shared.found.withLock { $0 += part }
    }
    return shared.found.withLock { $0 }
  }

  private final class Shared: Sendable {
    let next = Atomic<Int>(0)
    let found = Mutex(Result())
  }

  private func read(_ item: Item, _ reader: any FileReader, _ result: inout Result) {
    let file = listing.files[item.file]
    let size = file.size ?? 0
    var verdict = verdicts[item.file]
    let isCountable = countsLines && size <= LineTally.fileLimit
    let isGenerated = verdict?.traits.contains(.generated) ?? false
    guard isCountable || item.classification != nil else {
      result.lines.tooLarge += 1
      return
    }
    let isRead = reader.read(file, limit: isCountable ? size : LanguageClassifier.prefixLimit) { bytes in
      if let classification = item.classification {
        verdict = classifier.classifyByContent(classification, path: file.path, contents: bytes)
        result.byContent.append((item.file, verdict))
      }
      guard isCountable else { return }
      if bytes.isBinary {
        result.binary += 1
      } else if let verdict, verdict.hasLines {
        let counts = result.lines.count(bytes, verdict.language)
        result.largest.append(.init(file: item.file, language: verdict.language, counts: counts))
        if result.largest.count > Self.keptFiles { result.cutLargest() }
      } else if !isGenerated, verdict?.traits.contains(.generated) == true {
        result.generated += 1
      }
    }
    guard !isRead else { return }
    if item.classification != nil { result.unread += 1 }
    if isCountable, let verdict, verdict.hasLines { result.lines.unreadable += 1 }
  }
}

extension FilePass.Result {
  fileprivate static func += (a: inout Self, b: Self) {
    a.byContent += b.byContent
    a.unread += b.unread
    a.lines += b.lines
    a.generated += b.generated
    a.binary += b.binary
    a.largest += b.largest
    a.cutLargest()
  }
}
