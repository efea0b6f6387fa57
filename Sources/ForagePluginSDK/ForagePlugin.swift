public import ForageCore

/// A plugin with one search provider.
///
/// ```swift
/// @main struct Acme: ForagePlugin {
///   static let version = "1.0.0"
///   let info = ProviderInfo(id: "acme")
///   let kinds: [ResultKind: Abilities] = [.repo: Abilities(fields: [.description, .stars])]
///
///   init(_ settings: PluginSettings) {}
///
///   func search(_ request: SearchRequest) async throws -> SearchPage {
///     SearchPage(items: [])
///   }
/// }
/// ```
///
/// Its `plugin.json` says the same of its abilities: the built program prints them with the argument
/// `--declare`.
///
/// `SearchProvider` specifies `search`. A plugin that also conforms to `FeedProvider` or `DetailsProvider`
/// serves a feed or details. For a program with several providers, use `PluginServer`.
public protocol ForagePlugin: SearchProvider {
  /// The version of the plugin, equal to the version in its `plugin.json`.
  static var version: String { get }

  /// Creates the provider; called once, after the host sent the settings, or with none for `--declare`.
  ///
  /// - Throws: `SearchError`, with code `configuration` if a setting is invalid. The host shows its message.
  init(_ settings: PluginSettings) throws
}

extension ForagePlugin {
  /// Serves requests until the host closes standard input, or prints the declaration for `plugin.json`, as
  /// `PluginServer` says.
  ///
  /// The function is isolated to the main actor because `@main` requires an inherited `main` with explicit
  /// isolation.
  @MainActor
  public static func main() async {
    await PluginServer(version: version) { settings in [try Self(settings)] }.run()
  }
}

/// The settings that the host passes to a plugin.
public struct PluginSettings: Sendable {
  /// The user's settings, with the defaults of `plugin.json`, by name.
  public var config: [String: JSONTree]
  /// The secrets that `plugin.json` declares and the user configured, by name. They must not be written
  /// anywhere.
  public var secrets: [String: String]

  /// Sends requests through the host.
  public let http = HostHTTP()

  /// Creates settings.
  public init(config: [String: JSONTree] = [:], secrets: [String: String] = [:]) {
    self.config = config
    self.secrets = secrets
  }

  /// The value of a text setting; `nil` if it is absent, empty or not a text.
  public func text(_ name: String) -> String? {
    config[name]?.string.flatMap { $0.isEmpty ? nil : $0 }
  }
}
