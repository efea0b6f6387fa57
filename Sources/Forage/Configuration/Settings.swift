package import ForageCore
import ForageFoundation
import ForageLocal
import ForageManifest
import ForagePlatform
import ForageYAML

/// The user's settings, from `config.yaml`, and which providers the commands `enable` and `disable` have
/// switched.
package struct Settings: Sendable {
  /// A section of the file.
  package enum Section: Sendable, Hashable {
    case clones
    case provider(String)
  }

  /// Something that is not understood.
  package struct Problem: Sendable {
    /// The section that is not used; `nil` where only the one value is not used.
    package var section: Section?
    /// The file and the line, for example `config.yaml:4`.
    package var place = ""
    /// The error, with file and line.
    package var error: ForageError
  }

  package struct Provider: Sendable, Hashable {
    package var isEnabled: Bool?
    package var weight: Double?
    package var timeout: Duration?
    /// The type of a provider that is not built in.
    package var type: String?
    /// The address of its server.
    package var address: String?
    /// The variable that holds its token.
    package var tokenVariable: String?
    /// The settings of a plugin or a manifest, by name.
    package var config: [String: JSONTree] = [:]
    /// How long a plugin may take from its start to its answer to `initialize`; `nil` for the usual limit.
    package var start: Duration?
    /// The variables that hold the secrets of a plugin or a manifest, by the name of the secret.
    package var secrets: [String: String] = [:]
    /// The variables of secrets of which there are several, for the repositories of some accounts each.
    package var ownedSecrets: [String: [OwnedVariable]] = [:]

    /// The variable of a secret for what is requested now; `nil` without one.
    func variable(of secret: String) -> String? {
      ownedSecrets[secret].map(\.current) ?? secrets[secret]
    }
  }

  /// The section `clones`: where and how `forage clone` clones, which accounts `forage clones sync` follows,
  /// and what is ignored.
  package struct Clones: Sendable, Hashable {
    /// The URLs that repositories are cloned from.
    package enum TransferProtocol: String, CaseIterable, Sendable {
      case https, ssh
    }

    /// The repositories of an account of which `forage clones sync` keeps clones.
    package struct Sync: Sendable, Hashable {
      /// The account, as for `forage clone --owner`.
      package var owner: String
      /// The id of the provider whose forge has it; `nil` where the owner says it.
      package var provider: String?
      /// Whether forks are among them, and what is archived.
      package var (forks, archived) = (false, false)
      /// Only repositories with any of these topics; none for all.
      package var topics: [String] = []
      /// The patterns of names that are left out.
      package var exclude: [String] = []

      package init(owner: String) { self.owner = owner }
    }

    /// The folder below which clones are placed: an absolute path, or one that begins with `~/`.
    package var root = "~/src"
    package var transferProtocol = TransferProtocol.https
    /// The paths and patterns of what is left out of every search and list.
    package var ignored: [String] = []
    /// The file and the line of `ignored`.
    package var ignoredPlace = ""
    /// The accounts of whose repositories clones are kept.
    package var sync: [Sync] = []
  }

  /// The settings that are not understood.
  package var problems: [Problem] = []
  /// By provider id. Of a provider whose settings are not understood it has only whether it is enabled, and
  /// its type.
  package var providers: [String: Provider] = [:]
  package var clones = Clones()
  /// The saved searches, in the order of the file.
  package var searches: [SavedSearch] = []
  /// The actions of the user, in the order of the file.
  package var actions: [ResultAction] = []
  /// The size in bytes above which files are not searched for code.
  package var maximumFileSize = CodeSettings.defaultMaximumFileSize
  /// The columns from one tab stop to the next, where files are shown on a terminal.
  package var tabWidth = Self.standardTabWidth
  /// Whether lists on a terminal show the numbers of their results.
  package var showsNumbers = true
  /// The ids of those that are not built in, in the order of the file.
  package var added: [String] = []
  /// The ids of the file that no provider has, of a removed plugin for example. `doctor` and `providers`
  /// report them; no other command depends on them.
  package var absent: [(id: String, place: String)] = []
  /// The one host of each variable with a token, with its port where that is not the default; empty for no
  /// host.
  package var tokenHosts: [String: String] = [:]
  /// The variables that the file names for tokens and other secrets.
  package var secretVariables: Set<String> = []
  /// The file and the line that say whether a provider is enabled, by provider id.
  package var enabledPlaces: [String: String] = [:]

  /// The columns from one tab stop to the next without a setting.
  package static let standardTabWidth = 4

  package init() {}

  package func entry(of id: String) -> Provider { providers[id] ?? Provider() }

  package func preferences(of id: String) -> ProviderPreferences {
    ProviderPreferences(weight: providers[id]?.weight ?? 1, timeout: providers[id]?.timeout)
  }

  /// The error of settings for a provider that does not exist.
  package static func problem(ofAbsent entry: (id: String, place: String)) -> ForageError {
    ForageError("\(entry.place): there is no provider \"\(entry.id)\"", .installProvider)
  }

  /// The providers whose settings are not understood, in the order of the file, each with its first problem.
  package var brokenProviders: [(id: String, error: SearchError)] {
    var broken: [(id: String, error: SearchError)] = []
    for problem in problems {
      guard case .provider(let id)? = problem.section, !broken.contains(where: { $0.id == id }) else {
        continue
      }
      let message = "not used, because its settings are wrong: \(problem.place)"
      broken.append((id, SearchError(.configuration, message, hint: problem.error.hint)))
    }
    return broken
  }

  /// Why a provider cannot be used; `nil` if its settings are understood.
  package func problem(of id: String) -> SearchError? { brokenProviders.first { $0.id == id }?.error }

  /// Checks a section that is needed.
  ///
  /// - Throws: `ForageError` with file and line for anything in it that is not understood.
  package func check(_ section: Section) throws(ForageError) {
    if let problem = problems.first(where: { $0.section == section }) { throw problem.error }
  }

  /// Reads the file; without a file every setting has its default. What is not understood is among the
  /// problems.
  ///
  /// - Parameters:
  ///   - types: The types of providers; the built-in provider of each has its name.
  ///   - installed: The ids of the plugins and manifests; called only when the file names a provider that is
  ///     not built in.
  /// - Throws: `ForageError` for a file that cannot be read, or is not YAML.
  package static func read(
    _ path: String, types: [ProviderType], installed: @escaping () -> InstalledIDs = { InstalledIDs() }
  ) throws(ForageError) -> Settings {
    var settings = Settings()
    let bytes = try SettingsBytes.read(path)
    do throws(YAMLProblem) {
      if let bytes, let root = try StrictYAML.document(bytes) {
        settings = try SettingsReader(path: path, types: types, installed: installed).settings(root)
      }
    } catch {
      throw ForageError(error.text(path: path), hint: error.hint)
    }
    let file = EnabledProviders(beside: path)
    let (enabled, problem) = file.read()
    for (id, flag) in enabled.sorted(by: { $0.key < $1.key }) where settings.providers[id]?.isEnabled == nil {
      let isKnown = settings.providers[id] != nil || types.contains { $0.name == id }
      if isKnown || installed().all.contains(id) {
        settings.providers[id, default: Provider()].isEnabled = flag
      } else {
        settings.absent.append((id, file.path))
      }
    }
    let problems = [
      problem, IgnoredClones(beside: path).read().problem, SavedSearchesFile(beside: path).read().problem,
      misnamed(path),
    ]
    for problem in problems.compactMap(\.self) {
      settings.problems.append(Problem(error: problem))
    }
    return settings
  }

  /// A file beside the settings that has the other ending of YAML, which many programs read.
  private static func misnamed(_ path: String) -> ForageError? {
    let other = String(path.dropLast(4)) + "yml"
    guard path.hasSuffix(".yaml"), let real = realPath(other), real != realPath(path) else { return nil }
    return ForageError("\(other) is not read", hint: "rename it to \(path), or move what it has there")
  }
}

/// The ids of the plugins and manifests of this machine.
package struct InstalledIDs: Sendable {
  /// The ids of manifests, of which there may be further instances with ids of their own.
  package var manifests: [String] = []
  /// Further types of instances of manifests.
  package var types: [String] = []
  /// The ids of the providers of each plugin, by the plugin's id.
  package var plugins: [String: [String]] = [:]

  package init(manifests: [String] = [], types: [String] = [], plugins: [String: [String]] = [:]) {
    (self.manifests, self.types, self.plugins) = (manifests, types, plugins)
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
