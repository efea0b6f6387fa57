/// How a program is started: all that it gets from this one.
///
/// It has no descriptors but its standard streams, every signal at its default, and no signal blocked.
package struct ChildLaunch: Hashable, Sendable {
  /// A standard stream of the program.
  package enum Stream: Hashable, Sendable {
    /// `/dev/null`.
    case none
    /// A pipe, the other end of which is this program's.
    case pipe
    /// An open descriptor of this program.
    case descriptor(Int32)
  }

  /// To which processes it belongs.
  package enum Group: Hashable, Sendable {
    /// It stays in the group of this process, in the foreground of the terminal. Signals go to it alone.
    case shared
    /// A process group of its own, so that its children end with it.
    case own
    /// A session of its own, so that nothing of it can ask on the terminal.
    case session
  }

  /// The absolute path of the program.
  package var program: String
  /// The arguments, after the program's path.
  package var arguments: [String]
  /// The complete environment.
  package var environment: [String: String]
  /// Its working directory; `nil` for the folder of this process.
  package var folder: String?
  package var group = Group.own
  package var input = Stream.none
  package var output = Stream.none
  package var error = Stream.none

  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String], folder: String? = nil,
    group: Group = .own, input: Stream = .none, output: Stream = .none, error: Stream = .none
  ) {
    (self.program, self.arguments, self.environment) = (program, arguments, environment)
    (self.folder, self.group) = (folder, group)
    (self.input, self.output, self.error) = (input, output, error)
  }
}

/// Why a program could not be started.
package struct ChildFailure: Error, Hashable, CustomStringConvertible {
  /// The `errno` value.
  package let code: Int32
  /// The program, or the folder where it should work.
  package let path: String

  /// The path and the system's reason.
  package var description: String { "\(path): \(String(cString: strerror(code)))" }
}

/// A started program, which has to be waited for, and this program's ends of its pipes.
struct StartedChild: ~Copyable {
  /// The number of the process.
  fileprivate(set) var id: pid_t = 0
  /// The ends do not block; -1 for what is no pipe or is closed.
  fileprivate(set) var input: Int32 = -1
  fileprivate(set) var output: Int32 = -1
  fileprivate(set) var error: Int32 = -1

  deinit { for end in [input, output, error] where end >= 0 { close(end) } }

  /// Takes this program's end of the pipe of a stream.
  fileprivate mutating func take(_ end: Int32, of stream: Int32) {
    _ = fcntl(end, F_SETFL, O_NONBLOCK)
    switch stream {
    case STDIN_FILENO:
      input = end
      #if canImport(Darwin)
        // There the signal for a pipe without a reader goes to the process, not to the thread that writes.
        _ = fcntl(end, F_SETNOSIGPIPE, 1)
      #endif
    case STDOUT_FILENO: output = end
    default: error = end
    }
  }

  mutating func closeInput() { Self.shut(&input) }

  /// Reads from the standard output once, and closes it at its end.
  ///
  /// - Returns: The bytes, none at the end; `nil` where there is nothing to read now.
  mutating func readOutput(_ buffer: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer? {
    Self.readOnce(&output, buffer)
  }

  /// The same for the standard error.
  mutating func readError(_ buffer: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer? {
    Self.readOnce(&error, buffer)
  }

  private static func readOnce(_ end: inout Int32, _ buffer: UnsafeMutableRawBufferPointer)
    -> UnsafeRawBufferPointer?
  {
    guard end >= 0 else { return nil }
    let count = read(end, buffer.baseAddress, buffer.count)
    if count < 0, [EAGAIN, EINTR].contains(errno) { return nil }
    if count <= 0 { shut(&end) }
    return UnsafeRawBufferPointer(rebasing: buffer[..<max(0, count)])
  }

  private static func shut(_ end: inout Int32) {
    if end >= 0 { close(end) }
    end = -1
  }
}

/// Opens a pipe whose ends no other program inherits; `nil` if that fails (see `errno`).
package func closeOnExecPipe() -> (reading: Int32, writing: Int32)? {
  var ends: [Int32] = [-1, -1]
  #if canImport(Darwin)
    // No program that is started here inherits a descriptor that it is not given
    // (`POSIX_SPAWN_CLOEXEC_DEFAULT`).
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  #else
    // In one step, so that a program that another thread starts does not inherit an end.
    typealias Pipe2 = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
    guard let pipe2 = gnuFunction("pipe2", as: Pipe2.self) else {
      errno = ENOSYS
      return nil
    }
    guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
  #endif
  return (ends[0], ends[1])
}

extension ChildLaunch {
  #if canImport(Darwin)
    private typealias Actions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
  #else
    private typealias Actions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
  #endif
  /// The pauses in microseconds after which a program is tried again that is open for writing (`ETXTBSY`):
  /// one that has just been written can be open for a moment in a program that was started meanwhile.
  private static let busyPauses: [UInt32] = [1_000, 10_000, 50_000, 100_000]

  /// Starts the program.
  func start() throws(ChildFailure) -> StartedChild {
    var child = StartedChild()
    var endsOfChild: [Int32] = []
    defer { for end in endsOfChild { close(end) } }
    #if canImport(Darwin)
      var (actions, attributes): (Actions, Attributes) = (nil, nil)
    #else
      var (actions, attributes) = (Actions(), Attributes())
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (target, stream) in zip(STDIN_FILENO..., [input, output, error]) {
      var source: Int32
      switch stream {
      case .none:
        let mode = target == STDIN_FILENO ? O_RDONLY : O_WRONLY
        posix_spawn_file_actions_addopen(&actions, target, "/dev/null", mode, 0)
        continue
      case .descriptor(let descriptor): source = descriptor
      case .pipe:
        guard let pipe = closeOnExecPipe() else { throw ChildFailure(code: errno, path: program) }
        source = target == STDIN_FILENO ? pipe.reading : pipe.writing
        endsOfChild.append(source)
        child.take(target == STDIN_FILENO ? pipe.writing : pipe.reading, of: target)
      }
      // Above the streams, so that none is overwritten before its turn.
      if source <= STDERR_FILENO, source != target {
        source = fcntl(source, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard source >= 0 else { throw ChildFailure(code: errno, path: program) }
        endsOfChild.append(source)
      }
      posix_spawn_file_actions_adddup2(&actions, source, target)
    }
    try addFolder(&actions)
    setSignalsAndGroup(&attributes)
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let words = [program] + arguments
    // C would cut such a text.
    guard !(words + variables).contains(where: { $0.utf8.contains(0) }) else {
      throw ChildFailure(code: EINVAL, path: program)
    }
    var id: pid_t = 0
    let failure = Self.withCStrings(words) { words in
      Self.withCStrings(variables) { variables in
        var failure = posix_spawn(&id, program, &actions, &attributes, words, variables)
        for pause in Self.busyPauses where failure == ETXTBSY {
          usleep(pause)
          failure = posix_spawn(&id, program, &actions, &attributes, words, variables)
        }
        return failure
      }
    }
    guard failure == 0 else {
      // The system does not say whether it was the folder or the program.
      let place = folder.flatMap { access($0 + "/.", X_OK) == 0 ? nil : $0 }
      throw ChildFailure(code: failure, path: place ?? program)
    }
    child.id = id
    return child
  }

  /// Adds the folder, and that all descriptors but the streams are closed.
  private func addFolder(_ actions: inout Actions) throws(ChildFailure) {
    #if canImport(Darwin)
      if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
    #else
      typealias Pointer = UnsafeMutablePointer<Actions>
      typealias ChangeFolder = @convention(c) (Pointer, UnsafePointer<CChar>) -> Int32
      typealias CloseFrom = @convention(c) (Pointer, Int32) -> Int32
      if let folder {
        guard let change = gnuFunction("posix_spawn_file_actions_addchdir_np", as: ChangeFolder.self) else {
          throw ChildFailure(code: ENOSYS, path: folder)
        }
        _ = change(&actions, folder)
      }
      // Since glibc 2.34. All descriptors of this program are closed by `exec`; those of another one need
      // this.
      if let closeFrom = gnuFunction("posix_spawn_file_actions_addclosefrom_np", as: CloseFrom.self) {
        _ = closeFrom(&actions, STDERR_FILENO + 1)
      }
    #endif
  }

  /// Sets every signal to its default, blocks none, and sets the group.
  ///
  /// A program inherits which signals are ignored or blocked, and few programs are made for that: without the
  /// signal for a pipe without a reader, one whose output nobody reads goes on, and reports an error for
  /// every line.
  private func setSignalsAndGroup(_ attributes: inout Attributes) {
    var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    #if canImport(Darwin)
      flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
      let newSession = Int32(POSIX_SPAWN_SETSID)
    #else
      // `POSIX_SPAWN_SETSID` of glibc and musl, which their headers show only under `_GNU_SOURCE`.
      let newSession: Int32 = 0x80
    #endif
    switch group {
    case .shared: break
    case .own:
      flags |= Int32(POSIX_SPAWN_SETPGROUP)
      posix_spawnattr_setpgroup(&attributes, 0)
    case .session: flags |= newSession
    }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    // `sigfillset` leaves out signals of glibc itself, which `posix_spawn` then has the program ignore.
    memset(&all, 0xff, MemoryLayout<sigset_t>.size)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }
}
