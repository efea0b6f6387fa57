import ForagePlatform

/// The `git` program, which answers where libgit2 cannot.
///
/// It reads only the repository that was opened, with the same configuration. It writes nothing, runs no program that
/// a configuration names, and reaches no network.
struct GitProgram {
  /// The standard output of a command, and whether git warned of something.
  struct Answer {
    let output: [UInt8]
    let hasWarnings: Bool
  }

  /// The interval in milliseconds at which cancellation is checked.
  private static let pollInterval: Int32 = 20
  /// The most bytes of output (1 GiB), as for the index that it describes.
  private static let outputLimit = FileAccess.fileLimit
  /// The most bytes of warnings that are kept.
  private static let warningLimit = 64 << 10

  private let program: String
  private let worktree: String
  private let variables: [String]

  /// Finds the program; nil if it is not installed.
  ///
  /// - Parameter settings: settings that override the configuration.
  init?(_ repository: GitRepository, in worktree: String, settings: [ConfigEntry] = []) {
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    guard let program = Self.path(in: folders) else { return nil }
    self.program = program
    self.worktree = worktree
    // A script in place of git looks for the real one.
    variables =
      Self.variables(repository, worktree, settings)
      + ["PATH=" + folders.split(separator: ":").filter { $0.hasPrefix("/") }.joined(separator: ":")]
  }

  /// Finds the program in the folders of `PATH`.
  static func path(in folders: String) -> String? {
    // A relative folder could be one of the clone.
    folders.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { $0 + "/git" }.first {
      FileAccess.isFile($0) && access($0, X_OK) == 0
    }
  }

  /// Returns the whole environment of the program: no variable of this process is passed on unseen.
  private static func variables(
    _ repository: GitRepository, _ worktree: String, _ settings: [ConfigEntry]
  ) -> [String] {
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
    return variables.map { $0.key + "=" + $0.value }
  }

  /// Runs a command of git in the work tree.
  ///
  /// - Throws: `corrupt` with git's own message if git fails, `cancelled`, `tooLarge`, `other`.
  func run(_ arguments: [String], isCancelled: () -> Bool) throws(GitError) -> Answer {
    var (output, warnings): ([UInt8], [UInt8]) = ([], [])
    let pipes = try [Self.pipe(), Self.pipe()]
    defer { for pipe in pipes { close(pipe.reading) } }
    let child = try start(["git", "-C", worktree, "--no-pager"] + arguments, pipes)
    for pipe in pipes { close(pipe.writing) }
    var problem: GitError?
    var open = Set([0, 1])
    while !open.isEmpty, problem == nil {
      if isCancelled() { problem = .cancelled }
      var waiting = open.sorted().map { pollfd(fd: pipes[$0].reading, events: Int16(POLLIN), revents: 0) }
      guard poll(&waiting, nfds_t(waiting.count), Self.pollInterval) > 0 else { continue }
      for (number, state) in zip(open.sorted(), waiting) where state.revents != 0 {
        guard let bytes = Self.read(state.fd) else {
          open.remove(number)
          continue
        }
        if number == 0 {
          output += bytes
        } else {
          warnings += bytes.prefix(Self.warningLimit - warnings.count)
        }
      }
      if output.count > Self.outputLimit {
        problem = GitError(.tooLarge, "git has more than \(Self.outputLimit) bytes to say of \(worktree)")
      }
    }
    if problem != nil { kill(child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    if let problem { throw problem }
    guard status == 0 else {
      let reason =
        String(decoding: warnings, as: UTF8.self).split(separator: "\n").last ?? "it gave no reason"
      // Git itself writes no new index while there is one that it cannot read.
      let way =
        reason.contains("index") ? "remove the index and run `git reset`" : "run `git \(arguments[0])`"
      throw GitError(
        .corrupt, "git \(arguments[0]) failed: \(reason)", hint: way + " in the repository")
    }
    return Answer(output: output, hasWarnings: !warnings.isEmpty)
  }

  /// Starts the program with the pipes as its standard output and standard error, and without input.
  private func start(
    _ arguments: [String], _ pipes: [(reading: Int32, writing: Int32)]
  ) throws(GitError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipes[0].writing, 1)
    posix_spawn_file_actions_adddup2(&actions, pipes[1].writing, 2)
    var texts = arguments.map { strdup($0) } + [nil]
    var values = variables.map { strdup($0) } + [nil]
    defer { for text in texts + values { free(text) } }
    var child: pid_t = 0
    let failure = posix_spawn(&child, program, &actions, nil, &texts, &values)
    guard failure == 0 else {
      for pipe in pipes { close(pipe.writing) }
      throw GitError(.other, "\(program) cannot be run: \(String(cString: strerror(failure)))")
    }
    return child
  }

  /// A pipe whose ends no other child inherits.
  private static func pipe() throws(GitError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard ForagePlatform.pipe(&ends) == 0 else {
      throw GitError(.other, "no pipe can be made: \(FileAccess.reason())")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Reads what there is; nil at the end.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    let size = 1 << 16
    var count = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      repeat {
        count = ForagePlatform.read(descriptor, buffer.baseAddress, size)
      } while count < 0 && errno == EINTR
      initialized = max(0, count)
    }
    return count > 0 ? bytes : nil
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
