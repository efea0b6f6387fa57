public import ForageCore

/// A program that provides results to Forage: a search provider with a version.
///
/// ```swift
/// @main struct Acme: ForagePlugin {
///   static let version = "1.0.0"
///   let descriptor = ProviderDescriptor(
///     id: "acme", name: "Acme", kinds: [.repo: .init(qualifiers: [:], fields: [.description, .stars])])
///
///   init(_ settings: PluginSettings) {}
///
///   func search(_ request: SearchRequest) async throws -> SearchPage {
///     SearchPage(items: [])
///   }
/// }
/// ```
///
/// What `search`, `feed` and `details` must keep to is told by `SearchProvider`. A program with several providers runs a `PluginServer`.
public protocol ForagePlugin: SearchProvider {
  /// The version of the plugin, as its `plugin.json` has it.
  static var version: String { get }

  /// Creates the provider, once, when the host has told the settings.
  ///
  /// - Throws: `SearchError`, of the code `configuration` where a setting is wrong; the host shows its message.
  init(_ settings: PluginSettings) throws
}

extension ForagePlugin {
  /// Answers the host until it closes standard input.
  ///
  /// On the main actor, because the compiler takes no other inherited function of this kind for the beginning of a program than one that
  /// says where it runs.
  @MainActor
  public static func main() async {
    await PluginServer(version: version) { settings in [try Self(settings)] }.run()
  }
}
