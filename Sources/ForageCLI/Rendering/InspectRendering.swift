import ForageInspector

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Shows a report about a clone.
struct InspectRendering {
  /// Sections in the order in which they are written.
  static let order = [
    "schema", "path", "gitDir", "bare", "worktree", "shallow", "empty", "head", "upstream", "branches",
    "tags", "remotes",
    "status", "stashes", "commits", "authorCount", "authors", "languages", "licenses", "size", "submodules",
    "worktrees",
    "lfs", "lastFetchAt", "commitGraph", "partial", "sparse", "notes",
  ]
  /// Authors and languages that a terminal shows by name.
  private static let shownNames = 5

  /// The report as JSON.
  static func json(_ report: InspectionReport) throws -> JSONValue {
    try JSONValue(encoding: report).ordered(order)
  }

  /// The report for a terminal.
  static func sheet(_ report: InspectionReport, now: Date) -> FactSheet {
    var sheet = FactSheet(title: report.path)
    let traits = [
      (report.bare, "bare"), (report.worktree, "linked work tree"), (report.shallow, "shallow"),
      (report.empty, "empty"),
      (report.partial ?? false, "partial"), (report.sparse ?? false, "sparse"), (report.lfs ?? false, "LFS"),
    ].filter(\.0).map(\.1)
    sheet.add("Kind", traits.joined(separator: ", "))
    sheet.add("Head", head(report))
    sheet.add("Last commit", lastCommit(report, now: now))
    sheet.add("Upstream", upstream(report))
    sheet.add("Status", status(report))
    sheet.add("Stashes", report.stashes.flatMap { $0 > 0 ? String($0) : nil })
    sheet.add("Branches", report.branches.map { "\($0.local) local, \($0.remote) remote" })
    sheet.add("Tags", tags(report))
    for remote in report.remotes ?? [] { sheet.add("Remote", "\(remote.name)  \(remote.url)") }
    sheet.add("Last fetch", report.lastFetchAt.map { Humane.age($0, now: now) })
    sheet.add("History", history(report))
    sheet.add("Authors", authors(report))
    sheet.add("Languages", languages(report))
    sheet.add(
      "License", report.licenses?.map { ($0.spdx ?? "unknown") + " (\($0.path))" }.joined(separator: ", "))
    sheet.add("Files", files(report))
    sheet.add("Objects", objects(report))
    for module in report.submodules ?? [] { sheet.add("Submodule", "\(module.path)  \(module.state)") }
    for tree in report.worktrees ?? [] {
      sheet.add("Work tree", "\(tree.path)  \(tree.branch ?? "detached")")
    }
    for note in report.notes { sheet.add("Note", "\(note.section): \(note.message)") }
    return sheet
  }

  private static func head(_ report: InspectionReport) -> String? {
    guard let head = report.head else { return nil }
    let commit = head.commit.map { String($0.prefix(10)) }
    if head.detached { return "detached at \(commit ?? "nothing")" }
    let name = head.branch ?? head.ref ?? "nothing"
    return head.unborn ? "\(name), without a commit yet" : "\(name) at \(commit ?? "nothing")"
  }

  private static func lastCommit(_ report: InspectionReport, now: Date) -> String? {
    report.commits?.last.map {
      "\(Humane.age($0.authoredAt, now: now)) by \($0.author)" + ($0.subject.map { ": " + $0 } ?? "")
    }
  }

  private static func upstream(_ report: InspectionReport) -> String? {
    report.upstream.map { upstream in
      guard let ahead = upstream.ahead, let behind = upstream.behind else {
        return upstream.name + (report.commits == nil ? ", not compared" : ", which is gone")
      }
      return ahead == 0 && behind == 0
        ? "\(upstream.name), even" : "\(upstream.name), \(ahead) ahead, \(behind) behind"
    }
  }

  private static func status(_ report: InspectionReport) -> String? {
    report.status.map { status in
      if status.clean { return "clean" }
      let parts = [
        (status.staged, "staged"), (status.unstaged, "unstaged"), (status.untracked, "untracked"),
        (status.conflicted, "conflicted"),
      ]
      return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
  }

  private static func tags(_ report: InspectionReport) -> String? {
    guard let tags = report.tags, tags.count > 0 else { return nil }
    let nearest = tags.nearest.map {
      ", nearest \($0.name)" + ($0.distance > 0 ? " (\(Humane.plural($0.distance, "commit")) ago)" : "")
    }
    return "\(tags.count)" + (nearest ?? "") + (tags.highest.map { ", highest \($0)" } ?? "")
  }

  private static func history(_ report: InspectionReport) -> String? {
    report.commits.map { commits in
      let since = commits.first.map { " since " + Humane.timestamp($0.authoredAt).prefix(10) } ?? ""
      return "\(Humane.plural(commits.count, "commit")) (\(Humane.plural(commits.merges, "merge")))\(since)"
    }
  }

  private static func authors(_ report: InspectionReport) -> String? {
    guard let authors = report.authors, !authors.isEmpty else { return nil }
    return listed(authors.map { "\($0.name) \(percent($0.share)) (\($0.commits))" })
  }

  private static func languages(_ report: InspectionReport) -> String? {
    report.languages.map { listed($0.map { "\($0.name) \(percent($0.share))" }) }
  }

  static func listed(_ names: [String]) -> String {
    let more = names.count - shownNames
    return names.prefix(shownNames).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  static func percent(_ share: Double) -> String {
    let tenths = Int((share * 1000).rounded())
    return "\(tenths / 10).\(tenths % 10) %"
  }

  private static func files(_ report: InspectionReport) -> String? {
    guard let size = report.size, let files = size.files, let bytes = size.bytes else { return nil }
    return "\(Humane.plural(files, "file")), \(Humane.bytes(bytes))"
  }

  private static func objects(_ report: InspectionReport) -> String? {
    report.size.map { size in
      "\(Humane.plural(size.packs, "pack")) (\(Humane.bytes(size.packBytes))), \(Humane.plural(size.looseObjects, "loose object"))"
    }
  }
}
