import Foundation

extension Verification {
  /// Branches, tags, remotes, what the branch follows, stashes.
  mutating func references() async throws {
    let local = try await git.lines("for-each-ref", "--format=%(refname)", "refs/heads")
    comparison.value("branches.local", told.branches?.local, local?.count, canTell: false)
    let remote = try await git.lines("for-each-ref", "--format=%(symref)", "refs/remotes")
    comparison.value(
      "branches.remote", told.branches?.remote, remote?.count(where: \.isEmpty), canTell: false)
    let stashes = try await git.lines("stash", "list")
    comparison.value("stashes", told.stashes, stashes?.count, canTell: false)
    try await tags()
    try await remotes()
    try await upstream()
    try await defaultBranch()
  }

  private mutating func tags() async throws {
    comparison.value("tags.count", told.tags?.count, clone.tags.count)
    let described = try await git.text("describe", "--tags", "--long", "--abbrev=40")
    // `v1.0-rc-14-g<40 digits>`
    let parts = described?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    let nearest =
      parts.count > 2 ? "\(parts.dropLast(2).joined(separator: "-")) + \(parts[parts.count - 2])" : nil
    comparison.value(
      "tags.nearest", told.tags?.nearest.map { "\($0.name) + \($0.distance)" }, nearest,
      canTell: clone.hasHistory)
    let sorted = try await git.lines("tag", "--list", "--sort=version:refname") ?? []
    // Where most tags have another prefix, the releases have it, and those without it are older.
    let own = told.tags?.highest.map { $0.prefix { !$0.isNumber } } ?? ""
    let hasOwn = !["", "v"].contains(own) && sorted.count { $0.hasPrefix(own) } * 2 > sorted.count
    for prefix in hasOwn ? [] : ["", "v"] {
      guard let highest = sorted.last(where: { Self.numbers($0, prefix: prefix)?.isRelease == true }),
        let least = Self.numbers(highest, prefix: prefix)
      else { continue }
      let name = told.tags?.highest ?? "-"
      let found = Self.numbers(name, prefix: name.hasPrefix("v") ? "v" : "")
      let isReached = found.map {
        Self.isBefore(least.numbers, $0.numbers) || least.numbers == $0.numbers && $0.isRelease
      }
      comparison.check("tags.highest", told: name, git: ">= \(highest)", holds: isReached == true)
    }
    guard let version = told.version, version.source == "tag" else { return }
    // `curl-8_21_0` is the version 8.21.0.
    let isTag = clone.tags.contains {
      $0.replacing("_", with: ".").contains(version.name) || $0.contains(version.name)
    }
    comparison.check("version", told: version.name, git: isTag ? "a tag" : "no tag", holds: isTag)
  }

  /// The numbers of `v1.2.3`, without zeros at the end, and whether nothing follows them; nil when it begins
  /// otherwise.
  private static func numbers(_ name: String, prefix: String) -> (numbers: [Int], isRelease: Bool)? {
    guard name.hasPrefix(prefix) else { return nil }
    let rest = name.dropFirst(prefix.count)
    let part = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    var numbers = part.split(separator: ".").compactMap { Int($0) }
    // One number alone may be a date.
    guard numbers.count == part.split(separator: ".", omittingEmptySubsequences: false).count,
      numbers.count <= 4,
      numbers.count > (prefix.isEmpty ? 1 : 0)
    else { return nil }
    while numbers.last == 0 { numbers.removeLast() }
    return (numbers, part.count == rest.count || rest.dropFirst(part.count).hasPrefix("+"))
  }

  private static func isBefore(_ left: [Int], _ right: [Int]) -> Bool {
    left.lexicographicallyPrecedes(right)
  }

  private mutating func remotes() async throws {
    var listed: [String] = []
    for name in try await git.lines("remote") ?? [] {
      let urls = try await git.lines("config", "--get-all", "remote.\(name).url") ?? []
      if let url = urls.first(where: { !$0.isEmpty }) { listed.append("\(name) \(Self.withoutSecrets(url))") }
    }
    comparison.list("remotes", told.remotes?.map { "\($0.name) \($0.url)" }.sorted(), listed.sorted())
  }

  /// An address without user and query where it is one of the web, else without password.
  static func withoutSecrets(_ url: String) -> String {
    guard let end = url.range(of: "://"), var parts = URLComponents(string: url), parts.host != nil else {
      return url
    }
    parts.password = nil
    if ["http", "https", "ftp", "ftps"].contains(url[..<end.lowerBound].lowercased()) {
      parts.user = nil
      parts.query = nil
      parts.fragment = nil
    }
    return parts.string ?? url
  }

  private mutating func upstream() async throws {
    // Without a commit git tells no upstream.
    guard let ref = try await git.text("symbolic-ref", "--quiet", "HEAD"), clone.head != nil else { return }
    let full = try await git.text("for-each-ref", "--format=%(upstream)", ref).flatMap {
      $0.isEmpty ? nil : $0
    }
    var name = full
    for prefix in ["refs/heads/", "refs/remotes/", "refs/"] where full?.hasPrefix(prefix) == true {
      name = full.map { String($0.dropFirst(prefix.count)) }
      break
    }
    comparison.value("upstream.name", told.upstream?.name, name)
    guard let full else { return }
    let counts = try await git.text("rev-list", "--left-right", "--count", "HEAD...\(full)")
    let numbers = counts?.split(separator: "\t").compactMap { Int($0) } ?? []
    comparison.value("upstream.ahead", told.upstream?.ahead, numbers.first, canTell: clone.hasHistory)
    comparison.value("upstream.behind", told.upstream?.behind, numbers.last, canTell: clone.hasHistory)
  }

  private mutating func defaultBranch() async throws {
    let prefix = "refs/remotes/origin/"
    let target = try await git.text("symbolic-ref", "--quiet", prefix + "HEAD")
    if let target, target.hasPrefix(prefix),
      try await git.text("rev-parse", "--verify", "--quiet", target) != nil
    {
      comparison.value("defaultBranch", told.defaultBranch, String(target.dropFirst(prefix.count)))
    } else if let name = told.defaultBranch {
      // A guess from elsewhere must at least be a branch, or the one that is checked out.
      let refs =
        try await git.lines("for-each-ref", "--format=%(refname)", "refs/heads", "refs/remotes") ?? []
      let isKnown = refs.contains { $0.hasSuffix("/\(name)") } || told.head?.branch == name
      comparison.check("defaultBranch", told: name, git: isKnown ? "a branch" : "no branch", holds: isKnown)
    }
  }
}
