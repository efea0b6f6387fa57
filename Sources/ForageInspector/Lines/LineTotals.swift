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

  /// Creates totals from a tally.
  init(_ tally: LineTally) {
    lines = tally.lines
    var notes: [InspectionReport.Note] = []
    func note(_ message: String) { notes.append(.init(section: "lines", message: message)) }
    if tally.tooLarge > 0 {
      note("\(tally.tooLarge) files of more than \(Self.fileLimit >> 20) MiB are not counted")
    }
    if tally.unreadable > 0 {
      let message = "\(tally.unreadable) files could not be read"
      notes.append(.init(section: "lines", message: message, isDamage: true))
    }
    let unknown = tally.plainLanguages
    if !unknown.isEmpty { note("comments count as code in \(unknown.joined(separator: ", "))") }
    self.notes = notes
    isIncomplete = tally.unreadable > 0
  }
}
