package import ForageCore
package import ForageGit
package import ForageInspector
import ForageStore

/// The repository on a forge that a clone is a clone of.
package struct CloneIdentity: Sendable {
  /// The canonical id: `host/owner/name`, of a gist `gist.github.com/ID`.
  package var id: String
  /// The id that the address names, where the repository has another name now; `nil` otherwise.
  package private(set) var addressID: String?
  /// The address that it was read from, without credentials.
  package var url: String
  /// The forge's host; `nil` for a server that has no pages as far as is known.
  package var host: String?
  /// The owner as written in the address, or as the forge writes a new name; `nil` for a gist.
  package var owner: String?
  /// The name, likewise.
  package var name: String

  /// The identity by a clone's only remote, else by the only forge among them.
  ///
  /// An only remote that is a folder on this disk is followed once: the clone is then one of what that folder
  /// is a clone of.
  ///
  /// - Parameters:
  ///   - remotes: Its source remotes.
  ///   - path: The root of the clone, which relative remotes are relative to.
  package static func of(
    _ remotes: [Remote], at path: String, inspector: Inspector, hosts: RemoteHosts
  ) -> CloneIdentity? {
    if remotes.count == 1, let folder = folder(remotes[0], relativeTo: path) {
      guard folder != path, let other = try? inspector.location(path: folder).remotes else { return nil }
      return only(other, hosts)
    }
    return only(remotes, hosts)
  }

  /// `owner/name`; the name of a gist.
  package var title: String { owner.map { $0 + "/" + name } ?? name }

  /// The title with the host in front.
  package var fullName: String { host.map { $0 + "/" + title } ?? id }

  /// The repository as a search result, spelled as the address spells it.
  ///
  /// - Parameters:
  ///   - path: The root of the clone.
  ///   - hosts: What knows the pages of forges.
  package func result(path: String, _ hosts: RemoteHosts) -> SearchResult {
    var item = SearchResult(
      id: id, kind: .repo, title: title, url: host.map { _ in hosts.page(of: fullName, remote: url) })
    item.set(.host, host)
    item.set(.owner, owner)
    item.set(.name, name)
    item.set(.path, path)
    return item
  }

  /// The one identity that remotes have, those with a page before others.
  private static func only(_ remotes: [Remote], _ hosts: RemoteHosts) -> CloneIdentity? {
    let found = remotes.compactMap { remote in
      // The configured address names the repository, unless it is a short form that only the configuration of
      // git explains: ssh is not asked for a host of that name.
      let isShort =
        remote.url != remote.effectiveURL
        && RepositoryIdentity.sshParts(remote.url)?.host.contains(".") == false
      let addresses =
        isShort ? [remote.effectiveURL, remote.url] : [remote.url, remote.effectiveURL]
      let both = addresses.compactMap { CloneIdentity($0, hosts) }
      return both.first { $0.host != nil } ?? both.first
    }
    let first = found.first { $0.host != nil } ?? found.first
    return found.allSatisfy { $0.id == first?.id || $0.host == nil && first?.host != nil } ? first : nil
  }

  /// The folder that a remote is, where it is one.
  private static func folder(_ remote: Remote, relativeTo base: String) -> String? {
    guard isFolder(remote.url) else { return nil }
    let path = remote.url.hasPrefix("file://") ? remote.url.dropFirst("file://".count) : remote.url[...]
    return FileAccess.realPath(FileAccess.join(base, String(path)))
  }

  /// Whether an address is one of a folder on this disk.
  static func isFolder(_ address: String) -> Bool { address.hasPrefix("file://") || isPath(address) }

  /// Whether an address is a path on this disk: no colon comes before the first slash, as in `host:path`.
  private static func isPath(_ address: String) -> Bool {
    !address.prefix { $0 != "/" }.contains(":")
  }

  /// The repository at an address; `nil` for a path and for what names none.
  package init?(_ address: String, _ hosts: RemoteHosts) {
    guard !Self.isPath(address) else { return nil }
    let place = hosts.place(address)
    guard let id = RepositoryIdentity.canonical(place.address) else { return nil }
    if let gist = RepositoryIdentity.gist(id) {
      self.init(id: id, url: address, host: gist.host, owner: nil, name: gist.name)
      return
    }
    guard let parts = RepositoryIdentity.components(id) else { return nil }
    if let now = hosts.nameNow(of: id), let new = RepositoryIdentity.components(now.name) {
      self.init(
        id: now.id, url: address, host: place.hasPage ? new.host : nil, owner: new.owner, name: new.name)
      addressID = id
      return
    }
    let spelling = RepositoryIdentity.spelling(place.address) ?? (owner: parts.owner, name: parts.name)
    self.init(
      id: id, url: address, host: place.hasPage ? parts.host : nil, owner: spelling.owner, name: spelling.name
    )
  }

  private init(id: String, url: String, host: String?, owner: String?, name: String) {
    (self.id, self.url, self.host, self.owner, self.name) = (id, url, host, owner, name)
  }
}
