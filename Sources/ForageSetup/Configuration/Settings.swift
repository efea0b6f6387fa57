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

    /// A path or a pattern of what is left out of every search and list.
    package struct Ignored: Sendable, Hashable {
      package var text: String
      /// The file that has it, of the settings with the line.
      package var place: String

      package init(text: String, place: String) { (self.text, self.place) = (text, place) }
    }

    /// The folder below which clones are placed: an absolute path, or one that begins with `~/`.
    package var root = "~/src"
    package var transferProtocol = TransferProtocol.https
    package var ignored: [Ignored] = []
    /// What clones are kept of.
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

extension Settings {
  /// A setting: its key, how its value is read, and what the manual says of it. The value is a member of the
  /// settings, or of those of a provider, which has the default.
  struct Setting<Root>: Sendable {
    let name: String
    /// An example, and below it what it means; `nil` where another setting says it.
    let manual: String?
    /// Reads the value and returns how it is set; `nil` where none is understood.
    let read: @Sendable (YAMLPart<SettingsReader>) -> ((inout Root) -> Void)?

    init<Value>(
      _ name: String, _ member: any WritableKeyPath<Root, Value> & Sendable, _ manual: String? = nil,
      _ read: @escaping @Sendable (YAMLPart<SettingsReader>, _ name: String) -> Value?
    ) {
      (self.name, self.manual) = (name, manual)
      self.read = { part in read(part, name).map { value in { $0[keyPath: member] = value } } }
    }
  }

  /// The settings of the file but for those of providers, in the order of the manual: those in a mapping of
  /// the file, with the name of that, and those that stand by themselves. What is wrong in them is a problem
  /// of the part.
  static let sections: [(name: String?, part: Section?, settings: [Setting<Settings>])] = [
    (
      "clones", .clones,
      [
        Setting(
          "root", \.clones.root,
          """
          clones: {root: ~/src, protocol: https}
            The folder of forage clone, and the protocol, https or ssh, of the URLs that it makes.
          """
        ) { part, name in part[name].flatMap { part.reader.root($0) } },
        Setting("protocol", \.clones.transferProtocol) { $0.word($1, Clones.TransferProtocol.self) },
        Setting(
          "sync", \.clones.sync,
          """
          clones: {sync: [{owner: acme, provider: ID, forks: true, archived: true, topics: [go], exclude: ['*-mirror']}]}
            The repositories of accounts of which forage clones sync keeps clones; the owner alone is needed.
          """
        ) { part, name in part[name].map { part.reader.syncs($0) } },
        Setting(
          "ignore", \.clones.ignored,
          """
          clones: {ignore: [~/src/archive, '*-mirror']}
            Folders and patterns that are left out of every search and list (see: forage clones ignore --help).
          """
        ) { part, name in part[name].map { part.reader.ignored($0) } },
      ]
    ),
    (
      "code", nil,
      [
        Setting(
          "maxFileSize", \.maximumFileSize,
          """
          code: {maxFileSize: 16777216}
            The size in bytes above which files of clones are not searched with --kind code.
          """
        ) { $0.whole($1, 1...largestFile) },
        Setting(
          "tabWidth", \.tabWidth,
          """
          code: {tabWidth: 4}
            The columns from one tab stop to the next where lines of files are shown on a terminal.
          """
        ) { $0.whole($1, 1...widestTab) },
      ]
    ),
    (
      nil, nil,
      [
        Setting(
          "searches", \.searches,
          """
          searches: {NAME: {query: TEXT, kind: KIND, sort: KEY, order: asc, providers: [ID], limit: N}}
            A search under a name (see: forage searches --help); those of searches save stand beside it.
          """
        ) { part, name in part[name].map { part.reader.searches($0) } },
        Setting(
          "actions", \.actions,
          """
          actions: [{name: NAME, key: C, title: TEXT, kinds: [pr], run: [PROGRAM, '{number}'], in: clone}]
            A program that runs on results: in browse with its key, and with forage act NAME REF.
          """
        ) { part, name in part[name].map { part.reader.actions($0) } },
        Setting(
          "numbers", \.showsNumbers,
          """
          numbers: false
            Leave out the numbers of results in lists on a terminal.
          """
        ) { $0.flag($1) },
      ]
    ),
  ]

  /// What the manual says of all settings.
  package static var manual: String {
    ([Provider.manual] + sections.flatMap(\.settings).compactMap(\.manual)).joined(separator: "\n")
  }

  /// The largest size of files that are searched (64 MiB): each is read as a whole.
  private static let largestFile = 64 << 20
  /// The widest distance of tab stops, in columns.
  private static let widestTab = 16
}

extension Settings.Provider {
  /// The settings of every provider, but for those that say which one it is.
  static let common: [Settings.Setting<Self>] = [
    .init("weight", \.weight) { $0.number($1, "a number", upTo: maximumWeight) },
    .init("timeout", \.timeout) { $0.seconds($1, upTo: maximumTimeout) },
  ]
  /// Those of plugins.
  static let ofPlugins: [Settings.Setting<Self>] = [
    .init("start", \.start) { $0.seconds($1, upTo: maximumTimeout) }
  ]

  /// The largest weight of a provider: its results already come before those of all others.
  private static let maximumWeight = 1000
  /// The longest time limit of a provider in seconds: an hour, far longer than anybody waits for a search.
  private static let maximumTimeout = 3600

  /// What the manual says of the settings of a provider.
  fileprivate static let manual = """
    providers: {ID: {enabled, weight, timeout}}
      Whether a provider is searched by default, how much its ranks count (default 1), and its time limit in
      seconds.
    providers: {ID: {config: {...}, secrets: {NAME: {env: VARIABLE}}}}
      The settings and secrets of a plugin or a manifest (see: forage providers show ID).
    providers: {ID: {start: 10}}
      How many seconds a plugin may take to start (default 3).
    providers: {ID: {type: github, url: https://HOST/api/v3}}
      A further GitHub. secrets: {token: {env: VARIABLE}} names its token; of a list the first is used whose owners
      fit the account in the query or reference: {token: [{env: A, owners: [acme, 'acme-*']}, {env: B}]}.
    providers: {ID: {type: gitlab, url: https://HOST}}
      A further GitLab; also gitea, forgejo, bitbucket-server, pagure.
    """
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
