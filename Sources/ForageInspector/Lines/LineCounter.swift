/// Counts lines of code, comments and blank lines.
///
/// A line ends with a line feed. A carriage return is white space, and so is a byte order mark at the
/// beginning. A last line without a line feed counts if it is not empty.
package enum LineCounter {
  /// Counts the lines of a text.
  ///
  /// For malformed source the sum of the counts is still the number of lines.
  package static func count(_ bytes: UnsafeRawBufferPointer, _ syntax: CommentSyntax) -> LineCounts {
    syntax.classes.withUnsafeBufferPointer { classes in
      syntax.rules.withUnsafeBufferPointer { rules in
        syntax.groups.withUnsafeBufferPointer { groups in
          var scanner = LineScanner(
            bytes.assumingMemoryBound(to: UInt8.self), classes: classes, rules: rules, groups: groups,
            isLineOnly: syntax.isLineOnly)
          return scanner.run()
        }
      }
    }
  }
}

/// The numbers of code, comment and blank lines of a text; each line counts as exactly one of them.
package struct LineCounts: Sendable, Hashable {
  /// Lines that contain more than white space and comments.
  package var code = 0
  /// Lines that contain only comments and white space.
  package var comment = 0
  /// Lines of white space only, also inside a comment or string.
  package var blank = 0

  package var lines: Int { code + comment + blank }

  static func += (a: inout LineCounts, b: LineCounts) {
    a.code += b.code
    a.comment += b.comment
    a.blank += b.blank
  }
}

/// The line counts of a tree by language, for the project's own texts: those that are neither vendored nor
/// generated.
package struct LineTally: Sendable {
  /// The size limit of a file (64 MiB); source files have a hundredth of that.
  static let fileLimit = 64 << 20

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

  /// The sums, most code first and then by name.
  var lines: [InspectionReport.Lines] {
    entries.map { language, entry in
      InspectionReport.Lines(
        language: LanguageTable.shared.name(Int(language)), files: entry.files, code: entry.counts.code,
        comment: entry.counts.comment, blank: entry.counts.blank)
    }.sorted { ($1.code, $0.language) < ($0.code, $1.language) }
  }

  /// Why the counts are incomplete.
  var notes: [InspectionReport.Note] {
    var notes: [InspectionReport.Note] = []
    func note(_ message: String, isDamage: Bool = false) {
      notes.append(.init(section: InspectionSection.lines.rawValue, message: message, isDamage: isDamage))
    }
    if tooLarge > 0 {
      let verb = tooLarge == 1 ? "is" : "are"
      note("\(counted(tooLarge, "file")) of more than \(Self.fileLimit >> 20) MiB \(verb) not counted")
    }
    if unreadable > 0 { note("\(counted(unreadable, "file")) could not be read", isDamage: true) }
    // Data and prose have hardly any comments.
    let unknown = entries.filter {
      $0.value.syntax == nil && LanguageTable.shared.records[Int($0.key)].kind.counts
    }.map { LanguageTable.shared.name(Int($0.key)) }.sorted()
    if !unknown.isEmpty { note("comments count as code in \(unknown.joined(separator: ", "))") }
    return notes
  }
}
