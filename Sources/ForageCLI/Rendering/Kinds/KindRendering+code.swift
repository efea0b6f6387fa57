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
    facts: [
      Fact("Repository") { $0.withHost($0.repositoryName, $1.bareHost) }, .text("At", .ref),
      // Of a result of the last list.
      Fact("Found in line") { item, _ in item["line"]?.lineNumber?.description },
      Fact("Lines") { _, page in page.excerpt },
      Fact("Size") { item, _ in (item["size"]?.count).map { HumanFormat.bytes($0.value) } }, .address,
    ],
    heading: { item, _ in item.text(.path) },
    named: 0,
    rows: { item in
      let lines = CodeLine.found(in: item.result)
      let place = place(item.result)
      let tail = [item.result.url ?? "", item.sources.map(\.provider).joined(separator: ",")]
      // A page says by itself which lines are meant.
      let isPage = place == item.result.url
      guard !lines.isEmpty else { return [[place + (isPage ? "" : line(item.result)), ""] + tail] }
      return lines.map { line in [place + (isPage ? "" : line.position), line.text] + tail }
    },
    name: place, text: firstLine)

  /// `owner/name:path`; where that has characters that are not shown, the address of the file on this disk,
  /// else of its page, else the place with those characters in percent-encodings.
  @Sendable private static func place(_ result: SearchResult) -> String {
    let place = [result.repositoryName, path(result)].filter { !$0.isEmpty }.joined(separator: ":")
    guard SafeText.line(place) != place else { return place }
    return result[.file]?.text.map(FilePathText.address) ?? result.url
      ?? PercentEncoding.encodeInvisible(place)
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
