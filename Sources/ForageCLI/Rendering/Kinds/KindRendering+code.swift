import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension KindRendering {
  /// Places in files.
  ///
  /// For programs each line that was found is a row: `owner/name:path:line:column` (as far as they are known,
  /// with the host in front where a name without one means another repository), the text of the line, the
  /// address, providers. A file of which no line is known is one row without text. A terminal gets a
  /// `CodeListing` instead of a table.
  static let code = KindRendering(
    columns: [
      Column("FILE", .title, fifths: 2, isPath: true) { item, _ in path(item.result) + line(item.result) },
      // A column of its own, so that every row shows it in one form however long the path is.
      Column("REPOSITORY", .language, maximum: 22, keepsEnd: true) { item, _ in item.result.repositoryName },
      Column("TEXT", dropOrder: 1, isFlexible: true) { item, _ in
        let line = CodeLine.found(in: item.result).first
        return line?.expandingTabs(to: Settings.standardTabWidth).text.trimmingWhitespace() ?? ""
      },
      .from(dropOrder: 2),
    ],
    fields: [
      Field("Place") { place($0.result) }, Field("Text") { firstLine($0.result) }, .address, .from,
    ],
    manual: """
      owner/name:path:line:column, the text of the line, URL, providers; one row for each matching line, \
      without :line and :column where they are unknown
      """,
    facts: [
      Fact("Repository") { $0.withHost($0.repositoryName, $1.bareHost) }, .text("At", .ref),
      // Of a result of the last list.
      Fact("Found in line") { item, _ in item["line"]?.lineNumber?.description },
      Fact("Lines") { _, page in page.excerpt },
      Fact("Size") { item, _ in
        guard let size = item["size"]?.count?.value else { return nil }
        let isShown = size <= ResolvedReference.fileLimit || item[.fragments] != nil
        return HumanFormat.bytes(size) + (isShown ? "" : ", too large to be shown")
      }, .address,
    ],
    heading: { item, _ in item.text(.path) },
    named: 0,
    rows: { item in
      let lines = CodeLine.found(in: item.result)
      let place = place(item.result)
      let tail = [item.result.url ?? "", item.sources.map(\.provider).joined(separator: ",")]
      guard !lines.isEmpty else {
        let number = item.result["line"]?.lineNumber
        return [
          [place + position(CodeLine(number: number, text: ""), in: place, of: item.result), ""] + tail
        ]
      }
      return lines.map { [place + position($0, in: place, of: item.result), $0.text] + tail }
    },
    name: place, text: firstLine)

  /// `owner/name:path`, and `owner/name@ref:path` of what is in a ref that is not checked out; where that has
  /// characters that are not shown, the address of the file on this disk, else of its page, else the address
  /// of the file in its commit. All are read by ``ReferenceReader``.
  @Sendable private static func place(_ result: SearchResult) -> String {
    let ref = result[.file] == nil ? result[.refs]?.texts.first.map { "@" + $0 } : nil
    let name = result.repositoryName + (ref ?? "")
    let place = [name, path(result)].filter { !$0.isEmpty }.joined(separator: ":")
    guard SafeText.line(place) != place else { return place }
    return result[.file]?.text.map(FilePathText.address) ?? result.url ?? address(result)
      ?? PercentEncoding.encodeInvisible(place)
  }

  /// A line as it follows the place of its file: a page says by itself which lines are meant, and another
  /// address gets the line as an anchor.
  private static func position(_ line: CodeLine, in place: String, of result: SearchResult) -> String {
    if place == result.url { return "" }
    guard place.hasPrefix("https://") else { return line.position }
    return line.number.map { "#L\($0)" } ?? ""
  }

  /// The address of a file in a commit of a repository on a forge, in the layout that references are read in.
  private static func address(_ result: SearchResult) -> String? {
    guard let host = result[.host]?.text, let name = result[.repository]?.text,
      let path = result[.path]?.text,
      let commit = result[.commit]?.text
    else { return nil }
    let id = name.hasPrefix(host + "/") ? name : "\(host)/\(name)"
    return EntityReference(repository: id, subject: .file(path: path, ref: commit))?.webAddress
  }

  @Sendable private static func path(_ result: SearchResult) -> String {
    result[.path]?.text ?? result.title
  }

  /// The line of a place that was kept without its text, behind a colon.
  @Sendable private static func line(_ result: SearchResult) -> String {
    (result["line"]?.lineNumber).map { ":\($0)" } ?? ""
  }

  @Sendable private static func firstLine(_ result: SearchResult) -> String {
    CodeLine.found(in: result).first?.text.trimmingWhitespace() ?? ""
  }
}
