import ArgumentParser
import Forage
import ForageCore

/// A command that runs against a context.
protocol Command: ParsableCommand {
  var common: CommonOptions { get }

  /// Sets what the command chooses of what it stands on.
  ///
  /// - Throws: `ForageError` for an option that cannot be used.
  func configure(_ setup: inout ForageSetup) throws

  /// Whether the catalogue is compared with the disk before.
  var readsCatalogue: Bool { get }

  func run(in context: Context) async throws -> ExitStatus
}

extension Command {
  var readsCatalogue: Bool { true }

  func configure(_ setup: inout ForageSetup) {}

  /// Runs the command, with `--json` and `--jq` applied to the JSON that it writes.
  func runFiltered(in context: Context) async throws -> ExitStatus {
    guard let command = self as? any ReportingCommand else { return try await run(in: context) }
    let reporting = command.reporting
    var output = context.output
    if let fields = reporting.json {
      output.selection = try FieldSelection(
        fields, of: command.fields, listing: command.listedFields(context.forage),
        columns: output.wrapColumns)
    }
    guard let expression = reporting.jq else { return try await run(in: context.writing(to: output)) }
    let filter = try JSONFilter(expression, environment: context.forage.environmentWithoutTokens)
    let document = CollectedText()
    output.writeResult = { document.add($0) }
    output.isCollected = true
    let status = try await run(in: context.writing(to: output))
    // An interrupted command starts no program.
    guard !document.text.isEmpty, !Task.isCancelled else { return status }
    let start = ContinuousClock.now
    let (text, error) = try await filter.output(for: document.text)
    context.forage.reporter.trace?(
      "jq: \(error == nil ? "ok" : "failed"), \(HumanFormat.duration(.now - start))")
    try await context.paged { output in
      try output.writeResult(output.isTerminal ? Self.safe(text) : text)
    }
    if let error { throw error }
    return status
  }

  /// The lines of a text, each fit for a terminal.
  private static func safe(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(SafeText.line).joined(separator: "\n")
  }
}

/// The program, from arguments to exit status.
package enum Entry {
  /// Runs the program.
  ///
  /// - Parameter arguments: Without the program's own name.
  /// - Returns: The status to exit with; everything has been written.
  package static func run(_ arguments: [String], in process: ProcessEnvironment) async -> ExitStatus {
    if let grep = GrepRun(arguments.map { Array($0.utf8) }) { return await run(Request(grep), in: process) }
    return await run(
      Completion.$environment.withValue(process.environment) { request(arguments) }, in: process)
  }

  /// Runs what was asked for.
  ///
  /// - Returns: The status to exit with; everything has been written.
  package static func run(_ request: Request, in process: ProcessEnvironment) async -> ExitStatus {
    var output = process.output
    do {
      switch request.kind {
      case .failed(let error):
        output.setColor(request.color)
        throw error
      case .version:
        let commit = process.commit
        try output.result(Forage.version + (commit.isEmpty ? "" : " (\(commit))"))
        return .success
      case .answered: return .success
      case .grep(let grep):
        var common = CommonOptions()
        (common.verbose, common.quiet, common.color) = (grep.isVerbose, grep.isQuiet, grep.color)
        let context = try Context(process, common)
        output = context.output
        let outcome = await Result.of { try await grep.run(in: context) }
        await context.close()
        return try outcome.get()
      case .command(var command):
        var context = try Context(
          process, command.common, arguments: request.arguments, configure: command.configure)
        output = context.output
        // Every command tells of settings that are not understood. Only those that need them fail for want of
        // them.
        func tellOfSettings() {
          if !(command is DoctorCommand) { _ = try? context.forage.settings() }
        }
        if let list = command as? any ListCommand, list.list.next {
          do {
            let continuation = try ListContinuation(list, in: context)
            await context.close()
            (command, context) = (continuation.command, continuation.context)
          } catch {
            tellOfSettings()
            throw error
          }
          output = context.output
        }
        tellOfSettings()
        if command.readsCatalogue { await CatalogueCheck(context.forage).run() }
        let outcome = await Result.of { [command, context] in try await command.runFiltered(in: context) }
        await context.close()
        return try outcome.get()
      }
    } catch {
      return report(error, to: output)
    }
  }

  /// The request that the arguments make.
  package struct Request {
    enum Kind {
      case version
      /// A request that the parser has answered itself.
      case answered
      case command(any Command)
      /// rg, whose arguments are not those of the parser.
      case grep(GrepRun)
      /// A mistake in the arguments, or an answer of the parser such as help.
      case failed(any Error)
    }

    let kind: Kind
    /// The arguments as given, the command first.
    var arguments: [String] = []
    /// The `--color` of arguments that could not be parsed.
    var color: ColorChoice?

    /// Whether the command only inspects clones, and reads no answer of a provider.
    package var isInspection: Bool {
      if case .command(let command) = kind { command is InspectCommand } else { false }
    }
  }

  /// More bytes than a path has (`PATH_MAX` of Linux).
  private static let longestPath = 4096

  /// Limits the combining marks of an argument that is too long for a path: comparing texts takes a time that
  /// is quadratic in those of one letter.
  private static func limited(_ argument: String) -> String {
    argument.utf8.count > longestPath ? argument.limitingMarks : argument
  }

  /// Parses arguments, which are without the program's own name, of any command but `grep`.
  package static func request(_ arguments: [String]) -> sending Request {
    let limited = arguments.map(limited)
    let arguments = ProgramArguments(limited)
    let (given, prepared) = (arguments.given, arguments.prepared)
    // Scripts ask for the version often; it needs no parser.
    if given == ["--version"] { return Request(kind: .version) }
    let isCompletion = given.first == ProgramArguments.completionCall
    do {
      return Request(kind: try parsed(prepared).map { .command($0) } ?? .answered, arguments: given)
    } catch {
      // A completion script gets nothing instead of a message in the middle of the command line.
      if isCompletion, !ForageCommand.exitCode(for: error).isSuccess { return Request(kind: .answered) }
      if let plain = ProgramArguments.withPlainValues(prepared), let command = try? parsed(plain) {
        return Request(kind: .command(command), arguments: given)
      }
      // The parser takes the `h` of any word with one dash, such as `-fish`, for a wish for help.
      let wantsAnswer =
        isCompletion || prepared.prefix { $0 != "--" }.contains { ["-h", "--help"].contains($0) }
      let isAnswer =
        ForageCommand.exitCode(for: error).isSuccess
        && (wantsAnswer || ArgumentMistake.error(prepared) == nil)
      let mistake =
        isAnswer
        ? nil
        : ArgumentMistake.error(prepared)
          ?? ArgumentMistake.missing(ForageCommand.message(for: error), in: prepared)
      return Request(kind: .failed(mistake ?? error), color: ProgramArguments.color(limited))
    }
  }

  /// The command with its options.
  ///
  /// A command without subcommands is parsed by itself first: parsing the whole tree takes several times as
  /// long. What fails goes through the tree, which knows the names for its messages.
  ///
  /// - Returns: `nil` after a request for help, which the parser answers itself.
  private static func parsed(_ arguments: [String]) throws -> (any Command)? {
    let named = ForageCommand.configuration.subcommands.first {
      $0.configuration.commandName == arguments.first
    }
    if let leaf = named as? any Command.Type, let command = try? leaf.parse(Array(arguments.dropFirst())) {
      return command
    }
    // Before the parser reads on: neither --help after an unknown command nor help on one is a request for
    // help.
    if let first = arguments.first, !first.hasPrefix("-"),
      !ForageCommand.configuration.subcommands.contains(where: { $0.isCalled(first) }),
      let mistake = ArgumentMistake.error(arguments)
    {
      throw mistake
    }
    var command = try ForageCommand.parseAsRoot(arguments)
    // A word after a group is a mistyped subcommand, also where the usual one takes words.
    if let list = command as? ClonesCommand.List, !list.clones.isEmpty,
      let mistake = ArgumentMistake.error(arguments)
    {
      throw mistake
    }
    if let command = command as? any Command { return command }
    try command.run()
    return nil
  }

  private static func report(_ error: any Error, to output: Output) -> ExitStatus {
    switch error {
    case is Output.ClosedPipe: return .success
    case let error as Output.WriteFailure:
      output.problem("the results could not be written: \(error.reason)", hint: error.hint)
      return .failed
    case is CancellationError:
      output.problem("interrupted", hint: "")
      return .interrupted
    default:
      guard let known = ForageError(advising: error) else { return reportParsing(error, to: output) }
      if known.isReported { return ExitStatus(known.code) }
      let place = (error as? QueryError)?.place ?? []
      output.problem(known.message, hint: known.hint, details: known.details + place)
      return ExitStatus(known.code)
    }
  }

  /// Writes what the argument parser says: help and versions are results, everything else is a mistake in the
  /// arguments.
  private static func reportParsing(_ error: any Error, to output: Output) -> ExitStatus {
    let text = ForageCommand.fullMessage(for: error)
    if ForageCommand.exitCode(for: error).isSuccess {
      try? output.writeResult(text.hasSuffix("\n") ? text : text + "\n")
      return .success
    }
    let message = ForageCommand.message(for: error)
    let lines = message.split(separator: "\n").map(String.init)
    let first = lines.first ?? "the arguments are not valid"
    output.problem(first.prefix(1).lowercased() + first.dropFirst(), hint: hint(after: lines, in: text))
    return .usage
  }

  /// The parser's own advice, else where to find help.
  private static func hint(after lines: [String], in text: String) -> String {
    if let advice = lines.dropFirst().first, !advice.contains("or:"), !advice.hasSuffix(":") { return advice }
    for line in text.split(separator: "\n") {
      if let mark = line.firstRange(of: "See '") {
        return "see: " + line[mark.upperBound...].prefix { $0 != "'" }
      }
    }
    return "see: forage --help"
  }
}

extension Entry.Request {
  /// The request for rg.
  package init(_ grep: GrepRun) { self.init(kind: .grep(grep)) }
}

extension Result where Failure == any Error {
  /// The result of some work, for work that must be followed by other work whatever comes of it.
  static func of(_ body: () async throws -> Success) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}

extension QueryError {
  /// Two lines: the query and a caret below the place of the problem.
  var place: [String] {
    let scalars = query.unicodeScalars
    guard !scalars.isEmpty else { return [] }
    func text(_ part: some Sequence<Unicode.Scalar>) -> String {
      SafeText.line(String(String.UnicodeScalarView(part)))
    }
    let before = text(scalars.prefix(range.lowerBound))
    let marked = text(scalars.prefix(range.upperBound).dropFirst(range.lowerBound))
    let carets = String(repeating: "^", count: max(1, TextWidth.of(marked)))
    return [
      "  " + SafeText.line(query), "  " + String(repeating: " ", count: TextWidth.of(before)) + carets,
    ]
  }
}
