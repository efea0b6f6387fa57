import ArgumentParser
import Forage
import ForageCore

/// `forage star`: stars repositories on their forge.
struct StarCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "star", _superCommandName: ForageCommand.name,
    abstract: "Star repositories on their forge.",
    discussion: """
      Needs a token (see: forage auth status).

      \(ReferenceReader.helpForRepositories)

      Exit status: 0 all starred, 1 no such repository, 2 usage, 3 some starred, 4 none starred.
      """)

  @OptionGroup var common: CommonOptions
  @OptionGroup var stars: StarWriting

  func run(in context: Context) async throws -> ExitStatus {
    try await stars.run(.add, in: context)
  }
}

/// `forage unstar`: removes stars.
struct UnstarCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "unstar", _superCommandName: ForageCommand.name,
    abstract: "Remove your stars from repositories.",
    discussion: "Token, REF and exit status are those of: forage star")

  @OptionGroup var common: CommonOptions
  @OptionGroup var stars: StarWriting

  func run(in context: Context) async throws -> ExitStatus {
    try await stars.run(.remove, in: context)
  }
}

/// Adds or removes stars, one after the other.
struct StarWriting: ParsableArguments {
  @Argument(help: ArgumentHelp("Repositories.", valueName: "ref"), completion: Completion.reference)
  var references: [String]
  @Option(help: .timeoutOfEach)
  var timeout: String?

  /// Changes the stars; each change is a line of the results.
  ///
  /// - Throws: `ForageError` before anything is changed, for a reference that is of no use.
  func run(_ change: StarChange, in context: Context) async throws -> ExitStatus {
    let timeout = try TimeLimit.duration(timeout)
    let starring = try Starring(context.services)
    let named = try await named(starring, change, context)
    let entities = named.map(\.entity)
    var done: [String] = []
    var failures: [SearchError] = []
    // The end of the message about an interrupt.
    func finished() -> String { done.isEmpty ? "" : "; \(change.done): " + done.joined(separator: ", ") }
    for (index, entity) in entities.enumerated() {
      if index > 0 {
        await context.services.waiting(for: "the pause between changes that GitHub asks for") {
          try? await Task.sleep(for: Starring.pause)
        }
      }
      if Task.isCancelled { throw interrupted(before: named[index...].map(\.name), finished()) }
      let name = named[index].name
      let requests = RequestCounter()
      do {
        try await context.services.waiting(for: entity.host) {
          try await starring.change(change, of: entity, within: timeout, requests: requests)
        }
        done.append(name)
        try context.output.result(SafeText.line(change.done + " " + name))
      } catch let error where Task.isCancelled || error is CancellationError {
        guard requests.count > 0 else {
          throw interrupted(before: named[index...].map(\.name), finished())
        }
        throw interrupted(during: name, change, before: named[(index + 1)...].map(\.name), finished())
      } catch let error as SearchError {
        failures.append(error)
        let subject = entities.count > 1 && !error.message.contains(entity.title) ? name + ": " : ""
        context.output.problem(subject + error.message, hint: error.adviceForStar)
        guard Self.concernsOne(error) || index + 1 == entities.count else {
          context.output.problem(
            "not tried: " + named[(index + 1)...].map(\.name).joined(separator: ", "),
            hint: "fix the error above, then run it again with these")
          break
        }
      }
    }
    if failures.isEmpty { return .success }
    if !done.isEmpty { return .partial }
    return failures.allSatisfy { $0.code == .notFound } ? .nothingFound : .noAnswer
  }

  /// Whether an error concerns one repository alone, so that the next one is tried.
  private static func concernsOne(_ error: SearchError) -> Bool {
    [.notFound, .forbidden, .invalidQuery, .unavailable].contains(error.code)
  }

  /// The error for an interrupt before a change was sent.
  ///
  /// - Parameters:
  ///   - left: The repositories that nothing was sent for.
  ///   - finished: What was done, as the end of the message.
  private func interrupted(before left: [String], _ finished: String) -> ForageError {
    let names = left.joined(separator: ", ")
    return ForageError(
      "interrupted: nothing was sent for \(names)" + finished, hint: "run it again for \(names)",
      code: .interrupted)
  }

  /// The error for an interrupt after a change was sent and before its answer.
  private func interrupted(
    during name: String, _ change: StarChange, before left: [String], _ finished: String
  ) -> ForageError {
    let names = left.joined(separator: ", ")
    return ForageError(
      "interrupted: the outcome is unknown, \(name) may be \(change.done) or not"
        + (left.isEmpty ? "" : "; nothing was sent for \(names)") + finished,
      hint: "check with: forage stars repo:\(name)"
        + (left.isEmpty ? "" : "; run it again for \(names)"), code: .interrupted)
  }

  /// The repositories that the references name, each once, in their order, with the name that is shown.
  ///
  /// - Throws: `ForageError` for one on a host that is none of the forges.
  private func named(_ starring: Starring, _ change: StarChange, _ context: Context) async throws
    -> [(entity: EntityReference, name: String)]
  {
    let reader = try context.references(defaultHost: starring.hosts.first)
    return try await reader.references(references).map { reference in
      let entity = try starring.repository(reference, change)
      return (entity, reference.name)
    }
  }
}
