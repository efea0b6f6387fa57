import ArgumentParser
import Forage
import ForageCore
import ForagePlatform

extension ClonesCommand {
  /// `forage clones delete`: removes the folders of clones whose work is all on a remote.
  struct Delete: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete clones whose work is all on a remote.",
      discussion: """
        \(choice)

        Asks each remote what it has now, shows names and sizes, and asks whether to delete. Only clones that are safe to delete are deleted \
        (see: forage clones list --help), each looked at again at that moment: a remote that does not answer counts as having nothing, and what \
        it has lost since the last fetch counts as work. --offline trusts the last fetch. Every reference counts; reflogs, FETCH_HEAD and \
        ORIG_HEAD do not. Files that git ignores are lost; they are shown before the question. A clone that was named and holds work is a failure; one that words or conditions chose is left alone, also where \
        clones in it are not chosen.

        --force asks for each clone that holds work; without a terminal none of them is deleted. --yes answers for clones that were chosen by \
        name or condition, and never stands for --force. Never deleted are clones whose objects or git directory others need, that have \
        something mounted in them, or files that cannot be removed; then nothing is changed. That a clone outside of the catalogue borrows \
        objects of one is not known. What an interruption left is deleted when the command is run again with the same name.

        Examples:
          forage clones delete --safe-to-delete --stale 1y
          forage clones delete apple/swift-nio
          forage clones delete 3 5-7

        Exit status: 0 all deleted or left alone, 1 no clone fits, 2 usage, 3 some failed, 4 all failed or not agreed, 130 interrupted.
        """)

    static let fields = DocumentFields(["path", "id", "status", "reason", "sizeBytes"], list: "clones")
    /// A package manager keeps dozens in a clone.
    private static let shownRepositories = 5

    @Argument(help: .chosenClones, completion: Completion.clone)
    var clones: [String] = []
    @Flag(help: "Ask for each clone that holds work, too.")
    var force = false
    @Flag(name: .shortAndLong, help: "Delete what was chosen and is safe without asking.")
    var yes = false
    @Flag(help: "Trust the last fetch instead of asking the remotes.")
    var offline = false
    @Option(help: .jobs)
    var jobs: String?
    @Option(
      help: ArgumentHelp("Wait at most this long for a remote. (default 60)", valueName: "seconds"))
    var timeout: String?

    @OptionGroup(title: "Conditions")
    var conditions: CloneConditions
    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let context = context.withoutReader
      let format = try reporting.format(context.output)
      let timeLimit = try timeout.map { try TimeLimit.duration($0) } ?? CloneDeletion.timeLimit
      let jobs = try ClonesCommand.jobs(jobs)
      if yes, clones.isEmpty, conditions.isEmpty {
        throw ForageError(
          "--yes needs a name or a condition", hint: "to mean all that are safe: --yes --safe-to-delete")
      }
      var (results, names) = try await finishPending(context)
      if names.isEmpty, !results.isEmpty {
        try write(results, format, context)
        let failed = results.count { $0.status == .failed }
        return ClonesCommand.status(done: results.count - failed, failed: failed)
      }
      let chosen = try await ClonesCommand.choose(names, conditions, context, takesFoldersWithin: false)
      if yes, conditions.isEmpty, let folder = chosen.folders.first {
        throw ForageError(
          "--yes needs the names of clones or a condition, and \(folder) is a folder above clones",
          hint: "to mean all in it that are safe: --yes --safe-to-delete \(folder.shellQuoted)")
      }
      let deletion = try await CloneDeletion(
        context.forage, chosen.clones, named: chosen.named, isOffline: offline, timeLimit: timeLimit,
        jobs: jobs)
      var (safe, risky): ([DeletableClone], [DeletableClone]) = ([], [])
      try await deletion.look(at: chosen.clones) { found in
        if found.risks.isEmpty { safe.append(found) } else { risky.append(found) }
      }
      try Task.checkCancellation()
      let isConfirmed = try safe.isEmpty || isConfirmed(safe, context)
      var deletable = isConfirmed ? safe : []
      var agreed: Set<String> = []
      for found in risky {
        if force, found.risks.allSatisfy(\.canBeForced), context.input.isTerminal, isAgreed(found, context) {
          agreed.insert(found.clone.path)
          deletable.append(found)
        } else {
          let isNamed = chosen.named.contains(ExactText(found.clone.path))
          results.append(result(of: found, isNamed: isNamed, canAsk: context.input.isTerminal))
        }
        try Task.checkCancellation()
      }
      if !isConfirmed, deletable.isEmpty {
        try write(results, format, context)
        context.output.message("nothing was deleted")
        return .failed
      }
      context.process.interruption.waitsForWork()
      defer { context.process.interruption.removesFiles = false }
      try await deletion.delete(deletable, agreed: agreed) { result in
        var result = result
        if result.status == .skipped, chosen.named.contains(ExactText(result.path)) {
          result.status = .failed
        }
        results.append(result)
      }
      try write(results, format, context)
      if Task.isCancelled {
        let done = results.count { $0.status == .deleted }
        return ClonesCommand.interrupted(
          done, of: deletable.count, "deleted", context)
      }
      let failed = results.count { $0.status == .failed }
      return ClonesCommand.status(done: results.count - failed, failed: failed + chosen.failures.count)
    }

    /// Ends the deletions of what was named that were interrupted before.
    ///
    /// - Returns: The results, and the names that mean clones, too.
    private func finishPending(_ context: Context) async throws -> ([CloneDeletionResult], [String]) {
      var results: [CloneDeletionResult] = []
      var names: [String] = []
      for name in clones {
        let found = PendingDeletions(context.forage.paths).named(name, home: context.forage.paths.home)
        for pending in found { results.append(try await CloneDeletion.finish(pending, context.forage)) }
        // Another clone can be there by now.
        if found.isEmpty || found.contains(where: { ReferencePath.exists($0.path) }) { names.append(name) }
      }
      return (results, names)
    }

    private func result(of found: DeletableClone, isNamed: Bool, canAsk: Bool) -> CloneDeletionResult {
      var result = CloneDeletionResult(clone: found.clone, status: isNamed ? .failed : .skipped)
      (result.reason, result.size) = (Self.text(found.risks), found.size)
      var place = found.clone.path
      if case .inner(let path)? = found.risks.first { place = path }
      let look = "look at it: forage inspect \(place.shellQuoted)"
      let obstacle = found.risks.first { !$0.canBeForced }
      result.hint =
        if case .others? = found.risks.first {
          "name it, if all of it is meant: forage clones delete \(place.shellQuoted)"
        } else if let obstacle {
          Self.hint(obstacle)
        } else if case .lost? = found.risks.last {
          look + "; to forget what remotes no longer have: git -C \(place.shellQuoted) fetch --prune"
        } else if case .unanswered? = found.risks.last, !offline {
          look + "; to trust the last fetch, add --offline"
        } else if !canAsk {
          look + "; on a terminal, --force asks whether to delete it"
        } else {
          force ? look : look + ", or add --force"
        }
      return result
    }

    /// What to do about what keeps a clone from being deleted at all.
    private static func hint(_ obstacle: DeletableClone.Risk) -> String {
      switch obstacle {
      case .worktrees: "name them too, or remove them with: git worktree remove"
      case .lends: "in each of them, run: git repack -a -d && rm .git/objects/info/alternates"
      case .fixed(_, let reason) where reason == "it is mounted": "unmount it"
      case .fixed: "change its owner or its permissions"
      default: "remove it by hand, if that is meant"
      }
    }

    private static func text(_ risks: [DeletableClone.Risk]) -> String {
      risks.map(\.text).joined(separator: "; ")
    }

    /// Shows what is deleted, and asks.
    ///
    /// - Throws: `ForageError` where standard input is no terminal and `--yes` is not given.
    private func isConfirmed(_ safe: [DeletableClone], _ context: Context) throws -> Bool {
      for found in safe { show(found, context) }
      // A clone in another one is part of its size.
      let outer = safe.filter { found in !safe.contains { $0.inner.contains(found.clone.path) } }
      let size = HumanFormat.bytes(outer.reduce(0) { $0 + $1.size })
      context.output.message("\(HumanFormat.plural(safe.count, "clone")) to delete, \(size) on disk")
      return try yes
        || Question.isAgreed(safe.count == 1 ? "Delete it?" : "Delete them?", "deleting", "deleted", context)
    }

    private func isAgreed(_ found: DeletableClone, _ context: Context) -> Bool {
      show(found, context)
      let name = PathText(home: context.forage.paths.home).text(found.clone.path)
      context.output.message("\(name) is not safe to delete: \(Self.text(found.risks))")
      return Question.isAgreed("Delete it all the same?", context.output, context.input)
    }

    private func show(_ found: DeletableClone, _ context: Context) {
      let paths = PathText(home: context.forage.paths.home)
      var text = "\(paths.text(found.clone.path))  \(HumanFormat.bytes(found.size))"
      if !found.inner.isEmpty {
        let names = found.inner.prefix(Self.shownRepositories).map(paths.text).joined(separator: ", ")
        text +=
          ", with \(HumanFormat.plural(found.inner.count, "repository", "repositories")) in it: \(names)"
          + (found.inner.count > Self.shownRepositories ? ", …" : "")
      }
      if found.ignored.count > 0 {
        text +=
          ", with \(HumanFormat.plural(found.ignored.count, "ignored file")) of \(HumanFormat.bytes(found.ignored.size)): "
          + found.ignored.largest.map(\.path).joined(separator: ", ")
          + (found.ignored.count > found.ignored.largest.count ? ", …" : "")
      }
      if found.hasUncheckedLargeFiles { text += ", with objects of Git LFS, for which no server was asked" }
      if offline {
        let age = found.lastFetchAt.map { HumanFormat.age($0, now: context.output.now) }
        text += ", as of the last fetch (\(age ?? "at an unknown time"))"
      }
      context.output.message(text)
    }

    private func write(_ results: [CloneDeletionResult], _ format: OutputFormat, _ context: Context) throws {
      let output = context.output
      let paths = PathText(home: context.forage.paths.home)
      for result in results where result.status != .deleted {
        let name = result.name.map(context.forage.shortName) ?? paths.text(result.path)
        let text = "\(name) was not deleted: \(result.reason ?? "")"
        if result.status == .failed {
          output.problem(text, hint: result.hint)
        } else {
          output.warning(text, hint: result.hint)
        }
      }
      try output.list(results, named: "clones", as: format, document: Self.document, fields: Self.row) {
        let deleted = results.filter { $0.status == .deleted }
        if format == .markdown {
          let titles = ["PATH", "ID", "STATUS", "REASON"]
          return try output.result(
            Table(columns: titles.map { TableColumn(title: $0) }, rows: results.map(Self.row)), format: format
          )
        }
        for result in deleted {
          let size = result.size.map { " (\(HumanFormat.bytes($0)))" } ?? ""
          try output.result("deleted \(paths.text(result.path))\(size)")
        }
      }
    }

    private static func row(_ result: CloneDeletionResult) -> [String] {
      [result.path, result.id ?? "", result.status.rawValue, result.reason ?? ""]
    }

    private static func document(_ result: CloneDeletionResult) -> JSONTree {
      JSONTree([
        "path": result.path, "id": result.id, "status": result.status.rawValue,
        "reason": result.reason, "sizeBytes": result.size,
      ])
    }
  }
}
