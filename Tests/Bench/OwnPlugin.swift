import ForageCore
import ForagePluginSDK
import ForageTesting
import Foundation

/// This program as a plugin with one provider of invented results.
enum OwnPlugin {
  /// What the provider does with what it holds.
  enum Provider: String {
    /// It evaluates the query.
    case filtering
    /// It delivers everything, whatever the query, so that it costs next to nothing itself.
    case slicing
  }

  /// The option that makes this program a plugin, before the name of the provider and the number of results.
  static let option = "--plugin-sample"

  /// Makes the provider, the same in every process.
  static func provider(_ provider: Provider, count: Int) -> any SearchProvider {
    let items = (0..<count).map(Sample.repository)
    return switch provider {
    case .filtering: InMemoryProvider(id: PluginFolder.id, items: items)
    case .slicing:
      PagedProvider(id: PluginFolder.id, group: PluginFolder.id, items: items, pageSize: 200, sorts: [])
    }
  }

  /// Answers the host until it closes standard input.
  static func serve(_ provider: Provider, count: Int) async {
    await PluginServer(version: "1") { _ in [Self.provider(provider, count: count)] }.run()
  }

  /// Writes a plugin that runs this program.
  ///
  /// - Throws: What writing throws.
  static func folder(_ provider: Provider, count: Int) throws -> PluginFolder {
    let program = URL(fileURLWithPath: Bench.program).path
    return try PluginFolder(command: [program, option, provider.rawValue, String(count)])
  }
}
