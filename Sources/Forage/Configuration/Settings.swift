package import ForageCore
import ForageFoundation
import ForageLocal
import ForageManifest
import ForageYAML
import Yams

/// The user's settings, from `config.yaml`.
package struct Settings: Sendable {
  package struct Provider: Sendable, Hashable {
    package var isEnabled: Bool?
    package var weight: Double?
    package var timeout: Duration?
    /// The type of a provider that is not built in.
    package var type: String?
    /// Where its server is.
    package var address: String?
    /// The variable that holds its token.
    package var tokenVariable: String?
    /// The settings of a plugin or a manifest, by name.
    package var config: [String: JSONTree] = [:]
    /// The variables that hold the secrets of a plugin or a manifest, by the name of the secret.
    package var secrets: [String: String] = [:]
  }

  /// Where and how `forage clone` clones.
  package struct Clones: Sendable, Hashable {
    /// The URLs that repositories are cloned from.
    package enum TransferProtocol: String, CaseIterable, Sendable {
      case https, ssh
    }

    /// The folder below which clones are placed: an absolute path, or one that begins with `~/`.
    package var root = "~/src"
    package var transferProtocol = TransferProtocol.https
  }

  /// By provider id.
  package var providers: [String: Provider] = [:]
  package var clones = Clones()
  /// The size in bytes above which files are not searched for code.
  package var maximumFileSize = CodeSettings.defaultMaximumFileSize
  /// Whether lists on a terminal show the numbers of their results.
  package var showsNumbers = false
  /// The ids of those that are not built in, in the order of the file.
  package var added: [String] = []
  /// The ids of the file that no provider has, of a removed plugin for example. `doctor` and `providers` report them; no other
  /// command depends on them.
  package var absent: [(id: String, place: String)] = []
  /// The one host of each variable with a token, with its port where that is not the default.
  package var tokenHosts: [String: String] = [:]

  package init() {}

  package func entry(of id: String) -> Provider { providers[id] ?? Provider() }

  package func preferences(of id: String) -> ProviderPreferences {
    ProviderPreferences(weight: providers[id]?.weight ?? 1, timeout: providers[id]?.timeout)
  }

  /// What is wrong with settings for a provider that does not exist.
  package static func problem(ofAbsent entry: (id: String, place: String)) -> ForageError {
    ForageError("\(entry.place): there is no provider \"\(entry.id)\"", .installProvider)
  }

  /// The variables that hold a secret of a plugin or a manifest.
  package var secretVariables: Set<String> { Set(providers.values.flatMap(\.secrets.values)) }

  /// Reads the file; without a file every setting has its default.
  ///
  /// - Parameters:
  ///   - types: The types of providers; the built-in provider of each has its name.
  ///   - installed: The ids of the plugins and manifests; called only when the file names a provider that is not built in.
  /// - Throws: `ForageError` with file and line for anything that is not understood.
  package static func read(
    _ path: String, types: [ProviderType], installed: () -> InstalledIDs = { InstalledIDs() }
  ) throws -> Settings {
    try parse(text(path), path: path, types: types, installed: installed)
  }

  /// The text of the file; empty without a file.
  static func text(_ path: String) throws -> String {
    guard FileManager.default.fileExists(atPath: path) else { return "" }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw ForageError("the settings \(path) cannot be read", hint: "check the permissions of the file")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw ForageError("the settings \(path) are not UTF-8 text", hint: "save the file as UTF-8")
    }
    return text
  }

  /// Reads the text of a file.
  ///
  /// - Parameters: As for `read`; the path is for messages.
  package static func parse(
    _ text: String, path: String, types: [ProviderType], installed: () -> InstalledIDs
  ) throws -> Settings {
    guard !text.isEmpty else { return Settings() }
    do {
      guard let root = try Yams.compose(yaml: text) else { return Settings() }
      return try withoutActuallyEscaping(installed) { installed in
        var reader = SettingsReader(path: path, types: types, installed: installed)
        try reader.read(root)
        return reader.settings
      }
    } catch {
      let problem = error as? YAMLProblem ?? StrictYAML.problem(error, in: text)
      throw ForageError(problem.text(path: path), hint: problem.hint)
    }
  }
}

/// The ids of the plugins and manifests of this machine.
package struct InstalledIDs: Sendable {
  /// The ids of manifests, of which there may be further instances with ids of their own.
  package var manifests: [String] = []
  /// The ids of the providers of each plugin, by the plugin's id.
  package var plugins: [String: [String]] = [:]

  package init(manifests: [String] = [], plugins: [String: [String]] = [:]) {
    (self.manifests, self.plugins) = (manifests, plugins)
  }

  /// Every id that settings can be for, each once.
  package var all: [String] {
    manifests + Set(plugins.keys).union(plugins.values.joined()).subtracting(manifests).sorted()
  }

  package var providers: [String] { manifests + Set(plugins.values.joined()).subtracting(manifests).sorted() }

  /// The plugin with a provider of another id than its own; `nil` for any other id.
  package func plugin(ofProvider id: String) -> String? {
    plugins[id] == nil ? plugins.keys.sorted().first { plugins[$0]?.contains(id) == true } : nil
  }
}
