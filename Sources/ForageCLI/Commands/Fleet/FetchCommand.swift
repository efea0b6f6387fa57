import ArgumentParser
import Forage
import ForageCore

/// What `clones fetch` and `clones pull` share.
protocol UpdatingCommand: ReportingCommand {
  var clones: [String] { get }
  var conditions: CloneConditions { get }
  var update: UpdateOptions { get }
  static var action: CloneUpdating.Action { get }
}

struct UpdateOptions: ParsableArguments {
  @Flag(help: "Remove branches of remotes that are gone there.")
  var prune = false

  @Option(help: .jobs)
  var jobs: String?

  @Option(
    help: ArgumentHelp("End git when it says nothing for this time. (default 60)", valueName: "seconds"))
  var timeout: String?
}

extension ClonesCommand {
  private static let noPrompts = """
    Nobody is asked for passwords unless there is one clone and a terminal; credential helpers and ssh's agent work. Hooks of a clone run as git \
    runs them.
    """
  private static let statuses =
    "Exit status: 0 all done or left alone, 1 no clone fits, 2 usage, 3 some failed, 4 all failed, 130 interrupted."

  struct Fetch: UpdatingCommand {
    static let configuration = CommandConfiguration(
      commandName: "fetch", abstract: "Fetch clones, and show what is new.",
      discussion: """
        \(choice)

        Every remote of each clone is asked, as its configuration says. \(noPrompts)

        Examples:
          forage clones fetch
          forage clones fetch nio --prune
          forage clones list --stale 90d --format tsv | forage clones fetch -

        \(statuses)
        """)

    static let action = CloneUpdating.Action.fetch
    static let fields = updateFields

    @Argument(help: .chosenClones, completion: Completion.clone)
    var clones: [String] = []
    @OptionGroup var update: UpdateOptions
    @OptionGroup(title: "Conditions")
    var conditions: CloneConditions
    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions
  }

  struct Pull: UpdatingCommand {
    static let configuration = CommandConfiguration(
      commandName: "pull", abstract: "Fetch clones, and fast-forward the clean ones.",
      discussion: """
        \(choice)

        Fetches, then fast-forwards the current branch where nothing but untracked files was changed and it lacks commits of its upstream only. \
        Every other clone is left alone and told: changes, commits of its own, no branch, no upstream. \(noPrompts)

        Examples:
          forage clones pull
          forage clones pull --behind
          forage clones pull apple/swift-nio ~/src/tool

        \(statuses)
        """)

    static let action = CloneUpdating.Action.pull
    static let fields = updateFields

    @Argument(help: .chosenClones, completion: Completion.clone)
    var clones: [String] = []
    @OptionGroup var update: UpdateOptions
    @OptionGroup(title: "Conditions")
    var conditions: CloneConditions
    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions
  }

  private static let updateFields = DocumentFields(
    ["path", "id", "status", "reason", "branches", "tags", "elapsedMs"], list: "clones")
}

extension UpdatingCommand {
  func run(in context: Context) async throws -> ExitStatus {
    let context = context.withoutReader
    let format = try reporting.format(context.output)
    let silence = try update.timeout.map { try TimeLimit.duration($0) } ?? CloneUpdating.silence
    let jobs = try ClonesCommand.jobs(update.jobs)
    let chosen = try await ClonesCommand.choose(clones, conditions, context)
    let isInteractive =
      chosen.clones.count == 1 && context.input.isTerminal && context.output.isMessageTerminal
    let updating = try CloneUpdating(
      context.forage, Self.action, prunes: update.prune, silence: silence, isInteractive: isInteractive)
    let progress = WorkProgress(Self.action == .pull ? "pulling" : "fetching", context.output)
    progress.start(total: chosen.clones.count)
    defer {
      progress.finish()
      context.process.interruption.removesFiles = false
    }
    context.process.interruption.waitsForWork()
    var results: [CloneUpdate] = []
    var report = UpdateReport(format: format, context: context)
    try await updating.run(chosen.clones, jobs: jobs) { clone, lastLine in
      progress.begin(clone.path, lastLine: lastLine)
    } ended: { result in
      progress.end(result.clone.path)
      results.append(result)
      try report.write(result)
    }
    progress.finish()
    try report.end(results)
    if Task.isCancelled {
      return ClonesCommand.interrupted(results.count, of: chosen.clones.count, "done", context)
    }
    let failed = results.count { $0.status == .failed }
    return ClonesCommand.status(done: results.count - failed, failed: failed + chosen.failures.count)
  }
}

/// Writes what became of clones, each as soon as it is known where the format allows it.
struct UpdateReport {
  let context: Context

  private let report: WorkReport<CloneUpdate>
  /// The hints that were printed.
  private var hints: Set<String> = []

  /// More branches and tags than these are counted.
  private static let shown = 4

  init(format: OutputFormat, context: Context) {
    self.context = context
    report = WorkReport(
      output: context.output, format: format, name: "clones", titles: ["PATH", "ID", "STATUS", "CHANGES"],
      document: Self.document, row: Self.row)
  }

  mutating func write(_ update: CloneUpdate) throws {
    let output = context.output
    let name = update.clone.shownName(context)
    if update.status == .failed {
      // Many clones of one server fail for one reason.
      let hint = hints.insert(update.hint).inserted ? update.hint : ""
      output.problem("\(name): \(update.reason ?? "")", hint: hint)
    }
    try report.add(update) {
      let text = Self.text(update)
      guard update.status != .current, !text.isEmpty else { return }
      try output.result(
        verbatim: Style.title.apply(SafeText.line(name), output.hasColor) + "  " + SafeText.line(text))
    }
  }

  func end(_ results: [CloneUpdate]) throws {
    try report.end(results.sorted { $0.clone.path.bytesPrecede($1.clone.path) })
    guard report.format == .table || report.format == .auto else { return }
    func count(_ status: CloneUpdate.Status) -> Int { results.count { $0.status == status } }
    let parts = [
      (count(.updated), "updated"), (count(.current), "with nothing new"), (count(.skipped), "left alone"),
      (count(.failed), "failed"),
    ].filter { $0.0 > 0 }.map { "\(HumanFormat.grouped($0.0)) \($0.1)" }
    if !parts.isEmpty {
      let clones = HumanFormat.plural(results.count, "clone")
      context.output.message("\(clones): \(parts.joined(separator: ", "))")
    }
  }

  private static func row(_ update: CloneUpdate) -> [String] {
    let text = update.status == .failed ? update.reason ?? "" : text(update)
    return [update.clone.path, update.clone.id ?? "", update.status.rawValue, text]
  }

  /// What changed, or why nothing did.
  static func text(_ update: CloneUpdate) -> String {
    func some(_ texts: [String], _ noun: String, _ plural: String) -> [String] {
      let more = texts.count - shown
      return texts.prefix(shown)
        + (more > 0 ? ["\(HumanFormat.plural(more, "more " + noun, "more " + plural))"] : [])
    }
    let changes =
      some(update.branches.map(text), "branch", "branches")
      + some(update.tags.map { $0 + " new" }, "tag", "tags")
    let skipped = update.status == .skipped ? ["left alone: \(update.reason ?? "")"] : []
    return (changes + skipped).joined(separator: ", ")
  }

  private static func text(_ branch: CloneUpdate.Branch) -> String {
    guard branch.new != nil else { return branch.name + " gone" }
    let commits = branch.commits.map { HumanFormat.plural($0, "new commit") }
    guard branch.old != nil else { return "\(branch.name) new" + (commits.map { " (\($0))" } ?? "") }
    return branch.name + " " + (branch.commits == 0 ? "moved" : commits ?? "changed")
  }

  private static func document(_ update: CloneUpdate) -> JSONTree {
    let branches = update.branches.map {
      JSONTree(["name": $0.name, "old": $0.old, "new": $0.new, "commits": $0.commits])
    }
    return JSONTree([
      "path": update.clone.path, "id": update.clone.id, "status": update.status.rawValue,
      "reason": update.reason, "branches": branches, "tags": update.tags,
      "elapsedMs": update.elapsed.milliseconds,
    ])
  }
}
