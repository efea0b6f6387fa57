import Forage
import ForageCore
import ForageInspector

/// Writes one entity with the facts of its clone.
struct ShowRendering {
  let record: EntityRecord
  var item: SearchResult { record.item }

  init(_ record: EntityRecord) { self.record = record }

  /// The sections of a clone on a page, beside the facts of the forge: the state of this copy, and what no forge counts.
  static let localSections = InspectionSection.standard.subtracting([
    .churn, .lines, .largestFiles, .largestBlobs, .dependencies, .hooks, .alternates, .signedShare,
  ])

  /// Writes the entity.
  func write(_ format: OutputFormat, to output: Output, _ style: PageStyle) throws {
    try output.result(document, as: format) {
      let isMarkdown = format == .markdown
      let dates = isMarkdown ? InspectPage.Dates.days : .init(output)
      var sheet = sheet(dates)
      sheet.add("Marks", ListMarks.words(item, isUnicode: output.isUnicode && !isMarkdown))
      try sheet.write(to: output, as: format)
      try writeText(isMarkdown: isMarkdown, dates, to: output)
      if let report = record.report {
        try output.result("")
        let page = InspectPage(report, dates: dates)
        if isMarkdown {
          try page.writeMarkdown(to: output)
        } else {
          try page.write(style, to: output)
        }
      }
    }
  }

  private var document: JSONValue {
    var record = record
    record.outcomes = record.outcomes.map(\.advised)
    return record.document
  }

  private func sheet(_ dates: InspectPage.Dates) -> FactSheet {
    switch item.kind {
    case .repo: repositorySheet(dates)
    case .issue: issueSheet(dates)
    case .commit: commitSheet(dates)
    case .user: accountSheet(dates)
    case .code: fileSheet()
    default: otherSheet(dates)
    }
  }

  /// Running text that is wider than this is harder to read.
  private static let textColumns = 100

  /// Writes the whole text of the entity: a readme, the body of an issue, the rest of a commit message, a file.
  private func writeText(isMarkdown: Bool, _ dates: InspectPage.Dates, to output: Output) throws {
    let lines = textLines(
      width: isMarkdown ? .max : output.columns - 2, isColored: output.hasColor && !isMarkdown, dates)
    guard !lines.isEmpty else { return }
    // In Markdown it is a quotation, in which nothing is markup.
    let shown = lines.map { line in
      if isMarkdown { return line.isEmpty ? ">" : "> " + MarkdownWriter.text(line) + "  " }
      return line.isEmpty ? "" : "  " + line
    }
    try output.result(verbatim: ([""] + shown).joined(separator: "\n"))
  }

  /// How many rows the page of a file has from the line on in which something was found, `nil` where that is unknown.
  func rowsFromFoundLine(on output: Output) -> Int? {
    guard item.kind == .code, item[.matches] == nil, let number = item.firstLine else { return nil }
    let lines = fileLines.drop { $0.number != number }
    return lines.isEmpty ? nil : numbered(Array(lines), width: output.columns - 2).count
  }

  private var fileLines: [CodeLine] { (item[.fragments]?.elements ?? []).flatMap(CodeLine.lines) }

  private func textLines(width: Int, isColored: Bool, _ dates: InspectPage.Dates) -> [String] {
    switch item.kind {
    case .repo: running(item.text(.readme), width: width, isColored: isColored)
    case .issue:
      running(item.text(.description), width: width, isColored: isColored)
        + (item["recentComments"]?.elements ?? []).flatMap {
          comment(of: $0, width: width, isColored: isColored, dates)
        }
    case .commit:
      plain(
        item.text(.message).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropFirst()
          .map(String.init), width: width)
    case .code:
      numbered(item[.matches] != nil ? CodeLine.found(in: item) : fileLines, width: width)
    default: []
    }
  }

  /// A comment: a line with its author and time, then its text.
  private func comment(of value: FieldValue, width: Int, isColored: Bool, _ dates: InspectPage.Dates)
    -> [String]
  {
    guard case .record(let members) = value else { return [] }
    let heading = [members["author"]?.text, members["createdAt"]?.date.map(dates.dated)].compactMap(\.self)
      .joined(separator: ", ")
    return ["", SafeText.line("— " + heading)]
      + running(members["text"]?.text ?? "", width: width, isColored: isColored)
  }

  private func running(_ text: String, width: Int, isColored: Bool) -> [String] {
    PlainMarkdown.lines(
      of: text, width: width == .max ? width : min(width, Self.textColumns - 2), isColored: isColored)
  }

  /// The lines, after their numbers where something was found. As in `grep -n` a colon marks the lines that were found.
  private func numbered(_ lines: [CodeLine], width: Int) -> [String] {
    guard item.firstLine != nil, let digits = lines.compactMap(\.number).max().map({ String($0).count })
    else {
      return plain(lines.map(\.text), width: width)
    }
    return lines.flatMap { line in
      let number = TextWidth.padded(line.number.map(String.init) ?? "", to: digits, alignsRight: true)
      let isFound = !line.matches.isEmpty || line.number == item.firstLine
      let pieces = broken(line.text, width: max(1, width - digits - 2))
      return pieces.enumerated().map { index, piece in
        let start = index == 0 ? number + (isFound ? ": " : "  ") : String(repeating: " ", count: digits + 2)
        return piece.isEmpty && !isFound ? number : start + piece
      }
    }
  }

  /// The lines unchanged, without empty ones at both ends; a line that is too long continues on the next one.
  private func plain(_ lines: [String], width: Int) -> [String] {
    var rest = lines[...]
    while rest.first?.allSatisfy(\.isWhitespace) == true { rest.removeFirst() }
    while rest.last?.allSatisfy(\.isWhitespace) == true { rest.removeLast() }
    return rest.flatMap { broken($0, width: width) }
  }

  private func broken(_ line: String, width: Int) -> [String] {
    TextWidth.broken(SafeText.line(line.replacing("\t", with: "    ")), to: width)
  }
}
