import ForageCore
import ForagePluginHost
import Foundation
import TestSupport

/// A plugin in a temporary folder, which is removed with the value.
struct PluginFolder {
  /// The id of the plugin and of its provider.
  static let id = "sample"

  /// The words of its command line.
  let command: [String]
  /// The folder that holds its `plugin.json`.
  let directory: TemporaryDirectory

  /// Writes a plugin.
  ///
  /// - Parameters:
  ///   - command: The words of its command line; the program is a path, a file of the folder or in `PATH`.
  ///   - files: Its files with their contents, by name.
  /// - Throws: What writing throws.
  init(command: [String], files: [String: String] = [:]) throws {
    self.command = command
    directory = try TemporaryDirectory(prefix: "forage-bench")
    for (name, contents) in files { try directory.write(name, contents) }
    let description = JSONTree.object([
      "forage": .integer(1), "id": .string(Self.id), "name": .string("Sample"), "version": .string("1"),
      "command": .array(command.map(JSONTree.string)),
      "files": .array(files.keys.sorted().map(JSONTree.string)),
      "kinds": .object(["repo": .object(["text": .string("exact")])]), "concurrency": .integer(4),
    ])
    try directory.write("plugin.json", data: Data(description.encoded()))
  }

  /// Lets a body ask the plugin's provider; the plugin is not running at first, and has ended afterwards.
  ///
  /// - Throws: What the body throws, and `SearchError` where the plugin cannot be opened.
  func withProvider<Result>(_ body: (any SearchProvider) async throws -> Result) async throws -> Result {
    // A plugin that holds many items makes them before it greets.
    let host = PluginHost(
      version: "1", environment: ProcessInfo.processInfo.environment,
      handshake: .seconds(60))
    do {
      let plugin = try FoundPlugin(at: directory.path)
      guard let provider = host.providers(of: plugin).first else {
        throw BenchError("the plugin has no provider")
      }
      let result = try await body(provider)
      _ = await host.endingFaults(of: plugin.id)
      return result
    } catch {
      await host.close()
      throw error
    }
  }
}
