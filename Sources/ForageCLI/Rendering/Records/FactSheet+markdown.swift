import ForageCore
import ForageInspector

extension FactSheet {
  /// Headings, lists of facts, and tables; texts from outside are escaped.
  func markdownLines() -> [String] {
    var lines = ["## " + MarkdownWriter.text(title)]
    if let place { lines += ["", MarkdownWriter.text(place)] }
    for group in groups {
      if let heading = group.heading { lines += ["", "### " + heading] }
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
    case .text(let text):
      return ([WebAddress.isSafe(text) ? MarkdownWriter.link(text, to: text) : MarkdownWriter.text(text)], [])
    case .lines(let lines): return (lines.map(MarkdownWriter.text), [])
    case .activity(let activity): return ([ActivitySummary(activity: activity).text()], [])
    case .languages(let bar):
      let parts = bar.parts.map { $0.name + " " + InspectRendering.percent($0.share) }
      return ([MarkdownWriter.text(parts.joined(separator: ", "))], [])
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
