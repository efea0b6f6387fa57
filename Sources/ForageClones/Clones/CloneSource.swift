package import ForageCore
import ForageGit
import ForageInspector
package import ForageLocal
package import ForageSetup
import ForageStore

package struct CloneSource: Sendable, Hashable {
  /// The canonical id, `host/owner/name`.
  package var id: String
  /// The id that survives renames, where the forge has told it.
  package var forgeID: String?
  /// Whether its forge has answered a question about it; `nil` where it was not asked.
  var hasAnswer: Bool?
  /// The forge's host, with its port where that is not the default.
  package var host: String
  /// The owner, with every subgroup, as the forge or the user spells it.
  package var owner: String
  /// The name, spelled likewise.
  package var name: String
  /// The URL that git is given, without credentials.
  package var url: String

  /// The name for people: `owner/name`.
  package var title: String { owner + "/" + name }

  /// Folders below the root that the clone is in, and its own.
  package var components: [String] {
    [host] + owner.split(separator: "/", omittingEmptySubsequences: false).map(String.init) + [name]
  }

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - url: A clone URL that the user gave, `nil` to make one.
  ///   - known: What is known of its addresses.
  ///   - transferProtocol: What a URL is made for; a URL that was given for SSH stays.
  /// - Throws: `ForageError` for names that cannot be names of folders or could be taken for options.
  package init(
    _ entity: EntityReference, spelling: (owner: String, name: String)? = nil, url: String? = nil,
    known: Addresses = Addresses(), _ transferProtocol: Settings.Clones.TransferProtocol
  ) throws {
    (id, host) = (entity.id, entity.host)
    (owner, name) = spelling ?? (entity.owner, entity.name)
    self.url = url ?? ""
    let isForSSH = transferProtocol == .ssh && (known.ssh != nil || !host.contains(":"))
    let isOfWeb = ["https://", "http://"].contains { url?.hasPrefix($0) == true }
    if url == nil || isForSSH && isOfWeb {
      let usual = "https://\(host)/\(owner)/\(name)"
      // Identity ignores case, and the page may be in lower case.
      let page = known.page?.lowercased() == usual.lowercased() ? usual : known.page
      self.url =
        isForSSH ? known.ssh ?? "git@\(host):\(owner)/\(name)" : known.https ?? page ?? usual
    }
    guard components.allSatisfy(Self.isSafe), host.allSatisfy(Self.isOfHost), !self.url.hasPrefix("-") else {
      throw ForageError(
        "\"\(id)\" cannot be cloned: its name cannot be the name of a folder", hint: "clone it with git")
    }
  }

  /// The addresses of a repository as far as they are not those that its name makes.
  package struct Addresses: Sendable {
    /// Its page on a server below a path, or without TLS.
    package var page: String?
    /// The addresses that the forge gives for git.
    package var (https, ssh): (String?, String?)

    package init(page: String? = nil) { self.page = page }

    /// Takes what a result says: addresses for SSH and for HTTPS on the host of the repository. No result
    /// makes git do without TLS.
    ///
    /// - Parameter isOfForge: Whether the forge itself has answered, whose host for SSH may be another one.
    package mutating func add(_ result: SearchResult?, of entity: EntityReference, isOfForge: Bool = false) {
      guard let result else { return }
      let host = entity.host.prefix { $0 != ":" }
      func address(_ field: ResultField) -> String? { result[field]?.text.flatMap(CloneSource.cloneURL) }
      ssh = address(.sshURL).flatMap { address in
        RepositoryIdentity.sshParts(address).flatMap { isOfForge || $0.host == host ? address : nil }
      }
      https = address(.cloneURL).flatMap { address in
        let other = RepositoryIdentity.canonical(address)?.prefix { $0 != "/" && $0 != ":" }
        return address.hasPrefix("https://") && other == host ? address : nil
      }
    }
  }

  /// Whether a character can be part of the name of a host or of its port.
  private static func isOfHost(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || ".-_:[]".contains(character)
  }

  /// Whether a part of a name can be the name of a folder: no option, no way upward, none of git's own.
  private static func isSafe(_ component: String) -> Bool {
    !component.isEmpty && !component.hasPrefix("-") && component != "." && component != ".."
      && component.lowercased() != ".git"
      && component.unicodeScalars.allSatisfy { scalar in
        scalar.value >= 32 && !(127...159).contains(scalar.value) && scalar != "/" && scalar != "\\"
      }
  }
}

extension CloneSource {
  /// The repository of a result of a search, spelled as the result spells it.
  ///
  /// - Parameters:
  ///   - entity: What the id of the result names.
  ///   - known: What is known of its addresses besides what the result says.
  ///   - isOfForge: Whether the forge itself has answered.
  /// - Throws: `ForageError`.
  init(
    _ result: SearchResult, naming entity: EntityReference, known: Addresses = Addresses(),
    isOfForge: Bool = false, _ transferProtocol: Settings.Clones.TransferProtocol
  ) throws {
    var known = known
    known.add(result, of: entity, isOfForge: isOfForge)
    let spelling = result[.owner]?.text.flatMap { owner in
      result[.name]?.text.map { (owner: owner, name: $0) }
    }
    try self.init(entity, spelling: spelling, known: known, transferProtocol)
    forgeID = result.forgeID
  }

  /// Reads a reference to a repository.
  ///
  /// - Parameters:
  ///   - entity: What the reference names.
  ///   - known: What is known of its addresses.
  ///   - hosts: What reads a reference that is an address for ssh.
  /// - Throws: `ForageError`.
  package init(
    reference: String, naming entity: EntityReference, known: Addresses = Addresses(),
    _ transferProtocol: Settings.Clones.TransferProtocol, hosts: RemoteHosts = RemoteHosts()
  ) throws {
    let text = reference.trimmingWhitespace()
    let meant = hosts.resolved(text)
    try self.init(
      entity, spelling: Self.spelling(of: entity, in: meant),
      url: RepositoryIdentity.canonical(meant) == entity.id && !RepositoryIdentity.isServerPage(text)
        ? Self.cloneURL(text) : nil, known: known,
      transferProtocol)
  }

  /// Owner and name as a reference spells them; identities of most forges have them in lower case.
  private static func spelling(of entity: EntityReference, in text: String) -> (owner: String, name: String)?
  {
    for var address in [text, "https://\(entity.host)/\(text)"] {
      // What leads into the repository is cut off, a part at a time.
      while RepositoryIdentity.canonical(address) != entity.id {
        guard let slash = address.lastIndex(where: { "/#@".contains($0) }) else { break }
        address = String(address[..<slash])
      }
      if let spelling = RepositoryIdentity.spelling(address),
        spelling.owner.lowercased() == entity.owner.lowercased(),
        spelling.name.lowercased() == entity.name.lowercased()
      {
        return spelling
      }
    }
    return nil
  }

  /// A text that names a repository without credentials, when git can clone from it.
  private static func cloneURL(_ text: String) -> String? {
    guard !text.contains("#"), !text.contains("?") else { return nil }
    let isURL = ["https://", "http://", "git://"].contains(where: text.hasPrefix)
    return isURL || RepositoryIdentity.sshParts(text) != nil ? RemoteURL.withoutCredentials(text) : nil
  }
}

/// A planner of clones: the folder for each repository, and the clones that exist already.
package struct ClonePlanner: Sendable {
  /// The work that is to be done for a repository.
  package enum Plan: Sendable {
    /// A clone exists, and whether the catalogue has it.
    case present(path: String, isKnown: Bool)
    /// It is to be cloned.
    case missing(path: String)
    /// It cannot be cloned.
    case blocked(path: String, ForageError)

    package var isMissing: Bool { if case .missing = self { true } else { false } }
  }

  /// The folder below which clones are placed, without links.
  let root: String
  /// The catalogue; `nil` where it cannot be read.
  let store: Store?
  let hosts: RemoteHosts
  /// Names in folders, by folder and by the name in lower case.
  private var names: [String: [String: String]] = [:]

  init(root: String, store: Store?, hosts: RemoteHosts) {
    self.root = root
    self.store = store
    self.hosts = hosts
  }

  /// The plans for several repositories, in their order.
  ///
  /// - Throws: `StoreError`; `CancellationError`.
  mutating func plans(for sources: [CloneSource]) async throws -> [(source: CloneSource, plan: Plan)] {
    let known = try store.map { try Self.clones(of: sources, in: $0) } ?? [:]
    var plans: [(CloneSource, Plan)] = []
    for source in sources {
      let path = path(for: source)
      let clones = (known[source.id] ?? []).map(\.path).filter(CloneProbe.isClone)
      if let clone = clones.first {
        plans.append((source, .present(path: clone, isKnown: true)))
      } else {
        plans.append((source, try await plan(source, path)))
      }
    }
    return plans
  }

  /// The clones of repositories by their ids, also of those that had other names when they were cloned.
  static func clones(of sources: [CloneSource], in store: Store) throws(StoreError)
    -> [String: [CloneRecord]]
  {
    let known = try store.clones(ofEntities: sources.map(\.id))
    return try known.merging(renamed(sources, known, in: store)) { first, _ in first }
  }

  /// The clones of repositories that had other names when they were cloned, by the ids of now. The catalogue
  /// learns these names.
  private static func renamed(_ sources: [CloneSource], _ known: [String: [CloneRecord]], in store: Store)
    throws(StoreError) -> [String: [CloneRecord]]
  {
    let missing = Dictionary(
      sources.filter { known[$0.id] == nil }.compactMap { source in source.forgeID.map { ($0, source) } },
      uniquingKeysWith: { first, _ in first })
    guard !missing.isEmpty else { return [:] }
    var found: [String: [CloneRecord]] = [:]
    var names: [RepositoryName] = []
    for clone in try store.clones(ofForgeIDs: missing.keys.sorted()) {
      guard let former = clone.entityID, let source = clone.forgeID.flatMap({ missing[$0] }) else { continue }
      found[source.id, default: []].append(clone)
      names += [RepositoryName(formerID: former, name: "\(source.host)/\(source.title)")].compactMap(\.self)
    }
    // A catalogue that cannot be written learns it another time.
    _ = try? store.learn(names)
    return found
  }

  /// The folder for a repository; on forges whose names ignore case, folders that exist are taken whatever
  /// their case.
  private mutating func path(for source: CloneSource) -> String {
    var folder = root
    let ignoresCase = RepositoryIdentity.ignoresCase(source.host)
    for component in source.components {
      let name = ignoresCase ? existing(component, in: folder) : component
      folder = FileAccess.join(folder, name)
    }
    return folder
  }

  /// The name in a folder that is the same but for case, else the name itself, which counts as existing from
  /// now on.
  private mutating func existing(_ name: String, in folder: String) -> String {
    var known =
      names[folder]
      ?? Dictionary(FileAccess.names(in: folder).map { ($0.lowercased(), $0) }) { first, _ in first }
    defer { names[folder] = known }
    if FileAccess.entry(FileAccess.join(folder, name), follow: false) != nil { return name }
    if let found = known[name.lowercased()] { return found }
    known[name.lowercased()] = name
    return name
  }

  /// The plan for a repository of which the catalogue has no clone, by what is at its path now.
  func plan(_ source: CloneSource, _ path: String) async throws -> Plan {
    var folder = FileAccess.parent(of: path)
    while folder.utf8.count > root.utf8.count {
      if CloneProbe.isClone(folder) {
        let error = ForageError(
          "\(source.title) cannot be cloned into \(folder), which is a clone", hint: "move that clone away")
        return .blocked(path: path, error)
      }
      folder = FileAccess.parent(of: folder)
    }
    guard let entry = FileAccess.entry(path, follow: false) else { return .missing(path: path) }
    if entry.kind == .directory, FileAccess.canList(path), FileAccess.isEmpty(path) {
      return .missing(path: path)
    }
    guard CloneProbe.isClone(path) else {
      let error = ForageError(
        "\(source.title) cannot be cloned: \(path) exists and is not a clone",
        hint: "move it away, or clone to another folder with git")
      return .blocked(path: path, error)
    }
    do throws(GitError) {
      let identity = try await BlockingGit.run { [hosts] _ throws(GitError) in
        let inspector = Inspector()
        let (root, remotes) = try inspector.location(path: path)
        return CloneIdentity.of(remotes, at: root, inspector: inspector, hosts: hosts)
      }
      if let id = identity?.id, id == hosts.nameNow(of: source.id)?.id ?? source.id {
        return .present(path: path, isKnown: false)
      }
      let other = identity.map { "a clone of \($0.id)" } ?? "a clone of another repository"
      let error = ForageError(
        "\(source.title) cannot be cloned: \(path) is \(other)", hint: "move that clone away")
      return .blocked(path: path, error)
    } catch {
      if error.code == .cancelled { throw CancellationError() }
      return .blocked(
        path: path,
        ForageError(
          "\(source.title) cannot be cloned: "
            + (error.message.contains(path) ? error.message : "\(path): \(error.message)"),
          hint: error.hint))
    }
  }
}
