/// The name of one entity as a user writes it.
///
/// Accepted forms are `owner/name`, `owner/name#12`, `owner/name!12`, `owner/name@<sha>`, `@login`, a clone
/// or web address, and the id of a result.
public struct EntityReference: Hashable, Sendable {
  /// The type of entity that a reference names, with the part of the name that the type adds.
  public enum Subject: Hashable, Sendable {
    /// A repository.
    case repository
    /// An issue or a pull request of a repository; the number counts from 1.
    case issue(number: Int)
    /// A merge request of a repository on a forge that counts them apart from issues, as GitLab; the number
    /// counts from 1.
    case mergeRequest(number: Int)
    /// A commit of a repository, named by 7 to 64 hexadecimal digits in lower case.
    case commit(sha: String)
    /// A file of a repository at a branch, tag or commit.
    ///
    /// The ref contains no slash, because an address does not show where such a ref ends and the path begins.
    case file(path: String, ref: String)
    /// A user or organisation account.
    case account
    /// A topic label of repositories.
    case topic
  }

  /// The canonical id of the entity, equal to the `id` of a result for it.
  ///
  /// A repository is `host/owner/name`, an issue `host/owner/name#12`, a merge request `host/owner/name!12`,
  /// a commit `host/owner/name@<sha>`, a file `host/owner/name/blob/<ref>/<path>`, an account `host/@login`,
  /// a topic `host/topics/name`.
  public var id: String
  /// The type of the entity.
  public var subject: Subject
  /// The forge's host, with its port unless that is the scheme's default.
  public var host: String
  /// The owner including subgroups; the login of an account; empty for a topic.
  public var owner: String
  /// The repository's name; the topic's name; empty for an account.
  public var name: String

  /// Parses a reference.
  ///
  /// - Parameters:
  ///   - text: `owner/name`, `owner/name#12`, `owner/name@<sha>` or `@login`, each with or without a host; a
  ///     clone or web address of one of these; or the id of a result.
  ///   - defaultHost: The host of a reference that names none.
  ///   - twoLevelHosts: Further hosts on which a repository is always `owner/name`: a longer path leads to a
  ///     page inside the repository, a shorter one to an account.
  /// - Returns: `nil` when the text names no entity.
  public init?(_ text: String, defaultHost: String, twoLevelHosts: Set<String> = []) {
    let reader = EntityReferenceReader(defaultHost: defaultHost, furtherHosts: twoLevelHosts)
    guard let reference = reader.read(text) else { return nil }
    self = reference
  }

  /// Creates a reference to a repository, or to an entity in it.
  ///
  /// - Parameter repository: Its canonical id, `host/owner/name`.
  /// - Returns: `nil` when `repository` is not a canonical id.
  package init?(repository: String, subject: Subject = .repository) {
    guard let parts = RepositoryIdentity.components(repository) else { return nil }
    (host, owner, name) = parts
    self.subject = subject
    id = repository
    switch subject {
    case .issue(let number): id += "#\(number)"
    case .mergeRequest(let number): id += "!\(number)"
    case .commit(let sha): id += "@" + sha
    case .file(let path, let ref): id += "/blob/\(ref)/\(path)"
    case .repository, .account, .topic: break
    }
  }

  /// Creates a reference to a file.
  ///
  /// - Returns: `nil` for a path that is not one in a repository.
  package init?(file path: String, in repository: EntityReference, ref: String) {
    var path = path
    while path.hasSuffix("/") { path.removeLast() }
    guard let id = repository.repositoryID, Self.isClean(path[...].slashSeparated()) else { return nil }
    self.init(repository: id, subject: .file(path: path, ref: ref))
  }

  /// Whether segments are those of a path in a repository.
  static func isClean(_ path: some Sequence<some StringProtocol>) -> Bool {
    !path.contains { $0.isEmpty || $0 == "." || $0 == ".." }
  }

  /// Creates a reference to an account; the login is lowercased on hosts that ignore case.
  package init(account login: String, on host: String) {
    let login = RepositoryIdentity.ignoresCase(host) ? login.lowercased() : login
    (self.host, owner, name, subject) = (host, login, "", .account)
    id = "\(host)/@\(login)"
  }

  /// Creates a reference to a topic; the topic is lowercased.
  package init(topic: String, on host: String) {
    (self.host, owner, name, subject) = (host, "", topic.lowercased(), .topic)
    id = "\(host)/topics/\(name)"
  }
}

extension EntityReference {
  /// The result kind of the entity.
  public var kind: ResultKind {
    switch subject {
    case .repository: .repo
    case .issue, .mergeRequest: .issue
    case .commit: .commit
    case .file: .code
    case .account: .user
    case .topic: .topic
    }
  }

  /// The canonical id of the repository, or of the repository that contains the entity; `nil` for accounts
  /// and topics.
  public var repositoryID: String? {
    subject == .account || subject == .topic ? nil : "\(host)/\(owner)/\(name)"
  }

  /// The repository, or the repository that contains the entity; `nil` for accounts and topics.
  public var repository: EntityReference? { repositoryID.flatMap { EntityReference(repository: $0) } }

  /// The display name: `owner/name`, `owner/name#12`, `owner/name@0123abc`, `owner/name:path`, the login or
  /// the topic.
  public var title: String {
    switch subject {
    case .repository: "\(owner)/\(name)"
    case .issue(let number): "\(owner)/\(name)#\(number)"
    case .mergeRequest(let number): "\(owner)/\(name)!\(number)"
    case .commit(let sha): "\(owner)/\(name)@\(sha.prefix(Self.shortCommit))"
    case .file(let path, _): "\(owner)/\(name):\(path)"
    case .account: owner
    case .topic: name
    }
  }

  /// The number of digits of an abbreviated commit id.
  private static let shortCommit = 10

  /// The address of the entity's web page, in the layout of GitHub, which Gitea and Forgejo share.
  public var webAddress: String { webAddress(at: "https://\(host)") }

  /// The same of a server at another address.
  ///
  /// - Parameter server: Its address without a slash at its end.
  package func webAddress(at server: String) -> String {
    let repository = "\(server)/\(owner)/\(name)"
    switch subject {
    case .repository: return repository
    case .issue(let number): return repository + "/issues/\(number)"
    case .mergeRequest(let number):
      return repository + (KnownForges.hasPullRequests(host) ? "/pull-requests/" : "/-/merge_requests/")
        + "\(number)"
    case .commit(let sha): return repository + "/commit/" + sha
    case .file(let path, let ref):
      let segments = [ref] + path.split(separator: "/").map(String.init)
      return repository + "/blob/" + segments.map(PercentEncoding.encode).joined(separator: "/")
    case .account: return "\(server)/\(PercentEncoding.encode(owner))"
    case .topic: return "\(server)/topics/\(PercentEncoding.encode(name))"
    }
  }
}
