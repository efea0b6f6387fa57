import ForageCore
import ForageInspector

/// The facts of each group.
extension InspectPage {
  /// The number of rows of a list on a page; the JSON has all.
  static let shownRows = 5
  /// The number of remotes, hooks or submodules on a page.
  private static let shownPlaces = 8
  /// The number of the newest commits that `signedShare` covers.
  private static let signedOf = 100

  static func checkout(_ report: InspectionReport, _ dates: Dates, _ facts: inout Facts) {
    let traits = [
      (report.bare, "bare"), (report.worktree, "linked work tree"), (report.shallow, "shallow"),
      (report.empty, "empty"), (report.partial ?? false, "partial"), (report.sparse ?? false, "sparse"),
      (report.lfs ?? false, "LFS"),
    ].filter(\.0).map(\.1)
    facts.add("Kind", traits.joined(separator: ", "))
    facts.add("Head", head(report))
    facts.add("Upstream", upstream(report))
    facts.add("Operation", report.operation.map { $0 + " in progress" })
    facts.add("Status", status(report))
    facts.add("Stashes", report.stashes.flatMap { $0 > 0 ? HumanFormat.grouped($0) : nil })
    facts.add("Work trees", lines: places(report.worktrees) { "\($0.path) (\($0.branch ?? "detached"))" })
    facts.add("Submodules", lines: places(report.submodules) { "\($0.path) (\($0.state))" })
  }

  static func history(_ report: InspectionReport, _ dates: Dates, _ facts: inout Facts) {
    if let commits = report.commits {
      let since = commits.first.map { " since " + HumanFormat.day($0.authoredAt) } ?? ""
      let merges = commits.merges > 0 ? " (\(HumanFormat.plural(commits.merges, "merge")))" : ""
      facts.add("Commits", HumanFormat.grouped(commits.count) + merges + since)
      facts.add(
        "Last commit",
        commits.last.map {
          "\(dates.dated($0.authoredAt)) by \($0.author)" + ($0.subject.map { ": " + $0 } ?? "")
        })
    }
    if let activity = report.activity { facts.add("Activity", .activity(activity)) }
    facts.add("Tags", tags(report))
    facts.add("Version", version(report))
    if report.commits?.count != 0 {
      facts.add(
        "Signed",
        report.signedShare.map {
          InspectRendering.share($0, ofLast: min(signedOf, report.commits?.count ?? signedOf))
        })
    }
    facts.add(
      "Changed most",
      report.churn.map { churn in
        PageTable(
          churn.files, limit: shownRows,
          caption: "in the last \(HumanFormat.plural(churn.commits, "commit"))",
          columns: [
            .init(title: "File", keepsEnd: true), .init(title: "Commits"),
            .init(title: "Main author", isOptional: true),
          ], amount: \.commits
        ) { file in
          [
            file.path, HumanFormat.grouped(file.commits),
            file.author.map { "\($0.name) (\(HumanFormat.grouped($0.commits)))" } ?? "",
          ]
        }
      })
  }

  static func people(_ report: InspectionReport, _ dates: Dates, _ facts: inout Facts) {
    let count = report.authorCount ?? report.authors?.count
    let busFactor = report.busFactor.flatMap { factor in
      factor > 0 ? "bus factor \(HumanFormat.grouped(factor))" : nil
    }
    let caption = count.map { HumanFormat.grouped($0) + (busFactor.map { " (\($0))" } ?? "") } ?? busFactor
    guard let authors = report.authors, !authors.isEmpty else {
      facts.add("Authors", count == 0 ? nil : caption)
      return
    }
    let names = authors.prefix(shownRows).map(\.name)
    facts.add(
      "Authors",
      PageTable(
        authors, limit: shownRows, caption: caption,
        columns: [.init(title: "Author"), .init(title: "Share"), .init(title: "Commits")], amount: \.commits
      ) {
        [
          label($0.name, $0.email, among: names), InspectRendering.percent($0.share),
          HumanFormat.grouped($0.commits),
        ]
      })
  }

  /// The name of an author, with the e-mail address where others of the list have the same name.
  private static func label(_ name: String, _ email: String, among names: [String]) -> String {
    names.count { $0 == name } > 1 ? "\(name) <\(email)>" : name
  }

  static func code(_ report: InspectionReport, _ dates: Dates, _ facts: inout Facts) {
    if let languages = report.languages, !languages.isEmpty { facts.add("Languages", .languages(languages)) }
    facts.add("Lines", lines(report, dates))
    facts.add("Left out", report.skipped.flatMap(skipped))
    facts.add(
      "Most lines",
      report.files.map { files in
        PageTable(
          files, limit: files.count,
          columns: [
            .init(title: "File", keepsEnd: true), .init(title: "Language"), .init(title: "Lines"),
            .init(title: "Code"),
          ], needsTitles: true, amount: \.lines
        ) { [$0.path, $0.language, HumanFormat.grouped($0.lines), HumanFormat.grouped($0.code)] }
      })
    facts.add(
      "License",
      report.licenses?.map { license in
        let unknown = license.nearest.map { "unknown, nearest \($0)" } ?? "unknown"
        return (license.spdx ?? unknown) + " (\(license.path))"
      }.joined(separator: ", "))
    facts.add(
      "Dependencies",
      report.dependencies.map {
        PageTable(
          $0, limit: shownPlaces, columns: [.init(title: "Manifest", keepsEnd: true), .init(title: "Count")]
        ) { [$0.manifest, HumanFormat.grouped($0.count)] }
      })
    facts.add("Largest files", report.largestFiles.map { sizes($0.map { ($0.path, $0.bytes) }) })
  }

  static func repository(_ report: InspectionReport, _ dates: Dates, _ facts: inout Facts) {
    let branches = report.branches.map {
      "\(HumanFormat.grouped($0.local)) local, \(HumanFormat.grouped($0.remote)) remote"
    }
    let standard = report.defaultBranch.map { "default \($0)" }
    facts.add("Branches", [branches, standard].compactMap(\.self).joined(separator: ", "))
    facts.add("Remotes", lines: places(report.remotes) { "\($0.name) \($0.url)" })
    facts.add("Last fetch", report.lastFetchAt.map(dates.dated))
    facts.add("Hooks", report.hooks.map { $0.joined(separator: ", ") })
  }

  static func storage(_ report: InspectionReport, _ dates: Dates, _ facts: inout Facts) {
    if let size = report.size {
      let files = [size.files.map { HumanFormat.plural($0, "file") }, size.bytes.map(HumanFormat.bytes)]
      facts.add("Files", files.compactMap(\.self).joined(separator: ", "))
    }
    let objects = report.size.map { size in
      "\(HumanFormat.plural(size.packs, "pack")) (\(HumanFormat.bytes(size.packBytes))), \(HumanFormat.plural(size.looseObjects, "loose object"))"
        + (size.looseBytes > 0 ? " (\(HumanFormat.bytes(size.looseBytes)))" : "")
    }
    let graph = report.commitGraph == true ? "commit-graph" : nil
    facts.add("Objects", [objects, graph].compactMap(\.self).joined(separator: ", "))
    facts.add("Alternates", lines: places(report.alternates) { $0 })
    facts.add("Largest blobs", report.largestBlobs.map { sizes($0.map { ($0.path, $0.bytes) }) })
  }

  static func notes(_ report: InspectionReport, _ dates: Dates, _ facts: inout Facts) {
    for note in report.notes { facts.add(note.section, note.message) }
  }

  private static func head(_ report: InspectionReport) -> String? {
    guard let head = report.head else { return nil }
    let commit = head.commit.map { String($0.prefix(10)) }
    if head.detached { return "detached at \(commit ?? "no commit")" }
    let name = head.branch ?? head.ref ?? "no branch"
    if head.unborn { return "\(name), no commits yet" }
    return commit.map { "\(name) at \($0)" } ?? "\(name), commit not readable"
  }

  private static func upstream(_ report: InspectionReport) -> String? {
    report.upstream.map { upstream in
      guard let ahead = upstream.ahead, let behind = upstream.behind else {
        return upstream.name + ", not compared"
      }
      let parts = [(ahead, "ahead"), (behind, "behind")].filter { $0.0 > 0 }
      return
        ([upstream.name]
        + (parts.isEmpty ? ["up to date"] : parts.map { "\(HumanFormat.grouped($0.0)) \($0.1)" })).joined(
          separator: ", ")
    }
  }

  private static func status(_ report: InspectionReport) -> String? {
    report.status.map { status in
      if status.clean { return "clean" }
      let parts = [
        (status.conflicted, "conflicted"), (status.staged, "staged"), (status.unstaged, "unstaged"),
        (status.untracked, "untracked"),
      ]
      return parts.filter { $0.0 > 0 }.map { "\(HumanFormat.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    }
  }

  private static func tags(_ report: InspectionReport) -> String? {
    guard let tags = report.tags, tags.count > 0 else { return nil }
    let nearest = tags.nearest.map {
      ", nearest \($0.name)"
        + ($0.distance > 0 ? " (\(HumanFormat.plural($0.distance, "commit")) since)" : "")
    }
    return HumanFormat.grouped(tags.count) + (nearest ?? "") + (tags.highest.map { ", highest \($0)" } ?? "")
  }

  private static func version(_ report: InspectionReport) -> String? {
    report.version.map { version in
      "\(version.name) (\(version.path ?? version.source))"
    }
  }

  private static func lines(_ report: InspectionReport, _ dates: Dates) -> PageTable? {
    report.lines.map { lines in
      var table = PageTable(
        lines, limit: shownRows,
        columns: [
          .init(title: "Language"), .init(title: "Files"), .init(title: "Code"), .init(title: "Comment"),
          .init(title: "Blank"),
        ], needsTitles: true
      ) {
        [
          $0.language, dates.count($0.files), dates.count($0.code), dates.count($0.comment),
          dates.count($0.blank),
        ]
      }
      func sum(_ lines: some Sequence<InspectionReport.Lines>, _ part: (InspectionReport.Lines) -> Int)
        -> String
      { dates.count(lines.reduce(0) { $0.addingReportingOverflow(part($1)).partialValue }) }
      func total(_ name: String, _ lines: some Sequence<InspectionReport.Lines>) -> [String] {
        [name, sum(lines, \.files), sum(lines, \.code), sum(lines, \.comment), sum(lines, \.blank)]
      }
      if table.more > 0 { table.rows.append(total("\(table.more) more", lines.dropFirst(shownRows))) }
      if lines.count > 1 { table.rows.append(total("Total", lines)) }
      table.more = 0
      return table
    }
  }

  /// The files whose lines are not counted; nil where all are.
  private static func skipped(_ skipped: InspectionReport.Skipped) -> String? {
    let counts = [
      (skipped.vendored, "vendored"), (skipped.generated, "generated"), (skipped.binary, "binary"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { HumanFormat.plural($0.0, $0.1 + " file") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func sizes(_ files: [(path: String, bytes: Int)]) -> PageTable {
    PageTable(
      files, limit: shownRows, columns: [.init(title: "File", keepsEnd: true), .init(title: "Size")],
      amount: \.bytes
    ) { [$0.path, HumanFormat.bytes($0.bytes)] }
  }

  private static func places<Place>(_ places: [Place]?, _ line: (Place) -> String) -> [String]? {
    places.map { places in
      let more = places.count - shownPlaces
      return places.prefix(shownPlaces).map(line)
        + (more > 0 ? ["and \(HumanFormat.grouped(more)) more"] : [])
    }
  }
}

extension InspectionReport.FileLines {
  /// All lines, by which files are ordered.
  fileprivate var lines: Int { code + comment + blank }
}
