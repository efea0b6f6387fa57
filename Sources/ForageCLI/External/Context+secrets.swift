import ForageCore
import ForageManifest
import ForagePluginHost
import Synchronization

/// Which manifests and plugins get the user's secrets.
///
/// A secret is bound to the id and the hosts of a manifest, or to the files of a plugin. Another manifest or
/// plugin with the same id gets it only after the user has agreed.
extension Context {
  /// The location of a manifest.
  enum ManifestSource {
    case bundled
    /// The user's folder; with the bundled manifest that it hides.
    case own(hidden: Manifest?)
    /// A path of the command line.
    case named
  }

  /// The location of a manifest of this machine.
  func source(of found: ManifestDiscovery.Found) -> ManifestSource {
    if found.isBundled { return .bundled }
    // A search reads the bundled manifests only if it needs them.
    return .own(hidden: found.hidden ?? installed().manifest(found.manifest.id)?.hidden)
  }

  /// Why a manifest must not get the user's secret; `nil` if it may, or if no secret is bound to it.
  ///
  /// Of a manifest in the user's own folder that hides no other, the hosts are recorded at the first use.
  func secretRefusal(_ manifest: Manifest, _ entry: Settings.Provider, _ source: ManifestSource)
    -> SearchError?
  {
    guard let auth = manifest.auth, entry.secrets[auth.secret] != nil else { return nil }
    if case .bundled = source { return nil }
    let url = entry.config["url"]?.string
    // The user wrote this address.
    let given = url == nil ? [] : manifest.secretHosts(base: url).subtracting(manifest.hosts)
    let hosts = manifest.secretHosts(base: url).subtracting(given)
    guard !hosts.isEmpty else { return nil }
    let trust = pluginHost.trust
    do throws(SearchError) {
      let known = try trust.hosts(ofManifest: manifest.id)
      if let known, known.isSuperset(of: hosts) { return nil }
      if known == nil, case .own(let hidden) = source,
        hidden.map({ $0.secretHosts().isSuperset(of: hosts) }) ?? true
      {
        // It is recorded again next time if it cannot be written now.
        try? trust.setHosts(hosts, ofManifest: manifest.id)
        return nil
      }
    } catch {
      return error
    }
    let list = hosts.sorted().joined(separator: ", ")
    guard case .named = source else {
      return SearchError(
        .configuration,
        "\(manifest.id) would send the secret \(auth.secret) to \(list), which you have not confirmed",
        hint: "review \(manifest.path), then run: forage plugin trust \(manifest.id)")
    }
    return agreement("\(manifest.id) (\(manifest.path)) sends the secret \(auth.secret) to: \(list)")
  }

  /// Why a plugin at a path must not get the user's secrets; `nil` if it may, or if none is bound to it.
  ///
  /// It may if no other plugin or manifest has its id: the user named the path.
  func secretRefusal(_ plugin: FoundPlugin, _ entry: Settings.Provider) -> SearchError? {
    let bound = plugin.manifest.secrets.filter { entry.secrets[$0] != nil }.sorted()
    guard case .named = plugin.origin, !bound.isEmpty else { return nil }
    let installed = installed()
    if let other = installed.plugins[plugin.id] {
      if other.folder == plugin.folder, installed.state(of: other).problem(other) == nil { return nil }
    } else if installed.manifest(plugin.id) == nil {
      return nil
    }
    return agreement(
      "\(plugin.id) (\(plugin.folder)) gets the secrets \(bound.joined(separator: ", ")), and names the hosts: "
        + (plugin.manifest.hosts.isEmpty ? "none" : plugin.manifest.hosts.joined(separator: ", ")))
  }

  /// Shows what gets secrets, and asks.
  ///
  /// - Returns: `nil` if the user agrees.
  private func agreement(_ what: String) -> SearchError? {
    if agreements.withLock({ $0.contains(what) }) { return nil }
    let isAssumed = assumesYes
    if isAssumed { output.message(what) }
    if isAssumed || PluginCommand.agrees(SafeText.line(what) + ". Allow this once?", self) {
      agreements.withLock { _ = $0.insert(what) }
      return nil
    }
    return SearchError(
      .configuration, "you have not confirmed that \(what)", hint: "to allow it for this run, add --yes")
  }

  /// Warns about secrets of the chosen providers that are missing, or too short to be masked.
  func warnOfSecrets(_ ids: [String], _ settings: Settings) {
    guard settings.providers.values.contains(where: { !$0.secrets.isEmpty }) else { return }
    let plugins = installed(onlyOwn: true).ids
    for id in Set(ids.map { plugins.plugin(ofProvider: $0) ?? $0 }).sorted() {
      for (name, variable) in (settings.providers[id]?.secrets ?? [:]).sorted(by: { $0.key < $1.key }) {
        guard let value = environment[variable], !value.isEmpty else {
          warnOnce(
            "\(id) has no secret \(name): the variable \(variable) is not set",
            hint: "set \(variable), or remove the secret from the settings")
          continue
        }
        if SecretRedaction.isTooShort(value) {
          warnOnce(
            "the secret \(name) of \(id) is shorter than \(SecretRedaction.shortest) bytes, so it is not masked in output",
            hint: "use a longer secret")
        }
      }
    }
  }
}
