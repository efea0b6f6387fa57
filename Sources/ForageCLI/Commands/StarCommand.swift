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

  @OptionGroup var stars: StarWriting
  @OptionGroup var common: CommonOptions

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

  @OptionGroup var stars: StarWriting
  @OptionGroup var common: CommonOptions

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
    let starring = try Starring(context.forage)
    let named = try await named(starring, change, context)
    var done: [String] = []
    var failures: [SearchError] = []
    for (index, (entity, name)) in named.enumerated() {
      let pause = starring.pause(for: entity)
      if index > 0, pause > .zero {
        await context.forage.reporter.waiting(for: "the pause between changes that the forge asks for") {
          try? await Task.sleep(for: pause)
        }
      }
      if Task.isCancelled { throw interrupted(change, left: named[index...], done: done) }
      let requests = RequestCounter()
      do {
        try await context.forage.reporter.waiting(for: entity.host) {
          try await requests.counting { try await starring.change(change, of: entity, within: timeout) }
        }
        done.append(name)
        try context.output.result(change.done + " " + name)
      } catch let error where Task.isCancelled || error is CancellationError {
        let isSent = requests.count > 0
        throw interrupted(
          change, sent: isSent ? name : nil, left: named[(isSent ? index + 1 : index)...], done: done)
      } catch let error as SearchError {
        failures.append(error)
        let subject = named.count > 1 && !error.message.contains(entity.title) ? name + ": " : ""
        context.output.problem(subject + error.message, hint: error.adviceForStar)
        guard error.goesOn(after: index, of: named.map(\.name), context.output) else { break }
      }
    }
    if failures.isEmpty { return .success }
    if !done.isEmpty { return .partial }
    return failures.allSatisfy { $0.code == .notFound } ? .nothingFound : .failed
  }

  /// The error for an interrupt.
  ///
  /// - Parameters:
  ///   - sent: The repository whose change was sent and not answered.
  ///   - left: The repositories that nothing was sent for.
  ///   - done: The repositories that were changed.
  private func interrupted(
    _ change: StarChange, sent: String? = nil, left: ArraySlice<(entity: EntityReference, name: String)>,
    done: [String]
  ) -> ForageError {
    let names = left.map(\.name).joined(separator: ", ")
    let unknown = sent.map { "the outcome is unknown, \($0) may be \(change.done) or not" }
    let unsent = left.isEmpty ? nil : "nothing was sent for \(names)"
    let finished = done.isEmpty ? nil : "\(change.done): " + done.joined(separator: ", ")
    let check = sent.map { "check with: forage stars repo:\($0)" }
    return ForageError(
      "interrupted: " + [unknown, unsent, finished].compactMap(\.self).joined(separator: "; "),
      hint: [check, left.isEmpty ? nil : "run it again for \(names)"].compactMap(\.self)
        .joined(separator: "; "),
      code: .interrupted)
  }

  /// The repositories that the references name, each once, in their order, with the name that is shown.
  ///
  /// - Throws: `ForageError` for one on a host that is none of the forges.
  private func named(_ starring: Starring, _ change: StarChange, _ context: Context) async throws
    -> [(entity: EntityReference, name: String)]
  {
    let reader = try context.references()
    return try await reader.references(references).map { reference in
      let entity = try starring.repository(reference, change)
      return (entity, reference.name(context.forage))
    }
  }
}
