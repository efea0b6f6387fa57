/// Parses the forms in which a user can name an entity.
struct EntityReferenceReader {
  /// The host of a reference that names none.
  let defaultHost: String
  /// Further hosts on which a repository is always `owner/name`.
  var furtherHosts: Set<String> = []

  /// Path segments of issue and pull request pages; both share one sequence of numbers.
  private static let issuePages: Set<String> = ["issue", "issues", "pull", "pulls", "work_items"]
  /// Those of pull requests with numbers of their own, as on Bitbucket.
  private static let pullRequestPages: Set<String> = ["pull-request", "pull-requests"]
  /// The pages of a repository whose address may go on with any path.
  private static let pages = issuePages.union(["blob", "tree", "raw", "commit", "commits", "src"])
  /// What a ref is, in the addresses of files on Gitea and Forgejo: `src/branch/main/README.md`.
  private static let refKinds: Set<String> = ["branch", "tag", "commit"]
  /// The first path segment of the pages of groups.
  private static let groups = "groups"
  /// The first path segment of organisation pages, so no account has this name.
  private static let organisations = "orgs"
  /// Accepted lengths of commit ids: git's minimum abbreviation up to SHA-256.
  private static let commitDigits = 7...64
  /// A bound above the longest login of any known forge.
  private static let maximumLogin = 255

  /// Parses a reference; `nil` when the text names no entity.
  func read(_ text: String) -> EntityReference? {
    var text = text.trimmingWhitespace()
    while text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
    let first = text.utf8.first
    guard let first, ![UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "~")].contains(first),
      text.utf8.count <= RepositoryIdentity.maximumLength,
      // A gist is no repository of the forge's.
      Self.beginning(text) != KnownForges.gists,
      text.unicodeScalars.allSatisfy({ $0.value >= 32 && !(127...159).contains($0.value) })
    else { return nil }
    if first == UInt8(ascii: "@") { return account(text.dropFirst(), host: defaultHost) }
    let isShort =
      text.utf8.count { $0 == UInt8(ascii: "/") } == 1 && !isKnownHost(Self.beginning(text))
      && !text.contains("/@")
    let named = isShort && !defaultHost.isEmpty ? defaultHost + "/" + text : text
    if let page = WebPath(named, isHost: isKnownHost), let entity = entity(at: page) { return entity }
    // Only a file path may contain spaces.
    guard !text.unicodeScalars.contains(" ") else { return nil }
    return suffixed(text) ?? repository(text)
  }

  /// The text before the first slash, lowercased.
  private static func beginning(_ text: String) -> String { text.prefix { $0 != "/" }.lowercased() }

  /// The entity of a forge page that is not simply a repository. Only the path of a file has control
  /// characters, which an address has in percent-encodings.
  private func entity(at page: WebPath) -> EntityReference? {
    let path = page.segments
    let isText = path.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 32 } }
    // Where repositories have groups of any depth, a dash ends the path of the repository; behind a page it
    // is the name of a folder.
    let dash = path.firstIndex(of: "-").flatMap { place in
      place > 1 && !path[2..<place].contains(where: Self.pages.contains) && page.host.map(isTwoLevel) != true
        ? place : nil
    }
    let isServer = RepositoryIdentity.isServerPage(path) && page.host.map(isTwoLevel) != true
    let end = isServer ? 4 : dash.map { $0 + 1 } ?? 2
    if path.count >= end + 2, ![Self.organisations, Self.groups].contains(path[0].lowercased()) {
      let subject: EntityReference.Subject? =
        switch path[end] {
        case let kind where Self.issuePages.contains(kind):
          Self.number(path[end + 1]).map { .issue(number: $0) }
        case let kind
        where dash == nil && Self.pullRequestPages.contains(kind) && page.host.map(isOfGitHub) != true:
          Self.number(path[end + 1]).map { .mergeRequest(number: $0) }
        case "merge_requests" where dash != nil: Self.number(path[end + 1]).map { .mergeRequest(number: $0) }
        case "commits" where isServer: Self.commit(path[end + 1]).map { .commit(sha: $0) }
        case "commit": Self.commit(path[end + 1]).map { .commit(sha: $0) }
        case "blob" where path.count > end + 2: file(path[(end + 1)...])
        case "src" where dash == nil && path.count > end + 3 && Self.refKinds.contains(path[end + 1]):
          file(path[(end + 2)...])
        default: nil
        }
      if let subject, isText || subject.isFile,
        let repository = RepositoryIdentity.canonical(page.repositoryAddress(isServer ? 4 : dash ?? 2))
      {
        return EntityReference(repository: repository, subject: subject)
      }
    }
    guard isText else { return nil }
    // Servers from before 2020 have no dash.
    if dash == nil, path.count >= 4, path[path.count - 2] == "merge_requests",
      page.host.map(isTwoLevel) != true,
      let number = Self.number(path[path.count - 1]),
      let repository = RepositoryIdentity.canonical(page.repositoryAddress(path.count - 2))
    {
      return EntityReference(repository: repository, subject: .mergeRequest(number: number))
    }
    guard let host = page.host, let first = path.first else { return nil }
    if path.count == 1, first.hasPrefix("@") { return account(first.dropFirst(), host: host) }
    if path.count == 2, first.lowercased() == Self.groups, !isTwoLevel(host) {
      return account(path[1][...], host: host)
    }
    guard isKnownHost(host) else { return nil }
    if path.count == 1 { return account(first[...], host: host) }
    if first.lowercased() == Self.organisations { return account(path[1][...], host: host) }
    if first == "topics", path.count == 2, isGitHub(host), !path[1].contains(" ") {
      return EntityReference(topic: path[1], on: host)
    }
    return nil
  }

  /// - Parameter segments: The ref, and behind it the path.
  private func file(_ segments: ArraySlice<String>) -> EntityReference.Subject? {
    let path = segments.dropFirst()
    guard EntityReference.isClean(path), let ref = segments.first, !ref.isEmpty else { return nil }
    return .file(path: path.joined(separator: "/"), ref: ref)
  }

  /// Parses `owner/name#12`, `owner/name!12` and `owner/name@<sha>`, with the repository in any accepted
  /// form.
  private func suffixed(_ text: String) -> EntityReference? {
    if let mark = text.lastIndex(where: { $0 == "#" || $0 == "!" }),
      let number = Self.number(text[text.index(after: mark)...])
    {
      return repository(String(text[..<mark])).flatMap {
        EntityReference(
          repository: $0.id,
          subject: text[mark] == "#" ? .issue(number: number) : .mergeRequest(number: number))
      }
    }
    if let mark = text.lastIndex(of: "@"), let sha = Self.commit(text[text.index(after: mark)...]) {
      return repository(String(text[..<mark])).flatMap {
        EntityReference(repository: $0.id, subject: .commit(sha: sha))
      }
    }
    return nil
  }

  private func repository(_ text: String) -> EntityReference? {
    let parts = text[...].slashSeparated()
    let isShort = parts.count == 2 && !text.contains(":") && !text.contains("@")
    let address = isShort ? "https://\(defaultHost)/\(text)" : text
    guard let name = RepositoryIdentity.canonical(repositoryAddress(address)),
      let (host, owner, _) = RepositoryIdentity.components(name),
      owner.lowercased() != Self.organisations || !isKnownHost(host)
    else { return nil }
    return EntityReference(repository: name)
  }

  /// Removes a path inside a repository from its web address: `/tree/main/Sources`, `/-/issues`, `/pull/7`.
  private func repositoryAddress(_ address: String) -> String {
    guard let canonical = RepositoryIdentity.canonical(address) else { return address }
    let parts = canonical[...].slashSeparated(omittingEmptySubsequences: true)
    if parts.count > 3, isTwoLevel(String(parts[0])) { return parts.prefix(3).joined(separator: "/") }
    return canonical.firstRange(of: "/-/").map { String(canonical[..<$0.lowerBound]) } ?? canonical
  }

  private func account(_ login: Substring, host: String) -> EntityReference? {
    let isName = login.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
    guard !login.isEmpty, isName, login.utf8.first != UInt8(ascii: "."), login.utf8.count <= Self.maximumLogin
    else { return nil }
    return EntityReference(account: String(login), on: host)
  }

  private func isTwoLevel(_ host: String) -> Bool {
    KnownForges.isTwoLevel(host) || furtherHosts.contains(host)
  }

  private func isKnownHost(_ host: String) -> Bool { isTwoLevel(host) || host == defaultHost }

  /// Whether a host has GitHub's topic pages, so `topics` is not an account there.
  private func isGitHub(_ host: String) -> Bool {
    isOfGitHub(host) || host == defaultHost
  }

  private func isOfGitHub(_ host: String) -> Bool {
    KnownForges.isGitHub(host) || furtherHosts.contains(host)
  }

  /// An issue number: digits only, at least 1, at most 18 digits so that it fits in `Int`.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard (1...18).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "0"),
      text.consists(of: "0"..."9")
    else { return nil }
    return Int(text)
  }

  private static func commit(_ text: some StringProtocol) -> String? {
    guard commitDigits.contains(text.utf8.count),
      text.consists(of: "0"..."9", "a"..."f", "A"..."F")
    else { return nil }
    return text.lowercased()
  }
}

extension EntityReference.Subject {
  fileprivate var isFile: Bool { if case .file = self { true } else { false } }
}

/// The host and path of a web address, or of an id in the same form.
private struct WebPath {
  /// Scheme and authority as written.
  private var root: String
  private var raw: [Substring]
  /// The path segments, percent-decoded when the text is an address.
  var segments: [String]

  /// - Parameter isHost: Whether a name without a scheme is the host of a forge.
  /// - Returns: `nil` for other schemes and for text without a host.
  init?(_ text: String, isHost: (String) -> Bool) {
    var rest = text[...]
    let hasScheme = text.utf8Range(of: "://") != nil
    if hasScheme {
      guard let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) }) else {
        return nil
      }
      rest = rest.dropFirst(scheme.count)
      rest = rest.prefix { $0 != "?" && $0 != "#" }
    } else if let lines = rest.firstRange(of: "#L"), rest.contains("/blob/") {
      // A line anchor such as #L10-L20; ids have none.
      rest = rest[..<lines.lowerBound]
    }
    var parts = rest.slashSeparated()
    while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    guard parts.count > 1 else { return nil }
    let authority = parts.removeFirst()
    let isNamed = parts.count > 1 || isHost(authority.lowercased()) || parts[0].hasPrefix("@")
    // Without a scheme, an @ or a colon means the scp form of a clone address.
    guard hasScheme || isNamed && !authority.contains("@") else { return nil }
    root = (hasScheme ? "https://" : "") + authority
    raw = parts
    segments = parts.map { hasScheme ? PercentEncoding.decode($0) : String($0) }
    // A decoded slash would change the path.
    guard !segments.contains(where: { $0.utf8.contains(UInt8(ascii: "/")) }) else { return nil }
  }

  /// The address of the repository that the first segments name.
  func repositoryAddress(_ count: Int) -> String { root + "/" + raw.prefix(count).joined(separator: "/") }

  var host: String? {
    RepositoryIdentity.canonical(root + "/x/y").flatMap { RepositoryIdentity.components($0)?.host }
  }
}
