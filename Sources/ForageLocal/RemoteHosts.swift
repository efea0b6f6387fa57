package import ForageCore
package import ForageStore

/// The meanings of addresses: for ssh the host need not be the one that is written there, a server may be
/// below a path, and a repository may have another name by now.
package struct RemoteHosts: Sendable {
  private let forges: @Sendable () -> [String]
  private let servers: @Sendable () -> [String]
  private let known: @Sendable () -> [String: String]
  private let ssh: @Sendable () -> SSHConfiguration
  private let page: @Sendable (EntityReference) -> String?
  private let names: @Sendable () -> [String: RepositoryName]

  /// - Parameters:
  ///   - forges: The hosts of the user's forges, in lower case, with ports that are not the default.
  ///   - servers: Hosts with paths, of servers that are below a path.
  ///   - known: The host of the forge of each host for SSH that a forge has named.
  ///   - ssh: The configuration of ssh; read only for a host that is none of a known forge.
  ///   - page: The page of an entity, where it is not the usual one.
  ///   - names: The names of repositories that were renamed on their forges, by their former ids.
  package init(
    forges: @escaping @Sendable () -> [String] = { [] }, servers: @escaping @Sendable () -> [String] = { [] },
    known: @escaping @Sendable () -> [String: String] = { [:] },
    ssh: @escaping @Sendable () -> SSHConfiguration = { SSHConfiguration() },
    page: @escaping @Sendable (EntityReference) -> String? = { _ in nil },
    names: @escaping @Sendable () -> [String: RepositoryName] = { [:] }
  ) {
    (self.forges, self.servers, self.known, self.ssh) = (forges, servers, known, ssh)
    (self.page, self.names) = (page, names)
  }

  /// The name that a repository has now which was renamed or moved on its forge; `nil` for every other one.
  ///
  /// - Parameter id: A canonical id.
  package func nameNow(of id: String) -> RepositoryName? {
    let names = names()
    return names.isEmpty ? nil : names[id] ?? names[id.lowercased()]
  }

  /// The ids of now of repositories that had a name, without the owner.
  ///
  /// - Parameter name: In lower case.
  package func idsNow(ofFormer name: String) -> Set<String> {
    Set(names().values.filter { $0.formerID.lowercased().hasSuffix("/" + name) }.map(\.id))
  }

  /// The address of the page of a repository, or of a commit of it; without TLS where that of the remote is.
  ///
  /// - Parameters:
  ///   - name: Host, owner and name as they are spelled.
  ///   - remote: The address of the clone's remote.
  func page(of name: String, commit: String? = nil, remote: String?) -> String {
    let subject = commit.map { EntityReference.Subject.commit(sha: $0) } ?? .repository
    if let page = EntityReference(repository: name, subject: subject).flatMap(page) { return page }
    let isPlain = remote?.lowercased().hasPrefix("http://") ?? false
    return (isPlain ? "http://" : "https://") + name + (commit.map { "/commit/" + $0 } ?? "")
  }

  /// Folders at the root of a server. An owner can have such a name, but no group with another one in it.
  private static let serverFolders: Set<Substring> = [
    "data", "home", "media", "mnt", "opt", "root", "srv", "tmp", "users", "usr", "var", "volume1", "volumes",
  ]

  /// What an address of a repository names.
  struct Place {
    /// The address with the host that is meant, another one than was written only for ssh.
    var address: String
    /// Whether there is a web page for it: its host is a forge, as far as the address shows it.
    var hasPage = true
  }

  /// What an address of a remote names.
  func place(_ address: String) -> Place {
    // That of the page, which on a known forge may differ from the one for ssh.
    let host = (RepositoryIdentity.canonical(address) ?? "").prefix { $0 != "/" }
    if RepositoryIdentity.ignoresCase(String(host)) { return Place(address: address) }
    guard let (written, path) = RepositoryIdentity.sshParts(address) else {
      let address = servers().reduce(address) { RepositoryIdentity.withoutSubPath($0, of: $1) }
      return Place(address: address, hasPage: host.contains(".") || !address.hasPrefix("git:"))
    }
    let (meant, isForge) = meaning(of: written)
    // Two slashes are an absolute path, `~` is a home folder.
    let names = path.lowercased().split(separator: "/")
    let isFolder =
      path.hasPrefix("//") || path.hasPrefix("/~")
      || names.count > 2 && names.first.map(Self.serverFolders.contains) == true
    return Place(
      address: meant == written ? address : meant + path,
      hasPage: isForge || !isFolder && (meant.contains(".") || meant.hasPrefix("[")))
  }

  /// An entity with the id that results have: on Bitbucket Data Center its owner is in lower case, as in the
  /// addresses for git, whatever a person writes and the forge shows.
  package func canonical(_ entity: EntityReference) -> EntityReference {
    guard entity.owner != entity.owner.lowercased(), let repository = entity.repository,
      let page = page(repository).map({ place($0).address }), RepositoryIdentity.isServerPage(page),
      let id = RepositoryIdentity.canonical(page)
    else { return entity }
    return EntityReference(repository: id, subject: entity.subject) ?? entity
  }

  /// An address that a user wrote, with the host that it means; any other text as it is.
  package func resolved(_ text: String) -> String { place(text).address }

  /// The host that a name in an address for ssh means, and whether it is one of a forge.
  ///
  /// - Parameter followsSSH: Whether the name may be one of ssh's configuration.
  private func meaning(of name: String, followsSSH: Bool = true) -> (host: String, isForge: Bool) {
    if RepositoryIdentity.ignoresCase(name) { return (name, true) }
    let forges = Set(forges())
    if forges.contains(name) { return (name, true) }
    // The page of a forge may be at a port, which an address for ssh does not have.
    let others = forges.filter { $0.hasPrefix(name + ":") }
    if let other = others.first, others.count == 1 { return (other, true) }
    if let forge = known()[name], forges.contains(forge) { return (forge, true) }
    guard followsSSH, let found = ssh().hostName(of: name),
      let other = RepositoryIdentity.sshParts("ssh://\(found)/-")?.host,
      // Where a server has a name its pages are at that one.
      !name.contains(".") || !Self.isAddress(other)
    else { return (name, false) }
    return meaning(of: other, followsSSH: false)
  }

  private static func isAddress(_ host: String) -> Bool {
    host.contains(":") || host.allSatisfy { $0 == "." || $0.isNumber }
  }
}
