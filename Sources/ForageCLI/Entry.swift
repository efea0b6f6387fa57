import ArgumentParser
import ForageCore
import ForageGit
import ForageStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A command that runs against a context.
protocol Command: ParsableCommand {
  var common: CommonOptions { get }

  /// Does what the command is for.
  func run(in context: Context) async throws -> ExitStatus
}

/// The program, from arguments to exit status.
package enum Entry {
  /// Runs the program.
  ///
  /// - Parameters:
  ///   - arguments: Without the program's own name.
  ///   - context: What the command works with.
  /// - Returns: The status to exit with; everything has been written.
  package static func run(_ arguments: [String], context: Context) async -> ExitStatus {
    await run(request(arguments), context: context)
  }

  /// Runs what was asked for.
  ///
  /// - Parameters:
  ///   - request: What the arguments ask for.
  ///   - context: What the command works with.
  /// - Returns: The status to exit with; everything has been written.
  package static func run(_ request: Request, context: Context) async -> ExitStatus {
    do {
      let status: ExitStatus
      switch request.kind {
      case .failed(let error): throw error
      case .version:
        try context.output.result(Context.version)
        return .success
      case .answered: return .success
      case .command(let command):
        try context.configure(command.common)
        context.arguments = request.arguments
        status = try await command.run(in: context)
      }
      await context.endChildren()
      context.store.close()
      return status
    } catch {
      await context.endChildren()
      context.store.close()
      return report(error, to: context.output)
    }
  }

  /// What arguments ask for.
  package struct Request {
    enum Kind {
      case version
      /// A request that the parser has answered itself.
      case answered
      case command(any Command)
      /// Nothing that can be made sense of.
      case failed(any Error)
    }

    let kind: Kind
    /// As given.
    var arguments: [String] = []
  }

  /// Makes sense of arguments, which are without the program's own name.
  package static func request(_ arguments: [String]) -> sending Request {
    // Scripts ask for the version often; it needs no parser.
    if arguments == ["--version"] { return Request(kind: .version) }
    do {
      return Request(
        kind: try parsed(prepared(arguments)).map { .command($0) } ?? .answered, arguments: arguments)
    } catch {
      return Request(kind: .failed(error))
    }
  }

  /// The command with its options.
  ///
  /// A command without subcommands is parsed by itself first: going through the whole tree costs the parser several times as much. Whatever
  /// that cannot make sense of goes through the tree, which knows the names for its messages.
  ///
  /// - Returns: `nil` after a request for help, which the parser answers itself.
  private static func parsed(_ arguments: [String]) throws -> (any Command)? {
    let leaf = ForageCommand.leaves.first { $0.configuration.commandName == arguments.first }
    if let command = try? leaf?.parse(Array(arguments.dropFirst())) { return command }
    try checkCommand(arguments)
    var command = try ForageCommand.parseAsRoot(arguments)
    if let command = command as? any Command { return command }
    try command.run()
    return nil
  }

  /// Tells a mistyped command from other mistakes, with the nearest command.
  private static func checkCommand(_ arguments: [String]) throws {
    guard let name = arguments.first, !name.hasPrefix("-") else { return }
    let known = ForageCommand.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard !known.contains(name) else { return }
    let nearest = NearestName.of(name, among: known)
    throw CommandError(
      "there is no command \"\(name)\"",
      hint: nearest.map { "did you mean \($0)? (see: forage --help)" } ?? "see: forage --help")
  }

  /// `--json` without field names asks for the names: it gets an empty list.
  private static func prepared(_ arguments: [String]) -> [String] {
    var result: [String] = []
    for (index, argument) in arguments.enumerated() {
      let next = index + 1 < arguments.count ? arguments[index + 1] : nil
      if argument == "--" { return result + arguments[index...] }
      // A negated qualifier at the beginning of an argument is part of the query, not a cluster of options.
      if ["search", "stars"].contains(arguments.first), isNegatedQualifier(argument) {
        result.append(" " + argument)
        continue
      }
      let isBare = argument == "--json" && (next == nil || next?.hasPrefix("-") == true)
      result.append(isBare ? "--json=," : argument)
    }
    return result
  }

  private static func isNegatedQualifier(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), let colon = argument.firstIndex(of: ":") else { return false }
    let name = argument[..<colon].dropFirst()
    return QualifierVocabulary.common[name] != nil
  }

  private static func report(_ error: any Error, to output: Output) -> ExitStatus {
    switch error {
    case is Output.ClosedPipe: return .success
    case let error as Output.WriteFailure:
      output.problem(
        "the results could not be written: \(error.reason)", hint: "make room, or write them elsewhere")
      return .noAnswer
    case let error as CommandError:
      output.problem(error.message, hint: error.hint, details: error.details)
      return error.status
    case let error as QueryError:
      output.problem(error.message, hint: error.hint, details: QueryPlace.lines(error))
      return .usage
    case let error as SearchError:
      output.problem(error.message, hint: error.hint)
      return [.configuration, .invalidCursor].contains(error.code) ? .usage : .noAnswer
    case let error as StoreError:
      output.problem(error.message, hint: error.hint)
      return .noAnswer
    case let error as GitError:
      output.problem(error.message, hint: error.hint)
      return InspectCommand.status(of: error)
    case is CancellationError: return .interrupted
    default: return reportParsing(error, to: output)
    }
  }

  /// What the argument parser says: help and versions are results, everything else is a mistake in the arguments.
  private static func reportParsing(_ error: any Error, to output: Output) -> ExitStatus {
    let text = ForageCommand.fullMessage(for: error)
    if ForageCommand.exitCode(for: error).isSuccess {
      try? output.writeResult(text.hasSuffix("\n") ? text : text + "\n")
      return .success
    }
    let message = ForageCommand.message(for: error)
    let lines = message.split(separator: "\n").map(String.init)
    let first = lines.first ?? "the arguments are not understood"
    output.problem(first.prefix(1).lowercased() + first.dropFirst(), hint: hint(behind: lines, in: text))
    return .usage
  }

  /// The parser's own advice, else where to find help.
  private static func hint(behind lines: [String], in text: String) -> String {
    if let advice = lines.dropFirst().first, !advice.contains("or:"), !advice.hasSuffix(":") { return advice }
    for line in text.split(separator: "\n") {
      if let mark = line.firstRange(of: "See '") {
        return "see: " + line[mark.upperBound...].prefix { $0 != "'" }
      }
    }
    return "see: forage --help"
  }
}

/// Shows the place of a problem in a query.
enum QueryPlace {
  /// Two lines: the query and a caret below the place.
  static func lines(_ error: QueryError) -> [String] {
    let scalars = error.query.unicodeScalars
    guard !scalars.isEmpty else { return [] }
    let before = SafeText.line(String(String.UnicodeScalarView(scalars.prefix(error.range.lowerBound))))
    let marked = SafeText.line(
      String(
        String.UnicodeScalarView(scalars.prefix(error.range.upperBound).dropFirst(error.range.lowerBound))))
    let carets = String(repeating: "^", count: max(1, TextWidth.of(marked)))
    return [
      "  " + SafeText.line(error.query), "  " + String(repeating: " ", count: TextWidth.of(before)) + carets,
    ]
  }
}
