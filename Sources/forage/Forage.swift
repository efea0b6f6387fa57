import Dispatch
import ForageCLI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The program.
@main
struct Forage {
  /// How long an interrupted command may take to tell what it has and to end its children.
  private static let interruptGrace: DispatchTimeInterval = .milliseconds(500)

  /// Runs a command on the cooperative threads while this one waits.
  ///
  /// An asynchronous `main` would give the main thread back instead, which costs another thread and the loading of a library.
  nonisolated static func main() {
    Memory.growInLargeSteps()
    // A reader that goes away is noticed when writing.
    signal(SIGPIPE, SIG_IGN)
    let environment = ProcessVariables.all
    let context = Context(environment: environment, output: .standard(environment: environment))
    let arguments = Array(CommandLine.arguments.dropFirst())
    let run = Task(priority: .medium) { @concurrent in await Entry.run(arguments, context: context) }
    let interrupt = cancelOnInterrupt(run)
    Task(priority: .medium) { @concurrent in
      let status = await run.value
      interrupt.cancel()
      exit(run.isCancelled ? ExitStatus.interrupted.rawValue : status.rawValue)
    }
    while true { pause() }
  }

  /// Ctrl-C cancels the command, which then tells what it has; one that does not end soon is ended. Both exit with 130.
  private static func cancelOnInterrupt(_ run: Task<ExitStatus, Never>) -> any DispatchSourceSignal {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
      run.cancel()
      DispatchQueue.global().asyncAfter(deadline: .now() + interruptGrace) { _exit(130) }
    }
    source.resume()
    return source
  }
}
