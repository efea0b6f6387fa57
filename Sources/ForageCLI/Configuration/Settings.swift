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
  }

  /// By provider id.
  var providers: [String: Provider] = [:]
  /// The ids of those that are not built in, in the order of the file.
  var added: [String] = []
  /// For each variable with a token, the one host that it is for, with its port where that is not the default.
  var tokenHosts: [String: String] = [:]

  /// Reads the file; without one everything is as by default.
  ///
  /// - Parameter types: The types of providers that there are; the built-in one of each may be configured by its name.
  /// - Throws: `CommandError` with file and line for anything that is not understood.
  static func read(_ path: String, types: [ProviderType]) throws -> Settings {
    guard FileManager.default.fileExists(atPath: path) else { return Settings() }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandError("the settings \(path) cannot be read", hint: "check the permissions of the file")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw CommandError("the settings \(path) are not UTF-8 text", hint: "save the file as UTF-8")
    }
    do {
      guard let root = try Yams.compose(yaml: text) else { return Settings() }
      var reader = SettingsReader(path: path, types: types)
      try reader.read(root)
      return reader.settings
    } catch let error as YamlError {
      throw CommandError(
        "the settings \(path) are not valid YAML: \(error)", hint: "mend the file, or move it away")
    }
  }
}
