import ForageCore
import ForageInspector

extension InspectPage {
  /// Writes the page: headings, lists of facts, and tables.
  func writeMarkdown(to output: Output) throws {
    for line in markdownLines() { try output.result(verbatim: line) }
  }

  /// The lines of the page; texts from outside are escaped.
  func markdownLines() -> [String] {
    var lines = ["## " + MarkdownWriter.text(title)]
    if let place { lines += ["", MarkdownWriter.text(place)] }
    for group in groups {
      lines += ["", "### " + group.heading]
      var isList = false
      for fact in group.facts {
        let label = "**\(MarkdownWriter.text(fact.label)):**"
        let (text, table) = markdown(fact.value)
        let item =
          text.count > 1
          ? ["- \(label)"] + text.map { "  - " + $0 } : ["- \(label)" + (text.first.map { " " + $0 } ?? "")]
        lines += (isList ? [] : [""]) + item
        isList = table.isEmpty
        if !isList { lines += [""] + table }
      }
    }
    return lines
  }

  private func markdown(_ value: Value) -> (text: [String], table: [String]) {
    switch value {
    case .text(let text): return ([MarkdownWriter.text(text)], [])
    case .lines(let lines): return (lines.map(MarkdownWriter.text), [])
    case .activity(let activity): return ([ActivitySummary(activity: activity).text()], [])
    case .languages(let languages):
      let rows = LanguageBar(languages).parts.map {
        [MarkdownWriter.text($0.name), MarkdownWriter.text(InspectRendering.percent($0.share))]
      }
      return (
        [MarkdownWriter.text(HumanFormat.plural(languages.count, "language"))],
        MarkdownWriter.table(["Language", "Share"], rows)
      )
    case .table(let table):
      let more =
        table.more > 0
        ? "the first \(table.rows.count) of \(HumanFormat.grouped(table.rows.count + table.more))" : nil
      let caption = [table.caption, more].compactMap(\.self).joined(separator: "; ")
      return (
        caption.isEmpty ? [] : [MarkdownWriter.text(caption)],
        MarkdownWriter.table(table.columns.map(\.title), table.rows.map { $0.map(MarkdownWriter.text) })
      )
    }
  }
}
