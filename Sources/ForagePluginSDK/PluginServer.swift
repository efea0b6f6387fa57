import Dispatch
public import ForageCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Serves search providers to a host over standard input and output, as `forage-plugin/1`.
///
/// Once it runs, standard output belongs to the protocol: what other code prints goes to standard error, which the host keeps as the
/// plugin's log, and standard input is empty for it.
public struct PluginServer: Sendable {
  /// Makes the providers when the host has told the settings; called once.
  public typealias MakeProviders = @Sendable (PluginSettings) async throws -> [any SearchProvider]

  /// How many requests one provider is told to be asked at the same time: searches mostly wait for other machines.
  public static let usualConcurrency = 4

  private let name: String?
  private let version: String
  private let concurrency: Int
  private let makeProviders: MakeProviders

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - name: The plugin's name, `nil` for the id of its first provider.
  ///   - version: The plugin's version.
  ///   - concurrency: How many requests each provider answers at the same time, at least 1.
  ///   - makeProviders: Makes the providers; what it throws is told to the host.
  public init(
    name: String? = nil, version: String, concurrency: Int = PluginServer.usualConcurrency,
    makeProviders: @escaping MakeProviders
  ) {
    self.name = name
    self.version = version
    self.concurrency = max(1, concurrency)
    self.makeProviders = makeProviders
  }

  /// Answers the host until it closes standard input.
  ///
  /// What is being answered then has half a second to end; after three quarters of a second the process ends whatever still runs.
  public func run() async {
    guard let streams = SeizedStreams.seize() else {
      print("standard input and output cannot be used")
      return
    }
    let output = OutputQueue(descriptor: streams.output)
    let session = ServerSession(
      name: name, version: version, concurrency: concurrency, makeProviders: makeProviders,
      send: output.send)
    // A thread of its own: it waits in `read` most of the time.
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "forage.plugin.input").async {
        streams.readAll(session.receive)
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { _exit(EXIT_SUCCESS) }
        continuation.resume()
      }
    }
    await session.finish(within: Self.grace)
    await output.flush()
  }

  /// How long requests may go on after the end of input, so that the answers to a file of requests are not lost.
  private static let grace = Duration.milliseconds(500)
  /// When a plugin ends that does not end by itself, in milliseconds: well before the host would end it by force.
  private static let patience = DispatchTimeInterval.milliseconds(750)
}
