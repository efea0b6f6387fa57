import Forage
import ForageBrowse
import ForageCore
import ForageFoundation
import ForageInspector
import ForagePlatform

extension BrowseRows {
  /// The most columns that the names of providers take: with 80 columns there is room for the stars beside
  /// them.
  private static let originColumns = 16

  /// The rows of results, with the columns that `forage search` has for their kinds.
  ///
  /// - Parameter kinds: The kinds of the whole list.
  init(_ items: [MergedItem], kinds: Set<ResultKind>, _ order: ShownOrder, _ services: BrowseServices) {
    var rendering = KindRendering.of(kinds.sorted { $0.rawValue < $1.rawValue }).showing(order, of: items)
    // The details have the folder and what is related; the list has room for descriptions.
    rendering.columns.removeAll(where: \.isDetail)
    let columns = rendering.ordered(for: items)
    let texts = KindRendering.texts(
      items, columns, dates: .ages(Date()), home: services.forage.paths.home,
      bareHost: services.forage.bareHost)
    // The marks follow the stars, else the name.
    let marked = columns.firstIndex { $0.field == .stars } ?? 0
    self.init(
      columns: columns.enumerated().map { index, column in
        var look = column.look
        if column.isOrigin { look.maximum = min(look.maximum, Self.originColumns) }
        look.least = TableColumn.usualLeast
        look.hasMarks = index == marked
        return look
      },
      items: zip(items, texts).map { item, texts in
        BrowseItem(
          item.result, cells: zip(columns, texts).map { Self.cell(Self.withUnit($1, $0)) },
          summary: BrowseText(EntityRecord(item: item.result), services.context))
      })
  }

  /// The list has no headings: a number other than that of the stars says what it counts.
  private static func withUnit(_ text: String, _ column: KindRendering.Column) -> String {
    guard column.isCount, column.field != .stars, !text.isEmpty else { return text }
    let unit = column.look.title.lowercased()
    return text + " " + (text == "1" && unit.hasSuffix("s") ? String(unit.dropLast()) : unit)
  }

  /// The scalars at either end of a text that are kept: more than the widest terminal shows of them.
  private static let endLength = 1024

  /// The text of a cell without the middle of one that is far too long: every frame looks at all of it.
  private static func cell(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard text.utf8.count > 2 * endLength, scalars.count > 2 * endLength else { return text }
    return String(scalars.prefix(endLength)) + "…" + String(scalars.suffix(endLength))
  }
}

extension SearchResult {
  /// Names the folder of its clone among its facts.
  fileprivate mutating func nameClone() {
    if self[.paths] == nil, let path = self[.path]?.text { set(.paths, [path]) }
  }
}

extension BrowseText {
  /// The page of `forage show`.
  ///
  /// - Parameter isDrawn: Whether it is for the screens: with a bar of the languages, and without the marks,
  ///   which the screens draw as they are now.
  init(_ record: EntityRecord, _ context: Context, isDrawn: Bool = true) {
    let (environment, now) = (context.forage.environment, Date())
    let output = context.output
    var record = record
    if record.item.kind == .repo { record.item.nameClone() }
    if isDrawn { (record.item[.starred], record.item[.favorite]) = (nil, nil) }
    var rendering = ShowRendering(record, bareHost: context.forage.bareHost)
    // The screens scroll through the whole file.
    rendering.hasWholeFile = isDrawn
    rendering.tabWidth = (try? context.forage.settings().tabWidth) ?? rendering.tabWidth
    let shown = rendering
    self.init(
      { width in
        let style = Self.style(output, environment, width, isDrawn)
        return Self.rows(output, width, now) { try shown.write(.table, to: $0, style) }
      },
      matchedLines: { width in
        shown.foundLines(width: width).map { MatchedLine(line: $0.number, rowsFromHere: $0.rows) }
      })
  }

  /// The facts of a clone as `forage inspect` shows them.
  init(_ report: InspectionReport, _ context: Context, isDrawn: Bool = true) {
    let (output, environment, now) = (context.output, context.forage.environment, Date())
    self.init { width in
      Self.rows(output, width, now) { output in
        let style = Self.style(output, environment, width, isDrawn)
        try FactSheet(report, dates: .init(output)).write(to: output, style)
      }
    }
  }

  /// The rows of a page that is written for a terminal of a width.
  private static func rows(_ output: Output, _ width: Int, _ now: Date, _ write: (Output) throws -> Void)
    -> [FrameRow]
  {
    let text = CollectedText()
    var page = Output(
      writeResult: { text.add($0) }, writeMessage: { _ in }, isTerminal: true, isMessageTerminal: false,
      columns: width, hasColor: output.hasColor, now: now)
    page.isUnicode = output.isUnicode
    // The text is collected, which cannot fail.
    try? write(page)
    return text.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      FrameRow(styled: String($0))
    }
  }

  /// Line by line there is no bar, which a screen reader would spell.
  private static func style(
    _ output: Output, _ environment: [String: String], _ width: Int, _ isDrawn: Bool
  ) -> PageStyle {
    var style = PageStyle(output, environment)
    style.columns = width
    if !isDrawn { style.depth = .plain }
    return style
  }
}

extension BrowseProblem {
  /// The problems in messages as a command writes them: `forage: what happened`, and a line with a hint.
  static func read(_ messages: String) -> [BrowseProblem] {
    var problems: [BrowseProblem] = []
    for line in messages.split(separator: "\n") {
      if line.hasPrefix("hint: "), !problems.isEmpty {
        problems[problems.count - 1].hint = String(line.dropFirst(6))
      } else {
        problems.append(
          BrowseProblem(String(line.hasPrefix("forage: ") ? line.dropFirst(8) : line)))
      }
    }
    return problems
  }

  /// What an error of a command says.
  init(_ error: any Error) {
    let error = (error as? SearchError)?.forScreens ?? error
    if let error = error as? BrowseProblem {
      self = error
    } else if let known = ForageError(advising: error) {
      self.init(known.message, hint: known.hint, isInQuery: error is QueryError)
    } else if error is CancellationError {
      self.init("it was interrupted", hint: "try again")
    } else {
      self.init("\(error)", hint: "run: forage doctor")
    }
  }
}

extension SearchError {
  /// The same for the screens: they ask again by a key, and have no options for the time and the place of a
  /// list.
  var forScreens: SearchError {
    var error = self
    switch code {
    case .rateLimited: error.retryAfterMilliseconds = nil
    case .timeout, .invalidCursor, .cancelled, .incompleteSearch:
      if hint.isEmpty { error.hint = "refresh the list" }
    default: break
    }
    return error
  }
}
