import ForageInspector

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The facts about one clone in the order in which people read them; each rendering shows them in its own way.
///
/// A section that is not in the report leaves no trace. Texts are as recorded: each rendering makes them safe.
struct InspectPage {
  /// Facts that belong together.
  struct Group {
    var heading: String
    var facts: [Fact]
  }

  /// A fact with its label.
  struct Fact {
    var label: String
    var value: Value
  }

  /// What a fact says.
  enum Value {
    case text(String)
    /// Several of the same kind, each on a line.
    case lines([String])
    case table(PageTable)
    case languages([InspectionReport.Language])
    case activity(InspectionReport.Activity)
  }

  /// How times and long numbers are told.
  enum Dates {
    /// How long before a moment times were, and numbers short: for whoever reads at once.
    case ages(Date)
    /// Days in UTC and exact numbers: for what is kept and read later.
    case days

    func text(_ date: Date) -> String {
      switch self {
      case .ages(let now): HumanFormat.age(date, now: now)
      case .days: InspectPage.day(date)
      }
    }
  }

  let report: InspectionReport
  let groups: [Group]
  /// The colour of a language, of 24 bits with red in the highest byte; nil where it has none.
  let color: (String) -> Int?

  /// Orders the facts of a report.
  init(
    _ report: InspectionReport, dates: Dates, color: @escaping (String) -> Int? = LanguageBar.knownColor
  ) {
    self.report = report
    self.color = color
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

  /// The day of a time in UTC: 2026-01-05.
  static func day(_ date: Date) -> String { String(HumanFormat.timestamp(date).prefix(10)) }

  /// Collects facts; empty ones are left out.
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

/// The first rows of a list, with how many more there are.
struct PageTable {
  /// A column; the first takes what room there is, the others hold numbers.
  struct Column {
    var title: String
    /// Whether a text that is too long is cut in the middle, because its end tells as much as its beginning.
    var keepsEnd = false
  }

  /// What is said of the whole list.
  var caption: String?
  var columns: [Column]
  var rows: [[String]]
  /// For each row its length beside the others, from 0 to 1; empty where the lengths say nothing.
  var parts: [Double] = []
  /// Rows that are left out.
  var more = 0
  /// Whether a terminal needs the titles to tell what the numbers are.
  var needsTitles = false

  /// A table of the first `limit` elements.
  init<Element>(
    _ elements: [Element], limit: Int, caption: String? = nil, columns: [Column], needsTitles: Bool = false,
    amount: ((Element) -> Int)? = nil, row: (Element) -> [String]
  ) {
    self.caption = caption
    self.columns = columns
    self.needsTitles = needsTitles
    let shown = elements.prefix(limit)
    rows = shown.map(row)
    more = elements.count - shown.count
    if let amount, let most = shown.map(amount).max(), most > 0 {
      parts = shown.map { Double(max(0, amount($0))) / Double(most) }
    }
  }
}
