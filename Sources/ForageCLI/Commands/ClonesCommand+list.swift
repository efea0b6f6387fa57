import ArgumentParser
import Forage
import ForageCore
import ForageFoundation
import ForageInspector
import ForagePlatform

extension ClonesCommand {
  struct List: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the clones in the catalogue.",
      discussion: """
        \(ClonesCommand.choice) Here a name is a word, too.

        Conditions other than --language inspect each clone. Untracked files count as changes; commits of the upstream are those of the last fetch. \
        SIZE is that of the files of HEAD.

        --safe-to-delete lists clones of which every place that can hold work was read and is empty: changed and untracked files, \
        stashes, operations in progress, linked work trees, submodules, and other repositories in the folder; every branch, tag, \
        note and HEAD has its commits on a remote, as of the last fetch, annotated tags if they are older; no linked work tree is in another \
        folder; and no other clone of the catalogue borrows its objects. No remote is asked: forage clones delete does that. \
        A clone of which something cannot be read is not listed. Not looked at are ignored files, commits that only a reflog, FETCH_HEAD or \
        ORIG_HEAD names, objects of Git LFS, your own files in the git folder, what the Swift package manager fetches again, and \
        what is borrowed by repositories in other clones that are in no catalogue, and by clones that are not there now, as on an unmounted disk.

        Examples:
          forage clones list --status
          forage clones list nio --language swift
          forage clones list --dirty --stale 90d
          forage clones list --safe-to-delete --format tsv | cut -f1
        """, aliases: ["ls"])

    @Argument(
      help: .chosenClones, completion: Completion.clone)
    var clones: [String] = []

    @Flag(help: "Show upstream, uncommitted changes and stashes of each clone.")
    var status = false

    @OptionGroup(title: "Conditions")
    var conditions: CloneConditions

    @Option(
      help: ArgumentHelp("Sort by path, name, size or age. (default path)", valueName: "key"),
      completion: .list(SortKey.allCases.map(\.rawValue)))
    var sort: String?

    @Option(
      help: ArgumentHelp(
        "Set the direction of --sort: asc or desc. (default desc, of names asc)", valueName: "order"),
      completion: .list(["asc", "desc"]))
    var order: String?

    /// What clones are sorted by; where it is unknown they come last.
    enum SortKey: String, CaseIterable {
      case path, name, size, age
    }

    @Flag(inversion: .prefixedNo, help: .numbers)
    var number: Bool?

    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions

    static let fields = DocumentFields(
      [
        "path", "id", "renamedTo", "url", "branch", "commit", "lastCommitAt", "language", "sizeBytes",
        "error", "upstream", "unpushed", "status", "stashes", "operation", "lastFetchAt",
      ], list: "clones")

    /// `--json` with a field of `--status` needs the status.
    mutating func validate() throws {
      let inspected: Set<String> = ["upstream", "unpushed", "status", "stashes", "operation"]
      if reporting.fieldNames?.contains(where: inspected.contains) == true { status = true }
    }

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      let filter = try conditions.filter(now: context.output.now)
      let sorting = try sorting
      let chosen = try await ClonesCommand.named(
        self.clones, conditions, nil, context, prefersWords: true, keepsUnavailable: !status && filter == nil)
      let clones = sorting(chosen.clones)
      let isNumbered = try context.output.isTerminal && (number ?? context.forage.settings().showsNumbers)
      if status || filter != nil, !clones.isEmpty {
        let status = try await writeStatus(clones, filter, format, isNumbered, context)
        return status == .success && !chosen.failures.isEmpty ? .partial : status
      }
      try context.output.list(clones, named: "clones", as: format, document: \.document, fields: \.fields) {
        try Self.write(clones, CloneRow.catalogue, format, isNumbered, context)
        for clone in clones {
          guard let problem = clone.problem else { continue }
          context.output.problem(PathText.message(clone.path, problem), hint: clone.advice)
        }
        Self.tellRenamed(clones, context)
      }
      Self.warnOfPending(context)
      let hosts = context.forage.remoteHosts
      LastListStore(context).keep(clones.map { $0.result(hosts) })
      guard clones.isEmpty else { return chosen.failures.isEmpty ? .success : .partial }
      guard chosen.failures.isEmpty else { return .failed }
      let error = ClonesCommand.noMatch(self.clones, conditions, of: chosen)
      context.output.problem(error.message, hint: error.advice)
      return .nothingFound
    }

    /// Inspects the clones and writes those that meet the conditions, in formats of lines each as soon as
    /// those before it are done.
    ///
    /// Clones that cannot be read are reported after the list; under conditions they are not part of it.
    ///
    /// - Parameters:
    ///   - filter: `nil` to list every clone.
    ///   - isNumbered: Whether a table shows numbers.
    private func writeStatus(
      _ clones: [CloneState], _ filter: CloneFilter?, _ format: OutputFormat, _ isNumbered: Bool,
      _ context: Context
    ) async throws -> ExitStatus {
      let output = context.output
      let (safe, lists) = (conditions.safeToDelete, conditions.unpushed)
      var list = ListWriter<CloneState>(
        output, format, document: \.document,
        rows: { clone in
          let fetched = safe ? [clone.report?.lastFetchAt.map(Timestamp.text) ?? ""] : []
          let unpushed = lists ? [clone.unpushed.map(String.init) ?? ""] : []
          return [clone.fields + CloneRow.statusFields(clone.report) + fetched + unpushed]
        })
      // Those that cannot be read, and those of which the last scan missed a part.
      var faulty: [CloneState] = []
      var listed: [SearchResult] = []
      try await CloneState.inspect(clones, filter, context.forage) { clone in
        if clone.error?.code == .cancelled { throw CancellationError() }
        if clone.error != nil || clone.isListed && clone.problem != nil { faulty.append(clone) }
        guard clone.isListed else { return }
        listed.append(clone.result(context.forage.remoteHosts))
        try list.add(clone)
      }
      try list.end(
        .list(named: "clones"),
        people: {
          let columns = CloneRow.state + (safe ? [CloneRow.lastFetch] : [])
          try Self.write($0, columns, format, isNumbered, context)
          Self.tellRenamed($0, context)
        })
      if safe, !listed.isEmpty {
        output.message("safe as of the last fetch; forage clones delete asks the remotes")
      }
      LastListStore(context).keep(listed)
      let unread = faulty.count { $0.error != nil }
      let isFailure = unread == clones.count
      for clone in faulty {
        let (message, hint) = (PathText.message(clone.path, clone.problem ?? ""), clone.advice)
        // Nobody named the clone, so that under conditions it does not decide the exit status beside others.
        if filter == nil || isFailure {
          output.problem(message, hint: hint)
        } else {
          output.warning(message, hint: hint)
        }
      }
      Self.warnOfPending(context)
      if isFailure { return .failed }
      if listed.isEmpty, filter != nil {
        output.problem(
          "none of \(HumanFormat.plural(clones.count, "clone")) meets \(conditions.names.joined(separator: " "))",
          hint: "list all with: forage clones list --status")
      }
      if filter != nil { return listed.isEmpty ? .nothingFound : .success }
      return unread == 0 ? .success : .partial
    }

    /// Names the clones whose repositories have other names on their forges than their remotes.
    private static func tellRenamed(_ clones: [CloneState], _ context: Context) {
      for clone in clones {
        guard let name = clone.renamedTo else { continue }
        context.output.message(
          PathText.message(clone.path, "renamed to \(context.forage.shortName(name))"))
      }
    }

    /// Names the clones of which a part is deleted.
    private static func warnOfPending(_ context: Context) {
      for pending in PendingDeletions(context.forage.paths).all {
        context.output.warning("\(pending.path) is deleted only in part", hint: pending.remedy)
      }
    }

    /// Sorts clones as the options say.
    private var sorting: ([CloneState]) -> [CloneState] {
      get throws {
        guard let sort else {
          guard order == nil else {
            throw ForageError("--order needs --sort", hint: "for example: --sort size --order asc")
          }
          return { $0 }
        }
        let key = try OptionValue.choice(SortKey.self, sort, of: "--sort")
        let order = try OptionValue.order(order) ?? .usual(of: sort)
        return { clones in
          switch key {
          case .path, .name, .size:
            ResultOrder.sorted(clones, by: key.rawValue, order: order) { $0.result() }
          // The oldest has the earliest commit.
          case .age:
            ResultOrder.sorted(
              clones, by: "updated", order: order == .ascending ? .descending : .ascending
            ) { $0.result() }
          }
        }
      }
    }

    /// Writes a table of clones.
    private static func write(
      _ clones: [CloneState], _ columns: [CloneRow.Column], _ format: OutputFormat, _ isNumbered: Bool,
      _ context: Context
    ) throws {
      guard !clones.isEmpty else { return }
      // Where every host is the one that plain names mean, it says nothing.
      let host = context.forage.bareHost + "/"
      let isPlain = clones.allSatisfy { $0.name?.hasPrefix(host) ?? true }
      let rows = clones.map { $0.row(named: isPlain ? $0.name.map(context.forage.shortName) : $0.name) }
      let table = CloneRow.table(rows, columns, CloneRow.Form(context, format))
      try context.output.result(isNumbered && format == .table ? table.numbered() : table, format: format)
    }
  }
}

extension ClonesCommand {
  /// `forage clones status`: `clones list --status`.
  struct Status: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "List clones with upstream, unpushed commits, changes and stashes.",
      discussion: "It is forage clones list --status, with all options of that.")

    @OptionGroup var list: List

    static var fields: DocumentFields { List.fields }
    var reporting: ReportOptions { list.reporting }
    var common: CommonOptions { list.common }

    func run(in context: Context) async throws -> ExitStatus {
      var list = list
      list.status = true
      return try await list.run(in: context)
    }
  }
}

extension CloneState {
  /// The fields of a row for programs.
  fileprivate var fields: [String] {
    [
      path, id ?? "", branch ?? "", lastCommitAt.map(Timestamp.text) ?? "", language ?? "",
      sizeBytes.map(String.init) ?? "", problem ?? "",
    ]
  }

  /// What to do about a clone that cannot be read.
  fileprivate var advice: String { remedy?.advice ?? error?.hint ?? "" }

  /// The clone as a row with what was found in it.
  fileprivate func row(named name: String?) -> CloneRow {
    var row = report.map { CloneRow($0) } ?? CloneRow(unreadable: path)
    if report == nil { row.branch = branch }
    (row.path, row.name, row.lastCommitAt) = (path, name, lastCommitAt)
    (row.language, row.sizeBytes, row.unpushed) = (language, sizeBytes, unpushed)
    return row
  }
}

/// The conditions of `clones list`; a clone is listed when it meets all that are given.
struct CloneConditions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only clones mainly in a language (repeatable: any).", valueName: "language"))
  var language: [String] = []

  @Flag(help: "Only clones with uncommitted changes or untracked files.")
  var dirty = false

  @Flag(help: "Only clones with commits that the upstream lacks.")
  var ahead = false

  @Flag(help: "Only clones that lack commits of the upstream.")
  var behind = false

  @Flag(help: "Only clones with commits that no remote has.")
  var unpushed = false

  @Flag(help: "Only clones with stashes.")
  var stashed = false

  @Flag(help: "Only clones whose branch has no upstream.")
  var noUpstream = false

  @Option(
    help: ArgumentHelp(
      "Only clones whose last commit is older (90d, 8w, 6mo, 2y).", valueName: "age"))
  var stale: String?

  @Flag(help: "Only clones whose work is all on a remote.")
  var safeToDelete = false

  private var chosen: [CloneFilter.Condition] {
    let flags: [(CloneFilter.Condition, Bool)] = [
      (.dirty, dirty), (.ahead, ahead), (.behind, behind), (.stashed, stashed), (.noUpstream, noUpstream),
      (.unpushed, unpushed), (.safeToDelete, safeToDelete),
    ]
    return flags.filter(\.1).map(\.0)
  }

  /// Whether clones with a main language are shown.
  func allows(_ main: String?) -> Bool {
    language.isEmpty
      || language.contains { LanguageName.normalised($0) == main.map(LanguageName.normalised) }
  }

  /// Whether no condition is given.
  var isEmpty: Bool { names.isEmpty && language.isEmpty }

  /// The conditions on what an inspection finds, as given.
  var names: [String] { chosen.map { "--" + $0.rawValue } + (stale.map { ["--stale \($0)"] } ?? []) }

  /// The filter for the conditions on what an inspection finds, `nil` where none is given.
  ///
  /// - Throws: `ForageError` for an age that cannot be read.
  func filter(now: Date) throws -> CloneFilter? {
    let staleBefore = try stale.map { now.addingTimeInterval(-Double(try Self.seconds($0))) }
    return names.isEmpty ? nil : CloneFilter(chosen, staleBefore: staleBefore)
  }

  /// Seconds of the units; months and years have the mean length of the Gregorian calendar's.
  private static let units = ["d": 86_400, "w": 604_800, "mo": 2_629_746, "y": 31_556_952]
  /// More days than any commit can be old.
  private static let maximumCount = 100_000

  /// The seconds in a text such as `90d`.
  private static func seconds(_ text: String) throws -> Int {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(digits), (1...maximumCount).contains(count),
      let unit = units[text.dropFirst(digits.count).lowercased()]
    else {
      throw ForageError(
        "--stale takes a number with d, w, mo or y, not \"\(text)\"", hint: "for example: --stale 90d")
    }
    return count * unit
  }
}
