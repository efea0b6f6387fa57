import ArgumentParser
import Forage
import ForageCore
import ForageManifest
import ForagePluginHost

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PluginCommand {
  /// `forage plugin remove`.
  struct Remove: PlainCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove an installed plugin or manifest, and its trust.", aliases: ["rm"])

    @OptionGroup var common: CommonOptions
    @Argument(
      help: ArgumentHelp("The id of a plugin or manifest.", valueName: "id"), completion: Completion.plugin)
    var id: String

    func run(in context: Context) async throws -> ExitStatus {
      let installed = context.services.installed()
      let ids = installed.plugins[id]?.providerIDs ?? [id]
      if let plugin = installed.plugins[id], plugin.origin == .user {
        try delete(plugin.folder)
        try installed.trust.revoke(id)
      } else if let found = installed.manifest(id), !found.isBundled {
        try delete(found.manifest.path)
        try installed.trust.revoke(id)
      } else if let folder = installed.brokenFolder(id) {
        try delete(folder)
        try installed.trust.revoke(id)
      } else if try !installed.trust.revoke(id) {
        // The files may have been deleted by hand, and a later plugin with this id must not inherit the trust.
        let shared = installed.plugins[id]?.folder ?? installed.manifest(id)?.manifest.path
        throw shared.map { Self.systemPluginError(id, $0) } ?? installed.noPlugin(id)
      }
      context.output.message("\(id) is removed")
      let path = context.services.directories.configFile
      let editor = SettingsEditor(path: path) { text in
        try Settings.parse(text, path: path, types: Services.types) { InstalledIDs() }
      }
      for id in ids where FileManager.default.fileExists(atPath: path) {
        if try editor.removeFlag(of: id) {
          context.output.message("the line of \(id) is removed from \(path)")
        }
      }
      return .success
    }

    private func delete(_ path: String) throws {
      do { try FileManager.default.removeItem(atPath: path) } catch {
        throw ForageError(
          "\(path) could not be deleted", hint: "check its permissions, or delete it yourself")
      }
    }

    private static func systemPluginError(_ id: String, _ path: String) -> ForageError {
      ForageError(
        "\(id) is installed for all users, in \(path)",
        hint: "disable it for yourself with: forage providers disable \(id)")
    }
  }
}
