import ForageCore
import ForageInspector

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Shows one entity with its local facts.
struct ShowRendering {
  let item: SearchResult
  let report: InspectionReport?
  let outcomes: [ProviderOutcome]
  /// What could not be told of it, with the provider.
  var missing: [(provider: String, part: MissingPart)] = []

  /// Lines of a readme that a terminal shows: enough to see what something is.
  private static let readmeLines = 12
  /// Lines of an issue, a message or a file, which is what was asked for.
  private static let textLines = 40

  /// What a terminal shows of a clone beside what the forge tells: the state of this copy, and what no forge counts.
  static let localSections = InspectionSection.standard.subtracting([
    .churn, .lines, .largestFiles, .largestBlobs, .dependencies, .hooks, .alternates, .signedShare,
  ])

  func write(_ format: OutputFormat, to output: Output, _ style: PageStyle) throws {
    switch format {
    case .json: try output.result(try document())
    case .ndjson: try output.result(try document().text())
    case .tsv: try output.resultRows(try document().flattened().map { [$0.path, $0.value] })
    case .table, .auto, .markdown:
      var sheet = sheet(now: output.now)
      sheet.add("Marks", ListMarks.words(item, isUnicode: output.isUnicode && format != .markdown))
      try sheet.write(to: output, as: format)
      try writeText(format, to: output)
      if let report {
        try output.result("")
        let page = InspectPage(report, dates: .ages(output.now))
        if format == .markdown {
          try page.writeMarkdown(to: output)
        } else {
          try page.write(style, to: output)
        }
      }
    }
  }

  private func document() throws -> JSONValue {
    let notes = missing.map { _, part in
      JSONValue.object([
        ("section", .string(part.field.rawValue)), ("message", .string(part.error.message)),
      ])
    }
    return .members([
      ("schema", .int(1)), ("item", .object(SearchJSON.members(item) + SearchJSON.related(item))),
      ("local", report.map(InspectJSON.document)),
      ("providers", .array(outcomes.map(SearchJSON.outcome))),
      ("notes", notes.isEmpty ? nil : .array(notes)),
    ])
  }

  private func sheet(now: Date) -> FactSheet {
    switch item.kind {
    case .repo: repositorySheet(now: now)
    case .issue: issueSheet(now: now)
    case .commit: commitSheet(now: now)
    case .user: accountSheet(now: now)
    case .code: fileSheet()
    default: otherSheet(now: now)
    }
  }

  /// What is to be read: the beginning of a readme, of what an issue says, the rest of a message, a file.
  private func writeText(_ format: OutputFormat, to output: Output) throws {
    let isMarkdown = format == .markdown
    let (lines, isCut) = textLines(
      width: isMarkdown ? .max : output.columns - 2, isColored: output.hasColor && !isMarkdown)
    guard !lines.isEmpty else { return }
    try output.result("")
    // A quotation, in which nothing is markup.
    for line in lines {
      let quoted = line.isEmpty ? ">" : "> " + MarkdownWriter.text(line) + "  "
      try output.result(isMarkdown ? quoted : line.isEmpty ? "" : "  " + line)
    }
    guard isCut else { return }
    let more = "… more: \(item.url ?? "with --format json")"
    try output.result(
      isMarkdown
        ? "> …"
        : Style.dim.apply(
          TextWidth.truncated("  " + SafeText.line(more), to: output.columns), output.hasColor))
  }

  private func textLines(width: Int, isColored: Bool) -> (lines: [String], isCut: Bool) {
    switch item.kind {
    case .repo:
      PlainMarkdown(item.text(.readme)).lines(width: width, limit: Self.readmeLines, isColored: isColored)
    case .issue:
      PlainMarkdown(item.text(.description)).lines(width: width, limit: Self.textLines, isColored: isColored)
    case .commit:
      plain(
        item.text(.message).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropFirst()
          .map(
            String.init), width: width)
    case .code:
      plain((item[.fragments]?.elements ?? []).flatMap(CodeLine.lines).map(\.text), width: width)
    default: ([], false)
    }
  }

  /// Lines as they stand, without empty ones at both ends.
  private func plain(_ lines: [String], width: Int) -> (lines: [String], isCut: Bool) {
    var rest = lines[...]
    while rest.first?.allSatisfy(\.isWhitespace) == true { rest.removeFirst() }
    while rest.last?.allSatisfy(\.isWhitespace) == true { rest.removeLast() }
    let shown = rest.prefix(Self.textLines).map { line in
      var text = TextWidth.truncated(SafeText.line(line.replacing("\t", with: "    ")), to: width)
      while text.last == " " { text.removeLast() }
      return text
    }
    return (shown, rest.count > Self.textLines)
  }
}
