/// Line counts by language; each thread has its own.
package struct LineTally: Sendable {
  private struct Entry: Sendable {
    let syntax: CommentSyntax?
    var counts = LineCounts()
    var files = 0
  }

  /// By the language's index in ``LanguageTable/shared``.
  private var entries: [UInt16: Entry] = [:]
  /// The number of files that were too large to count.
  var tooLarge = 0
  /// The number of files that could not be read.
  var unreadable = 0

  /// Counts the lines of a text file.
  mutating func count(_ bytes: UnsafeRawBufferPointer, _ language: UInt16) -> LineCounts {
    let known = entries[language]
    var entry =
      known ?? Entry(syntax: CommentSyntax.of(language: LanguageTable.shared.name(Int(language))))
    let counts = LineCounter.count(bytes, entry.syntax ?? .plain)
    entry.counts += counts
    entry.files += 1
    entries[language] = entry
    return counts
  }

  static func += (a: inout LineTally, b: LineTally) {
    for (language, entry) in b.entries {
      var sum = a.entries[language] ?? Entry(syntax: entry.syntax)
      sum.counts += entry.counts
      sum.files += entry.files
      a.entries[language] = sum
    }
    a.tooLarge += b.tooLarge
    a.unreadable += b.unreadable
  }

  /// The sums, most code first and then by name.
  var lines: [InspectionReport.Lines] {
    entries.map { language, entry in
      InspectionReport.Lines(
        language: LanguageTable.shared.name(Int(language)), files: entry.files, code: entry.counts.code,
        comment: entry.counts.comment, blank: entry.counts.blank)
    }.sorted { ($1.code, $0.language) < ($0.code, $1.language) }
  }

  /// The languages for programming and markup without a known comment syntax, sorted. Data and prose have
  /// hardly any comments.
  var plainLanguages: [String] {
    entries.filter { $0.value.syntax == nil && LanguageTable.shared.records[Int($0.key)].kind.counts }.map {
      LanguageTable.shared.name(Int($0.key))
    }.sorted()
  }
}

/// The line counts of a tree by language, for the project's own texts: those that are neither vendored nor
/// generated.
package struct LineTotals: Sendable {
  /// The size limit of a file (64 MiB); source files have a hundredth of that.
  package static let fileLimit = 64 << 20

  /// Most code first and then by name.
  package let lines: [InspectionReport.Lines]
  /// Why the counts are incomplete.
  package let notes: [InspectionReport.Note]
  /// Whether files could not be read.
  let isIncomplete: Bool

  init(_ tally: LineTally) {
    lines = tally.lines
    var notes: [InspectionReport.Note] = []
    func note(_ message: String) { notes.append(.init(section: "lines", message: message)) }
    if tally.tooLarge > 0 {
      let files = counted(tally.tooLarge, "file")
      let verb = tally.tooLarge == 1 ? "is" : "are"
      note("\(files) of more than \(Self.fileLimit >> 20) MiB \(verb) not counted")
    }
    if tally.unreadable > 0 {
      let message = "\(counted(tally.unreadable, "file")) could not be read"
      notes.append(.init(section: "lines", message: message, isDamage: true))
    }
    let unknown = tally.plainLanguages
    if !unknown.isEmpty { note("comments count as code in \(unknown.joined(separator: ", "))") }
    self.notes = notes
    isIncomplete = tally.unreadable > 0
  }
}
