import ArgumentParser
import Forage
import ForageCore
import ForageMCP
import ForagePlatform

/// `forage mcp`: serves coding agents over standard input and output.
struct MCPCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "mcp", _superCommandName: ForageCommand.name,
    abstract: "Serve coding agents (Model Context Protocol) on standard input.",
    discussion: """
      Reads and writes one JSON message a line. Tools: search, search_code, read, inspect, show, clones, and with --allow-write star. \
      The end of input ends the server.

      Example: forage mcp --print-config claude

      The document belongs into this file of the host, beside what is there:
      \(files)
      """)

  /// The hosts with their files, one on each line.
  private static let files = HostProgram.allCases.map { host in
    "  " + TextWidth.padded(host.rawValue, to: 6) + "  " + host.settingsFile
  }.joined(separator: "\n")

  @OptionGroup var common: CommonOptions

  @Flag(help: "Offer the tool that stars repositories.")
  var allowWrite = false

  @Option(
    help: ArgumentHelp(
      "Print settings for a host: \(HostProgram.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "host"), completion: .list(HostProgram.allCases.map(\.rawValue)))
  var printConfig: String?

  func run(in context: Context) async throws -> ExitStatus {
    if let printConfig {
      let host = try OptionValue.choice(HostProgram.self, printConfig, of: "--print-config")
      try context.output.writeResult(host.configuration(command: ForageCommand.name))
      return .success
    }
    let output = context.output
    let server = MCPServer(Forage(services: context.services), allowsWriting: allowWrite) {
      try? output.writeResult(String(decoding: $0, as: UTF8.self) + "\n")
    }
    await server.serve(Self.standardInput())
    return .success
  }

  /// The bytes of standard input, read on a thread of their own.
  private static func standardInput() -> AsyncStream<[UInt8]> {
    // A pipe holds 64 KiB; a larger buffer would not be filled by one read.
    let size = 64 << 10
    return AsyncStream { continuation in
      OwnThread.start {
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
          let count = read(STDIN_FILENO, &buffer, size)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { break }
          continuation.yield(Array(buffer[..<count]))
        }
        continuation.finish()
      }
    }
  }
}
