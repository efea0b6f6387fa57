import ArgumentParser
import Forage
import ForageCore

extension ClonesCommand {
  /// `forage clones run`: a command in the folder of each clone.
  struct Run: ReportingCommand {
    static let configuration = CommandConfiguration(
      commandName: "run", abstract: "Run a command in the folder of each clone.",
      usage: "forage clones run [<clone> ...] [<options>] -- <command> ...",
      discussion: """
        \(choice)

        The command is run without a shell and without input; for a line of a shell write: -- sh -c 'LINE'. It gets the whole environment, also \
        tokens, and FORAGE_CLONE (the path of the clone) and FORAGE_REPOSITORY (its id, or nothing). What it prints is shown unchanged when it \
        has ended, under a line with the name of the clone, in the order in which the commands end.

        Examples:
          forage clones run -- git gc --auto
          forage clones run nio --language swift -- swift package update
          forage clones run --dirty -- git status --short
          forage clones run --jobs 1 -- sh -c 'echo "$FORAGE_REPOSITORY $(git rev-parse HEAD)"'

        Exit status: 0 all ended with 0, 1 no clone fits, 2 usage, 3 some failed, 4 all failed, 130 interrupted.
        """)

    static let fields = DocumentFields(
      ["path", "id", "status", "stdout", "stderr", "elapsedMs", "error"], list: "runs")

    /// The words of the command, too: the parser has one list.
    @Argument(help: .chosenClones, completion: Completion.clone)
    var clones: [String] = []

    @Option(help: .jobs)
    var jobs: String?
    @Option(help: ArgumentHelp("End a command after this time. (default none)", valueName: "seconds"))
    var timeout: String?

    @OptionGroup(title: "Conditions")
    var conditions: CloneConditions
    @OptionGroup var reporting: ReportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ExitStatus {
      let context = context.withoutReader
      let (format, output) = try reporting.page(context.output)
      // The parser lets an expression begin with a dash: without one, -q would take the -- before the command.
      guard reporting.jq != "--" else {
        throw ForageError(
          "--jq takes an expression, not --",
          hint: "write it before --: forage clones run --jq '.[]' -- git status --short")
      }
      let command = Array(context.arguments.drop { $0 != "--" }.dropFirst())
      let clones = Array(clones.dropLast(command.count))
      guard !command.isEmpty else {
        throw ForageError(
          "there is no command to run", hint: "write it behind --: forage clones run -- git status --short")
      }
      let jobs = try ClonesCommand.jobs(jobs)
      let commands = try CloneCommands(
        context.forage, command, limit: try timeout.map { try TimeLimit.duration($0) })
      let chosen = try await ClonesCommand.choose(clones, conditions, context)
      let progress = WorkProgress("running", output)
      progress.start(total: chosen.clones.count)
      defer {
        progress.finish()
        context.process.interruption.removesFiles = false
      }
      context.process.interruption.waitsForWork()
      let report = WorkReport(
        output: output, format: format, name: "runs", titles: ["PATH", "ID", "STATUS", "MS"],
        document: Self.document, row: Self.row)
      var results: [CloneCommandResult] = []
      try await commands.run(chosen.clones, jobs: jobs) { clone in
        progress.begin(clone.path)
      } ended: { result in
        progress.end(result.clone.path)
        results.append(result)
        try report.add(result) { try write(result, output, context) }
        if let error = result.error { output.problem(error.message, hint: error.hint) }
      }
      progress.finish()
      try report.end(results.sorted { $0.clone.path.bytesPrecede($1.clone.path) })
      let failed = results.filter { !$0.isSuccess }
      if !failed.isEmpty { tell(command[0], failed, of: results.count, context) }
      if Task.isCancelled {
        return ClonesCommand.interrupted(results.count, of: chosen.clones.count, "done", context)
      }
      return ClonesCommand.status(
        done: results.count - failed.count, failed: failed.count + chosen.failures.count)
    }

    /// Writes what a command printed, below the name of the clone.
    private func write(_ result: CloneCommandResult, _ output: Output, _ context: Context) throws {
      // A name alone says nothing.
      guard result.isSuccess == false || result.hasOutput else { return }
      try output.result(
        verbatim: Style.title.apply(SafeText.line(result.clone.shownName(context)), output.hasColor))
      try output.status.erased {
        try result.write(output: output.writeBytes, error: output.writeMessageBytes)
      }
    }

    /// More names of clones than these are counted.
    private static let named = 5

    /// Says in which clones the command failed.
    private func tell(
      _ program: String, _ failed: [CloneCommandResult], of count: Int, _ context: Context
    ) {
      let names = failed.prefix(Self.named).map { result in
        result.clone.shownName(context) + (result.status.map { " (\($0))" } ?? "")
      }
      let more = failed.count - names.count
      let rest = more > 0 ? ["\(HumanFormat.grouped(more)) more"] : []
      context.output.problem(
        "\(program) failed in \(failed.count) of \(HumanFormat.plural(count, "clone")): "
          + (names + rest).joined(separator: ", "), hint: "look at what it printed there")
    }

    private static func row(_ result: CloneCommandResult) -> [String] {
      [
        result.clone.path, result.clone.id ?? "", result.status.map(String.init) ?? "",
        String(result.elapsed.milliseconds),
      ]
    }

    private static func document(_ result: CloneCommandResult) -> JSONTree {
      JSONTree([
        "path": result.clone.path, "id": result.clone.id, "status": result.status,
        "stdout": result.outputText, "stderr": result.errorText,
        "elapsedMs": result.elapsed.milliseconds, "error": result.error?.message,
      ])
    }
  }
}
