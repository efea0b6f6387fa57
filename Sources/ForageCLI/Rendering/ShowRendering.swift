import Forage
import ForageCore
import ForageInspector
import ForagePlatform

/// Writes one entity with the facts of its clone.
struct ShowRendering {
  /// The lines of a file that are shown before the one in which something was found, and after it.
  private static let excerpt = (before: 10, after: 30)

  let record: EntityRecord
  /// The host that a name without one means.
  let bareHost: String
  /// The columns from one tab stop to the next.
  var tabWidth = Settings.standardTabWidth
  /// Whether all of a file is shown, and not only the lines around the one in which something was found.
  var hasWholeFile = false
  var item: SearchResult { record.item }

  init(_ record: EntityRecord, bareHost: String) { (self.record, self.bareHost) = (record, bareHost) }

  /// The sections of a clone on a page, beside the facts of the forge: the state of this copy, and what no
  /// forge counts.
  static let localSections: Set<InspectionSection> = .ofPages.subtracting([
    .churn, .lines, .largestFiles, .dependencies,
  ])

  /// Writes the entity.
  func write(_ format: OutputFormat, to output: Output, _ style: PageStyle) throws {
    try output.result(document, as: format) {
      let isMarkdown = format == .markdown
      let dates = isMarkdown ? FactSheet.Dates.days : .init(output)
      var sheet = sheet(dates)
      sheet.add("Marks", ListMarks.words(item, isUnicode: output.isUnicode && !isMarkdown))
      try sheet.write(to: output, as: format, style)
      try writeText(isMarkdown: isMarkdown, dates, to: output)
      if let report = record.report {
        try output.result("")
        try FactSheet(report, dates: dates).write(to: output, as: format, style)
      }
    }
  }

  private var document: JSONTree {
    var record = record
    record.outcomes = record.outcomes.map(\.advised)
    return record.document
  }

  private func sheet(_ dates: FactSheet.Dates) -> FactSheet {
    let page = KindRendering.Page(dates: dates, bareHost: bareHost, excerpt: excerpt)
    return KindRendering.of(item.kind).sheet(item, page)
  }

  /// Which lines of a file are shown, `nil` where all are.
  private var excerpt: String? {
    guard item.kind == .code else { return nil }
    let (lines, total) = shownLines
    guard lines.count < total, let first = lines.first?.number, let last = lines.last?.number else {
      return nil
    }
    let numbers = [first.value, last.value, total].map(HumanFormat.grouped)
    return "\(numbers[0]) to \(numbers[1]) of \(numbers[2])"
  }

  /// Running text that is wider than this is harder to read.
  private static let textColumns = 100

  /// Writes the whole text of the entity: a readme, the body of an issue, the rest of a commit message, a
  /// file.
  private func writeText(isMarkdown: Bool, _ dates: FactSheet.Dates, to output: Output) throws {
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

  /// The numbers of the lines of a whole file in which something was found, with how many rows its page has
  /// from each on; none where that is unknown.
  func foundLines(width: Int) -> [(number: LineNumber, rows: Int)] {
    let lines = fileLines
    guard let first = foundLine(in: lines) else { return [] }
    var found: [(number: LineNumber, rows: Int)] = []
    var end = lines.endIndex
    var rows = 0
    for place in lines.indices[first...].reversed() where place == first || !lines[place].matches.isEmpty {
      rows += numbered(lines[place..<end], of: lines, width: width - 2, isColored: false).count
      found.append((lines[place].number ?? 1, rows))
      end = place
    }
    return found.reversed()
  }

  private var fileLines: [CodeLine] { (item[.fragments]?.elements ?? []).flatMap(CodeLine.lines) }

  /// The place of the first line in which something was found, `nil` where that is unknown.
  private func foundLine(in lines: [CodeLine]) -> Int? {
    guard item.kind == .code, item[.matches] == nil, let number = item.firstLine else { return nil }
    return lines.firstIndex { $0.number == number }
  }

  /// The lines of a file that are shown, and how many there are of which they are a part.
  var shownLines: (lines: ArraySlice<CodeLine>, total: Int) {
    let lines = item[.matches] != nil ? CodeLine.found(in: item) : fileLines
    guard !hasWholeFile, let found = foundLine(in: lines) else { return (lines[...], lines.count) }
    let range =
      max(0, found - Self.excerpt.before)..<min(lines.count, found + Self.excerpt.after + 1)
    return (lines[range], lines.count)
  }

  private func textLines(width: Int, isColored: Bool, _ dates: FactSheet.Dates) -> [String] {
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
          .map { CodeLine(text: String($0)) }, width: width, isColored: isColored)
    case .code where !outline.isEmpty: rows(of: outline, isColored: isColored)
    case .code: numbered(shownLines.lines, of: shownLines.lines, width: width, isColored: isColored)
    default: []
    }
  }

  /// The definitions of a file, where it is not shown for a line of it.
  private var outline: [FieldValue] {
    item.firstLine == nil && !hasWholeFile ? item[.symbols]?.elements ?? [] : []
  }

  /// Definitions: the number of the line, the kind and the name of each.
  private func rows(of symbols: [FieldValue], isColored: Bool) -> [String] {
    let rows = symbols.map { symbol in
      (
        line: symbol["line"]?.lineNumber?.description ?? "", kind: symbol["kind"]?.text ?? "",
        name: SafeText.line(symbol["name"]?.text ?? "")
      )
    }
    let (digits, width) = (rows.map(\.line.count).max() ?? 0, rows.map(\.kind.count).max() ?? 0)
    return rows.map { row in
      TextWidth.padded(row.line, to: digits, alignsRight: true) + "  "
        + Style.dim.apply(TextWidth.padded(row.kind, to: width), isColored) + "  " + row.name
    }
  }

  /// A comment: a line with its author and time, then its text.
  private func comment(of value: FieldValue, width: Int, isColored: Bool, _ dates: FactSheet.Dates)
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

  /// The lines, after their numbers where something was found. As in `grep -n` a colon marks the lines that
  /// were found.
  ///
  /// - Parameter all: The lines whose numbers are below each other.
  private func numbered(
    _ lines: ArraySlice<CodeLine>, of all: some Collection<CodeLine>, width: Int, isColored: Bool
  ) -> [String] {
    guard item.firstLine != nil, let digits = all.compactMap(\.number).max()?.description.count
    else {
      return plain(lines, width: width, isColored: isColored)
    }
    return lines.flatMap { line in
      let number = TextWidth.padded(line.number?.description ?? "", to: digits, alignsRight: true)
      let isFound = !line.matches.isEmpty || line.number == item.firstLine
      let marked = isFound ? Style.match.apply(number + ":", isColored) + " " : number + "  "
      let pieces = broken(line, width: max(1, width - digits - 2), isColored: isColored)
      return pieces.enumerated().map { index, piece in
        let start = index == 0 ? marked : String(repeating: " ", count: digits + 2)
        return piece.isEmpty && !isFound ? number : start + piece
      }
    }
  }

  /// The lines unchanged, without empty ones at both ends; a line that is too long continues on the next one.
  private func plain(_ lines: some BidirectionalCollection<CodeLine>, width: Int, isColored: Bool) -> [String]
  {
    var rest = lines[...]
    while rest.first?.text.allSatisfy(\.isWhitespace) == true { rest.removeFirst() }
    while rest.last?.text.allSatisfy(\.isWhitespace) == true { rest.removeLast() }
    return rest.flatMap { broken($0, width: width, isColored: isColored) }
  }

  private func broken(_ line: CodeLine, width: Int, isColored: Bool) -> [String] {
    CodeListing(width: width, isColored: isColored, tabWidth: tabWidth).broken(line, width: width)
  }
}
