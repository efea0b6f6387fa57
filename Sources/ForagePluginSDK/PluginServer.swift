import Dispatch
public import ForageCore
import ForagePlatform

/// Serves search providers to a host over standard input and output, using `forage-plugin/1`.
///
/// While it runs, standard output is reserved for the protocol. Anything that other code prints goes to
/// standard error, which the host keeps as the plugin's log, and standard input is empty for other code.
///
/// With the argument `--declare` the program prints instead what its `plugin.json` has to say of the
/// providers. For this they are made with the defaults of the settings in the `plugin.json` of the current
/// folder, or of a folder above the program, and with a word in place of each secret. The values of settings
/// without a default follow in JSON: `--declare '{"url": "https://acme.example"}'`.
public struct PluginServer: Sendable {
  /// Creates the providers; called once, after the host sent the settings.
  public typealias MakeProviders = @Sendable (PluginSettings) async throws -> [any SearchProvider]

  /// The default number of concurrent requests per provider.
  public static let usualConcurrency = 4

  private let version: String
  private let concurrency: Int
  private let makeProviders: MakeProviders

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - version: The plugin's version.
  ///   - concurrency: The number of requests that each provider handles concurrently, at least 1. The host
  ///     reads it in `plugin.json`.
  ///   - makeProviders: Creates the providers. An error is sent to the host.
  public init(
    version: String, concurrency: Int = PluginServer.usualConcurrency, makeProviders: @escaping MakeProviders
  ) {
    self.version = version
    self.concurrency = max(1, concurrency)
    self.makeProviders = makeProviders
  }

  /// Serves requests until the host closes standard input.
  ///
  /// Pending requests then have half a second to finish. After three quarters of a second the process exits
  /// in any case.
  public func run() async {
    guard let streams = SeizedStreams.seize() else {
      print("standard input or output is closed")
      return
    }
    let output = OutputQueue(descriptor: streams.output)
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--declare" { return await declare(arguments.dropFirst().first, to: output) }
    let session = ServerSession(version: version, makeProviders: makeProviders, send: output.send)
    // A dedicated thread, because it blocks in `read`.
    await withCheckedContinuation { continuation in
      OwnThread.start {
        streams.readAll(session.receive)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { _exit(EXIT_SUCCESS) }
        continuation.resume()
      }
    }
    await session.finish(within: Self.grace)
    await output.flush()
  }

  /// Writes the declaration of the providers.
  ///
  /// - Parameter config: The values of settings, in JSON.
  private func declare(_ config: String?, to output: OutputQueue) async {
    guard let given = try? config.map({ try JSONTree(parsing: $0.utf8).object }) ?? [:] else {
      print("--declare takes the values of settings as an object of JSON, and not \(config ?? "")")
      exit(EXIT_FAILURE)
    }
    do {
      let providers = try await makeProviders(DeclaredSettings.find().settings(given))
      var writer = JSONWriter(isPretty: true)
      writer.write(Self.declaration(of: providers, concurrency: concurrency))
      output.send(writer.bytes + [UInt8(ascii: "\n")])
      await output.flush()
    } catch {
      // Standard output leads to standard error here.
      print((error as? SearchError)?.message ?? "\(error)")
      print(
        "set defaults in plugin.json, or give values: \(CommandLine.arguments[0]) --declare '{\"NAME\": \"VALUE\"}'"
      )
      exit(EXIT_FAILURE)
    }
  }

  /// How long pending requests may continue after the end of input, so that input from a file is answered.
  private static let grace = Duration.milliseconds(500)
  /// When the process exits after the end of input in any case, in milliseconds; earlier than the host would
  /// terminate it.
  private static let patience = DispatchTimeInterval.milliseconds(750)
}
