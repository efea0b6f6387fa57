import ArgumentParser
import Forage
import ForageCore

extension ClonesCommand {
  /// `forage clones sync`: keeps the clones that the settings describe.
  struct Sync: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "sync", abstract: "Keep the clones that the settings name.",
      discussion: """
        The settings name accounts, and which of their repositories are wanted:

        clones: {sync: [{owner: git.acme.example/platform, topics: [go], exclude: ['*-mirror']}]}

        Of each, owner is as for forage clone --owner, provider the id of a provider whose forge has it, topics keeps repositories with any of \
        them, exclude leaves out names that fit a pattern. Forks and archived repositories are left out unless forks: true and archived: true.

        New repositories are cloned as forage clone does, the clones of the others are fetched. Clones whose repository is gone from \
        its account, or was renamed, are named; nothing is deleted. Nobody is asked for passwords.

        Examples:
          forage clones sync --dry-run
          forage clones sync --format json | jq -r '.clones[] | select(.state == "gone") | .path'

        Exit status: 0 all done, 1 the settings name nothing, 2 usage, 3 some failed, 4 all failed, 130 interrupted.
        """)

    static let fields = DocumentFields(["path", "id", "state", "renamedTo", "reason"], list: "clones")

    @Flag(help: "Show what would be done, and do nothing.")
    var dryRun = false
    @OptionGroup var update: UpdateOptions
    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let context = context.withoutReader
      let format = try reporting.format(context.output)
      let silence = try update.timeout.map { try TimeLimit.duration($0) } ?? CloneUpdating.silence
      let jobs = try ClonesCommand.jobs(update.jobs)
      let sync = try CloneSync(context.forage)
      let updating = try CloneUpdating(context.forage, .fetch, prunes: update.prune, silence: silence)
      let plan = try await sync.plan()
      var report = SyncReport(format: format, context: context)
      for failure in plan.failures { context.output.problem(failure.message, hint: failure.advice) }
      if dryRun {
        for (source, plan) in plan.repositories { try report.write(source, plan) }
      } else {
        try await work(sync, plan, updating, jobs, &report, context)
      }
      for lost in plan.lost { try report.write(lost) }
      try report.end(plan)
      if Task.isCancelled {
        context.output.problem("interrupted", hint: "run the command again to do the rest")
        return .interrupted
      }
      let failed = report.failures + plan.failures.count
      if failed == 0 { return plan.isIncomplete ? .partial : .success }
      return report.rows.count > report.failures ? .partial : .failed
    }

    /// Clones, then fetches.
    private func work(
      _ sync: CloneSync, _ plan: CloneSync.Plan, _ updating: CloneUpdating, _ jobs: Int,
      _ report: inout SyncReport,
      _ context: Context
    ) async throws {
      context.process.interruption.waitsForWork()
      defer { context.process.interruption.removesFiles = false }
      let cloning = WorkProgress("cloning", context.output)
      cloning.start(total: plan.repositories.count(where: \.plan.isMissing))
      defer { cloning.finish() }
      let results = try await sync.clone(plan) { source, lastLine in
        cloning.begin(source.title, lastLine: lastLine)
      } ended: { result in
        cloning.end(result.source.title)
        if result.state != .present { try report.write(result) }
      }
      cloning.finish()
      guard !Task.isCancelled else { return }
      let present = try await sync.present(in: results)
      let fetching = WorkProgress("fetching", context.output)
      fetching.start(total: present.count)
      defer { fetching.finish() }
      try await updating.run(present, jobs: jobs) { clone, lastLine in
        fetching.begin(clone.path, lastLine: lastLine)
      } ended: { result in
        fetching.end(result.clone.path)
        try report.write(result)
      }
    }
  }
}

/// Writes what became of a set of clones, each as soon as it is known where the format allows it.
private struct SyncReport {
  struct Row {
    var path: String
    var id: String?
    /// `cloned`, `updated`, `current`, `left`, `failed`, `gone` or `renamed`; before anything is done `new`
    /// or `present`.
    var state: String
    var renamedTo: String?
    /// Why it failed, or what is new.
    var text: String?

    var document: JSONTree {
      JSONTree([
        "path": path.json, "id": id?.json, "state": state.json, "renamedTo": renamedTo?.json,
        "reason": text?.json,
      ])
    }
    var fields: [String] { [path, id ?? "", state, renamedTo ?? "", text ?? ""] }
  }

  let context: Context
  private let report: WorkReport<Row>
  private(set) var rows: [Row] = []

  init(format: OutputFormat, context: Context) {
    self.context = context
    report = WorkReport(
      output: context.output, format: format, name: "clones",
      titles: ["PATH", "ID", "STATE", "RENAMED TO", "CHANGES"], document: \.document, row: \.fields)
  }

  var failures: Int { rows.count { $0.state == "failed" } }

  mutating func write(_ source: CloneSource, _ plan: ClonePlanner.Plan) throws {
    switch plan {
    case .present(let path, _): try add(Row(path: path, id: source.id, state: "present"), source.title)
    case .missing(let path): try add(Row(path: path, id: source.id, state: "new"), source.title)
    case .blocked(let path, let error):
      context.output.problem(error.message, hint: error.advice)
      try add(Row(path: path, id: source.id, state: "failed", text: error.message), source.title)
    }
  }

  mutating func write(_ result: CloneResult) throws {
    if let error = result.error { context.output.problem(error.message, hint: error.advice) }
    try add(
      Row(path: result.path, id: result.id, state: result.state.rawValue, text: result.error?.message),
      result.source.title)
  }

  mutating func write(_ update: CloneUpdate) throws {
    let name = update.clone.shownName(context)
    if update.status == .failed {
      context.output.problem("\(name): \(update.reason ?? "")", hint: update.hint)
    }
    let text = update.status == .failed ? update.reason ?? "" : UpdateReport.text(update)
    try add(
      Row(
        path: update.clone.path, id: update.clone.id, state: update.status.rawValue,
        renamedTo: update.clone.renamedTo, text: text.isEmpty ? nil : text), name)
  }

  mutating func write(_ lost: CloneSync.Lost) throws {
    try add(
      Row(
        path: lost.clone.path, id: lost.id, state: lost.name == nil ? "gone" : "renamed",
        renamedTo: lost.name), lost.clone.shownName(context))
  }

  private mutating func add(_ row: Row, _ name: String) throws {
    rows.append(row)
    let output = context.output
    try report.add(row) {
      guard !["current", "failed"].contains(row.state) else { return }
      let path = PathText(home: output.isTerminal ? context.forage.paths.home : nil).text(row.path)
      let rest = row.renamedTo.map { "renamed to \(context.forage.shortName($0))" } ?? row.text
      try output.result([row.state, name, path, rest].compactMap(\.self).joined(separator: " "))
    }
  }

  func end(_ plan: CloneSync.Plan) throws {
    let output = context.output
    try report.end(rows.sorted { $0.path.bytesPrecede($1.path) })
    guard report.format == .table || report.format == .auto else { return }
    let states = [
      ("new", "new"), ("present", "cloned already"), ("cloned", "cloned"), ("updated", "updated"),
      ("current", "with nothing new"), ("left", "left alone"), ("failed", "failed"), ("gone", "gone"),
      ("renamed", "with another owner or name"),
    ]
    let parts = states.compactMap { state, words in
      let count = rows.count { $0.state == state }
      return count > 0 ? "\(HumanFormat.grouped(count)) \(words)" : nil
    }
    let omitted = Settings.Clones.Sync.Omission.allCases.compactMap { reason in
      plan.omitted[reason].map { Self.words(reason, $0) }
    }
    let rest = omitted.isEmpty ? "" : "; left out: \(omitted.joined(separator: ", "))"
    output.message(
      HumanFormat.plural(rows.count, "repository", "repositories")
        + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))") + rest)
    if plan.isIncomplete {
      output.warning("an account was not listed completely", hint: "run the command again")
    }
  }

  private static func words(_ omission: Settings.Clones.Sync.Omission, _ count: Int) -> String {
    switch omission {
    case .fork: HumanFormat.plural(count, "fork")
    case .archived: "\(HumanFormat.grouped(count)) archived"
    case .topic: "\(HumanFormat.grouped(count)) with other topics"
    case .excluded: "\(HumanFormat.grouped(count)) excluded"
    }
  }
}
