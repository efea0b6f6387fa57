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
  static func main() async {
    // A reader that goes away is noticed when writing; Ctrl-C ends with the status that shells use.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGINT) { _ in _exit(130) }
    let environment = ProcessVariables.all
    let context = Context(environment: environment, output: .standard(environment: environment))
    let status = await Entry.run(Array(CommandLine.arguments.dropFirst()), context: context)
    exit(status.rawValue)
  }
}
