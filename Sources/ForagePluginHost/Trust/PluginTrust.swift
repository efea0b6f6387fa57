package import ForageCore

/// The plugins that the user trusts, identified by the contents of their files.
///
/// Trust covers a plugin's folder by one digest of its `plugin.json`, the files that it lists, and its
/// program if that is in its folder. It does not cover other code that it loads: an interpreter, a system
/// library, an unlisted module. There is no sandbox: a trusted plugin runs with the user's permissions.
package struct PluginTrust: Sendable {
  package enum State: Hashable, Sendable {
    /// The user trusts these contents.
    case trusted
    /// It is installed with this program.
    case bundled
    /// The user named its path on the command line.
    case named
    case untrusted
    /// The user trusted other contents.
    case changed

    /// Why a plugin in this state may not run; `nil` when it may.
    package func problem(of plugin: FoundPlugin) -> SearchError? {
      let id = plugin.id
      switch self {
      case .trusted, .bundled, .named: return nil
      case .untrusted:
        return SearchError(
          .configuration, "the plugin \(id) is not trusted, so it does not run",
          hint: "read what it runs, and trust it", subject: id)
      case .changed:
        return SearchError(
          .configuration, "the plugin \(id) has changed since it was trusted",
          hint: "read what it runs, and trust it again", subject: id)
      }
    }
  }

  let file: TrustFile

  /// Creates the trust of a file; nothing is read yet.
  package init(path: String) { file = TrustFile(path: path) }

  /// The trust state of a plugin, whose files are read for it.
  ///
  /// - Throws: `SearchError` if the trust file cannot be read.
  package func state(of plugin: FoundPlugin) throws(SearchError) -> State {
    switch plugin.origin {
    case .installation: return .bundled
    case .named: return .named
    case .user, .machine: break
    }
    guard let entry = try file.read().plugins[plugin.folder], entry.id == plugin.id, let known = entry.sha256
    else {
      return .untrusted
    }
    // A file that is missing or cannot be read is a change.
    return known == (try? Self.digest(of: plugin)) ? .trusted : .changed
  }

  /// Whether the user trusts the same files under the plugin's id, in any folder.
  ///
  /// - Throws: `SearchError` if the plugin's files or the trust file cannot be read.
  package func covers(_ plugin: FoundPlugin) throws(SearchError) -> Bool {
    let known = try file.read().plugins.values.filter { $0.id == plugin.id }.compactMap(\.sha256)
    return known.isEmpty ? false : known.contains(try Self.digest(of: plugin))
  }

  /// Trusts a plugin in its current state.
  ///
  /// - Throws: `SearchError` if it runs a file of its folder that is not in `files`, if its files cannot be
  ///   read, or if the trust file cannot be written.
  package func trust(_ plugin: FoundPlugin) throws(SearchError) {
    try plugin.checkFiles()
    let entry = TrustFile.Entry(id: plugin.id, sha256: try Self.digest(of: plugin))
    try file.update { $0.plugins[plugin.folder] = entry }
  }

  /// The hosts that may receive the secret of a manifest; `nil` if the user has never been asked.
  ///
  /// - Throws: `SearchError` if the trust file cannot be read.
  package func hosts(ofManifest id: String) throws(SearchError) -> Set<String>? {
    try file.read().manifests?[id].map { Set($0.hosts) }
  }

  /// Sets the hosts that may receive the secret of a manifest; none if the user did not agree.
  ///
  /// - Throws: `SearchError` if the trust file cannot be written.
  package func setHosts(_ hosts: Set<String>, ofManifest id: String) throws(SearchError) {
    try file.update {
      $0.manifests = ($0.manifests ?? [:]).merging([id: TrustFile.Hosts(hosts: hosts.sorted())]) { $1 }
    }
  }

  /// Removes the trust of all plugins and manifests with an id.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: `SearchError` if the trust file cannot be written.
  @discardableResult
  package func revoke(_ id: String) throws(SearchError) -> Bool {
    let known = try file.read()
    guard known.manifests?[id] != nil || known.plugins.values.contains(where: { $0.id == id }) else {
      return false
    }
    try file.update { entries in
      entries.plugins = entries.plugins.filter { $0.value.id != id }
      entries.manifests?[id] = nil
    }
    return true
  }

  /// The digest of a plugin: SHA-256 of what `sha256sum` prints for its `plugin.json` and the files that it
  /// runs.
  private static func digest(of plugin: FoundPlugin) throws(SearchError) -> String {
    var lines = line(SHA256.hex(of: plugin.manifestBytes), PluginManifest.fileName)
    for name in plugin.manifest.trustedFiles {
      let path = try plugin.path(ofFile: name)
      var hash = SHA256()
      do throws(FileFailure) {
        try FileContents.pieces(path) { piece in
          hash.update(piece)
          return true
        }
      } catch {
        throw SearchError(
          .local, "the file \(name) of the plugin \(plugin.id) cannot be read: \(error.reason)",
          hint: "check \(path)")
      }
      lines += line(hash.hex(), name)
    }
    return SHA256.hex(of: Array(lines.utf8))
  }

  private static func line(_ digest: String, _ name: String) -> String { digest + "  \(name)\n" }
}
