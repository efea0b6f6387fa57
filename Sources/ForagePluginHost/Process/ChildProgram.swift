import ForagePlatform

package struct PluginLaunch: Hashable, Sendable {
  /// The absolute path of the program.
  package var program: String
  /// The arguments, beginning with the program's name.
  package var arguments: [String]
  package var folder: String
  /// The complete environment.
  package var environment: [String: String]
}

/// A started program, the leader of a process group of its own, and the host's ends of its three pipes, which do not
/// block.
struct ChildProgram {
  let id: pid_t
  var input: Int32
  var output: Int32
  var error: Int32

  /// Starts a program. It has no descriptors but its standard streams, and every signal at its default.
  ///
  /// - Throws: `notStarted`.
  init(_ launch: PluginLaunch) throws(PluginEnding) {
    var ends: [Int32] = []
    defer { for end in ends { close(end) } }
    // The ends of the child, 0, 3 and 5, are above the streams that they become, or already that stream.
    for _ in 0..<3 { ends += try Self.pipe() }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (stream, end) in [ends[0], ends[3], ends[5]].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, end, Int32(stream))
    }
    var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
      posix_spawn_file_actions_addchdir_np(&actions, launch.folder)
    #else
      typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>
      typealias ChangeFolder = @convention(c) (Actions, UnsafePointer<CChar>) -> Int32
      typealias CloseFrom = @convention(c) (Actions, Int32) -> Int32
      guard let changeFolder = gnuFunction("posix_spawn_file_actions_addchdir_np", as: ChangeFolder.self)
      else {
        throw .notStarted(ENOSYS)
      }
      _ = changeFolder(&actions, launch.folder)
      // Since glibc 2.34. All descriptors of this program are closed by `exec`; those of another one need this.
      if let closeFrom = gnuFunction("posix_spawn_file_actions_addclosefrom_np", as: CloseFrom.self) {
        _ = closeFrom(&actions, 3)
      }
    #endif
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var id: pid_t = 0
    let variables = launch.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let failure = Self.withCStrings(launch.arguments) { arguments in
      Self.withCStrings(variables) { variables in
        posix_spawn(&id, launch.program, &actions, &attributes, arguments, variables)
      }
    }
    guard failure == 0 else { throw .notStarted(failure) }
    self.id = id
    (input, output, error) = (ends[1], ends[2], ends[4])
    ends = [ends[0], ends[3], ends[5]]
    for end in [input, output, error] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    #if canImport(Darwin)
      // There the signal for a pipe without a reader goes to the process, not to the thread that writes.
      _ = fcntl(input, F_SETNOSIGPIPE, 1)
    #endif
  }

  /// Opens a pipe whose ends are closed by `exec`, that for reading first.
  ///
  /// - Throws: `notStarted`.
  static func pipe() throws(PluginEnding) -> [Int32] {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      guard ForagePlatform.pipe(&ends) == 0 else { throw .notStarted(errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #else
      // In one step, so that a child that another thread starts does not inherit an end.
      typealias Pipe2 = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
      guard let pipe2 = gnuFunction("pipe2", as: Pipe2.self) else { throw .notStarted(ENOSYS) }
      guard pipe2(&ends, O_CLOEXEC) == 0 else { throw .notStarted(errno) }
    #endif
    return ends
  }

  /// Reads from a pipe once, and closes it at its end.
  static func readOnce(_ end: inout Int32, _ buffer: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer?
  {
    guard end >= 0 else { return nil }
    let count = read(end, buffer.baseAddress, buffer.count)
    if count > 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
    if count == 0 || errno != EAGAIN && errno != EINTR { shut(&end) }
    return nil
  }

  /// Closes a pipe unless it is closed.
  static func shut(_ end: inout Int32) {
    if end >= 0 { close(end) }
    end = -1
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }
}
