package import ForageCore
package import ForageManifest
package import ForagePluginHost

/// The plugins and manifests of this machine; none is started here.
package struct InstalledProviders: Sendable {
  /// The folders that are searched for plugins.
  package let places: PluginPlaces
  package let plugins: PluginDiscovery
  package let manifests: ManifestDiscovery
  package let trust: PluginTrust

  /// Finds them.
  ///
  /// - Parameter onlyOwn: Whether only the user's own are found, which saves a search the reading of all bundled ones.
  package init(environment: [String: String], directories: Directories, onlyOwn: Bool) {
    var places = PluginPlaces(environment: environment)
    let installation = places.places.first { $0.origin == .installation }?.folder
    let prefix = installation.flatMap {
      $0.hasSuffix(Self.pluginsFolder) ? $0.dropLast(Self.pluginsFolder.count) : nil
    }
    let bundled = [
      prefix.map { $0 + Self.manifestsFolder }, places.checkout.map { $0 + "/Plugins/manifests" },
    ]
    if onlyOwn { places.places.removeAll { $0.origin != .user } }
    let dirs = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
    self.places = places
    plugins = PluginDiscovery(places)
    manifests = ManifestDiscovery.find(
      configHome: directories.configHome,
      bundled: onlyOwn ? [] : bundled.compactMap(\.self),
      dataDirs: onlyOwn ? [] : dirs.split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init))
    trust = PluginTrust(path: places.trustFile)
  }

  /// The folders of bundled plugins and manifests, below the installation's prefix.
  private static let pluginsFolder = "/libexec/forage/plugins"
  private static let manifestsFolder = "/share/forage/providers"

  /// Where the program's other files may be: the installation's prefix, and for a program that was built in a
  /// checkout the folders above it.
  package var prefixes: [String] {
    let plugins = places.places.first { $0.origin == .installation }?.folder ?? ""
    let parts = plugins.split(separator: "/").dropLast(3)
    return (0...2).map { parts.dropLast($0).map { "/" + $0 }.joined() }
  }

  /// The manifest with an id.
  package func manifest(_ id: String) -> ManifestDiscovery.Found? {
    manifests.found.first { $0.manifest.id == id }
  }

  /// Where bundled manifests were looked for, if there are none: the installation is incomplete.
  package var missingBundle: String? {
    let isThere =
      manifests.found.contains { $0.isBundled || $0.hidden != nil }
      || manifests.broken.contains(where: \.isBundled)
    guard !isThere, !manifests.bundledFolders.isEmpty else { return nil }
    return "no bundled manifests were found in \(manifests.bundledFolders.joined(separator: ", "))"
  }

  /// Whether a plugin may run.
  package enum State {
    case known(PluginTrust.State)
    case failed(SearchError)

    /// The state in a list.
    package var word: String {
      switch self {
      case .known(.trusted): "trusted"
      case .known(.bundled): "bundled"
      case .known(.named): "named"
      case .known(.untrusted): "untrusted"
      case .known(.changed): "changed"
      case .failed: "broken"
      }
    }

    /// Why the plugin may not run, `nil` when it may.
    package func problem(_ plugin: FoundPlugin) -> SearchError? {
      let id = plugin.id
      switch self {
      case .known(.trusted), .known(.bundled), .known(.named): return nil
      case .known(.untrusted):
        return SearchError(
          .configuration, "the plugin \(id) is not trusted, so it does not run",
          hint: "read what it runs, and trust it", subject: id)
      case .known(.changed(let files)):
        return SearchError(
          .configuration,
          "the plugin \(id) has changed since it was trusted: \(files.joined(separator: ", "))",
          hint: "read what it runs, and trust it again", subject: id)
      case .failed(let error): return error
      }
    }
  }

  /// Whether a plugin may run.
  package func state(of plugin: FoundPlugin) -> State {
    do throws(SearchError) { return .known(try trust.state(of: plugin)) } catch { return .failed(error) }
  }

  /// The ids that settings can be for.
  package var ids: InstalledIDs {
    InstalledIDs(
      manifests: manifests.found.map(\.manifest.id),
      plugins: Dictionary(
        plugins.plugins.map { ($0.id, $0.providerIDs) }, uniquingKeysWith: { first, _ in first }))
  }

  /// The names of the settings and secrets of a provider, sorted.
  package func settingNames(of id: String) -> (config: [String], secrets: [String]) {
    if let plugin = plugins.plugins.first(where: { $0.providerIDs.contains(id) }) {
      return (plugin.manifest.config.keys.sorted(), plugin.manifest.secrets.sorted())
    }
    guard let manifest = manifest(id)?.manifest else { return ([], []) }
    return (manifest.usesBase ? ["url"] : [], manifest.auth.map { [$0.secret] } ?? [])
  }

  /// The hosts of a provider, sorted.
  package func hosts(of id: String, _ entry: Settings.Provider?) -> [String] {
    if let plugin = plugins.plugins.first(where: { $0.providerIDs.contains(id) }) {
      return plugin.manifest.hosts.sorted()
    }
    return manifest(id)?.manifest.secretHosts(base: entry?.config["url"]?.string).sorted() ?? []
  }

  /// Why the plugin of a provider may not run; `nil` if it may.
  package func trustProblem(of id: String) -> SearchError? {
    plugins.plugins.first { $0.providerIDs.contains(id) }.flatMap { state(of: $0).problem($0) }
  }

  /// The origin of a provider; `nil` for a built-in one.
  package func origin(of id: String) -> ProviderOrigin? {
    if let plugin = plugins.plugins.first(where: { $0.providerIDs.contains(id) }) {
      return ProviderOrigin(type: .plugin, isBundled: plugin.origin != .user)
    }
    return manifest(id).map { ProviderOrigin(type: .manifest, isBundled: $0.isBundled) }
  }

  /// The folder of a plugin, or the file of a manifest, that cannot be used.
  package func brokenFolder(_ id: String) -> String? {
    plugins.problems.first { SafeText.lastComponent($0.folder) == id }?.folder
      ?? manifests.broken.first { !$0.isBundled && SafeText.lastComponent($0.path) == id + ".yaml" }?.path
  }

  /// The error for an unknown id.
  package func noPlugin(_ id: String) -> ForageError {
    let known = plugins.plugins.map(\.id) + manifests.found.map(\.manifest.id)
    let nearest = NearestName.of(id, among: known)
    let message = "there is no plugin \"\(id)\""
    return nearest.map { ForageError(message, hint: "did you mean \($0)?") }
      ?? ForageError(message, .listPlugins)
  }
}

/// The origin of a provider that is not built in.
package struct ProviderOrigin: Sendable, Hashable {
  package enum Kind: String, Sendable {
    case manifest, plugin
  }

  package var type: Kind
  /// Whether it is part of the installation. Such a provider is used only when it is named or enabled: no request goes to a server that the user
  /// did not choose.
  package var isBundled: Bool
}

extension FoundPlugin {
  /// The ids of its providers.
  package var providerIDs: [String] { manifest.providerIDs }
}
