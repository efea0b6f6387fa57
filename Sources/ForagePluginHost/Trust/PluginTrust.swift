package import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which plugins the user has agreed to run, by the contents of what they run.
///
/// A plugin is trusted in its folder, by SHA-256 over its `plugin.json`, the files that it lists and its
/// program where that lies in its folder. What else it loads (an interpreter, a library of the system, a
/// module that it does not list) is not looked at: there is no sandbox, and to trust a plugin is to run it as
/// the user.
package struct PluginTrust: Sendable {
  /// Whether a plugin may run.
  package enum State: Hashable, Sendable {
    /// The user has agreed, to just these contents.
    case trusted
    /// It was installed with this program.
    case bundled
    /// The user named its path for this run.
    case named
    /// Nobody has agreed.
    case untrusted
    /// The user has agreed to other contents; the names are those of the files that differ, are new or are
    /// missing.
    case changed([String])

    /// Whether it may run.
    package var allowsRunning: Bool {
      switch self {
      case .trusted, .bundled, .named: true
      case .untrusted, .changed: false
      }
    }
  }

  let file: TrustFile

  /// Names the file in which trust is kept; nothing is read yet.
  package init(path: String) { file = TrustFile(path: path) }

  /// Whether a plugin may run.
  ///
  /// Files that were not touched since they were last read are not read again.
  ///
  /// - Throws: `SearchError` where the plugin's files or the trust file cannot be read.
  package func state(of plugin: FoundPlugin) throws(SearchError) -> State {
    switch plugin.origin {
    case .installation: return .bundled
    case .named: return .named
    case .user, .machine: break
    }
    guard let entry = try file.read()[plugin.folder], entry.id == plugin.id else { return .untrusted }
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
    // Only saves reading next time, so that it failed is nothing to tell.
    if fresh != entry { try? file.update { if $0[plugin.folder] == entry { $0[plugin.folder] = fresh } } }
    return .trusted
  }

  /// Agrees to a plugin as it is now.
  ///
  /// - Throws: `SearchError` where its files cannot be read or the trust file cannot be written.
  package func trust(_ plugin: FoundPlugin) throws(SearchError) {
    var files = [PluginManifest.fileName: TrustFile.Print(digest: plugin.manifestDigest)]
    for name in plugin.manifest.trustedFiles {
      files[name] = try Self.print(of: name, in: plugin, known: nil)
    }
    let entry = TrustFile.Entry(id: plugin.id, trustedAt: Timestamp.text(Date()), files: files)
    try file.update { $0[plugin.folder] = entry }
  }

  /// Takes trust back from every plugin with an id.
  ///
  /// - Returns: Whether there was any.
  /// - Throws: `SearchError` where the trust file cannot be written.
  @discardableResult
  package func revoke(_ id: String) throws(SearchError) -> Bool {
    guard try file.read().values.contains(where: { $0.id == id }) else { return false }
    try file.update { entries in entries = entries.filter { $0.value.id != id } }
    return true
  }

  /// The digest of a file, taken from what is known where the file was not touched.
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
        hash.update(piece)
        return true
      }
    } catch {
      throw SearchError(
        .local, "the file \(name) of the plugin \(plugin.id) cannot be read: \(error.reason)",
        hint: "check \(path)")
    }
    let stamp = FileStamp(status, now: now)
    return TrustFile.Print(digest: hash.finish(), stamp: stamp.isSettled ? stamp.text : nil)
  }
}
