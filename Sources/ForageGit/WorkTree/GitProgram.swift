import ForagePlatform

/// The `git` program, which answers where libgit2 cannot.
///
/// It reads only the repository that was opened, with the same configuration. It writes nothing, runs no
/// program that a configuration names, and reaches no network.
struct GitProgram {
  /// The standard output of a command, and whether git warned of something.
  struct Answer {
    let output: [UInt8]
    let hasWarnings: Bool
  }

  /// The interval at which cancellation is checked.
  private static let pollInterval: Duration = .milliseconds(20)
  /// The most bytes of output (1 GiB), as for the index that it describes.
  private static let outputLimit = FileAccess.fileLimit

  private let program: String
  private let worktree: String
  private let variables: [String: String]

  /// Finds the program; nil if it is not installed.
  ///
  /// - Parameter settings: settings that override the configuration.
  init?(_ repository: GitRepository, in worktree: String, settings: [ConfigEntry] = []) {
    let path = getenv("PATH").map { String(cString: $0) }
    guard let program = programPath("git", environment: path.map { ["PATH": $0] } ?? [:]) else { return nil }
    self.program = program
    self.worktree = worktree
    var variables = Self.variables(repository, worktree, settings)
    // A script in place of git looks for the real one.
    variables["PATH"] = path.map { absoluteFolders($0).joined(separator: ":") }
    self.variables = variables
  }

  /// Returns the whole environment of the program: no variable of this process is passed on unseen.
  private static func variables(
    _ repository: GitRepository, _ worktree: String, _ settings: [ConfigEntry]
  ) -> [String: String] {
    let environment = repository.environment
    var variables = [
      "GIT_DIR": repository.gitDir, "GIT_WORK_TREE": worktree, "GIT_OPTIONAL_LOCKS": "0",
      "GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C",
      // A configuration can send traces to standard error, where they would look like warnings.
      "GIT_TRACE2": "0", "GIT_TRACE2_EVENT": "0", "GIT_TRACE2_PERF": "0",
    ]
    variables["HOME"] = environment.home
    variables["XDG_CONFIG_HOME"] = environment.configHome
    variables["GIT_CONFIG_SYSTEM"] = environment.systemConfig ?? "/dev/null"
    // Git itself finds the two files of the user.
    if environment.globalConfigs.count < 2 {
      variables["GIT_CONFIG_GLOBAL"] = environment.globalConfigs.first ?? "/dev/null"
    }
    var entries = environment.overrides
    entries += [
      ("core.fsmonitor", "false"), ("core.hookspath", "/dev/null"), ("core.untrackedcache", "false"),
    ]
    .map { ConfigEntry(key: $0.0, value: $0.1) }
    for name in repository.config.subsections(of: "filter") {
      entries += [("clean", ""), ("process", ""), ("required", "false")].map {
        ConfigEntry(key: "filter.\(name).\($0.0)", value: $0.1)
      }
    }
    entries += settings
    variables["GIT_CONFIG_COUNT"] = String(entries.count)
    for (number, entry) in entries.enumerated() {
      variables["GIT_CONFIG_KEY_\(number)"] = entry.key
      variables["GIT_CONFIG_VALUE_\(number)"] = entry.value ?? "true"
    }
    return variables
  }

  /// Runs a command of git in the work tree.
  ///
  /// - Throws: `corrupt` with git's own message if git fails, `cancelled`, `tooLarge`, `other`.
  func run(_ arguments: [String], isCancelled: () -> Bool) throws(GitError) -> Answer {
    let launch = ChildLaunch(
      program, ["-C", worktree, "--no-pager"] + arguments, environment: variables, output: .pipe,
      error: .pipe)
    let result: ChildResult
    do throws(ChildFailure) {
      result = try ChildProgram().collect(
        launch, outputLimit: Self.outputLimit, grace: .zero, checking: Self.pollInterval,
        isCancelled: isCancelled)
    } catch {
      throw GitError(.other, "git cannot be run: \(error)")
    }
    switch result.stop {
    case .cancelled, .late: throw .cancelled
    case .tooLong:
      throw GitError(.tooLarge, "git has more than \(Self.outputLimit) bytes to say of \(worktree)")
    case nil: break
    }
    guard result.isSuccess else {
      let reason =
        String(decoding: result.error, as: UTF8.self).split(separator: "\n").last ?? "it gave no reason"
      // Git itself writes no new index while there is one that it cannot read.
      let way =
        reason.contains("index") ? "remove the index and run `git reset`" : "run `git \(arguments[0])`"
      throw GitError(
        .corrupt, "git \(arguments[0]) failed: \(reason)", hint: way + " in the repository")
    }
    return Answer(output: result.output, hasWarnings: !result.error.isEmpty)
  }
}

extension GitProgram {
  /// Asks for the paths that differ from `HEAD` or the index; those of submodules' files are not among them.
  func status(untracked: Bool, isCancelled: () -> Bool) throws(GitError) -> (
    tree: WorkTree, hasWarnings: Bool
  ) {
    let answer = try run(
      [
        "status", "--porcelain=v2", "-z", "--untracked-files=\(untracked ? "all" : "no")", "--ignored=no",
        "--ignore-submodules=dirty",
      ], isCancelled: isCancelled)
    return (try WorkTree(porcelain: answer.output), answer.hasWarnings)
  }

  /// An entry of the index, as `git ls-files` lists it.
  struct IndexEntry {
    let mode: UInt32
    let id: ObjectID
    let path: [UInt8]
    let isAssumedUnchanged: Bool
    let isSkipped: Bool

    var isSubmodule: Bool { mode == 0o160000 }
  }

  /// Calls `body` with each entry of the index.
  func visitIndex(isCancelled: () -> Bool, _ body: (IndexEntry) -> Void) throws(GitError) {
    let listing = try run(["ls-files", "-z", "-s", "-v"], isCancelled: isCancelled).output
    for line in listing.split(separator: 0) {
      let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
      let fields = parts[0].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      guard parts.count == 2, fields.count == 4, let tag = fields[0].first,
        let mode = UInt32(fields[1], radix: 8), let id = ObjectID(hex: fields[2])
      else { throw Self.unknownForm("ls-files") }
      body(
        IndexEntry(
          mode: mode, id: id, path: Array(parts[1]), isAssumedUnchanged: tag.isLowercase,
          isSkipped: tag == "S" || tag == "s"))
    }
  }

  static func unknownForm(_ command: String) -> GitError {
    GitError(.other, "the output of git \(command) has an unknown form", hint: "install a newer git")
  }
}
