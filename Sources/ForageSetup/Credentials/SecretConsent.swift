package import ForageCore
import ForageFoundation
package import ForageManifest
package import ForagePluginHost
import Synchronization

/// Which manifests and plugins get the user's secrets.
///
/// A secret is bound to the id and the hosts of a manifest, or to the files of a plugin. Unless it is
/// bundled, a manifest or plugin gets a secret only after the user has agreed.
extension Forage {
  package enum ManifestSource {
    case bundled
    /// The user's folder.
    case own
    /// A path of the command line.
    case named
  }

  /// Why a manifest must not get the user's secret; `nil` if it may, or if no secret is bound to it.
  ///
  /// Only commands that ask record the hosts.
  package func secretRefusal(_ manifest: Manifest, _ entry: Settings.Provider, _ source: ManifestSource)
    -> SearchError?
  {
    guard let auth = manifest.auth, auth.names.contains(where: { entry.secrets[$0] != nil }) else {
      return nil
    }
    if case .bundled = source { return nil }
    let url = entry.config["url"]?.string
    var hosts = manifest.secretHosts(base: url)
    // The user wrote this address, but for the manifest that this one hides, if there is one.
    if url != nil, !hidesAnother(manifest) { hosts.formIntersection(manifest.hosts) }
    guard !hosts.isEmpty else { return nil }
    do throws(SearchError) {
      if try pluginHost.trust.hosts(ofManifest: manifest.id)?.isSuperset(of: hosts) == true { return nil }
    } catch {
      return error
    }
    let list = hosts.sorted().joined(separator: ", ")
    guard case .named = source else {
      return SearchError(
        .configuration,
        "\(manifest.id) would send the secret \(auth.secret) to \(list), which you have not confirmed",
        hint: "review \(manifest.path), and trust it", subject: manifest.id)
    }
    return agreement("\(manifest.id) (\(manifest.path)) sends the secret \(auth.secret) to: \(list)")
  }

  /// Whether a manifest takes the place of a different one with its id, bundled or installed.
  private func hidesAnother(_ manifest: Manifest) -> Bool {
    guard let found = installed().manifest(manifest.id) else { return false }
    return [found.manifest, found.hidden].compactMap(\.self).contains {
      !FileManager.default.contentsEqual(atPath: $0.path, andPath: manifest.path)
    }
  }

  /// Why a plugin at a path must not get the user's secrets; `nil` if it may, or if none is bound to it.
  ///
  /// It may if the user has trusted the same files under its id, or if it is a bundled one.
  package func secretRefusal(_ plugin: FoundPlugin, _ entry: Settings.Provider) -> SearchError? {
    let bound = plugin.manifest.secrets.filter { entry.secrets[$0] != nil }.sorted()
    guard case .named = plugin.origin, !bound.isEmpty else { return nil }
    do throws(SearchError) {
      if try pluginHost.trust.covers(plugin) { return nil }
    } catch {
      return error
    }
    if let other = installed().plugins[plugin.id], other.origin == .installation,
      other.folder == plugin.folder
    {
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
    let isAssumed = setup.assumesYes
    if isAssumed { reporter.message(what) }
    if isAssumed || reporter.agrees(SafeText.line(what) + ". Allow this once?") {
      agreements.withLock { _ = $0.insert(what) }
      return nil
    }
    return SearchError(
      .configuration, "you have not confirmed that \(what)", hint: reporter.text(.allowSecret))
  }

  /// The message about a secret whose variable is not set.
  package static func unset(_ name: String, of id: String, _ variable: String) -> (
    message: String, hint: String
  ) {
    (
      "\(id) has no secret \(name): the variable \(variable) is not set",
      "set \(variable), or remove the secret from the settings"
    )
  }

  /// Warns about secrets of the chosen providers that are missing, or too short to be masked.
  package func warnOfSecrets(_ ids: [String], _ settings: Settings) {
    var missing: [(id: String, name: String, variable: String)] = []
    defer { warn(ofUnset: missing) }
    for forge in forges where ids.contains(forge.id) {
      for variable in forge.variables.compactMap(\.self) where environment[variable]?.isEmpty ?? true {
        missing.append((forge.id, "token", variable))
      }
    }
    guard settings.providers.values.contains(where: { !$0.secrets.isEmpty }) else { return }
    let installed = installed(onlyOwn: true)
    for id in Set(ids.map { installed.ids.plugin(ofProvider: $0) ?? $0 }).sorted() {
      let entry = settings.entry(of: id)
      let secrets = entry.secrets.sorted { $0.key < $1.key }.flatMap { name, variable in
        (entry.ownedSecrets[name]?.map(\.name) ?? [variable]).map { (name, $0) }
      }
      for (name, variable) in secrets where !installed.lacks(secret: name, of: id) {
        guard let value = environment[variable], !value.isEmpty else {
          missing.append((id, name, variable))
          continue
        }
        if SecretRedaction.isTooShort(value) {
          reporter.warnOnce(
            "the secret \(name) of \(id) is shorter than \(SecretRedaction.shortest) bytes, so it is not masked in output",
            hint: "use a longer secret")
        }
      }
    }
  }

  /// Warns about secrets whose variables are not set, once for all of them.
  private func warn(ofUnset missing: [(id: String, name: String, variable: String)]) {
    guard let first = missing.first else { return }
    if missing.count == 1 {
      let unset = Self.unset(first.name, of: first.id, first.variable)
      return reporter.warnOnce(unset.message, hint: unset.hint)
    }
    func list(_ texts: [String]) -> String { Set(texts).sorted().joined(separator: ", ") }
    reporter.warnOnce(
      "\(list(missing.map(\.id))) lack secrets: not set are \(list(missing.map(\.variable)))",
      hint: "set the variables, or remove the secrets from the settings")
  }
}
