import ForageCore
import ForageInspector
import ForagePlatform

/// The facts about one clone; a section that is not in the report is left out.
extension FactSheet {
  /// - Parameter repository: `owner/name` of the repository on its forge, `nil` where it is on none.
  init(_ report: InspectionReport, repository: String? = nil, dates: Dates) {
    self.init(title: repository ?? report.path, place: repository == nil ? nil : report.path)
    add(group: "Checkout") { $0.checkout(report) }
    add(group: "History") { $0.history(report, dates) }
    add(group: "People") { $0.people(report) }
    add(group: "Code") { $0.code(report, dates) }
    add(group: "Repository") { $0.repository(report, dates) }
    add(group: "Storage") { $0.storage(report) }
    add(group: "Notes") { for note in report.notes { $0.add(note.section, note.message) } }
  }

  /// The number of rows of a list on a page; the JSON has all.
  static let shownRows = 5
  /// The number of remotes, hooks or submodules on a page.
  private static let shownPlaces = 8

  private mutating func checkout(_ report: InspectionReport) {
    let traits = [
      (report.bare, "bare"), (report.worktree, "linked work tree"), (report.shallow, "shallow"),
      (report.empty, "empty"), (report.partial ?? false, "partial"), (report.sparse ?? false, "sparse"),
      (report.lfs ?? false, "LFS"),
    ].filter(\.0).map(\.1)
    add("Kind", traits.joined(separator: ", "))
    add("Head", Self.head(report))
    add("Upstream", Self.upstream(report))
    add("Operation", report.operation.map { $0 + " in progress" })
    add("Status", Self.status(report))
    add("Stashes", report.stashes.flatMap { $0 > 0 ? HumanFormat.grouped($0) : nil })
    add("Work trees", lines: Self.places(report.worktrees) { "\($0.path) (\($0.branch ?? "detached"))" })
    add("Submodules", lines: Self.places(report.submodules) { "\($0.path) (\($0.state))" })
  }

  private mutating func history(_ report: InspectionReport, _ dates: Dates) {
    if let commits = report.commits {
      let since = commits.first.map { " since " + HumanFormat.day($0.authoredAt) } ?? ""
      let merges = commits.merges > 0 ? " (\(HumanFormat.plural(commits.merges, "merge")))" : ""
      add("Commits", HumanFormat.grouped(commits.count) + merges + since)
      add(
        "Last commit",
        commits.last.map {
          "\(dates.dated($0.authoredAt)) by \($0.author)" + ($0.subject.map { ": " + $0 } ?? "")
        })
    }
    if let activity = report.activity { add("Activity", .activity(activity)) }
    add("Tags", Self.tags(report))
    add("Version", Self.version(report))
    if report.commits?.count != 0 {
      add(
        "Signed",
        report.signedShare.map {
          ($0 > 0 ? InspectRendering.percent($0) : "none") + " of the last 100 commits"
        })
    }
    add(
      "Changed most",
      report.churn.map { churn in
        FactTable(
          churn.files, limit: Self.shownRows,
          caption: "in the last \(HumanFormat.plural(churn.commits, "commit"))",
          columns: [
            .init(title: "File", isPath: true), .init(title: "Commits"),
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

  private mutating func people(_ report: InspectionReport) {
    let count = report.authorCount ?? report.authors?.count
    let busFactor = report.busFactor.flatMap { factor in
      factor > 0 ? "bus factor \(HumanFormat.grouped(factor))" : nil
    }
    let caption = count.map { HumanFormat.grouped($0) + (busFactor.map { " (\($0))" } ?? "") } ?? busFactor
    guard let authors = report.authors, !authors.isEmpty else {
      add("Authors", count == 0 ? nil : caption)
      return
    }
    let names = authors.prefix(Self.shownRows).map(\.name)
    add(
      "Authors",
      FactTable(
        authors, limit: Self.shownRows, caption: caption,
        columns: [.init(title: "Author"), .init(title: "Share"), .init(title: "Commits")], amount: \.commits
      ) {
        [
          Self.label($0.name, $0.email, among: names) + ($0.bot == true ? " (bot)" : ""),
          InspectRendering.percent($0.share),
          HumanFormat.grouped($0.commits),
        ]
      })
  }

  /// The name of an author, with the e-mail address where others of the list have the same name.
  private static func label(_ name: String, _ email: String, among names: [String]) -> String {
    names.count { $0 == name } > 1 ? "\(name) <\(email)>" : name
  }

  private mutating func code(_ report: InspectionReport, _ dates: Dates) {
    if let languages = report.languages, !languages.isEmpty {
      add("Languages", .languages(LanguageBar(languages)))
    }
    add("Lines", Self.lines(report, dates))
    add("Left out", report.skipped.flatMap(Self.skipped))
    add(
      "Most lines",
      report.files.map { files in
        FactTable(
          files, limit: files.count,
          columns: [
            .init(title: "File", isPath: true), .init(title: "Language"), .init(title: "Lines"),
            .init(title: "Code"),
          ], needsTitles: true, amount: \.lines
        ) { [$0.path, $0.language, HumanFormat.grouped($0.lines), HumanFormat.grouped($0.code)] }
      })
    add(
      "License",
      report.licenses.map { licenses in
        let paths = licenses.filter { $0.spdx != nil }.map(\.path)
        // An expression has all of them.
        if let license = report.license, paths.count > 1 {
          return InspectRendering.listed(["\(license) (\(paths.joined(separator: ", ")))"])
        }
        return InspectRendering.listed(
          licenses.map { license in
            let unknown = license.nearest.map { "unknown, nearest \($0)" } ?? "unknown"
            let rest = license.hasOtherText == true ? ", with other text" : ""
            return (license.spdx ?? unknown) + " (\(license.path)\(rest))"
          })
      })
    add(
      "Dependencies",
      report.dependencies.map {
        FactTable(
          $0, limit: Self.shownPlaces,
          columns: [.init(title: "Manifest", isPath: true), .init(title: "Count")]
        ) { [$0.manifest, HumanFormat.grouped($0.count)] }
      })
    add("Largest files", report.largestFiles.map { Self.sizes($0.map { ($0.path, $0.bytes) }) })
  }

  private mutating func repository(_ report: InspectionReport, _ dates: Dates) {
    let branches = report.branches.map {
      "\(HumanFormat.grouped($0.local)) local, \(HumanFormat.grouped($0.remote)) remote"
    }
    let standard = report.defaultBranch.map { "default \($0)" }
    add("Branches", [branches, standard].compactMap(\.self).joined(separator: ", "))
    add("Remotes", lines: Self.places(report.remotes) { "\($0.name) \($0.url)" })
    add("Last fetch", report.lastFetchAt.map(dates.dated))
    add("Hooks", report.hooks.map(InspectRendering.listed))
  }

  private mutating func storage(_ report: InspectionReport) {
    if let size = report.size {
      let files = [size.files.map { HumanFormat.plural($0, "file") }, size.bytes.map(HumanFormat.bytes)]
      add("Files", files.compactMap(\.self).joined(separator: ", "))
      add(
        "Objects",
        "\(HumanFormat.plural(size.packs, "pack")) (\(HumanFormat.bytes(size.packBytes))), \(HumanFormat.plural(size.looseObjects, "loose object"))"
          + (size.looseBytes > 0 ? " (\(HumanFormat.bytes(size.looseBytes)))" : ""))
    }
    add("Commit graph", report.commitGraph.map { $0 ? "yes" : "no" })
    add("Alternates", lines: Self.places(report.alternates) { $0 })
    add("Largest blobs", report.largestBlobs.map { Self.sizes($0.map { ($0.path, $0.bytes) }) })
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

  private static func lines(_ report: InspectionReport, _ dates: Dates) -> FactTable? {
    report.lines.map { lines in
      var table = FactTable(
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
      { dates.count(lines.reduce(0) { $0 + Count(nearest: part($1)) }.value) }
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

  private static func sizes(_ files: [(path: String, bytes: Int)]) -> FactTable {
    FactTable(
      files, limit: shownRows, columns: [.init(title: "File", isPath: true), .init(title: "Size")],
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
