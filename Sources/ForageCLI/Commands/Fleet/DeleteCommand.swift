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

        Shows names and sizes, and asks. Only clones that are safe to delete are deleted (see: forage clones list --help), each looked at again \
        at that moment, with their linked work trees. Files that git ignores are lost; they are shown before the question. A clone that was \
        named and holds work is a failure; one that words or conditions chose is left alone, also where clones in it \
        are not chosen.

        --force asks for each clone that holds work; without a terminal none of them is deleted. --yes never stands for --force. That a clone \
        outside of the catalogue borrows objects of one is not known.

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
    @Flag(name: .shortAndLong, help: "Delete what is safe to delete without asking.")
    var yes = false

    @OptionGroup(title: "Conditions")
    var conditions: CloneConditions
    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let format = try reporting.format(context.output)
      let chosen = try await ClonesCommand.choose(clones, conditions, context, takesFoldersWithin: false)
      let deletion = try await CloneDeletion(context.forage, chosen.clones, named: chosen.named)
      var (safe, risky): ([DeletableClone], [DeletableClone]) = ([], [])
      try await deletion.look(at: chosen.clones) { found in
        if found.risks.isEmpty { safe.append(found) } else { risky.append(found) }
      }
      try Task.checkCancellation()
      var results: [CloneDeletionResult] = []
      let isConfirmed = try safe.isEmpty || isConfirmed(safe, context)
      var deletable = isConfirmed ? safe : []
      var agreed: Set<String> = []
      for found in risky {
        if force, found.risks.allSatisfy(\.canBeForced), context.input.isTerminal, isAgreed(found, context) {
          agreed.insert(found.clone.path)
          deletable.append(found)
        } else {
          let isNamed = chosen.named.contains(found.clone.path)
          results.append(result(of: found, isNamed: isNamed, canAsk: context.input.isTerminal))
        }
        try Task.checkCancellation()
      }
      if !isConfirmed, deletable.isEmpty {
        try write(results, format, context)
        context.output.message("nothing was deleted")
        return .noAnswer
      }
      context.process.interruption.waitsForWork()
      defer { context.process.interruption.removesFiles = false }
      try await deletion.delete(deletable, agreed: agreed) { result in
        var result = result
        if result.status == .left, chosen.named.contains(result.clone.path) { result.status = .failed }
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

    private func result(of found: DeletableClone, isNamed: Bool, canAsk: Bool) -> CloneDeletionResult {
      var result = CloneDeletionResult(clone: found.clone, status: isNamed ? .failed : .left)
      (result.reason, result.size) = (Self.text(found.risks), found.size)
      var place = found.clone.path
      if case .inner(let path)? = found.risks.first { place = path }
      let look = "look at it: forage inspect \(place.shellQuoted)"
      result.hint =
        if case .others? = found.risks.first {
          "name it, if all of it is meant: forage clones delete \(place.shellQuoted)"
        } else if !found.risks.allSatisfy(\.canBeForced) {
          "remove it by hand, if that is meant"
        } else if !canAsk {
          look + "; on a terminal, --force asks whether to delete it"
        } else {
          force ? look : look + ", or add --force"
        }
      return result
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
      if !found.worktrees.isEmpty {
        text += ", with its work trees \(found.worktrees.map(paths.text).joined(separator: ", "))"
      }
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
      context.output.message(text)
    }

    private func write(_ results: [CloneDeletionResult], _ format: OutputFormat, _ context: Context) throws {
      let output = context.output
      for result in results where result.status != .deleted {
        let text = "\(result.clone.shownName(context)) was not deleted: \(result.reason ?? "")"
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
        let paths = PathText(home: context.forage.paths.home)
        for result in deleted {
          try output.result(
            "deleted \(paths.text(result.clone.path)) (\(HumanFormat.bytes(result.size ?? 0)))")
        }
      }
    }

    private static func row(_ result: CloneDeletionResult) -> [String] {
      [result.clone.path, result.clone.id ?? "", result.status.rawValue, result.reason ?? ""]
    }

    private static func document(_ result: CloneDeletionResult) -> JSONValue {
      [
        "path": result.clone.path, "id": result.clone.id, "status": result.status.rawValue,
        "reason": result.reason, "sizeBytes": result.size,
      ]
    }
  }
}
