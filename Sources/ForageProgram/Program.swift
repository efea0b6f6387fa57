import CForageBuild
import Forage
import ForageCLI
import ForagePlatform
import Synchronization

/// The program.
@main
struct Program {
  /// How long an interrupted command may take to tell what it has and to end its children, in microseconds.
  private static let interruptGrace: UInt32 = 500_000

  /// Whether Ctrl-C was pressed.
  private static let isInterrupted = Atomic(false)

  /// Runs a command on other threads while this one waits for Ctrl-C.
  ///
  /// An asynchronous `main` would give the main thread back instead, which costs another thread and the
  /// loading of a library; a source of signals would cost one more.
  nonisolated static func main() {
    let arguments = argumentBytes
    let grep = GrepRun(arguments)
    grep?.replaceProcess { name in getenv(name).map { String(cString: $0) } }
    // A standard stream that is closed would be the next file that is opened. Writing to this one fails.
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDONLY)
    }
    // A reader that goes away is noticed when writing.
    signal(SIGPIPE, SIG_IGN)
    // Who started this program may ignore it; then the system would not say how programs that this one starts
    // end.
    signal(SIGCHLD, SIG_DFL)
    let interrupt = heldInterrupt()
    let environment = ForageSetup().environment
    var process = ProcessEnvironment(
      environment: environment, output: .standard(environment: environment))
    let interruption = process.interruption
    process.closesConnections = false
    process.becomeRipgrep = { program, options, paths, sizes in
      let marked = environment.merging([RipgrepPath.variable: String(getpid())]) { $1 }
      if let sizes,
        let runs = ParallelRipgrep(program, options, paths, sizes: sizes, environment: marked)
      {
        // The processes of rg end with this one.
        interruption.waitsForWork()
        let status = runs.run { isInterrupted.load(ordering: .relaxed) }
        _exit(isInterrupted.load(ordering: .relaxed) ? ExitStatus.interrupted.rawValue : status)
      }
      return replaceProcess(program, named: "rg", options + paths, marking: RipgrepPath.variable)
    }
    process.commit = String(cString: forage_build_commit())
    let request =
      if let grep { Entry.Request(grep) } else { Entry.request(Array(CommandLine.arguments.dropFirst())) }
    if !request.isInspection { MallocArenas.useOne() }
    let run = Task { @concurrent [process] in
      let status = await Entry.run(request, in: process)
      // Nothing is left to be put away but what the parser has printed; handlers of libraries would only cost
      // time.
      fflush(nil)
      _exit(Task.isCancelled ? ExitStatus.interrupted.rawValue : status.rawValue)
    }
    // While a pager shows the results, the key is for the pager, and the program ends when that does.
    repeat { wait(for: interrupt) } while interruption.isPaging
    isInterrupted.store(true, ordering: .relaxed)
    // Ctrl-C cancels the command, which then tells what it has; one that does not end soon is ended. Both
    // exit with 130.
    run.cancel()
    usleep(interruptGrace)
    // The command ends the program when its files are removed; a second Ctrl-C ends it at once.
    if interruption.removesFiles { wait(for: interrupt) }
    _exit(ExitStatus.interrupted.rawValue)
  }

  /// The arguments without the program's own name, as they were given: they need not be UTF-8. Under the name
  /// of rg it is `grep`.
  private static var argumentBytes: [[UInt8]] {
    let isRipgrep = CommandLine.unsafeArgv[0].map { String(cString: $0) }?.split(separator: "/").last == "rg"
    return (isRipgrep ? [Array("grep".utf8)] : [])
      + (1..<max(1, Int(CommandLine.argc))).compactMap { number in
        CommandLine.unsafeArgv[number].map {
          Array(UnsafeBufferPointer(start: $0, count: strlen($0))).map(UInt8.init(bitPattern:))
        }
      }
  }

  /// Holds Ctrl-C back in this thread and in every one that it starts, so that it can be waited for.
  private static func heldInterrupt() -> sigset_t {
    var interrupt = sigset_t()
    sigemptyset(&interrupt)
    sigaddset(&interrupt, SIGINT)
    pthread_sigmask(SIG_BLOCK, &interrupt, nil)
    return interrupt
  }

  private static func wait(for interrupt: sigset_t) {
    var interrupt = interrupt
    var signal: Int32 = 0
    while sigwait(&interrupt, &signal) != 0 || signal != SIGINT {}
  }
}

/// The heaps of glibc's `malloc`.
enum MallocArenas {
  /// Lets all threads share one heap.
  ///
  /// glibc gives each of a dozen threads a heap of its own, which keeps what the thread frees. An answer of
  /// 3.7 MB with 90,000 odd items takes 82 MB then and 54 MB with one heap, and no longer. An inspection of a
  /// large history would take 1.1 times as long with one heap, for which its two threads would wait, and no
  /// less memory. To be called before there are other threads.
  static func useOne() {
    #if canImport(Glibc)
      // `M_ARENA_MAX` of glibc's malloc.h, which the platform's module leaves out, as it does `mallopt`.
      let arenaMaximum: Int32 = -8
      typealias Mallopt = @convention(c) (Int32, Int32) -> Int32
      guard let symbol = dlsym(nil, "mallopt") else { return }
      _ = unsafeBitCast(symbol, to: Mallopt.self)(arenaMaximum, 1)
    #endif
  }
}
