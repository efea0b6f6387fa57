import Forage
import ForageCore

/// Writes a merged list, and the messages about it.
struct SearchRendering {
  let result: FederatedResult
  /// The text of the query, `nil` where there is none.
  let query: String?
  let explains: Bool
  /// The cursor for the next page, `nil` when there is none.
  var next: String?
  var output: Output
  /// What to do when nothing was found, `nil` for what helps a search.
  var adviceForNothing: String?
  /// What names nothing that is known here, of a query that found nothing.
  var unknownNames: [String] = []
  /// Whether the query is one word, so that none can be left out.
  var hasOneWord = false
  /// How hints call the kind `issue`.
  var nameOfIssues = ResultKind.issue.rawValue
  /// The providers that the user named.
  var named: Set<String> = []
  /// The built-in providers that the settings disable and the user did not name.
  var disabled: [String] = []
  /// What the list is sorted by.
  var order = ShownOrder()
  /// Whether standard error lists the providers that took no part, and the conditions that were checked here.
  var listsExcluded = false
  /// Whether the user allowed no requests.
  var isOffline = false
  /// Whether the list is printed, rather than the page of its first result opened.
  var showsList = true

  /// How much of the matches in files is shown.
  var matches = MatchOptions()
  /// Whether matches are written as `path:line:column:text`, for editors.
  var isForEditors = false
  /// How the rows are written, `nil` for the usual way of the kinds.
  var layout: KindRendering?
  /// The numbers and marks before the results of a table.
  var marks = ListMarks()
  /// The home folder, which a terminal shows as `~`.
  var home: String?
  /// The command that prints the next page of this list, `nil` where only the cursor names it.
  var continuation: String?

  /// The same for another output.
  func on(_ output: Output) -> SearchRendering {
    var copy = self
    copy.output = output
    return copy
  }

  func write(_ format: OutputFormat) throws {
    if matches.contextLines > 0, isForEditors || format == .tsv || format == .markdown {
      output.warning(
        "-C has no effect where each match is one row", hint: "add --format json for the lines around matches"
      )
    }
    if isForEditors { return try writeForEditors() }
    switch format {
    case .json: try output.result(SearchJSON.envelope(advised, query: query, explains: explains, next: next))
    case .ndjson:
      for item in result.items { try output.result(SearchJSON.item(item, explains: explains).text()) }
      try writeSummary()
    case .tsv:
      let (_, rows) = rowsForPrograms
      for item in result.items {
        try output.resultRows(rows(item).map { explains ? $0 + [explanation(item)] : $0 })
      }
    case .markdown: try writeMarkdown()
    case .table, .auto: try writeTable()
    }
  }

  /// The list with the advice of this program.
  private var advised: FederatedResult {
    var result = result
    result.outcomes = result.outcomes.map(\.advised)
    return result
  }

  /// Writes everything but the items as one line.
  func writeSummary() throws {
    let envelope = SearchJSON.envelope(advised, query: query, explains: explains, next: next, hasItems: false)
    try output.result(JSONValue.object([("summary", envelope)]).text())
  }

  /// How the list is written: after its kind, or with a column for the kind where several were asked for.
  private var rendering: KindRendering {
    layout
      ?? .of(result.outcomes.isEmpty ? result.items.map(\.result.kind) : result.outcomes.map(\.kind))
  }

  /// The fields of the rows for programs and the rows, with the time that the list is sorted by.
  private var rowsForPrograms: (fields: [KindRendering.Field], rows: (MergedItem) -> [[String]]) {
    let rendering = rendering
    guard layout == nil, let time = order.time(of: result.items, in: rendering.fields) else {
      return (rendering.fields, rendering.rows)
    }
    var fields = rendering.fields
    fields[time.place] = time.field
    return (
      fields,
      { item in
        rendering.rows(item).map { row in
          var row = row
          row[time.place] = time.field.text(item)
          return row
        }
      }
    )
  }

  var isCode: Bool {
    !result.outcomes.isEmpty && result.outcomes.allSatisfy { $0.kind == .code }
  }

  private func writeTable() throws {
    guard !result.items.isEmpty else { return }
    if isCode { return try writeCode() }
    let table = rendering.showing(order, of: result.items).table(
      result.items, width: output.columns, now: output.now, marks: marks,
      home: output.isTerminal ? home : nil)
    let lines = table.lines(width: output.columns, isColored: output.hasColor)
    for (index, line) in lines.enumerated() {
      try output.result(line)
      if explains, index > 0 { try writeExplanation(result.items[index - 1]) }
    }
  }

  private func writeCode() throws {
    var listing = CodeListing(
      width: output.columns, isColored: output.hasColor, contextLines: matches.contextLines,
      linesPerFile: matches.limit, hasLinks: output.isTerminal && output.hasColor,
      paths: PathText(home: output.isTerminal ? home : nil))
    let prefixes = result.items.enumerated().map { marks.prefix($0, $1.result, output.hasColor) }
    listing.hasShortNames = zip(result.items, prefixes).contains {
      !listing.hasRoomForNames($0, prefix: $1.width)
    }
    for (index, item) in result.items.enumerated() {
      if index > 0 { try output.result("") }
      for line in listing.lines(item, prefix: prefixes[index]) {
        try output.result(line)
      }
      if explains { try writeExplanation(item) }
    }
  }

  /// Writes each match as `path:line:column:text`, with paths on this disk, for every file with the same content.
  private func writeForEditors() throws {
    var others = 0
    for item in result.items {
      let files = Self.files(item)
      if files.isEmpty { others += 1 }
      for file in files {
        let found = CodeLine.found(in: item.result).map { line in
          ":\(line.number ?? 1):\(line.column ?? 1):" + line.text
        }
        // Qualifiers alone find files without lines.
        let lines = found.isEmpty ? [":1:1:"] : found
        guard let bytes = FilePathText.bytes(file) else {
          try output.resultRows(lines.map { [file + $0] })
          continue
        }
        // A name that is not UTF-8 is written as it is, but neither to a terminal nor with control characters.
        let name = String(decoding: bytes, as: UTF8.self)
        if output.isTerminal || output.isCollected || SafeText.line(name) != name {
          try output.resultRows(lines.map { [name + $0] })
        } else {
          try output.writeBytes(lines.flatMap { bytes + Array((SafeText.line($0) + "\n").utf8) })
        }
      }
    }
    if others > 0 {
      output.warning(
        "\(HumanFormat.plural(others, "file")) \(others == 1 ? "is" : "are") not on this disk and left out",
        hint: "leave --vimgrep out to see them")
    }
  }

  /// The files on this disk that have the content of a result and fit the query.
  static func files(_ item: MergedItem) -> [String] {
    ([item.result[.file]] + otherPlaces(item).map { $0["file"] }).compactMap { $0?.text }
  }

  /// The other files that have the content of a result and fit the query.
  static func otherPlaces(_ item: MergedItem) -> [FieldValue] {
    (item.result[.places]?.elements ?? []).filter { $0["fits"]?.flag != false }
  }

  private func writeExplanation(_ item: MergedItem) throws {
    try output.result(
      Style.dim.apply(TextWidth.truncated("  " + explanation(item), to: output.columns), output.hasColor))
  }

  /// A table with the fields of the rows for programs; the first one that is not the kind leads to the result's page.
  private func writeMarkdown() throws {
    guard !result.items.isEmpty else { return }
    let (fields, rows) = rowsForPrograms
    let names = fields.map(\.name)
    let linked = names.first == "Kind" ? 1 : 0
    let shown = names.indices.filter { names[$0] != KindRendering.Field.address.name }
    let cells = result.items.flatMap { item in
      rows(item).map { row in
        shown.map { place in
          place == linked
            ? MarkdownWriter.link(row[place], to: item.result.url) : MarkdownWriter.text(row[place])
        } + (explains ? [MarkdownWriter.text(explanation(item))] : [])
      }
    }
    for line in MarkdownWriter.table(shown.map { names[$0] } + (explains ? ["Explanation"] : []), cells) {
      try output.result(line)
    }
  }

  private func explanation(_ item: MergedItem) -> String {
    let parts = item.sources.map { source in
      let share = Self.fraction(Double(source.contribution) / Double(RankFusion.one))
      return "\(source.provider) rank \(source.rank) (\(share))"
    }
    return "score \(Self.fraction(item.relativeScore)) = " + parts.joined(separator: " + ")
  }

  /// Four decimals, enough to distinguish neighbouring ranks.
  static func fraction(_ value: Double) -> String {
    let units = Int((value * 10_000).rounded())
    let digits = String(units % 10_000)
    return "\(units / 10_000)." + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
