import Forage
import ForageCore
import ForagePlatform

/// Places in files for a terminal: each file with its matching lines, and lines alone.
struct CodeListing {
  /// With less room than this there is none for what stands before a match.
  private static let leastWindow = 8
  /// The columns between the parts of a heading.
  private static let gap = 2

  let width: Int
  let isColored: Bool
  /// Lines around each match that are shown, as far as the provider sends them.
  var contextLines = 0
  /// Matching lines of one file that are shown; the rest is counted.
  var linesPerFile = MatchOptions.defaultLimit
  /// Whether the names of files are links to them, for terminals that support it.
  var hasLinks = false
  /// The columns from one tab stop to the next.
  var tabWidth = Settings.standardTabWidth
  /// How folders are written, which name the clones without a forge, and which files are below the current
  /// folder.
  var paths = PathText(home: nil)
  /// Whether repositories are written without their owners, and folders without the folders that they are in.
  var hasShortNames = false
  /// The host that a name without one means.
  var bareHost = BuiltInProvider.usualHost

  /// The lines for one file, none wider than the terminal.
  ///
  /// - Parameter prefix: The number and the marks of the result, styled, with the width of their text.
  func lines(_ item: MergedItem, prefix: (text: String, width: Int) = ("", 0)) -> [String] {
    let found = CodeLine.found(in: item.result)
    let blocks =
      (contextLines > 0
      ? CodeLine.blocks(in: item.result, context: contextLines, maximumMatches: linesPerFile)
      : [Array(found.prefix(linesPerFile))])
      .map { block in block.map { $0.expandingTabs(to: tabWidth) } }
    let digits = blocks.joined().map { $0.number.map { "\($0)".count } ?? 0 }.max() ?? 0
    var shown = [prefix.text + heading(item, width: max(1, width - prefix.width))]
    for (index, block) in blocks.enumerated() {
      if index > 0 { shown.append("  " + Style.dim.apply("--", isColored)) }
      // Around a match the indentation shows the structure.
      let indentation = contextLines > 0 ? block.map(\.indentation).min() : nil
      for line in block {
        let number = TextWidth.padded(line.number?.description ?? "", to: digits, alignsRight: true)
        let indent = digits == 0 ? "  " : "  " + Style.dim.apply(number, isColored) + "  "
        let room = max(1, width - (digits == 0 ? 2 : digits + 4))
        let user = user(line, width: room)
        let text = highlighted(line, width: room - TextWidth.of(user), indentation: indentation)
        shown.append(indent + text + Style.dim.apply(user, isColored))
      }
    }
    let more = CodeLine.count(in: item.result) - min(found.count, linesPerFile)
    if more > 0 {
      let text = "  … \(HumanFormat.plural(more, "more match", "more matches"))"
      shown.append(Style.dim.apply(TextWidth.truncated(text, to: width), isColored))
    }
    return shown
  }

  /// The definition that a line is in, where there is room for both.
  private func user(_ line: CodeLine, width: Int) -> String {
    let text = line.user.map { "  in " + SafeText.line($0) } ?? ""
    let rest = width - TextWidth.of(SafeText.line(String(line.text.drop { $0 == " " })))
    return TextWidth.of(text) <= max(rest, width / 3) ? text : ""
  }

  /// Whether the whole name of a file's repository has room.
  ///
  /// - Parameter prefix: The width of what stands before it.
  func hasRoomForNames(_ item: MergedItem, prefix: Int) -> Bool {
    PlaceText.hasRoom(
      for: repository(item), beside: path(item), in: max(1, width - prefix), gap: Self.gap)
  }

  private func repository(_ item: MergedItem) -> String {
    SafeText.line(item.result.withHost(paths.text(item.result.repositoryName), bareHost))
  }

  /// The path from the current folder, so that terminals and editors find the file; elsewhere that in the
  /// repository.
  private func path(_ item: MergedItem) -> String {
    let relative = (item.result[.file]?.text).flatMap(paths.relative)
    return SafeText.line(relative ?? item.result[.path]?.text ?? item.result.title)
  }

  /// Repository, path and, where there is room, how many identical files there are, the language and who
  /// found it.
  private func heading(_ item: MergedItem, width: Int) -> String {
    let repository = repository(item)
    let path = path(item)
    let from = SafeText.line(item.sources.map(\.provider).joined(separator: "+"))
    let name = hasShortNames ? PlaceText.shortName(repository) : repository
    let shownRepository =
      PlaceText.hasRoom(for: name, beside: path, in: width, gap: Self.gap)
      ? name : TextWidth.truncatedInside(name, to: max(1, width / 5))
    let room = max(1, width - TextWidth.of(shownRepository) - Self.gap)
    let shownPath = PlaceText.path(path, to: room)
    var line = Style.language.apply(shownRepository, isColored) + "  "
    line += linked(Style.title.apply(shownPath, isColored), to: item.result[.file]?.text)
    var used = TextWidth.of(shownPath)
    let places = item.result[.places]?.elements.count ?? 0
    let notes = [
      (places > 0 ? "+\(places) identical" : "", Style.dim),
      (SafeText.line(item.result.text(.language)), Style.dim), (from, Style.source),
    ]
    for (text, style) in notes
    where !text.isEmpty && used + 2 + TextWidth.of(text) <= room {
      line += "  " + style.apply(text, isColored)
      used += 2 + TextWidth.of(text)
    }
    return line
  }

  /// A text as a link to a file (OSC 8); the address contains only unreserved characters and
  /// percent-encodings.
  private func linked(_ text: String, to file: String?) -> String {
    guard hasLinks, let file else { return text }
    return "\u{1B}]8;;" + FilePathText.address(file) + "\u{1B}\\" + text + "\u{1B}]8;;\u{1B}\\"
  }

  /// A character with whether it is part of what was found.
  private struct Cell {
    var character: Character
    var isFound: Bool
    var width: Int
  }

  /// The text of a line, cut to the width so that the first match is seen, with its matches in colour.
  ///
  /// - Parameter indentation: How many spaces at its beginning are left out, `nil` for all.
  func highlighted(_ line: CodeLine, width: Int, indentation: Int? = nil) -> String {
    var cells = cells(line)
    let indent = cells.prefix { $0.character == " " && !$0.isFound }.count
    cells.removeFirst(min(indent, indentation ?? indent))
    while cells.last?.character == " " { cells.removeLast() }
    return styled(windowed(cells, width: width))
  }

  /// The whole text of a line, with its matches in colour, in pieces of at most a width, at least one.
  func broken(_ line: CodeLine, width: Int) -> [String] {
    var pieces: [[Cell]] = [[]]
    var used = 0
    var cells = cells(line)
    while cells.last?.character == " " { cells.removeLast() }
    for cell in cells {
      if used + cell.width > width, used > 0 {
        pieces.append([])
        used = 0
      }
      pieces[pieces.count - 1].append(cell)
      used += cell.width
    }
    return pieces.map(styled)
  }

  private func cells(_ line: CodeLine) -> [Cell] {
    let line = line.expandingTabs(to: tabWidth)
    // Matches count the scalars that are not shown, too.
    var places = line.text.unicodeScalars.enumerated().filter { !SafeText.isLeftOut($0.element) }[...]
    return SafeText.line(line.text).map { character in
      let place = places.first?.offset ?? 0
      places = places.dropFirst(character.unicodeScalars.count)
      return Cell(
        character: character, isFound: line.matches.contains { $0.contains(place) },
        width: TextWidth.width(character))
    }
  }

  private func windowed(_ cells: [Cell], width: Int) -> [Cell] {
    func total(_ cells: some Sequence<Cell>) -> Int { cells.reduce(0) { $0 + $1.width } }
    guard total(cells) > width else { return cells }
    let ellipsis = Cell(character: "…", isFound: false, width: 1)
    let isNarrow = width < Self.leastWindow
    var rest = cells[...]
    var head: [Cell] = []
    let first = cells.firstIndex(where: \.isFound) ?? 0
    let end = cells[first...].firstIndex { !$0.isFound } ?? cells.count
    if !isNarrow, total(cells[..<end]) > width - 1 {
      // A third of the room is for what stands before the match.
      var before = 0
      var start = first
      while start > 0, before + cells[start - 1].width <= width / 3 {
        start -= 1
        before += cells[start].width
      }
      if start > 0 {
        rest = cells[start...]
        head = [ellipsis]
      }
    }
    guard total(rest) + head.count > width else { return head + rest }
    var used = head.count
    let kept = rest.prefix { cell in
      used += cell.width
      return used <= width - 1
    }
    return head + kept + [ellipsis]
  }

  private func styled(_ cells: [Cell]) -> String {
    var text = ""
    var rest = cells[...]
    while let first = rest.first {
      let run = rest.prefix { $0.isFound == first.isFound }
      let part = String(run.map(\.character))
      text += first.isFound ? Style.match.apply(part, isColored) : part
      rest = rest.dropFirst(run.count)
    }
    return text
  }
}
