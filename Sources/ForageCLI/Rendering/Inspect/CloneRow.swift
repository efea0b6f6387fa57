import ForageGit
import ForageInspector

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
  /// Why the clone could not be inspected, in a few words.
  var reason: String?

  /// A clone that could not be inspected.
  init(unreadable path: String, _ error: GitError? = nil) {
    self.path = path
    reason = error.map(Self.reason) ?? "unreadable"
  }

  /// A clone of which there is a report.
  init(_ report: InspectionReport, lastCommitAt: Date?) {
    path = report.path
    branch = report.head.flatMap { head in
      head.branch ?? (head.detached ? head.commit.map { "(" + $0.prefix(10) + ")" } : head.ref)
    }
    upstream = report.upstream
    status = report.status
    stashes = report.stashes
    self.lastCommitAt = lastCommitAt
    sizeBytes = report.size?.bytes
  }

  /// A table of clones.
  ///
  /// - Parameters:
  ///   - width: Where whole paths make the table wider, the folder that holds all clones is left out of them.
  ///   - home: The home folder, which is shown as `~`; `nil` to show whole paths.
  ///   - now: The time that relative times count from; `nil` to show dates.
  ///   - isUnicode: Whether arrows can be shown.
  static func table(_ rows: [CloneRow], width: Int, home: String? = nil, now: Date?, isUnicode: Bool) -> Table
  {
    let paths = PathText(home: home)
    let rows = rows.map { row in
      var row = row
      row.path = paths.text(row.path)
      return row
    }
    let table = table(rows, width: width, now: now, isUnicode: isUnicode)
    let widest = table.lines(width: .max / 2, isColored: false).lazy.map(TextWidth.of).max() ?? 0
    let common = commonFolder(rows.map(\.path))
    guard widest > width, common.count > 1 else { return table }
    var short = table
    for index in short.rows.indices where rows[index].path.hasPrefix(common) {
      short.rows[index][0] = SafeText.line(rows[index].path.dropFirst(common.count))
    }
    return short
  }

  /// The folder that holds all of several paths, with a slash at its end; empty where there is none.
  private static func commonFolder(_ paths: [String]) -> String {
    guard paths.count > 1, var common = paths.first.map({ $0[...] }) else { return "" }
    for path in paths {
      while !path.hasPrefix(common) || !(common.hasSuffix("/") && path.count > common.count) {
        guard let slash = common.dropLast().lastIndex(of: "/") else { return "" }
        common = common[...slash]
      }
    }
    return String(common)
  }

  /// The most columns that a folder takes of a terminal: one long name leaves room for the rest.
  static func folderWidth(_ width: Int) -> Int { max(24, width / 2) }

  private static func table(_ rows: [CloneRow], width: Int, now: Date?, isUnicode: Bool) -> Table {
    let dates = now.map { InspectPage.Dates.ages($0) } ?? .days
    return Table(
      columns: [
        .init(
          title: "FOLDER", style: .title, maximum: folderWidth(width), keepsEnd: true, isName: true),
        .init(title: "BRANCH", style: .source, dropOrder: 4, maximum: 20),
        .init(title: "UPSTREAM", style: .language, dropOrder: 3, maximum: 16),
        .init(title: "STATUS", style: nil, dropOrder: 1, isFlexible: true, maximum: 40, least: 30),
        .init(title: "STASHES", style: nil, alignsRight: true, dropOrder: 6),
        .init(title: "LAST COMMIT", style: .dim, alignsRight: true, dropOrder: 5),
        .init(title: "HEAD SIZE", style: nil, alignsRight: true, dropOrder: 7),
      ],
      rows: rows.map { row in
        [
          row.path, row.branch ?? "", row.upstream.map { Self.distance($0, isUnicode: isUnicode) } ?? "",
          row.reason ?? row.status.map(Self.dirt) ?? "",
          row.stashes.map { $0 > 0 ? HumanFormat.count($0) : "" } ?? "",
          row.lastCommitAt.map(dates.text) ?? "", row.sizeBytes.map(HumanFormat.bytes) ?? "",
        ].map { SafeText.line($0) }
      })
  }

  /// The distance of a branch from its upstream: `↑2 ↓3`, `even`, `gone`.
  static func distance(_ upstream: InspectionReport.Upstream, isUnicode: Bool) -> String {
    guard let ahead = upstream.ahead, let behind = upstream.behind else { return "gone" }
    if ahead == 0, behind == 0 { return "even" }
    let parts = [(ahead, isUnicode ? "↑" : "+"), (behind, isUnicode ? "↓" : "-")]
    return parts.filter { $0.0 > 0 }.map { $0.1 + HumanFormat.count($0.0) }.joined(separator: " ")
  }

  /// What is wrong with a clone, so short that no column cuts it.
  private static func reason(_ error: GitError) -> String {
    switch error.code {
    case .notARepository: "not a repository"
    case .notFound: "not found"
    case .notOwned: "owned by another user"
    case .permission: "permission denied"
    case .unsupportedExtension, .unsupportedIndex: "unsupported format"
    case .corrupt, .missingObject, .invalidHead: "damaged"
    case .tooLarge: "too large"
    default: "unreadable"
    }
  }

  /// The changed paths: `2 staged 1 unstaged 3 new`, `clean`.
  static func dirt(_ status: InspectionReport.Status) -> String {
    let parts = [
      (status.conflicted, "conflicted"), (status.staged, "staged"), (status.unstaged, "unstaged"),
      (status.untracked, "new"),
    ]
    let text = parts.filter { $0.0 > 0 }.map { "\(HumanFormat.count($0.0)) \($0.1)" }.joined(separator: " ")
    return text.isEmpty ? "clean" : text
  }
}
