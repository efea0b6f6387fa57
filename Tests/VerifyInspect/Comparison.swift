import Foundation

/// What both tell, fact by fact.
struct Comparison {
  /// How two answers relate.
  enum Verdict: String {
    case same = "ok"
    case differs = "DIFFERS"
    /// The report says why it does not tell.
    case noted = "noted"
    /// Git does not tell either.
    case untold = "-"
  }

  private struct Row {
    var fact: String
    var forage: String
    var git: String
    var verdict: Verdict
    var examples: [String] = []
  }

  /// Rows that differ are shown up to this number, the rest is counted.
  private static let shownRows = 5
  /// A column is no wider, so that a row fits a screen.
  private static let width = 44
  /// The section whose note explains that others are missing, too.
  private static let sources = [
    "authors": "commits", "authorCount": "commits", "busFactor": "commits", "activity": "commits",
    "signedShare": "commits", "upstream": "commits", "tags": "commits", "churn": "commits",
    "languages": "size",
    "lines": "size", "largestFiles": "size", "lfs": "size", "submodules": "size", "licenses": "size",
    "dependencies": "size", "version": "size", "skipped": "lines",
  ]

  private var rows: [Row] = []
  private let noted: Set<String>

  init(notes: [Told.Note]) { noted = Set(notes.map(\.section)) }

  /// How many facts differ.
  var differences: Int { rows.count { $0.verdict == .differs } }

  /// Compares one value; nil is one that is not told.
  ///
  /// - Parameter canTell: False when git's nil means that it could not say.
  mutating func value<Value: Equatable>(_ fact: String, _ told: Value?, _ git: Value?, canTell: Bool = true) {
    let verdict: Verdict =
      if git == nil, !canTell { .untold } else if told == git { .same } else { missing(fact, told == nil) }
    rows.append(Row(fact: fact, forage: Self.shown(told), git: Self.shown(git), verdict: verdict))
  }

  /// Compares lists, element by element.
  mutating func list(_ fact: String, _ told: [String]?, _ git: [String]?) {
    guard let git else {
      return rows.append(Row(fact: fact, forage: Self.counted(told), git: "-", verdict: .untold))
    }
    var row = Row(fact: fact, forage: Self.counted(told), git: Self.counted(git), verdict: .same)
    if told != git {
      row.verdict = missing(fact, told == nil)
      for index in 0..<max(told?.count ?? 0, git.count) where told != nil {
        let (left, right) = (told?.element(index), git.element(index))
        if left != right { row.examples.append("forage \(left ?? "-")   git \(right ?? "-")") }
      }
    }
    rows.append(row)
  }

  /// Compares a list that may be cut with the whole one; ten are told in any case.
  mutating func start(_ fact: String, _ told: [String]?, of git: [String]?) {
    let least = 10
    let enough = told.map { $0.count >= min(least, git?.count ?? 0) } ?? false
    list(fact, told, enough ? git.map { Array($0.prefix(told?.count ?? 0)) } : git)
  }

  /// Notes whether something holds.
  mutating func check(_ fact: String, told: String, git: String, holds: Bool) {
    rows.append(Row(fact: fact, forage: told, git: git, verdict: holds ? .same : .differs))
  }

  /// A fact that is not there is no difference when a note says why.
  private func missing(_ fact: String, _ isAbsent: Bool) -> Verdict {
    let section = fact.split(separator: ".").first.map(String.init) ?? fact
    return isAbsent && Self.explains(noted, section) ? .noted : .differs
  }

  /// Whether one of the sections with a note explains what is missing in another.
  static func explains(_ noted: Set<String>, _ section: String) -> Bool {
    noted.contains(section) || sources[section].map { explains(noted, $0) } == true
  }

  /// Prints the table, or only what differs.
  func write(_ title: String, isBrief: Bool) {
    let shown = isBrief ? rows.filter { $0.verdict == .differs } : rows
    if isBrief, shown.isEmpty { return }
    print("\n\(title)")
    let widths = [\Row.fact, \.forage, \.git].map { column in
      min(Self.width, shown.map { $0[keyPath: column].count }.max() ?? 0)
    }
    for row in shown {
      let cells = zip([row.fact, row.forage, row.git], widths).map { text, width in
        let cut = text.count > width ? text.prefix(width - 1) + "…" : text[...]
        return cut + String(repeating: " ", count: width - cut.count)
      }
      print("  \(cells.joined(separator: "  "))  \(row.verdict.rawValue)")
      for example in row.examples.prefix(Self.shownRows) { print("      \(example)") }
      let more = row.examples.count - Self.shownRows
      if more > 0 { print("      and \(more) more") }
    }
  }

  private static func shown(_ value: (some Any)?) -> String { value.map { "\($0)" } ?? "-" }

  private static func counted(_ list: [String]?) -> String { list.map { "\($0.count) rows" } ?? "-" }
}

extension [String] {
  fileprivate func element(_ index: Int) -> String? { indices.contains(index) ? self[index] : nil }
}
