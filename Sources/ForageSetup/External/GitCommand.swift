import ForageCore
import ForageFoundation
import ForageGit
import ForagePlatform

/// The git program, with the environment in which it works on a repository of its own choice.
package struct GitCommand: Sendable {
  /// Its path.
  package let program: String
  /// The variables of this process without any token; the user's configuration of git applies.
  package let environment: [String: String]

  /// Finds the program.
  ///
  /// - Throws: `ForageError` where there is none.
  package init(_ forage: Forage) throws {
    guard let program = programPath("git", environment: forage.environment) else {
      throw ForageError("there is no git program", hint: "install git", code: .failed)
    }
    var variables = forage.environmentWithoutTokens.filter { !Self.repositoryVariables.contains($0.key) }
    // The messages are read here.
    variables["LC_ALL"] = "C"
    (self.program, environment) = (program, variables)
  }

  /// The variables that lead git to a repository (`git rev-parse --local-env-vars`), as hooks have them;
  /// those of the configuration stay.
  package static let repositoryVariables: Set<String> = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
  ]

  /// The variables with which neither git nor ssh asks anybody; credential helpers work.
  static let nobodyIsAsked = [
    "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": "", "SSH_ASKPASS_REQUIRE": "never",
    "GCM_INTERACTIVE": "never",
  ]

  /// How long git may take to remove its lock files after a signal to end.
  private static let grace: Duration = .seconds(5)

  /// What git and ssh may ask.
  package enum Questions {
    /// Everything, on the terminal.
    case onTerminal
    /// What programs of the user answer: credential helpers, and those that ask in a window.
    case programs
    /// Nothing: what cannot go on without an answer fails. Credential helpers work.
    ///
    /// - Parameter sshCommand: The command for ssh of the clone's configuration.
    case none(sshCommand: String? = nil)

    fileprivate var isOnTerminal: Bool { if case .onTerminal = self { true } else { false } }
  }

  /// What became of a command.
  package enum Outcome {
    case done
    case failed(GitFailure)
    /// It was ended because it said nothing for too long.
    case silent

    /// For a trace.
    package var text: String {
      switch self {
      case .done: "ok"
      case .failed: "failed"
      case .silent: "silent"
      }
    }
  }

  /// Runs a command in a clone.
  ///
  /// - Parameters:
  ///   - messages: Takes what git says on standard error.
  ///   - silence: How long git may say nothing; `nil` for no limit.
  /// - Throws: `CancellationError`.
  package func run(
    _ arguments: [String], in folder: String, messages: OutputFile, silence: Duration? = nil,
    questions: Questions = .none()
  ) async throws -> Outcome {
    // Without a terminal of its own neither git nor ssh can wait for an answer; with one, git stays in the
    // foreground to get it.
    let launch = ChildLaunch(
      program, arguments, environment: environment(questions), folder: folder,
      group: questions.isOnTerminal ? .shared : .session, error: .descriptor(messages.descriptor))
    let isSilent = Locked(false)
    let run = Task { try await ChildProgram.run(launch, grace: Self.grace) }
    let watch = silence.map { limit in
      Task {
        var (size, last) = (messages.size, ContinuousClock.now)
        while ContinuousClock.now - last < limit {
          try await Task.sleep(for: min(limit, .seconds(1)))
          if messages.size != size { (size, last) = (messages.size, .now) }
        }
        isSilent.withLock { $0 = true }
        run.cancel()
      }
    }
    defer { watch?.cancel() }
    let result = await withTaskCancellationHandler {
      await run.result
    } onCancel: {
      run.cancel()
    }
    try Task.checkCancellation()
    if isSilent.withLock({ $0 }) { return .silent }
    if case .failure(let failure) = result { return .failed(GitFailure(text: "\(failure)")) }
    if case .success(let ended) = result, ended.isSuccess { return .done }
    return .failed(GitFailure(text: String(decoding: messages.end(GitFailure.limit), as: UTF8.self)))
  }

  /// The variables that git gets.
  package func environment(_ questions: Questions) -> [String: String] {
    var variables = environment
    if !questions.isOnTerminal { variables["GIT_TERMINAL_PROMPT"] = "0" }
    guard case .none(let sshCommand) = questions else { return variables }
    variables.merge(Self.nobodyIsAsked) { _, new in new }
    // As git chooses it; another program than OpenSSH may not have the option.
    let command = variables["GIT_SSH_COMMAND"] ?? sshCommand ?? (variables["GIT_SSH"] == nil ? "ssh" : nil)
    if let command, command.prefix(while: { $0 != " " }).split(separator: "/").last == "ssh" {
      variables["GIT_SSH_COMMAND"] = command + " -o BatchMode=yes"
    }
    return variables
  }
}

/// What a program writes, in a file that has no name and so is gone with this process.
package final class OutputFile: Sendable {
  package let descriptor: Int32
  private let redaction: SecretRedaction

  /// - Parameter secrets: What is masked in its messages.
  /// - Throws: `ForageError` where no temporary file can be made.
  package init(masking secrets: [String] = []) throws(ForageError) {
    redaction = SecretRedaction(secrets)
    let folder = FileManager.default.temporaryDirectory.path
    let path = FileAccess.join(folder, "forage-" + UUID().uuidString)
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ForageError(
        "no temporary file can be made in \(folder): \(String(cString: strerror(errno)))",
        hint: "check its permissions and its free space, or set TMPDIR")
    }
    unlink(path)
  }

  deinit { close(descriptor) }

  /// The number of bytes so far.
  package var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The bytes at the end, in which secrets are masked.
  func end(_ limit: Int) -> [UInt8] {
    let size = size
    return redaction.redacted(read(from: max(0, size - limit), limit))
  }

  /// The addresses that git was redirected to, as it says.
  package var redirects: [String] {
    let beginning = "warning: redirecting to "
    return String(decoding: read(from: 0, GitFailure.limit), as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)).trimmingWhitespace() }
  }

  /// The last line so far; `nil` for none.
  package var lastLine: String? {
    String(decoding: end(Self.lineLimit), as: UTF8.self).split(whereSeparator: \.isNewline).last.map(
      String.init)
  }

  /// More than a line about the progress has.
  private static let lineLimit = 512

  /// At most `count` bytes from a place.
  package func read(from place: Int, _ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(place)))
    }
  }
}
