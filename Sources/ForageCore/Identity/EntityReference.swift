/// What a user can name one entity by: `owner/name`, `owner/name#12`, `owner/name@<sha>`, `@login`, an address, or the id of a result.
public struct EntityReference: Hashable, Sendable {
  /// Which thing of a forge is meant.
  public enum Subject: Hashable, Sendable {
    /// A repository.
    case repository
    /// An issue or a pull request of a repository; the number counts from 1.
    case issue(number: Int)
    /// A commit of a repository, by 7 to 64 hexadecimal digits in lower case.
    case commit(sha: String)
    /// A file of a repository at a branch, tag or commit; a branch with slashes in its name cannot be told from folders, so the ref has none.
    case file(path: String, ref: String)
    /// An account of a person or an organisation.
    case account
    /// A label that repositories carry.
    case topic
  }

  /// The canonical id of the entity, the same as that of a result.
  ///
  /// A repository is `host/owner/name`, an issue `host/owner/name#12`, a commit `host/owner/name@<sha>`, a file
  /// `host/owner/name/blob/<ref>/<path>`, an account `host/@login`, a topic `host/topics/name`.
  public var id: String
  /// What kind of thing it is.
  public var subject: Subject
  /// The forge's host, with its port where that is not the default.
  public var host: String
  /// The owner, with every subgroup; of an account its login; of a topic nothing.
  public var owner: String
  /// The repository's name; of a topic the topic; of an account nothing.
  public var name: String

  /// Reads a reference.
  ///
  /// - Parameters:
  ///   - text: `owner/name`, `owner/name#12`, `owner/name@<sha>`, `@login`, each with a host in front or not; any clone or web address of
  ///     one of these; the id of a result.
  ///   - defaultHost: The host of a reference that names none.
  ///   - twoLevelHosts: Hosts beside the well-known ones on which a repository is always `owner/name`, so that longer paths lead into it
  ///     and shorter ones to an account.
  /// - Returns: `nil` when the text names none of them.
  public init?(_ text: String, defaultHost: String, twoLevelHosts: Set<String> = []) {
    let reader = EntityReferenceReader(defaultHost: defaultHost, furtherHosts: twoLevelHosts)
    guard let reference = reader.read(text) else { return nil }
    self = reference
  }

  /// Creates a reference to a repository, or to something in it.
  ///
  /// - Parameter repository: Its canonical id, `host/owner/name`.
  /// - Returns: `nil` when that is no such id.
  init?(repository: String, subject: Subject = .repository) {
    guard let parts = RepositoryIdentity.components(repository) else { return nil }
    (host, owner, name) = parts
    self.subject = subject
    id = repository
    switch subject {
    case .issue(let number): id += "#\(number)"
    case .commit(let sha): id += "@" + sha
    case .file(let path, let ref): id += "/blob/\(ref)/\(path)"
    case .repository, .account, .topic: break
    }
  }

  /// Creates a reference to an account; forges that ignore case have it in lower case.
  public init(account login: String, on host: String) {
    let login = RepositoryIdentity.ignoresCase(host) ? login.lowercased() : login
    (self.host, owner, name, subject) = (host, login, "", .account)
    id = "\(host)/@\(login)"
  }

  /// Creates a reference to a topic, which is in lower case always.
  public init(topic: String, on host: String) {
    (self.host, owner, name, subject) = (host, "", topic.lowercased(), .topic)
    id = "\(host)/topics/\(name)"
  }
}

extension EntityReference {
  /// The kind of result that it names.
  public var kind: ResultKind {
    switch subject {
    case .repository: .repo
    case .issue: .issue
    case .commit: .commit
    case .file: .code
    case .account: .user
    case .topic: .topic
    }
  }

  /// The repository that it is or is in, by its canonical id; `nil` for accounts and topics.
  public var repositoryID: String? {
    subject == .account || subject == .topic ? nil : "\(host)/\(owner)/\(name)"
  }

  /// The repository that it is or is in; `nil` for accounts and topics.
  public var repository: EntityReference? { repositoryID.flatMap { EntityReference(repository: $0) } }

  /// What a person calls it: `owner/name`, `owner/name#12`, `owner/name@0123abc`, `owner/name:path`, the login, the topic.
  public var title: String {
    switch subject {
    case .repository: "\(owner)/\(name)"
    case .issue(let number): "\(owner)/\(name)#\(number)"
    case .commit(let sha): "\(owner)/\(name)@\(sha.prefix(Self.shortCommit))"
    case .file(let path, _): "\(owner)/\(name):\(path)"
    case .account: owner
    case .topic: name
    }
  }

  /// Digits that tell the commits of most repositories apart, as git abbreviates.
  private static let shortCommit = 10

  /// Where a person can look at it, by the layout of GitHub's pages, which Gitea and Forgejo share.
  public var webAddress: String {
    let repository = "https://\(host)/\(owner)/\(name)"
    switch subject {
    case .repository: return repository
    case .issue(let number): return repository + "/issues/\(number)"
    case .commit(let sha): return repository + "/commit/" + sha
    case .file(let path, let ref):
      let segments = [ref] + path.split(separator: "/").map(String.init)
      return repository + "/blob/" + segments.map(PercentEncoding.encode).joined(separator: "/")
    case .account: return "https://\(host)/\(PercentEncoding.encode(owner))"
    case .topic: return "https://\(host)/topics/\(PercentEncoding.encode(name))"
    }
  }
}
