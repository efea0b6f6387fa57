import ForageCore
import ForageFoundation
import ForageInspector

/// Labelled facts about one thing in reading order, for a terminal, Markdown and HTML.
///
/// Facts without a value are left out, and groups without facts. Texts are as recorded: each rendering makes
/// them safe.
struct FactSheet {
  /// Facts that belong together.
  struct Group {
    var heading: String?
    var facts: [Fact] = []
  }

  struct Fact {
    var label: String
    var value: Value
  }

  enum Value {
    case text(String)
    /// Several values, each on a line.
    case lines([String])
    case table(FactTable)
    case languages(LanguageBar)
    case activity(InspectionReport.Activity)
  }

  /// The number of characters of one text; the JSON has all.
  private static let textLimit = 2000

  var title: String
  /// Where it is, in a line below the title.
  var place: String?
  private(set) var groups: [Group] = []

  init(title: String, place: String? = nil) { (self.title, self.place) = (title, place) }

  /// Adds a group if any facts are added to it.
  mutating func add(group heading: String, _ addFacts: (inout FactSheet) -> Void) {
    var sheet = FactSheet(title: heading)
    addFacts(&sheet)
    groups += sheet.groups.map { Group(heading: heading, facts: $0.facts) }
  }

  mutating func add(_ label: String, _ text: String?) {
    guard let text, !text.isEmpty else { return }
    let shown = String(text.prefix(Self.textLimit))
    add(label, .text(shown.utf8.count < text.utf8.count ? shown + "…" : shown))
  }

  mutating func add(_ label: String, lines: [String]?) {
    if let lines, !lines.isEmpty { add(label, .lines(lines)) }
  }

  mutating func add(_ label: String, _ table: FactTable?) {
    if let table, !table.rows.isEmpty { add(label, .table(table)) }
  }

  mutating func add(_ label: String, _ value: Value) {
    if groups.isEmpty { groups.append(Group()) }
    groups[groups.count - 1].facts.append(Fact(label: label, value: value))
  }

  /// Writes the sheet.
  ///
  /// - Parameters:
  ///   - format: Markdown, or any other for a terminal.
  ///   - style: The features of the terminal; by default no more colours than the output has.
  func write(to output: Output, as format: OutputFormat = .table, _ style: PageStyle? = nil) throws {
    let lines = format == .markdown ? markdownLines() : terminalLines(style ?? PageStyle(output, [:]))
    for line in lines { try output.result(verbatim: line) }
  }
}

/// The first rows of a list, and the number of the others.
struct FactTable {
  /// A column; the first one shrinks to fit, the others hold numbers unless they are optional.
  struct Column {
    var title: String
    /// Whether it has paths of files.
    var isPath = false
    /// Whether it is a text that a terminal shows only beside complete rows.
    var isOptional = false
  }

  /// A text about the whole list.
  var caption: String?
  var columns: [Column]
  var rows: [[String]]
  /// The length of each row's bar, from 0 to 1; empty for a table without bars.
  var parts: [Double] = []
  /// The number of rows that are left out.
  var more = 0
  /// Makes the first of the rows that are left out.
  private let others: (_ limit: Int) -> [[String]]
  /// Whether a terminal shows the titles of the columns.
  var needsTitles = false

  /// A table of the first `limit` elements.
  init<Element>(
    _ elements: [Element], limit: Int, caption: String? = nil, columns: [Column], needsTitles: Bool = false,
    amount: ((Element) -> Int)? = nil, row: @escaping (Element) -> [String]
  ) {
    self.caption = caption
    self.columns = columns
    self.needsTitles = needsTitles
    let shown = elements.prefix(limit)
    rows = shown.map(row)
    more = elements.count - shown.count
    others = { elements.dropFirst(limit).prefix($0).map(row) }
    if let amount, let most = shown.map(amount).max(), most > 0 {
      parts = shown.map { Double(max(0, amount($0))) / Double(most) }
    }
  }
  /// The first of the rows that are left out, at most `limit`.
  func rest(_ limit: Int) -> [[String]] { more > 0 ? others(limit) : [] }
}
