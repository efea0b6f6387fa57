import Forage
import ForageCore
import ForageFoundation
import ForageInspector
import ForagePlatform

/// A clone as a row of a table.
struct CloneRow: Sendable {
  var path: String
  /// The name of its repository on a forge, `nil` where it is on none.
  var name: String?
  var branch: String?
  var lastCommitAt: Date?
  var language: String?
  /// Bytes of the files of the current commit.
  var sizeBytes: Int?
  /// Why the clone could not be inspected, or not completely, in a few words.
  var reason: String?
  /// What else was found in it.
  var report: InspectionReport?
  /// The number of commits that no remote has; `nil` where it is not known.
  var unpushed: Int?

  /// A clone that could not be inspected.
  init(unreadable path: String, _ error: InspectionError? = nil) {
    self.path = path
    reason = error.map(Self.reason) ?? "unreadable"
  }

  /// A clone that was inspected.
  init(_ clone: InspectedClone, name: String?) {
    switch clone.outcome {
    case .success(let report): self.init(report, name: name)
    case .failure(let error): self.init(unreadable: clone.path, error)
    }
  }

  /// A clone of which there is a report.
  init(_ report: InspectionReport, name: String? = nil) {
    path = report.path
    self.name = name
    self.report = report
    branch = report.head.flatMap { head in
      head.branch ?? (head.detached ? head.commit.map { "(" + $0.prefix(10) + ")" } : head.ref)
    }
    language = report.languages?.first?.name
    sizeBytes = report.size?.bytes
    if !report.damagedSections.isEmpty { reason = Self.damaged }
  }

  /// A table of clones.
  static func table(_ rows: [CloneRow], _ columns: [Column], _ form: Form) -> Table {
    Table(
      columns: columns.map(\.look),
      rows: rows.map { row in columns.map { SafeText.line($0.text(row, form)) } })
  }

  /// The distance of a branch from its upstream: `↑2 ↓3`, `up to date`, `gone`; `nil` where it has none, or
  /// could not be compared.
  static func distance(_ report: InspectionReport, isUnicode: Bool) -> String? {
    // Where the section of the head was not asked for, the upstream says enough.
    guard let upstream = report.upstream, report.head == nil || report.head?.commit != nil,
      !report.damagedSections.contains(InspectionSection.upstream.rawValue)
    else { return nil }
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

/// The columns of tables of clones.
extension CloneRow {
  /// How cells are written.
  struct Form: Sendable {
    var paths = PathText(home: nil)
    var dates = FactSheet.Dates.days
    /// Whether arrows can be shown.
    var isUnicode = true

    init() {}

    /// The form for an output and a format.
    init(_ context: Context, _ format: OutputFormat) {
      let output = context.output
      isUnicode = PageStyle(output, context.forage.environment).isUnicode
      guard format == .table else { return }
      paths = PathText(home: context.forage.paths.home)
      dates = .init(output)
    }
  }

  struct Column: Sendable {
    var look: TableColumn
    /// The sections of an inspection that it shows; each is enough.
    var sections: Set<InspectionSection> = []
    var text: @Sendable (CloneRow, Form) -> String

    init(
      _ look: TableColumn, _ sections: Set<InspectionSection> = [],
      _ text: @escaping @Sendable (CloneRow, Form) -> String
    ) {
      (self.look, self.sections, self.text) = (look, sections, text)
    }

    /// The same, which is cut further only where the columns that can be left out are.
    fileprivate func keeping(_ width: Int) -> Column {
      var copy = self
      copy.look.least = width
      return copy
    }

    /// A number of a report.
    fileprivate static func count(
      _ title: String, dropOrder: Int, _ sections: Set<InspectionSection>,
      _ number: @escaping @Sendable (InspectionReport) -> Int?
    ) -> Column {
      Column(TableColumn(title: title, alignsRight: true, dropOrder: dropOrder), sections) { row, form in
        row.report.flatMap(number).map(form.dates.count) ?? ""
      }
    }
  }

  /// The columns of the catalogue.
  static let catalogue: [Column] = [
    folder.keeping(26), repository.keeping(26), branch, lastCommit, language, size,
  ]
  /// The columns for what a clone has that its remote lacks, and the other way round.
  static let state: [Column] = [folder, branch, upstream, unpushed, status, stashes, lastCommit, size]
  private static let unpushed = Column(
    .init(title: "UNPUSHED", alignsRight: true, dropOrder: 2), [.upstream]
  ) { row, form in row.unpushed.flatMap { $0 > 0 ? form.dates.count($0) : nil } ?? "" }
  /// The column for what is known since the last fetch.
  static let lastFetch = Column(
    .init(title: "LAST FETCH", style: .dim, alignsRight: true), [.lastFetchAt]
  ) { row, form in row.report?.lastFetchAt.map(form.dates.text) ?? "never" }
  /// The columns in which repositories are compared, with those that are asked for.
  ///
  /// - Parameter sections: The sections of the reports.
  static func comparison(_ sections: Set<InspectionSection>) -> [Column] {
    let shown = compared.filter { !$0.sections.isDisjoint(with: sections) }
    // The column of the status says what is wrong with a clone.
    return [title] + shown + (sections.contains(.status) ? [] : [note])
  }

  /// The sections that a comparison has unless others are asked for.
  static let comparedSections: Set<InspectionSection> = [
    .commits, .authorCount, .tags, .lines, .licenses, .languages, .size, .partial,
  ]
  /// The sections that have a column in a comparison.
  static let columnSections = compared.reduce(into: Set<InspectionSection>()) { $0.formUnion($1.sections) }

  private static let compared: [Column] = [
    branch, upstream, status, stashes, .count("COMMITS", dropOrder: 1, [.commits]) { $0.commits?.count },
    .count("AUTHORS", dropOrder: 5, [.authorCount, .authors]) { $0.authorCount ?? $0.authors?.count },
    .count("BUS FACTOR", dropOrder: 5, [.busFactor]) { $0.busFactor },
    Column(.init(title: "RELEASE", style: .source, dropOrder: 2, maximum: 20), [.tags]) { row, _ in
      row.report?.tags?.highest ?? ""
    },
    .count("LINES", dropOrder: 3, [.lines]) {
      $0.lines?.reduce(0) { $0 + Count(nearest: $1.code) }.value
    },
    Column(.init(title: "LICENSE", dropOrder: 4, maximum: 20), [.licenses]) { row, _ in
      if let license = row.report?.license { return license }
      var names: [String] = []
      for license in row.report?.licenses ?? [] where !names.contains(license.spdx ?? "unknown") {
        names.append(license.spdx ?? "unknown")
      }
      return names.joined(separator: ", ")
    },
    language, size,
  ]

  // Paths give way to every other column.
  private static let folder = Column(
    .init(title: "FOLDER", style: .title, isFlexible: true, least: 20, isPath: true)
  ) { row, form in form.paths.text(row.path) }
  private static let title = Column(
    .init(title: "REPOSITORY", style: .title, isFlexible: true, least: 20, isPath: true)
  ) { row, form in row.name ?? form.paths.text(row.path) }
  private static let repository = Column(
    .init(title: "REPOSITORY", dropOrder: 3, isFlexible: true, maximum: 48, isPath: true)
  ) {
    row, _ in row.name ?? ""
  }
  private static let branch = Column(
    .init(title: "BRANCH", style: .source, dropOrder: 5, maximum: 20), [.head]
  ) { row, _ in row.branch ?? "" }
  private static let upstream = Column(
    .init(title: "UPSTREAM", style: .language, dropOrder: 4, maximum: 16), [.upstream]
  ) { row, form in row.report.flatMap { distance($0, isUnicode: form.isUnicode) } ?? "" }
  private static let status = Column(
    .init(title: "STATUS", dropOrder: 2, isFlexible: true, maximum: 44, least: 30), [.status]
  ) { row, _ in
    let report = row.report
    return [row.reason, report?.operation, report?.status.map(dirt)].compactMap { $0 }.joined(separator: ", ")
  }
  // What can be lost with a clone stays longest.
  private static let stashes = Column(
    .init(title: "STASHES", alignsRight: true, dropOrder: 1), [.stashes]
  ) { row, _ in row.report?.stashes.map { $0 > 0 ? HumanFormat.count($0) : "" } ?? "" }
  private static let lastCommit = Column(
    .init(title: "LAST COMMIT", style: .dim, alignsRight: true, dropOrder: 6)
  ) { row, form in row.lastCommitAt.map(form.dates.text) ?? "" }
  private static let language = Column(
    .init(title: "LANGUAGE", style: .language, dropOrder: 7, maximum: 16), [.languages]
  ) { row, _ in row.language ?? "" }
  private static let size = Column(.init(title: "SIZE", alignsRight: true, dropOrder: 8), [.size]) { row, _ in
    row.sizeBytes.map(HumanFormat.bytes) ?? ""
  }
  private static let note = Column(.init(title: "NOTE", dropOrder: 2, maximum: 24)) { row, _ in
    // The numbers of a shallow clone are those of a part of the history; in a partial one those of files may
    // be missing.
    let marks = [
      row.report?.shallow == true ? "shallow" : nil, row.report?.partial == true ? "partial" : nil,
    ]
    return row.reason ?? marks.compactMap(\.self).joined(separator: ", ")
  }
}

/// Rows for programs.
extension CloneRow {
  /// The fields of a clone that was inspected.
  static func fields(_ clone: InspectedClone) -> [String] {
    switch clone.outcome {
    case .failure(let error): return fields(clone.path, error: error.message)
    case .success(let report):
      let missing = report.damagedSections
      return fields(
        report.path, report, id: clone.repository?.id, lastCommitAt: clone.lastCommitAt,
        error: missing.isEmpty ? nil : "damaged: " + missing.joined(separator: ", "))
    }
  }

  /// The fields of a clone: path, id, branch, time of the last commit, language, bytes of the files of the
  /// current commit, error, and those of `statusFields`.
  private static func fields(
    _ path: String, _ report: InspectionReport? = nil, id: String? = nil, lastCommitAt: Date? = nil,
    error: String?
  ) -> [String] {
    let fields = [
      path, id, report?.head?.branch, lastCommitAt.map(Timestamp.text), report?.languages?.first?.name,
      (report?.size?.bytes).map(String.init), error,
    ]
    return fields.map { $0 ?? "" } + statusFields(report)
  }

  /// The upstream, commits ahead and behind, paths that are staged, unstaged, untracked and conflicted, and
  /// stashes.
  static func statusFields(_ report: InspectionReport?) -> [String] {
    let (upstream, status) = (report?.upstream, report?.status)
    let numbers = [
      upstream?.ahead, upstream?.behind, status?.staged, status?.unstaged, status?.untracked,
      status?.conflicted, report?.stashes,
    ]
    return [upstream?.name ?? ""] + numbers.map { $0.map(String.init) ?? "" }
  }
}
