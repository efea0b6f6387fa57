import ForagePlatform
public import Foundation

/// Runs programs for tests: complete environment, no inherited descriptor, own process group, measured.
public enum ProcessRunner {
  /// A test that needs longer than this is stuck; a cold start on a busy machine is far below.
  public static let defaultTimeout: Duration = .seconds(60)
  /// How often the driver looks at the clock, the memory and the end of the child.
  public static let pollMilliseconds: Int32 = 10
  /// How long output is still read after the process ended while a descendant holds it open.
  public static let drainGrace: Duration = .milliseconds(500)

  /// What is connected to a pseudo-terminal. Standard input always is.
  public enum TerminalStreams: Sendable, Hashable {
    /// Standard output and standard error, interleaved in `ProcessResult.stdout`.
    case outputAndError
    /// Standard output only; standard error is a pipe.
    case outputOnly
    /// Standard error only; standard output is a pipe. The terminal's bytes are in `ProcessResult.stderr`.
    case errorOnly
  }

  /// Everything that a start needs.
  public struct Launch: Sendable {
    /// The program; not looked up in a path.
    public var executable: URL
    /// Arguments after the program's name.
    public var arguments: [String]
    /// The complete environment; nothing is inherited.
    public var environment: [String: String]
    /// Where it starts; nil: where the tests run.
    public var workingDirectory: URL?
    /// What it can read from standard input, then the end; nil: `/dev/null` (a terminal that says nothing).
    public var stdin: Data?
    /// Whether standard input stays open for `RunningProcess.send`; it then begins with `stdin`.
    public var keepsInputOpen = false
    /// When it is killed, with its group.
    public var timeout: Duration = ProcessRunner.defaultTimeout
    /// Close the reading end of standard output after so many bytes, as `head -c` would.
    public var closeOutputAfter: Int?
    /// The size and streams of a pseudo-terminal; nil: pipes.
    public var terminal: (columns: Int, rows: Int, streams: TerminalStreams)?

    /// Describes a run over pipes.
    public init(
      _ executable: URL, _ arguments: [String] = [], environment: [String: String],
      workingDirectory: URL? = nil, stdin: Data? = nil
    ) {
      self.executable = executable
      self.arguments = arguments
      self.environment = environment
      self.workingDirectory = workingDirectory
      self.stdin = stdin
    }
  }

  /// Runs a program over pipes until it ends or its time is up.
  ///
  /// - Throws: `SupportError` when it cannot be started; a bad exit is a result, not an error.
  public static func run(
    _ executable: URL, _ arguments: [String] = [], environment: [String: String],
    workingDirectory: URL? = nil, stdin: Data? = nil, timeout: Duration = defaultTimeout,
    closeOutputAfter: Int? = nil
  ) async throws -> ProcessResult {
    var launch = Launch(
      executable, arguments, environment: environment, workingDirectory: workingDirectory, stdin: stdin)
    launch.timeout = timeout
    launch.closeOutputAfter = closeOutputAfter
    return try await start(launch).wait()
  }

  /// Runs a program under a pseudo-terminal of a given size.
  ///
  /// The terminal neither echoes nor rewrites line ends, so the bytes are just what was written.
  /// - Throws: `SupportError` when it cannot be started.
  public static func runInTerminal(
    _ executable: URL, _ arguments: [String] = [], environment: [String: String], columns: Int = 80,
    rows: Int = 24, streams: TerminalStreams = .outputAndError, workingDirectory: URL? = nil,
    stdin: Data? = nil, timeout: Duration = defaultTimeout
  ) async throws -> ProcessResult {
    var launch = Launch(
      executable, arguments, environment: environment, workingDirectory: workingDirectory, stdin: stdin)
    launch.timeout = timeout
    launch.terminal = (columns, rows, streams)
    return try await start(launch).wait()
  }

  /// Starts a program and returns at once.
  ///
  /// - Throws: `SupportError` when it cannot be started.
  public static func start(_ launch: Launch) throws -> RunningProcess {
    try RunningProcess(launch)
  }
}

/// The built `forage` program: `FORAGE_BINARY`, or the one beside the running tests.
///
/// - Throws: `SupportError` when there is none.
public var forageBinary: URL {
  get throws {
    if let given = ProcessInfo.processInfo.environment["FORAGE_BINARY"], !given.isEmpty {
      return URL(fileURLWithPath: given)
    }
    return try builtProgram("forage", hint: "build the package first, or name the program in FORAGE_BINARY")
  }
}

/// The built `forage-bench` program: the one beside the running tests.
///
/// - Throws: `SupportError` when there is none.
public var benchBinary: URL {
  get throws { try builtProgram("forage-bench", hint: "build the package first") }
}

/// The built `forage-verify-inspect` program: the one beside the running tests.
///
/// - Throws: `SupportError` when there is none.
public var verifyInspectBinary: URL {
  get throws { try builtProgram("forage-verify-inspect", hint: "build the package first") }
}

/// The built `forage-verify-code` program: the one beside the running tests.
///
/// - Throws: `SupportError` when there is none.
public var verifyCodeBinary: URL {
  get throws { try builtProgram("forage-verify-code", hint: "build the package first") }
}

/// The built `forage-relevance` program: the one beside the running tests.
///
/// - Throws: `SupportError` when there is none.
public var relevanceBinary: URL {
  get throws { try builtProgram("forage-relevance", hint: "build the package first") }
}

/// The built plugin of the guide to adding providers: the one beside the running tests.
///
/// - Throws: `SupportError` when there is none.
public var guidePluginBinary: URL {
  get throws { try builtProgram("forage-guide-plugin", hint: "build the package first") }
}

func builtProgram(_ name: String, hint: String) throws -> URL {
  var starts = [Bundle.main.executableURL, Bundle.main.bundleURL].compactMap { $0 }
  starts += CommandLine.arguments.prefix(1).map { URL(fileURLWithPath: $0) }
  #if os(Linux)
    starts += [URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()]
  #endif
  // The tests' arguments name the bundle on macOS (`xctest …/foragePackageTests.xctest`).
  starts += CommandLine.arguments.filter { $0.hasSuffix(".xctest") }.map { URL(fileURLWithPath: $0) }
  var candidates: [String] = []
  for start in starts {
    var parent = start.deletingLastPathComponent().path
    // Bundle, Contents, MacOS and the products folder: no layout is deeper.
    for _ in 0..<5 where parent != "/" {
      candidates.append(parent + "/" + name)
      parent = URL(fileURLWithPath: parent).deletingLastPathComponent().path
    }
  }
  for candidate in candidates {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue,
      FileManager.default.isExecutableFile(atPath: candidate)
    {
      return URL(fileURLWithPath: candidate)
    }
  }
  throw SupportError(
    code: .missing, message: "the \(name) program was not found beside the tests", hint: hint)
}
