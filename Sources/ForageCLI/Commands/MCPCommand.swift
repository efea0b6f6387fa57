import ArgumentParser
import Forage
import ForageCore
import ForageMCP
import ForagePlatform

/// `forage mcp`: serves coding agents over standard input and output.
struct MCPCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "mcp", _superCommandName: ForageCommand.name,
    abstract: "Serve coding agents over the Model Context Protocol.",
    discussion: """
      Reads and writes one JSON message a line. Tools: \(MCPServer.toolNames.reading.joined(separator: ", ")), and \
      with --allow-write \(MCPServer.toolNames.writing.joined(separator: ", ")). The end of input ends the server.

      Example: forage mcp --print-config claude

      Add the settings to this file of the host:
      \(files)
      """)

  /// The hosts with their files, one on each line.
  private static let files = HostProgram.allCases.map { host in
    "  " + TextWidth.padded(host.rawValue, to: 6) + "  " + host.settingsFile
  }.joined(separator: "\n")

  @Flag(help: "Offer the tool that stars repositories.")
  var allowWrite = false

  @Option(
    help: ArgumentHelp(
      "Print settings for a host: \(HostProgram.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "host"), completion: .list(HostProgram.allCases.map(\.rawValue)))
  var printConfig: String?

  @OptionGroup var common: CommonOptions

  var readsCatalogue: Bool { false }

  func run(in context: Context) async throws -> ExitStatus {
    if let printConfig {
      let host = try OptionValue.choice(HostProgram.self, printConfig, of: "--print-config")
      let arguments = allowWrite ? ["--allow-write"] : []
      // A host that is started from a desktop has another PATH than a shell.
      let path = ownProgramPath(ForageCommand.name, environment: context.forage.environment)
      try context.output.writeResult(
        host.configuration(command: path ?? ForageCommand.name, arguments: arguments))
      return .success
    }
    let output = context.output
    try WakePipe.shared.open()
    let server = MCPServer(context.forage, allowsWriting: allowWrite) {
      do {
        try output.writeResult(String(decoding: $0, as: UTF8.self) + "\n")
      } catch {
        // Nobody can read an answer any more.
        WakePipe.shared.wake()
      }
    }
    _ = signal(SIGTERM) { WakePipe.shared.write(UInt8(truncatingIfNeeded: $0)) }
    await server.serve(Self.standardInput { [forage = context.forage] in Self.end(forage) })
    return .success
  }

  /// How long the server has to end after its input, and then child processes, in microseconds.
  private static let grace: (server: UInt32, children: UInt32) = (600_000, 250_000)

  /// Ends the process within a second, whatever still runs or waits for the client to read.
  private static func end(_ forage: Forage) {
    usleep(grace.server)
    _ = OwnThreadExecutor.task { await forage.endChildren() }
    usleep(grace.children)
    _exit(ExitStatus.success.rawValue)
  }

  /// The bytes of standard input until its end, SIGTERM or a failure to write, read on a thread of their own.
  ///
  /// - Parameter ended: Called on that thread after the end.
  private static func standardInput(_ ended: @escaping @Sendable () -> Void) -> AsyncStream<[UInt8]> {
    // A pipe holds 64 KiB; a larger buffer would not be filled by one read.
    let size = 64 << 10
    return AsyncStream { continuation in
      OwnThread.start {
        var buffer = [UInt8](repeating: 0, count: size)
        while waitForInput() {
          let count = read(STDIN_FILENO, &buffer, size)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { break }
          continuation.yield(Array(buffer[..<count]))
        }
        continuation.finish()
        ended()
      }
    }
  }

  /// Waits for input.
  ///
  /// - Returns: `false` after SIGTERM, and after a failure to write.
  private static func waitForInput() -> Bool {
    var list = [STDIN_FILENO, WakePipe.shared.reading].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    while poll(&list, 2, -1) < 0, errno == EINTR {}
    return list[1].revents == 0
  }
}
