import ForageCore
import ForageFoundation
import ForageGit
import ForagePlatform
package import ForageSetup

/// A command that ran in one clone.
package struct CloneCommandResult: Sendable {
  package var clone: CloneState
  /// Its exit status, 128 and the number of the signal that ended it; `nil` where it could not be started or
  /// took too long.
  package var status: Int?
  /// Why there is no status.
  package var error: ForageError?
  package var elapsed: Duration
  fileprivate let streams: (output: OutputFile, error: OutputFile)?

  /// Whether it ended with status 0.
  package var isSuccess: Bool { status == 0 }

  /// Takes what the command wrote to its standard output in pieces, then what it wrote to its standard error.
  package func write(output: ([UInt8]) throws -> Void, error: ([UInt8]) throws -> Void) throws {
    try streams?.output.copy(to: output)
    try streams?.error.copy(to: error)
  }

  /// Whether the command wrote anything.
  package var hasOutput: Bool { streams.map { $0.output.size + $0.error.size > 0 } ?? false }

  /// The standard output, with replacements for what is not UTF-8.
  package var outputText: String { streams?.output.text ?? "" }
  package var errorText: String { streams?.error.text ?? "" }
}

extension OutputFile {
  private static let pieceSize = 64 << 10

  fileprivate func copy(to write: ([UInt8]) throws -> Void) throws {
    let size = size
    var place = 0
    while place < size {
      let piece = read(from: place, min(Self.pieceSize, size - place))
      if piece.isEmpty { return }
      try write(piece)
      place += piece.count
    }
  }

  fileprivate var text: String { String(decoding: read(from: 0, size), as: UTF8.self) }
}

/// Runs a command of the user in the folders of clones, without a shell.
package struct CloneCommands: Sendable {
  /// How long a command may take to end after an interruption.
  private static let grace: Duration = .seconds(2)
  /// The status of shells for a program that a signal ended, without the number of the signal.
  private static let signalBase = 128

  /// Its path.
  private let program: String
  private let arguments: [String]
  private let environment: [String: String]
  private let limit: Duration?
  private let forage: Forage

  /// Finds the program of a command, in `PATH` unless it is a path.
  ///
  /// It gets the whole environment of this process, as from a shell.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments; never empty.
  ///   - limit: How long it may run in a clone; `nil` for no limit.
  /// - Throws: `ForageError` for a program that is not there.
  package init(_ forage: Forage, _ command: [String], limit: Duration?) throws {
    let name = command.first ?? ""
    // A path is that of the folder in which forage was started, not of each clone.
    let path = name.contains("/") ? FileAccess.join(FileAccess.realPath(".") ?? "/", name) : name
    guard let program = programPath(path, environment: forage.environment) else {
      throw ForageError(
        "there is no program \(name)",
        hint: "for a line of a shell write: -- sh -c \(command.joined(separator: " ").shellQuoted)")
    }
    (self.forage, self.program, self.limit) = (forage, program, limit)
    arguments = Array(command.dropFirst())
    environment = forage.environment.filter { !GitCommand.repositoryVariables.contains($0.key) }
  }

  /// Runs the command in clones, several at a time.
  ///
  /// - Parameters:
  ///   - started: Takes each clone in which it is started.
  ///   - ended: Takes each result as soon as it is known.
  /// - Throws: What `ended` throws. An interruption ends it early, without an error.
  package func run(
    _ clones: [CloneState], jobs: Int, started: @escaping @Sendable (CloneState) -> Void,
    ended: (CloneCommandResult) throws -> Void
  ) async throws {
    try await asCompleted(clones, width: jobs) { clone in
      started(clone)
      return await run(in: clone)
    } each: { _, result in
      if let result { try ended(result) }
    }
  }

  /// - Returns: `nil` after an interruption.
  private func run(in clone: CloneState) async -> CloneCommandResult? {
    let start = ContinuousClock.now
    func result(
      _ status: Int?, _ error: ForageError? = nil, _ streams: (output: OutputFile, error: OutputFile)? = nil
    ) -> CloneCommandResult {
      CloneCommandResult(
        clone: clone, status: status, error: error, elapsed: ContinuousClock.now - start, streams: streams)
    }
    do throws(ForageError) {
      let streams = (output: try OutputFile(), error: try OutputFile())
      var variables = environment
      variables["FORAGE_CLONE"] = clone.path
      variables["FORAGE_REPOSITORY"] = clone.id ?? ""
      variables["PWD"] = clone.path
      let launch = ChildLaunch(
        program, arguments, environment: variables, folder: clone.path,
        output: .descriptor(streams.output.descriptor), error: .descriptor(streams.error.descriptor))
      let ended = try? await ChildProgram.run(launch, timeLimit: limit, grace: Self.grace)
      forage.reporter.traceEnd(
        of: "\(program) in \(clone.path)", ended.map { "\($0.ending)" } ?? "not run", since: start)
      if Task.isCancelled { return nil }
      if let limit, ended?.stop == .late, ended?.ending.isSuccess == false {
        return result(
          nil,
          ForageError(
            "\(clone.path): it did not end within \(HumanFormat.duration(limit))",
            hint: "allow more time with --timeout"), streams)
      }
      switch ended?.ending {
      case .exited(let code): return result(Int(code), nil, streams)
      case .signalled(let number): return result(Self.signalBase + Int(number), nil, streams)
      case .lost, nil:
        let isThere = FileAccess.isDirectory(clone.path)
        return result(
          nil,
          ForageError(
            isThere ? "\(program) could not be started in \(clone.path)" : "\(clone.path) is gone",
            hint: isThere ? "check the permissions of both" : "update the catalogue: forage clones scan"))
      }
    } catch {
      return result(nil, error)
    }
  }
}
