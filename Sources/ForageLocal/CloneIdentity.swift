package import ForageCore
package import ForageGit
package import ForageInspector

/// The repository on a forge that a clone is a clone of.
package struct CloneIdentity: Sendable {
  /// The canonical id `host/owner/name`.
  package var id: String
  /// The address that it was read from, without credentials.
  package var url: String
  package var host: String
  /// The owner as written in the address.
  package var owner: String
  /// The name as written in the address.
  package var name: String

  /// The identity by a clone's `origin`, else by its only remote.
  ///
  /// An `origin` that is a folder on this disk is followed once: the clone is then one of what that folder is a clone of.
  ///
  /// - Parameter path: The root of the clone, which relative remotes are relative to.
  package static func of(_ remotes: [Remote], at path: String, inspector: Inspector) -> CloneIdentity? {
    guard let remote = remote(remotes) else { return nil }
    if let folder = folder(remote, relativeTo: path) {
      guard folder != path, let other = try? inspector.location(path: folder).remotes,
        let source = self.remote(other)
      else { return nil }
      return identity(source)
    }
    return identity(remote)
  }

  /// The repository as a search result, spelled as the address spells it.
  ///
  /// - Parameter path: The root of the clone.
  package func result(path: String) -> SearchResult {
    var item = SearchResult(
      id: id, kind: .repo, title: owner + "/" + name, url: Self.page("\(host)/\(owner)/\(name)", remote: url))
    item.set(.host, host)
    item.set(.owner, owner)
    item.set(.name, name)
    item.set(.path, path)
    return item
  }

  /// The address of a repository's page: without TLS where that of the remote is.
  static func page(_ name: String, remote: String?) -> String {
    let isPlain = remote?.lowercased().hasPrefix("http://") ?? false
    return (isPlain ? "http://" : "https://") + name
  }

  private static func remote(_ remotes: [Remote]) -> Remote? {
    remotes.first { $0.name == "origin" } ?? (remotes.count == 1 ? remotes.first : nil)
  }

  /// The folder that a remote is, where it is one.
  private static func folder(_ remote: Remote, relativeTo base: String) -> String? {
    var path = remote.url
    if path.hasPrefix("file://") {
      path = String(path.dropFirst("file://".count))
    } else if path.contains("://") || isHostPath(path) {
      return nil
    }
    return FileAccess.realPath(FileAccess.join(base, path))
  }

  /// Whether a colon comes before the first slash, as in `host:path`.
  private static func isHostPath(_ path: String) -> Bool {
    guard let colon = path.firstIndex(of: ":") else { return false }
    return !path[..<colon].contains("/")
  }

  private static func identity(_ remote: Remote) -> CloneIdentity? {
    // The configured address names the repository, unless it is a short form that only the configuration explains.
    let candidates = [remote.url, remote.effectiveURL].compactMap { url in
      RepositoryIdentity.canonical(url).map { (url: url, id: $0) }
    }
    let known = candidates.first {
      RepositoryIdentity.components($0.id)?.host.contains(where: { $0 == "." || $0 == ":" }) ?? false
    }
    // A host without a dot is one only where the address says so: "a/b" is a folder.
    let explicit = candidates.first { $0.url.contains("://") || isHostPath($0.url) }
    guard let (url, id) = known ?? explicit, !isLocal(url),
      let parts = RepositoryIdentity.components(id)
    else {
      return nil
    }
    let spelling = RepositoryIdentity.spelling(url) ?? (owner: parts.owner, name: parts.name)
    return CloneIdentity(id: id, url: url, host: parts.host, owner: spelling.owner, name: spelling.name)
  }

  private static func isLocal(_ url: String) -> Bool {
    url.hasPrefix("/") || url.hasPrefix(".") || url.hasPrefix("file:")
  }
}
