import ForagePlatform
import Foundation

/// The descriptors of a started child that the driver owns and closes.
struct ChildDescriptors {
  var pid: pid_t
  /// Where standard input is written; -1: nowhere. Under a terminal a duplicate of the master.
  var input: Int32 = -1
  var output: Int32 = -1
  var error: Int32 = -1
}

/// Starts children with `posix_spawn`.
enum Spawn {
  #if canImport(Darwin)
    private static let newSession = Int32(POSIX_SPAWN_SETSID)
  #else
    /// `POSIX_SPAWN_SETSID` of glibc and musl, which their headers show only under `_GNU_SOURCE`.
    private static let newSession: Int32 = 0x80

    /// Calls that the C library has but whose declarations need `_GNU_SOURCE`; nil where they are missing.
    private enum Extensions {
      typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>
      typealias CloseFrom = @convention(c) (Actions, Int32) -> Int32
      typealias ChangeFolder = @convention(c) (Actions, UnsafePointer<CChar>) -> Int32

      // A null handle searches the whole program (`RTLD_DEFAULT`); the types are those of <spawn.h>.
      static var closeFrom: CloseFrom? {
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map { unsafeBitCast($0, to: CloseFrom.self) }
      }
      static var changeFolder: ChangeFolder? {
        dlsym(nil, "posix_spawn_file_actions_addchdir_np").map { unsafeBitCast($0, to: ChangeFolder.self) }
      }
    }
  #endif

  static func start(_ launch: ProcessRunner.Launch) throws -> ChildDescriptors {
    var opened = Descriptors()
    defer { opened.closeAll() }
    var child = ChildDescriptors(pid: -1)
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    try check(posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init")
    defer { posix_spawn_file_actions_destroy(&actions) }
    try check(posix_spawnattr_init(&attributes), "posix_spawnattr_init")
    defer { posix_spawnattr_destroy(&attributes) }

    var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    if let terminal = launch.terminal {
      let master = try opened.adopt(Terminal.open(), "the terminal's master")
      closeOnExec(master)
      let name = try Terminal.slaveName(master)
      try Terminal.setUp(master, slave: name, columns: terminal.columns, rows: terminal.rows)
      // The session leader's first terminal that it opens becomes its controlling terminal.
      try check(posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0), "addopen")
      let pipe = try terminal.streams == .outputAndError ? nil : opened.pipe()
      let outTarget = terminal.streams == .errorOnly ? pipe?.write ?? 0 : 0
      let errTarget = terminal.streams == .outputOnly ? pipe?.write ?? 0 : 0
      try check(posix_spawn_file_actions_adddup2(&actions, outTarget, 1), "adddup2")
      try check(posix_spawn_file_actions_adddup2(&actions, errTarget, 2), "adddup2")
      if launch.stdin != nil || launch.keepsInputOpen {
        child.input = try opened.adopt(fcntl(master, F_DUPFD_CLOEXEC, 3), "fcntl")
      }
      child.output = terminal.streams == .errorOnly ? pipe?.read ?? -1 : master
      child.error = terminal.streams == .errorOnly ? master : pipe?.read ?? -1
      flags |= Self.newSession
    } else {
      if launch.stdin != nil || launch.keepsInputOpen {
        let input = try opened.pipe()
        try check(posix_spawn_file_actions_adddup2(&actions, input.read, 0), "adddup2")
        child.input = input.write
      } else {
        try check(posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0), "addopen")
      }
      let output = try opened.pipe()
      let error = try opened.pipe()
      try check(posix_spawn_file_actions_adddup2(&actions, output.write, 1), "adddup2")
      try check(posix_spawn_file_actions_adddup2(&actions, error.write, 2), "adddup2")
      child.output = output.read
      child.error = error.read
      flags |= Int32(POSIX_SPAWN_SETPGROUP)
      try check(posix_spawnattr_setpgroup(&attributes, 0), "posix_spawnattr_setpgroup")
    }
    // Sockets of the loopback servers must not live on in a child.
    #if canImport(Darwin)
      flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
      if let closeFrom = Extensions.closeFrom { try check(closeFrom(&actions, 3), "addclosefrom") }
    #endif
    if let folder = launch.workingDirectory?.path {
      #if canImport(Darwin)
        try check(posix_spawn_file_actions_addchdir_np(&actions, folder), "addchdir")
      #else
        guard let changeFolder = Extensions.changeFolder else { throw failure("addchdir", ENOSYS) }
        try check(changeFolder(&actions, folder), "addchdir")
      #endif
    }
    var none = sigset_t()
    sigemptyset(&none)
    try check(posix_spawnattr_setsigmask(&attributes, &none), "posix_spawnattr_setsigmask")
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGWINCH] { sigaddset(&usual, signal) }
    try check(posix_spawnattr_setsigdefault(&attributes, &usual), "posix_spawnattr_setsigdefault")
    try check(posix_spawnattr_setflags(&attributes, Int16(flags)), "posix_spawnattr_setflags")

    let path = launch.executable.path
    let variables = launch.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let status = withCStrings([path] + launch.arguments) { arguments in
      withCStrings(variables) { environment in
        posix_spawn(&child.pid, path, &actions, &attributes, arguments, environment)
      }
    }
    try check(status, "\(path) could not be started: posix_spawn")
    for kept in [child.input, child.output, child.error] where kept >= 0 {
      opened.release(kept)
      _ = fcntl(kept, F_SETFL, fcntl(kept, F_GETFL) | O_NONBLOCK)
    }
    return child
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }

  /// Sends a signal to a process or, with a negative number, to a group; false when there is none.
  @discardableResult
  static func deliver(_ signal: Int32, to process: pid_t) -> Bool { kill(process, signal) == 0 }

  static func closeOnExec(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

  static func check(_ status: Int32, _ what: String) throws {
    if status != 0 { throw failure(what, status) }
  }

  static func checkErrno(_ status: Int32, _ what: String) throws {
    if status != 0 { throw failure(what, errno) }
  }

  static func failure(_ what: String, _ number: Int32) -> SupportError {
    SupportError(
      code: .system, message: "\(what) failed: \(String(cString: strerror(number)))",
      hint: "check the program's path and the limits of this machine")
  }
}

/// Descriptors that are closed unless they were released to somebody.
struct Descriptors {
  private var open: [Int32] = []

  /// Takes a descriptor that a call just returned.
  mutating func adopt(_ descriptor: Int32, _ what: String) throws -> Int32 {
    guard descriptor >= 0 else { throw Spawn.failure(what, errno) }
    open.append(descriptor)
    return descriptor
  }

  /// Makes a pipe whose ends no child inherits.
  ///
  /// Both are above 2, so that no file action of a child can overwrite one before it is used.
  mutating func pipe() throws -> (read: Int32, write: Int32) {
    guard let pipe = closeOnExecPipe() else { throw Spawn.failure("pipe", errno) }
    var ends = [pipe.reading, pipe.writing]
    for index in ends.indices {
      if ends[index] < 3 {
        let moved = fcntl(ends[index], F_DUPFD_CLOEXEC, 3)
        close(ends[index])
        ends[index] = moved
      }
      _ = try adopt(ends[index], "pipe")
    }
    return (ends[0], ends[1])
  }

  /// Leaves a descriptor to somebody else.
  mutating func release(_ descriptor: Int32) { open.removeAll { $0 == descriptor } }

  /// Closes what was not released.
  mutating func closeAll() {
    for descriptor in open { close(descriptor) }
    open = []
  }
}
