import ForageCore
import Yams

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The user's settings, from `config.yaml`.
struct Settings: Sendable {
  /// What is set for one provider.
  struct Provider: Sendable, Hashable {
    var isEnabled: Bool?
    var weight: Double?
    var timeout: Duration?
    /// The type of a provider that is not built in.
    var type: String?
    /// Where its server is.
    var address: String?
    /// The variable that holds its token.
    var tokenVariable: String?
    /// What a plugin or a manifest is told, by name.
    var config: [String: JSONTree] = [:]
    /// The variables that hold the secrets of a plugin or a manifest, by the name of the secret.
    var secrets: [String: String] = [:]
  }

  /// Where and how `forage clone` clones.
  struct Clones: Sendable, Hashable {
    /// The URLs that repositories are cloned from.
    enum TransferProtocol: String, CaseIterable, Sendable {
      case https, ssh
    }

    /// The folder below which clones are placed: an absolute path, or one that begins with `~/`.
    var root = "~/src"
    var transferProtocol = TransferProtocol.https
  }

  /// By provider id.
  var providers: [String: Provider] = [:]
  /// What is set for `forage clone`.
  var clones = Clones()
  /// Whether lists on a terminal show the numbers of their results.
  var showsNumbers = false
  /// The time limit of the command line. A default limit of a provider is not smaller than this.
  var commandTimeout: Duration?
  /// The ids of those that are not built in, in the order of the file.
  var added: [String] = []
  /// What the file speaks of that is not there, a plugin that was removed for example: no reason to do nothing at all.
  var absent: [(id: String, place: String)] = []
  /// For each variable with a token, the one host that it is for, with its port where that is not the default.
  var tokenHosts: [String: String] = [:]

  /// The variables that hold a secret of a plugin or a manifest.
  var secretVariables: Set<String> { Set(providers.values.flatMap(\.secrets.values)) }

  /// Reads the file; without one everything is as by default.
  ///
  /// - Parameters:
  ///   - types: The types of providers that there are; the built-in one of each may be configured by its name.
  ///   - installed: The ids of the plugins and manifests that there are; asked only when the file names something else than the built-in ones.
  /// - Throws: `CommandError` with file and line for anything that is not understood.
  static func read(_ path: String, types: [ProviderType], installed: () -> InstalledIDs = { InstalledIDs() })
    throws
    -> Settings
  {
    guard FileManager.default.fileExists(atPath: path) else { return Settings() }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandError("the settings \(path) cannot be read", hint: "check the permissions of the file")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw CommandError("the settings \(path) are not UTF-8 text", hint: "save the file as UTF-8")
    }
    return try parse(text, path: path, types: types, installed: installed)
  }

  /// Reads the text of a file.
  ///
  /// - Parameters: As for `read`; the path is for messages.
  static func parse(_ text: String, path: String, types: [ProviderType], installed: () -> InstalledIDs) throws
    -> Settings
  {
    do {
      guard let root = try Yams.compose(yaml: text) else { return Settings() }
      return try withoutActuallyEscaping(installed) { installed in
        var reader = SettingsReader(path: path, types: types, installed: installed)
        try reader.read(root)
        return reader.settings
      }
    } catch let error as YamlError {
      throw CommandError(
        "the settings \(path) are not valid YAML: \(error)", hint: "mend the file, or move it away")
    }
  }
}

/// The ids of the providers that are not built in.
struct InstalledIDs: Sendable {
  /// Those of manifests, of which there may be further instances with ids of their own.
  var manifests: [String] = []
  /// Those of plugins.
  var plugins: [String] = []

  var all: [String] { manifests + plugins }
}
