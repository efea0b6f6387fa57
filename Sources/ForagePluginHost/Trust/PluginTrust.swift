import Crypto
package import ForageCore
import ForageFoundation
import ForagePlatform

/// The plugins that the user trusts, identified by the contents of their files.
///
/// Trust covers a plugin's folder by SHA-256 digests of its `plugin.json`, the files that it lists, and its
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
    /// The user trusted other contents; with the names of files that changed, are new or are missing.
    case changed([String])

    /// Why a plugin in this state may not run; `nil` when it may.
    package func problem(of plugin: FoundPlugin) -> SearchError? {
      let id = plugin.id
      switch self {
      case .trusted, .bundled, .named: return nil
      case .untrusted:
        return SearchError(
          .configuration, "the plugin \(id) is not trusted, so it does not run",
          hint: "read what it runs, and trust it", subject: id)
      case .changed(let files):
        return SearchError(
          .configuration,
          "the plugin \(id) has changed since it was trusted: \(files.joined(separator: ", "))",
          hint: "read what it runs, and trust it again", subject: id)
      }
    }
  }

  let file: TrustFile

  /// Creates the trust of a file; nothing is read yet.
  package init(path: String) { file = TrustFile(path: path) }

  /// The trust state of a plugin.
  ///
  /// Files with an unchanged stamp are not read again.
  ///
  /// - Throws: `SearchError` if the plugin's files or the trust file cannot be read.
  package func state(of plugin: FoundPlugin) throws(SearchError) -> State {
    switch plugin.origin {
    case .installation: return .bundled
    case .named: return .named
    case .user, .machine: break
    }
    guard let entry = try file.read().plugins[plugin.folder], entry.id == plugin.id else { return .untrusted }
    var changed: [String] = []
    if entry.files[PluginManifest.fileName]?.digest != plugin.manifestDigest {
      changed.append(PluginManifest.fileName)
    }
    var fresh = entry
    for name in plugin.manifest.trustedFiles {
      guard let known = entry.files[name], let found = try? Self.print(of: name, in: plugin, known: known),
        found.digest == known.digest
      else {
        changed.append(name)
        continue
      }
      fresh.files[name] = found
    }
    guard changed.isEmpty else { return .changed(changed) }
    // The stamps only save time, so a failure to store them is ignored.
    if fresh != entry {
      try? file.update { if $0.plugins[plugin.folder] == entry { $0.plugins[plugin.folder] = fresh } }
    }
    return .trusted
  }

  /// Whether the user trusts the same files under the plugin's id, in any folder.
  ///
  /// - Throws: `SearchError` if the plugin's files or the trust file cannot be read.
  package func covers(_ plugin: FoundPlugin) throws(SearchError) -> Bool {
    let entries = try file.read().plugins.values.filter { $0.id == plugin.id }
    guard !entries.isEmpty else { return false }
    let digests = try Self.prints(of: plugin).mapValues(\.digest)
    return entries.contains { $0.files.mapValues(\.digest) == digests }
  }

  /// Trusts a plugin in its current state.
  ///
  /// - Throws: `SearchError` if its files cannot be read or the trust file cannot be written.
  package func trust(_ plugin: FoundPlugin) throws(SearchError) {
    let entry = TrustFile.Entry(
      id: plugin.id, trustedAt: Timestamp.text(Date()), files: try Self.prints(of: plugin))
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
    try file.update { entries in
      entries.manifests = entries.manifests ?? [:]
      entries.manifests?[id] = TrustFile.Hosts(hosts: hosts.sorted())
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

  private static func prints(of plugin: FoundPlugin) throws(SearchError) -> [String: TrustFile.Print] {
    var files = [PluginManifest.fileName: TrustFile.Print(digest: plugin.manifestDigest)]
    for name in plugin.manifest.trustedFiles { files[name] = try print(of: name, in: plugin, known: nil) }
    return files
  }

  /// The digest of a file, from the known one if its stamp is unchanged.
  private static func print(of name: String, in plugin: FoundPlugin, known: TrustFile.Print?)
    throws(SearchError)
    -> TrustFile.Print
  {
    let path = try plugin.path(ofFile: name)
    let now = Int(Date().timeIntervalSince1970)
    var status = stat()
    if let known, let stamp = known.stamp, stat(path, &status) == 0, FileStamp(status, now: now).text == stamp
    {
      return known
    }
    var hash = SHA256()
    do throws(FileFailure) {
      status = try FileContents.pieces(path) { piece in
        hash.update(bufferPointer: piece)
        return true
      }
    } catch {
      throw SearchError(
        .local, "the file \(name) of the plugin \(plugin.id) cannot be read: \(error.reason)",
        hint: "check \(path)")
    }
    let stamp = FileStamp(status, now: now)
    return TrustFile.Print(digest: hash.finalize().hexadecimal, stamp: stamp.isUnchanged ? stamp.text : nil)
  }
}

extension SHA256Digest {
  /// The digest as 64 lower-case hexadecimal digits.
  var hexadecimal: String {
    reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
  }
}
