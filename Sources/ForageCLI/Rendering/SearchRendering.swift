import Forage
import ForageCore
import ForagePlatform

/// Writes a merged list, and the messages about it.
struct SearchRendering {
  let report: SearchReport
  let choice: ProviderChoice
  var style: ListStyle
  var output: Output

  init(
    _ report: SearchReport, _ choice: ProviderChoice? = nil, _ style: ListStyle = ListStyle(),
    output: Output
  ) {
    self.choice = choice ?? ProviderChoice(all: ProviderRegistry())
    (self.report, self.style, self.output) = (report, style, output)
  }

  var result: FederatedResult { report.result }
  private var matches: MatchOptions { report.search.matches }
  private var order: ShownOrder { ShownOrder(report.search) }
  private var home: String? { output.isTerminal ? style.home : nil }
  private var marks: ListMarks {
    ListMarks(
      output, showsNumbers: style.showsNumbers ?? style.settings.showsNumbers, first: report.offset + 1)
  }
  /// Whether each match in a file has a row, without the lines around it.
  var hasRowPerMatch: Bool { style.isForEditors || style.format == .tsv || style.format == .markdown }

  /// The same for another output.
  func on(_ output: Output) -> SearchRendering {
    var copy = self
    copy.output = output
    return copy
  }

  func write() throws {
    if matches.contextLines > 0, hasRowPerMatch {
      output.warning(
        "-C has no effect where each match is one row",
        hint: (style.isForEditors ? "leave --vimgrep out and " : "")
          + "add --format table or --format json for the lines around matches"
      )
    }
    if style.isForEditors { return try writeForEditors() }
    switch style.format {
    case .table, .auto: return try writeTable()
    case .markdown: return try writeMarkdown()
    case .json, .ndjson, .tsv: break
    }
    let rows = rowsForPrograms().rows
    var list = ListWriter<MergedItem>(
      output, style.format, document: document,
      rows: { item in rows(item).map { style.explains ? $0 + [explanation(item)] : $0 } })
    for item in result.items { try list.add(item) }
    try list.end(envelope)
    // After the items of a search a line says what else its document says.
    if style.format == .ndjson, style.documents == .search {
      try output.result(verbatim: JSONTree.object([("summary", .object(summary))]).text())
    }
  }

  private func document(_ item: MergedItem) -> JSONTree {
    switch style.documents {
    case .search: SearchJSON.item(item, explains: style.explains)
    case .gh(let search): search.document(item.result)
    case .list: .object(SearchJSON.members(item.result))
    }
  }

  /// What is around the items in the document of the list.
  private var envelope: ListEnvelope {
    switch style.documents {
    case .search: .object(summary, list: "items")
    case .gh: .object([], list: "items")
    case .list(let name): .list(named: name)
    }
  }

  /// What the document of a search says besides its items, with the advice of this program.
  private var summary: [(String, JSONTree)] {
    var result = result
    result.outcomes = result.outcomes.map(\.advised)
    return SearchJSON.envelope(result, query: report.search.query?.text)
  }

  /// How the list is written: after its kind, or with a column for the kind where several were asked for.
  private var rendering: KindRendering {
    style.layout
      ?? .of(result.outcomes.isEmpty ? result.items.map(\.result.kind) : result.outcomes.map(\.kind))
  }

  /// The fields of the rows for programs and the rows, with the time that the list is sorted by. Rows of a kind
  /// that is not known here end with the fields of its providers' own.
  ///
  /// - Parameter hasOwn: Whether rows of other kinds end with those, too: where nobody counts the fields.
  private func rowsForPrograms(hasOwn: Bool = false) -> (
    fields: [KindRendering.Field], rows: (MergedItem) -> [[String]]
  ) {
    let (rendering, bareHost) = (rendering, style.bareHost)
    let isKnown = result.items.first.map { KindRendering.isKnown($0.result.kind) } ?? true
    let own =
      style.layout == nil && (hasOwn || !isKnown) ? KindRendering.ownFields(of: result.items) : []
    let rows = { (item: MergedItem) in
      rendering.rows(of: item, bareHost: bareHost).map { row in row + own.map { $0.text(item) } }
    }
    var fields = rendering.fields + own
    guard style.layout == nil, let time = order.time(of: result.items, in: rendering.fields) else {
      return (fields, rows)
    }
    fields[time.place] = time.field
    return (
      fields,
      { item in
        rows(item).map { row in
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
      result.items, width: output.columns, dates: .ages(output.now), marks: marks, home: home,
      bareHost: style.bareHost)
    let lines = table.lines(width: output.columns, isColored: output.hasColor)
    for (index, line) in lines.enumerated() {
      try output.result(verbatim: line)
      if style.explains, index > 0 { try writeExplanation(result.items[index - 1]) }
    }
  }

  private func writeCode() throws {
    var listing = CodeListing(
      width: output.columns, isColored: output.hasColor, contextLines: matches.contextLines,
      linesPerFile: matches.limit, hasLinks: output.isTerminal && output.hasColor,
      tabWidth: style.settings.tabWidth,
      paths: PathText(home: home, folder: output.isTerminal ? style.folder : nil))
    listing.bareHost = style.bareHost
    let marks = marks
    let prefixes = result.items.enumerated().map { marks.prefix($0, $1.result, output.hasColor) }
    listing.hasShortNames = zip(result.items, prefixes).contains {
      !listing.hasRoomForNames($0, prefix: $1.width)
    }
    for (index, item) in result.items.enumerated() {
      if index > 0 { try output.result("") }
      for line in listing.lines(item, prefix: prefixes[index]) {
        try output.result(verbatim: line)
      }
      if style.explains { try writeExplanation(item) }
    }
  }

  /// Writes each match as `path:line:column:text`, with paths on this disk, for every file with the same
  /// content.
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
          try writeForEditors(file, lines)
          continue
        }
        // A name that is not UTF-8 is written as it is, but neither to a terminal nor with control
        // characters.
        let name = String(decoding: bytes, as: UTF8.self)
        if output.isTerminal || output.isCollected || SafeText.line(name) != name {
          try writeForEditors(name, lines)
        } else {
          try output.writeBytes(
            lines.flatMap { bytes + Array((SafeText.line($0, keepsTabs: true) + "\n").utf8) })
        }
      }
    }
    if others > 0 {
      output.warning(
        "\(HumanFormat.plural(others, "file")) \(others == 1 ? "is" : "are") not on this disk and left out",
        hint: "leave --vimgrep out to see them")
    }
  }

  private func writeForEditors(_ name: String, _ lines: [String]) throws {
    for line in lines { try output.result(verbatim: SafeText.line(name + line, keepsTabs: true)) }
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
      verbatim: Style.dim.apply(
        TextWidth.truncated("  " + explanation(item), to: output.columns), output.hasColor))
  }

  /// A table with the fields of the rows for programs; the first one that is not the kind leads to the
  /// result's page.
  private func writeMarkdown() throws {
    guard !result.items.isEmpty else { return }
    let (fields, rows) = rowsForPrograms(hasOwn: true)
    let names = fields.map(\.name)
    let linked = names.first == "Kind" ? 1 : 0
    // A field of the provider's own may have the same name.
    let page = names.firstIndex(of: KindRendering.Field.address.name)
    let shown = names.indices.filter { $0 != page }
    let cells = result.items.flatMap { item in
      rows(item).map { row in
        shown.map { place in
          place == linked
            ? MarkdownWriter.link(row[place], to: item.result.url) : MarkdownWriter.text(row[place])
        } + (style.explains ? [MarkdownWriter.text(explanation(item))] : [])
      }
    }
    for line in MarkdownWriter.table(shown.map { names[$0] } + (style.explains ? ["Explanation"] : []), cells)
    {
      try output.result(verbatim: line)
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

/// How a list is written, and what the messages about it offer.
struct ListStyle {
  /// What the list is in JSON.
  enum Documents: Equatable {
    /// Our document of a search.
    case search
    /// The records of a search of gh.
    case gh(GhSearch)
    /// A document with one member, which holds the results.
    case list(named: String)
  }

  var format = OutputFormat.auto
  var documents = Documents.search
  /// Whether it says how each result was ranked, which providers took no part, and which conditions were
  /// checked here.
  var explains = false
  /// The settings, of which it uses what changes lists.
  var settings = Settings()
  /// Whether the results of a table are numbered, `nil` where the settings say it.
  var showsNumbers: Bool?
  /// Whether matches are written as `path:line:column:text`, for editors.
  var isForEditors = false
  /// How the rows are written, `nil` for the usual way of the kinds.
  var layout: KindRendering?
  /// The home folder, which a terminal shows as `~`.
  var home: String?
  /// The current folder, to which a terminal shows the paths of files below it.
  var folder: String?
  /// The host that a name without one means: rows for programs name others.
  var bareHost = BuiltInProvider.usualHost
  /// Whether an error need not be written, as one that the user has seen.
  var isKnown: @Sendable (SearchError) -> Bool = { _ in false }
  /// Whether the list is printed, rather than the page of its first result opened.
  var showsList = true
  /// The command that prints the next page, `nil` where the list is not kept.
  var continuation: String?
  /// What to do when nothing was found, `nil` for what helps a search.
  var adviceForNothing: String?
  /// How hints call the kind `issue`: `pr` where pull requests are meant.
  var nameOfIssues = ResultKind.issue.rawValue

  /// Takes what the options of a command say of it.
  mutating func take(_ list: ListOptions, _ answers: AnswerOptions) {
    showsNumbers = list.number
    explains = answers.explain
    showsList = !list.web
  }
}
