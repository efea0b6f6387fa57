import ForageCore
import ForageInspector

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A page for the browser about one or several clones: one file without scripts that loads nothing.
struct HTMLPage {
  /// The part of the page about one clone.
  enum Part {
    case report(InspectionReport)
    case failure(path: String, message: String, hint: String)

    var path: String {
      switch self {
      case .report(let report): report.path
      case .failure(let path, _, _): path
      }
    }

    /// The last part of the path.
    var name: String {
      let parts = path.split(separator: "/").map(String.init)
      // The git folder of a bare repository is named by the folder around it.
      return parts.last(where: { $0 != ".git" }) ?? path
    }
  }

  let parts: [Part]
  let now: Date
  /// The colour of a language, of 24 bits with red in the highest byte; `nil` where it has none.
  var color: (String) -> Int? = LanguageBar.knownColor

  /// The content security policy: load nothing and run no script, whatever the texts of the page.
  private static let policy = "default-src 'none'; style-src 'unsafe-inline'"

  /// Writes the page.
  func write(to output: Output) throws { try output.result(text) }

  /// The page; also well-formed XML.
  var text: String {
    let title = parts.count == 1 ? parts[0].name : "\(parts.count) clones"
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta name="referrer" content="no-referrer"/>
      <title>\(title)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      \(contents)
      <main>
      \(parts.enumerated().map { article($1, number: $0 + 1) })
      </main>
      <footer>forage \(Context.version), \(HumanFormat.day(now))</footer>
      </body>
      </html>
      """
    return page.description
  }

  /// The table of contents of a page of several clones.
  private var contents: HTML {
    guard parts.count > 1 else { return "" }
    let items = parts.enumerated().map { index, part -> HTML in
      "<li><a href=\"#clone-\(index + 1)\">\(part.name)</a></li>"
    }
    return """
      <nav aria-label="Clones">
      <ul>
      \(items)
      </ul>
      </nav>
      """
  }

  private func article(_ part: Part, number: Int) -> HTML {
    let title: HTML = """
      <h1>\(part.name)</h1>
      <p class="path">\(part.path)</p>
      """
    switch part {
    case .failure(_, let message, let hint):
      let advice: HTML = hint.isEmpty ? "" : "<p>\(hint)</p>"
      return """
        <article id="clone-\(number)">
        \(title)
        <section class="card problem">
        <h2>Could not be inspected</h2>
        <p>\(message)</p>
        \(advice)
        </section>
        </article>
        """
    case .report(let report):
      let page = InspectPage(report, dates: .days)
      return """
        <article id="clone-\(number)">
        \(title)
        \(numbers(report))
        \(languages(report))
        <div class="cards">
        \(page.groups.map(card))
        </div>
        </article>
        """
    }
  }

  /// The most important counts.
  private func numbers(_ report: InspectionReport) -> HTML {
    let code = report.lines?.reduce(0) { $0.addingReportingOverflow($1.code).partialValue }
    let counts: [(Int?, String)] = [
      (report.commits?.count, "commits"), (report.authorCount, "authors"), (report.tags?.count, "tags"),
      (report.size?.files, "files"), (code, "lines of code"),
    ]
    let items = counts.compactMap { number, word -> HTML? in
      number.map { "<li><b>\(HumanFormat.grouped($0))</b> \(word)</li>" }
    }
    guard !items.isEmpty else { return "" }
    return """
      <ul class="numbers">
      \(items)
      </ul>
      """
  }

  private func card(_ group: InspectPage.Group) -> HTML {
    var facts: [HTML] = []
    var figures: [HTML] = []
    for fact in group.facts {
      switch fact.value {
      case .text(let text): facts.append("<dt>\(fact.label)</dt><dd>\(text)</dd>")
      case .lines(let lines):
        facts.append("<dt>\(fact.label)</dt>\(HTML(lines: lines.map { "<dd>\($0)</dd>" }))")
      case .table(let table): figures.append(self.table(fact.label, table))
      case .activity(let activity): figures.append(self.activity(activity))
      // They are above all groups.
      case .languages: break
      }
    }
    guard !facts.isEmpty || !figures.isEmpty else { return "" }
    let list: HTML = facts.isEmpty ? "" : "<dl>\n\(facts)\n</dl>"
    let kind: HTML = group.heading == "Notes" ? "card notes" : "card"
    return """
      <section class="\(kind)">
      <h2>\(group.heading)</h2>
      \(list)
      \(figures)
      </section>
      """
  }

  /// A table; in one with bars each row has a bar below its name.
  private func table(_ label: String, _ table: PageTable) -> HTML {
    let more = table.more > 0 ? "and \(HumanFormat.grouped(table.more)) more" : nil
    let caption = [table.caption, more].compactMap(\.self).joined(separator: "; ")
    let head: HTML =
      "<tr>\(HTML(lines: table.columns.map { "<th scope=\"col\">\($0.title)</th>" }))</tr>"
    let rows = table.rows.enumerated().map { index, row -> HTML in
      let bar: HTML = index < table.parts.count ? Self.bar(table.parts[index]) : ""
      let cells = row.dropFirst().map { cell -> HTML in "<td>\(cell)</td>" }
      return "<tr><th scope=\"row\"><span>\(row.first ?? "")</span>\(bar)</th>\(HTML(lines: cells))</tr>"
    }
    return """
      <table>
      <caption><b>\(label)</b> \(caption)</caption>
      <thead>\(head)</thead>
      <tbody>
      \(rows)
      </tbody>
      </table>
      """
  }
}
