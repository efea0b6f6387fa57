import Forage
import ForageCore
import ForageFoundation
import ForageInspector
import ForagePlatform

/// A page for the browser about one or several clones: one file without scripts that loads nothing.
struct HTMLPage {
  /// The part of the page about one clone.
  enum Part {
    case report(InspectionReport, repository: String? = nil)
    case failure(path: String, InspectionError)

    init(_ clone: InspectedClone) {
      switch clone.outcome {
      case .success(let report): self = .report(report, repository: clone.repository?.name)
      case .failure(let error): self = .failure(path: clone.path, error)
      }
    }

    var path: String {
      switch self {
      case .report(let report, _): report.path
      case .failure(let path, _): path
      }
    }

    /// `owner/name` of the repository on its forge, otherwise the last part of the path.
    var name: String {
      if case .report(_, let repository?) = self { return repository }
      let parts = path.split(separator: "/").map(String.init)
      // The git folder of a bare repository is named by the folder around it.
      return parts.last(where: { $0 != ".git" }) ?? path
    }

    /// The row in the table of all clones.
    fileprivate var row: CloneRow {
      switch self {
      case .report(let report, _): CloneRow(report)
      case .failure(let path, let error): CloneRow(unreadable: path, error)
      }
    }
  }

  /// The number of rows of a list that can be unfolded; the JSON has all.
  private static let foldedRows = 500

  let parts: [Part]
  /// What the table of several clones compares; the usual columns among them, if there are any.
  var sections = CloneRow.comparedSections
  let now: Date

  /// The content security policy: load nothing and run no script, whatever the texts of the page.
  private static let policy = "default-src 'none'; style-src 'unsafe-inline'"

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
      <main>
      \(overview)
      \(parts.enumerated().map { article($1, number: $0 + 1) })
      </main>
      <footer>forage \(Forage.version), \(HumanFormat.day(now))</footer>
      </body>
      </html>
      """
    return page.description
  }

  /// The table of all clones at the top of a page of several; each name is a link to the clone's part of the
  /// page.
  private var overview: HTML {
    guard parts.count > 1 else { return "" }
    let usual = sections.intersection(CloneRow.comparedSections)
    let table = CloneRow.table(
      parts.map(\.row), CloneRow.comparison(usual.isEmpty ? sections : usual), CloneRow.Form())
    let shown = table.columns.indices.dropFirst().filter { index in table.rows.contains { !$0[index].isEmpty }
    }
    let rows = zip(parts, table.rows).enumerated().map { index, clone -> HTML in
      let cells = shown.map { cell -> HTML in "<td>\(clone.1[cell])</td>" }
      return """
        <tr><th scope="row"><a href="#clone-\(index + 1)">\(clone.0.name)</a> <span>\(clone.0.path)</span></th>\(HTML(lines: cells))</tr>
        """
    }
    return """
      <section class="card overview">
      <h2>\(HumanFormat.plural(parts.count, "clone"))</h2>
      <div>
      <table>
      \(Self.head(([0] + shown).map { table.columns[$0].heading }))
      <tbody>
      \(rows)
      </tbody>
      </table>
      </div>
      </section>
      """
  }

  private func article(_ part: Part, number: Int) -> HTML {
    let title: HTML = """
      <h1>\(part.name)</h1>
      <p class="path">\(part.path)</p>
      """
    switch part {
    case .failure(_, let error):
      let advice: HTML = error.hint.isEmpty ? "" : "<p>\(error.hint)</p>"
      return """
        <article id="clone-\(number)">
        \(title)
        <section class="card problem">
        <h2>Could not be inspected</h2>
        <p>\(error.message)</p>
        \(advice)
        </section>
        </article>
        """
    case .report(let report, _):
      let sheet = FactSheet(report, dates: .days)
      return """
        <article id="clone-\(number)">
        \(title)
        \(numbers(report))
        \(languages(report))
        <div class="cards">
        \(sheet.groups.map(card))
        </div>
        </article>
        """
    }
  }

  /// The most important counts.
  private func numbers(_ report: InspectionReport) -> HTML {
    let code = report.lines?.reduce(0) { $0 + Count(nearest: $1.code) }.value
    let counts: [(Int?, String)] = [
      (report.commits?.count, "commit"), (report.authorCount, "author"), (report.tags?.count, "tag"),
      (report.size?.files, "file"), (code, "line"),
    ]
    let items = counts.compactMap { number, word -> HTML? in
      number.map {
        let words = ($0 == 1 ? word : word + "s") + (word == "line" ? " of code" : "")
        return "<li><b>\(HumanFormat.grouped($0))</b> \(words)</li>"
      }
    }
    guard !items.isEmpty else { return "" }
    return """
      <ul class="numbers">
      \(items)
      </ul>
      """
  }

  private func card(_ group: FactSheet.Group) -> HTML {
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
      <h2>\(group.heading ?? "")</h2>
      \(list)
      \(figures)
      </section>
      """
  }

  /// A table, with a bar below each name where it has bars; rows that are left out can be unfolded.
  private func table(_ label: String, _ table: FactTable) -> HTML {
    let rows = table.rows.enumerated().map { index, row in
      Self.row(row, bar: index < table.parts.count ? Self.bar(table.parts[index]) : "")
    }
    let folded = table.rest(Self.foldedRows)
    let left = table.more - folded.count
    let rest: HTML =
      left > 0 ? "\n<p>\(HumanFormat.grouped(left)) more are in the output of --format json</p>" : ""
    let fold: HTML =
      folded.isEmpty
      ? ""
      : """

      <details>
      <summary>\(HumanFormat.grouped(table.more)) more</summary>
      <table>
      <tbody>
      \(folded.map { Self.row($0) })
      </tbody>
      </table>\(rest)
      </details>
      """
    return """
      <table>
      <caption><b>\(label)</b> \(table.caption ?? "")</caption>
      \(Self.head(table.columns.map(\.title)))
      <tbody>
      \(rows)
      </tbody>
      </table>\(fold)
      """
  }

  /// The titles of the columns of a table.
  static func head(_ titles: [String]) -> HTML {
    "<thead><tr>\(HTML(lines: titles.map { "<th scope=\"col\">\($0)</th>" }))</tr></thead>"
  }

  /// A row of a table: a name, and numbers.
  static func row(_ cells: [String], bar: HTML = "") -> HTML {
    let others = cells.dropFirst().map { cell -> HTML in "<td>\(cell)</td>" }
    return "<tr><th scope=\"row\"><span>\(cells.first ?? "")</span>\(bar)</th>\(HTML(lines: others))</tr>"
  }
}

/// Text that is markup.
struct HTML: ExpressibleByStringInterpolation, CustomStringConvertible {
  let description: String

  init(stringLiteral value: String) { description = value }
  init(stringInterpolation: Interpolation) { description = stringInterpolation.text }
  private init(raw: String) { description = raw }

  /// A text from outside, safe for an HTML page; every such text passes through here.
  ///
  /// It is on one line, as content or as the value of a quoted attribute, without markup and characters that
  /// hide or reorder text.
  ///
  /// The characters that `SafeText` replaces are replaced here too; the two code points that XML forbids
  /// become U+FFFD.
  static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in SafeText.line(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Several pieces, each on a line.
  init(lines: [HTML]) { self.init(raw: lines.map(\.description).joined(separator: "\n")) }

  /// Interpolation into markup: `HTML` stays as it is, every other text is escaped.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }
    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: HTML) { text += value.description }
    mutating func appendInterpolation(_ values: [HTML]) { text += HTML(lines: values).description }
    mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
  }
}
