import Forage
import ForageCore
import ForageFoundation
import ForageInspector

/// A clone as a row of a list.
struct CloneRow {
  var path: String
  var branch: String?
  var upstream: InspectionReport.Upstream?
  var status: InspectionReport.Status?
  var stashes: Int?
  var lastCommitAt: Date?
  /// Bytes of the files of the current commit.
  var sizeBytes: Int?
  /// Why the clone could not be inspected, or not completely, in a few words.
  var reason: String?
  /// The operation in progress, such as `merge`.
  var operation: String?

  /// A clone that could not be inspected.
  init(unreadable path: String, _ error: InspectionError? = nil) {
    self.path = path
    reason = error.map(Self.reason) ?? "unreadable"
  }

  /// A clone of which there is a report.
  init(_ report: InspectionReport, lastCommitAt: Date?) {
    path = report.path
    branch = report.head.flatMap { head in
      head.branch ?? (head.detached ? head.commit.map { "(" + $0.prefix(10) + ")" } : head.ref)
    }
    let damaged = report.damagedSections
    // A branch that could not be compared is not shown as gone.
    let isCompared = report.head?.commit != nil && !damaged.contains(InspectionSection.upstream.rawValue)
    upstream = isCompared ? report.upstream : nil
    status = report.status
    operation = report.operation
    stashes = report.stashes
    self.lastCommitAt = lastCommitAt
    sizeBytes = report.size?.bytes
    if !damaged.isEmpty { reason = Self.damaged }
  }

  /// A table of clones for the output of a command, or for other formats.
  static func table(_ rows: [CloneRow], _ context: Context, isForTerminals: Bool = true) -> Table {
    let output = context.output
    return table(
      rows, width: isForTerminals ? output.columns : .max,
      home: isForTerminals ? context.forage.paths.home : nil,
      now: isForTerminals && output.isTerminal ? output.now : nil,
      isUnicode: PageStyle(output, context.forage.environment).isUnicode)
  }

  /// A table of clones.
  ///
  /// - Parameters:
  ///   - width: Where whole paths make the table wider, they are shortened.
  ///   - home: The home folder, which is shown as `~`; `nil` to show whole paths.
  ///   - now: The time that relative times count from; `nil` to show dates.
  ///   - isUnicode: Whether arrows can be shown.
  static func table(_ rows: [CloneRow], width: Int, home: String? = nil, now: Date?, isUnicode: Bool) -> Table
  {
    let paths = PathText(home: home)
    let dates = now.map { InspectPage.Dates.ages($0) } ?? .days
    let hasStashes = rows.contains { ($0.stashes ?? 0) > 0 }
    var table = Table(
      columns: [
        .init(title: "FOLDER", style: .title, keepsEnd: true, isName: true),
        .init(title: "BRANCH", style: .source, dropOrder: 4, maximum: 20),
        .init(title: "UPSTREAM", style: .language, dropOrder: 3, maximum: 16),
        .init(title: "STATUS", style: nil, dropOrder: 1, isFlexible: true, maximum: 44, least: 12),
        // What can be lost with a clone stays in the table however narrow it is.
        .init(title: "STASHES", style: nil, alignsRight: true, dropOrder: hasStashes ? 0 : 6),
        .init(title: "LAST COMMIT", style: .dim, alignsRight: true, dropOrder: 5),
        .init(title: "SIZE", style: nil, alignsRight: true, dropOrder: 7),
      ],
      rows: rows.map { row in
        [
          paths.text(row.path), row.branch ?? "",
          row.upstream.map { Self.distance($0, isUnicode: isUnicode) } ?? "",
          [row.reason, row.operation, row.status.map(Self.dirt)].compactMap { $0 }.joined(separator: ", "),
          row.stashes.map { $0 > 0 ? HumanFormat.count($0) : "" } ?? "",
          row.lastCommitAt.map(dates.text) ?? "", row.sizeBytes.map(HumanFormat.bytes) ?? "",
        ].map { SafeText.line($0) }
      }
    ).shorteningFolders(to: width, leavesOutCommon: true)
    let folder = min(table.rows.lazy.map { TextWidth.of($0[0]) }.max() ?? 0, table.columns[0].maximum)
    for index in table.columns.indices where table.columns[index].isFlexible {
      let free = width - folder - roomOfOthers
      table.columns[index].least = min(usualStatus, max(table.columns[index].least, free))
    }
    return table
  }

  /// The room for what changes in a clone, where there is enough.
  private static let usualStatus = 30
  /// The columns that UPSTREAM and STASHES take, with the gaps.
  private static let roomOfOthers = 24

  /// The distance of a branch from its upstream: `↑2 ↓3`, `up to date`, `gone`.
  static func distance(_ upstream: InspectionReport.Upstream, isUnicode: Bool) -> String {
    guard let ahead = upstream.ahead, let behind = upstream.behind else { return "gone" }
    if ahead == 0, behind == 0 { return "up to date" }
    let parts = [(ahead, isUnicode ? "↑" : "+"), (behind, isUnicode ? "↓" : "-")]
    return parts.filter { $0.0 > 0 }.map { $0.1 + HumanFormat.count($0.0) }.joined(separator: " ")
  }

  private static let damaged = "damaged"

  /// What is wrong with a clone, so short that no column cuts it.
  private static func reason(_ error: InspectionError) -> String {
    switch error.code {
    case .notARepository: "not a repository"
    case .notFound: "not found"
    case .notOwned: "owned by another user"
    case .permission: "permission denied"
    case .unsupportedExtension, .unsupportedIndex: "unsupported format"
    case .corrupt, .missingObject, .invalidHead: damaged
    case .tooLarge: "too large"
    default: "unreadable"
    }
  }

  /// The changed paths: `2 staged 1 unstaged 3 untracked`, `clean`.
  static func dirt(_ status: InspectionReport.Status) -> String {
    let parts = [
      (status.conflicted, "conflicted"), (status.staged, "staged"), (status.unstaged, "unstaged"),
      (status.untracked, "untracked"),
    ]
    let text = parts.filter { $0.0 > 0 }.map { "\(HumanFormat.count($0.0)) \($0.1)" }.joined(separator: " ")
    return text.isEmpty ? "clean" : text
  }
}

/// Rows for programs.
extension CloneRow {
  /// The fields of a clone: path, id, branch, time of the last commit, language, bytes of the files of the current commit, error, and those of
  /// `statusFields`.
  static func fields(
    _ path: String, _ report: InspectionReport? = nil, id: String? = nil, lastCommitAt: Date? = nil,
    error: String?
  ) -> [String] {
    let fields = [
      path, id, report?.head?.branch, lastCommitAt.map(HumanFormat.timestamp), report?.languages?.first?.name,
      (report?.size?.bytes).map(String.init), error,
    ]
    return fields.map { $0 ?? "" } + statusFields(report)
  }

  /// The upstream, commits ahead and behind, paths that are staged, unstaged, untracked and conflicted, and stashes.
  static func statusFields(_ report: InspectionReport?) -> [String] {
    let (upstream, status) = (report?.upstream, report?.status)
    let numbers = [
      upstream?.ahead, upstream?.behind, status?.staged, status?.unstaged, status?.untracked,
      status?.conflicted, report?.stashes,
    ]
    return [upstream?.name ?? ""] + numbers.map { $0.map(String.init) ?? "" }
  }
}
