package import ForageCore
import ForageGit
package import ForageManifest
package import ForagePluginHost
import ForageYAML

/// The plugins and manifests of this machine; none is started here.
package struct InstalledProviders: Sendable {
  /// The folders that are searched for plugins.
  package let searchPath: PluginSearchPath
  package let plugins: PluginDiscovery
  package let manifests: ManifestDiscovery
  package let trust: PluginTrust

  /// Finds them.
  ///
  /// - Parameter onlyOwn: Whether only the user's own are found, which saves a search the reading of all
  ///   bundled ones.
  package init(environment: [String: String], paths: Paths, onlyOwn: Bool) {
    var searchPath = PluginSearchPath(environment: environment)
    let installation = searchPath.entries.first { $0.origin == .installation }?.folder
    let prefix = installation.flatMap {
      $0.hasSuffix(Self.pluginsFolder) ? $0.dropLast(Self.pluginsFolder.count) : nil
    }
    let bundled = [
      prefix.map { $0 + Self.manifestsFolder }, searchPath.checkout.map { $0 + "/Plugins/manifests" },
    ]
    // Those of the machine are beside its plugins.
    let shared = searchPath.entries.filter { $0.origin == .machine }.map {
      FileAccess.parent(of: $0.folder) + "/providers"
    }
    if onlyOwn { searchPath.entries.removeAll { $0.origin != .user } }
    self.searchPath = searchPath
    plugins = PluginDiscovery(searchPath)
    manifests = ManifestDiscovery.find(
      configHome: paths.configHome, bundled: onlyOwn ? [] : bundled.compactMap(\.self) + shared)
    trust = PluginTrust(path: searchPath.trustFile)
  }

  /// The folders of bundled plugins and manifests, below the installation's prefix.
  private static let pluginsFolder = "/libexec/forage/plugins"
  private static let manifestsFolder = "/share/forage/providers"

  /// The folders in which the program's other files may be: the installation's prefix, and for a program that
  /// was built in a checkout the folders above it.
  package var prefixes: [String] {
    let plugins = searchPath.entries.first { $0.origin == .installation }?.folder ?? ""
    let parts = plugins.split(separator: "/").dropLast(3)
    return (0...2).map { parts.dropLast($0).map { "/" + $0 }.joined() }
  }

  /// The folder of the package with the SDK for plugins in Swift; `nil` where it is not installed.
  package var sdkFolder: String? {
    ([prefixes[0] + "/share/forage/sdk"] + prefixes.dropFirst()).first(where: Self.hasSDK)
  }

  /// Whether a folder is that of a package with the SDK.
  package static func hasSDK(_ folder: String) -> Bool {
    ["/Package.swift", "/Sources/ForagePluginSDK"].allSatisfy { FileAccess.entry(folder + $0) != nil }
  }

  /// The manifest with an id, or for a type of settings.
  package func manifest(_ id: String) -> ManifestDiscovery.Found? {
    if let found = manifests.found.first(where: { $0.manifest.id == id }) { return found }
    guard var found = manifests.found.first(where: { $0.manifest.aliases[id] != nil }) else { return nil }
    found.manifest.name = found.manifest.aliases[id] ?? found.manifest.name
    return found
  }

  /// The folder in which bundled manifests were looked for, if there are none: the installation is
  /// incomplete.
  package var missingBundle: String? {
    let isThere =
      manifests.found.contains { $0.isBundled || $0.hidden != nil }
      || manifests.broken.contains(where: \.isBundled)
    guard !isThere, !manifests.bundledFolders.isEmpty else { return nil }
    return "no bundled manifests were found in \(manifests.bundledFolders.joined(separator: ", "))"
  }

  /// Why a plugin may not run; `nil` when it may.
  package func problem(of plugin: FoundPlugin) -> SearchError? {
    do throws(SearchError) { return try trust.state(of: plugin).problem(of: plugin) } catch { return error }
  }

  /// The ids that settings can be for.
  package var ids: InstalledIDs {
    InstalledIDs(
      manifests: manifests.found.map(\.manifest.id),
      types: manifests.found.flatMap(\.manifest.aliases.keys).sorted(),
      plugins: Dictionary(
        plugins.plugins.map { ($0.id, $0.manifest.providerIDs) }, uniquingKeysWith: { first, _ in first }))
  }

  /// The plugin or manifest that has a provider; `nil` for a built-in one.
  package func source(of id: String) -> ProviderSource? {
    plugins.plugins.first { $0.manifest.providerIDs.contains(id) }.map(ProviderSource.plugin)
      ?? manifest(id).map(ProviderSource.manifest)
  }

  /// Whether a plugin or manifest is installed that does not have a secret.
  package func lacks(secret: String, of id: String) -> Bool {
    let secrets =
      plugins[id]?.manifest.secrets
      ?? manifest(id).map { found in found.manifest.auth?.names ?? [] }
    return secrets.map { !$0.contains(secret) } ?? false
  }

  /// The folder of a plugin of the user, or the file of a manifest, that cannot be used.
  package func brokenFolder(_ id: String) -> String? {
    broken.first { $0.isOwn && $0.row.id == id }?.row.path
  }

  /// Why plugins or manifests of the user were not found: their folder cannot be read.
  var closedFolder: ForageError? {
    let problem = broken.first { $0.isOwn && isFolder($0.row) }?.row.problem
    return problem.map { ForageError($0.message, hint: $0.hint) }
  }

  /// Whether a problem is that of a folder of plugins or manifests, not of one of them.
  func isFolder(_ row: Row) -> Bool {
    row.type == .plugin
      ? searchPath.entries.contains { $0.folder == row.path } : !ManifestDiscovery.isManifest(row.path)
  }

  /// The error for an unknown id.
  package func noPlugin(_ id: String) -> ForageError {
    if let closedFolder { return closedFolder }
    let known = plugins.plugins.map(\.id) + manifests.found.map(\.manifest.id)
    let message = "there is no plugin \"\(id)\""
    return NearestName.hint(for: id, among: known).map { ForageError(message, hint: $0) }
      ?? ForageError(message, .listPlugins)
  }
}

/// The source of a provider that is not built in.
package enum ProviderSource: Sendable {
  case plugin(FoundPlugin)
  case manifest(ManifestDiscovery.Found)

  /// The name of what it comes from.
  package enum Kind: String, Sendable {
    case plugin, manifest
  }

  package var kind: Kind {
    switch self {
    case .plugin: .plugin
    case .manifest: .manifest
    }
  }

  /// Whether it is part of the installation. Such a provider is used only when it is named or enabled: no
  /// request goes to a server that the user did not choose.
  package var isBundled: Bool {
    switch self {
    case .plugin(let plugin): plugin.origin != .user
    case .manifest(let found): found.isBundled
    }
  }

  /// The names of its settings and secrets, sorted.
  package var settingNames: (config: [String], secrets: [String]) {
    switch self {
    case .plugin(let plugin): (plugin.manifest.config.keys.sorted(), plugin.manifest.secrets.sorted())
    case .manifest(let found):
      (found.manifest.usesBase ? ["url"] : [], found.manifest.auth?.names ?? [])
    }
  }

  /// The file that declares its fields, secrets and hosts.
  package var path: String {
    switch self {
    case .plugin(let plugin): plugin.folder + "/" + PluginManifest.fileName
    case .manifest(let found): found.manifest.path
    }
  }

  /// The secret that Forage adds to requests, and the provider does not get; `nil` for none.
  package var addedSecret: String? {
    switch self {
    case .plugin(let plugin): plugin.manifest.auth?.secret
    case .manifest(let found): found.manifest.auth?.secret
    }
  }

  package func hosts(_ entry: Settings.Provider?) -> [String] {
    switch self {
    case .plugin(let plugin): plugin.manifest.hosts.sorted()
    case .manifest(let found): found.manifest.secretHosts(base: entry?.config["url"]?.string).sorted()
    }
  }
}

extension InstalledProviders {
  /// A plugin or manifest in a list.
  package struct Row {
    /// Whether it is used; a manifest, which runs nothing, is `used` instead of `trusted`.
    package enum State: String {
      case trusted, bundled, named, untrusted, changed, broken, used

      fileprivate init(_ trust: PluginTrust.State) {
        switch trust {
        case .trusted: self = .trusted
        case .bundled: self = .bundled
        case .named: self = .named
        case .untrusted: self = .untrusted
        case .changed: self = .changed
        }
      }
    }

    package var id: String
    package var type: ProviderSource.Kind
    package var version: String?
    package var state: State
    package var path: String
    /// The kinds of its results, sorted by name.
    package var kinds: [ResultKind] = []
    /// Its whole command line.
    package var command: [String]?
    package var hosts: [String] = []
    /// The hosts that a manifest asks, with that of its API.
    var asked: [String] = []
    package var secrets: [String] = []
    /// The names of the fields of its own.
    package var fields: [String] = []
    /// The actions on results that it offers.
    package var actions: [ResultAction] = []
    /// The source that it was installed from, with the branch, tag or commit that was asked for; `nil` where
    /// that is not known.
    package var source: String?
    /// The commit that was installed.
    package var commit: String?
    /// Why it is not used.
    package var problem: SearchError?

    /// The names that it adds, for example `fields doi, cited; actions cite; secrets token; hosts
    /// api.acme.example`.
    package var additions: String {
      [
        ("fields", fields), ("actions", actions.map(\.name)), ("secrets", secrets),
        ("hosts", asked.isEmpty ? hosts : asked),
      ]
      .filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
    }
  }

  /// Every plugin and manifest, usable ones first.
  package var rows: [Row] {
    var rows = plugins.plugins.map { plugin in
      let (state, problem): (Row.State, SearchError?)
      do throws(SearchError) {
        let found = try trust.state(of: plugin)
        (state, problem) = (Row.State(found), found.problem(of: plugin))
      } catch {
        (state, problem) = (.broken, error)
      }
      return Row(
        id: plugin.id, type: .plugin, version: plugin.manifest.version, state: state, path: plugin.folder,
        kinds: plugin.manifest.kinds, command: plugin.manifest.command, hosts: plugin.manifest.hosts,
        secrets: plugin.manifest.secrets,
        fields: plugin.manifest.providers.flatMap(\.info.fields).map(\.name.rawValue),
        actions: plugin.manifest.actions, problem: problem)
    }
    rows += manifests.found.map { found in
      Row(
        id: found.manifest.id, type: .manifest, state: found.isBundled ? .bundled : .used,
        path: found.manifest.path,
        kinds: found.manifest.kinds.map(\.kind).sorted { $0.rawValue < $1.rawValue },
        hosts: found.manifest.hosts, asked: found.manifest.secretHosts().sorted(),
        secrets: found.manifest.auth?.names ?? [],
        fields: found.manifest.fields.map(\.name.rawValue))
    }
    rows += broken.map(\.row)
    return rows
  }

  /// The plugins and manifests that cannot be used.
  package var broken: [(row: Row, isOwn: Bool)] {
    let plugins = plugins.problems.map { problem in
      let row = Row(
        id: String(FileAccess.name(of: problem.folder)), type: .plugin, state: .broken, path: problem.folder,
        problem: problem.error)
      return (row: row, isOwn: problem.folder.hasPrefix(searchPath.entries.first?.folder ?? "/"))
    }
    return plugins
      + manifests.broken.map { broken in
        let file = FileAccess.name(of: broken.path)
        let end = ManifestDiscovery.isManifest(broken.path) ? file.lastIndex(of: ".") : nil
        let row = Row(
          id: String(file[..<(end ?? file.endIndex)]), type: .manifest, state: .broken,
          path: broken.path, problem: SearchError(broken.problems, in: broken.path))
        return (row: row, isOwn: !broken.isBundled)
      }
  }
}
