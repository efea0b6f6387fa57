/// The lines of a tree by language: of the files that count in the section `languages`, which are programming and markup
/// and the project's own.
package struct LineTotals: Sendable {
  /// Larger files are left out (64 MiB): what people write has a hundredth of that.
  package static let fileLimit = 64 << 20

  /// Most code first, then by name.
  package let lines: [InspectionReport.Lines]
  /// What is missing.
  package let notes: [InspectionReport.Note]
  /// Whether files could not be read.
  let isIncomplete: Bool

  /// Tells what was counted.
  init(_ tally: LineTally) {
    lines = tally.lines
    var notes: [InspectionReport.Note] = []
    func note(_ message: String) { notes.append(.init(section: "lines", message: message)) }
    if tally.tooLarge > 0 {
      note("\(tally.tooLarge) files of more than \(Self.fileLimit >> 20) MiB are not counted")
    }
    if tally.unreadable > 0 { note("\(tally.unreadable) files could not be read") }
    let unknown = tally.plainLanguages
    if !unknown.isEmpty { note("comments are not told from code in \(unknown.joined(separator: ", "))") }
    self.notes = notes
    isIncomplete = tally.unreadable > 0
  }
}
