import ForageCore
import ForageFoundation
import ForageInspector

/// The facts about one clone in reading order, for a terminal, Markdown and HTML.
///
/// A section that is not in the report is left out. Texts are as recorded: each rendering makes them safe.
struct InspectPage {
  /// Facts that belong together.
  struct Group {
    var heading: String
    var facts: [Fact]
  }

  struct Fact {
    var label: String
    var value: Value
  }

  enum Value {
    case text(String)
    /// Several values, each on a line.
    case lines([String])
    case table(PageTable)
    case languages([InspectionReport.Language])
    case activity(InspectionReport.Activity)
  }

  /// How times and large numbers are written.
  enum Dates {
    /// Times relative to now and rounded numbers: for a terminal.
    case ages(Date)
    /// Days in UTC and exact numbers: for a text that is read later.
    case days

    /// The form for where results go.
    init(_ output: Output) { self = output.isTerminal ? .ages(output.now) : .days }

    func text(_ date: Date) -> String {
      switch self {
      case .ages(let now): HumanFormat.age(date, now: now)
      case .days: HumanFormat.day(date)
      }
    }

    /// The text with the day behind a relative time.
    func dated(_ date: Date) -> String {
      let (text, day) = (text(date), HumanFormat.day(date))
      return text == day ? day : "\(text) (\(day))"
    }

    func count(_ number: Int) -> String {
      switch self {
      case .ages: HumanFormat.count(number)
      case .days: HumanFormat.grouped(number)
      }
    }
  }

  /// `owner/name` of the repository, otherwise the path of the clone.
  let title: String
  /// The path of the clone, where the title is another text.
  let place: String?
  let groups: [Group]

  /// Orders the facts of a report.
  ///
  /// - Parameter repository: `owner/name` of the repository on its forge, `nil` where it is on none.
  init(_ report: InspectionReport, repository: String? = nil, dates: Dates) {
    title = repository ?? report.path
    place = repository == nil ? nil : report.path
    let makers: [(String, (InspectionReport, Dates, inout Facts) -> Void)] = [
      ("Checkout", Self.checkout), ("History", Self.history), ("People", Self.people), ("Code", Self.code),
      ("Repository", Self.repository), ("Storage", Self.storage), ("Notes", Self.notes),
    ]
    groups = makers.compactMap { heading, make in
      var facts = Facts()
      make(report, dates, &facts)
      return facts.list.isEmpty ? nil : Group(heading: heading, facts: facts.list)
    }
  }

  /// Collects facts and leaves empty ones out.
  struct Facts {
    private(set) var list: [Fact] = []

    mutating func add(_ label: String, _ text: String?) {
      if let text, !text.isEmpty { list.append(Fact(label: label, value: .text(text))) }
    }

    mutating func add(_ label: String, lines: [String]?) {
      if let lines, !lines.isEmpty { list.append(Fact(label: label, value: .lines(lines))) }
    }

    mutating func add(_ label: String, _ table: PageTable?) {
      if let table, !table.rows.isEmpty { list.append(Fact(label: label, value: .table(table))) }
    }

    mutating func add(_ label: String, _ value: Value) { list.append(Fact(label: label, value: value)) }
  }
}

/// The first rows of a list, and the number of the others.
struct PageTable {
  /// A column; the first one shrinks to fit, the others hold numbers unless they are optional.
  struct Column {
    var title: String
    /// Whether a text that is too long is cut in the middle, so that its end is shown.
    var keepsEnd = false
    /// Whether it is a text that a terminal shows only beside complete rows; it must be the last column.
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
