package struct TagSummary: Sendable, Hashable {
  package let count: Int
  /// The nearest tag reachable from `HEAD`, as `git describe --tags` finds it.
  package let nearest: Nearest?
  package let highest: String?
  /// The number of tags that may be nearer, because objects of them are missing or damaged; 0 if `nearest` is
  /// not requested.
  package var unread = 0

  package struct Nearest: Sendable, Hashable {
    package let name: String
    package let distance: Int
  }
}

extension GitRepository {
  private static let tagPrefix = "refs/tags/"

  /// Counts and ranks the tags.
  ///
  /// - Parameter graph: the history of `HEAD`; nil if there is none or `nearest` is not requested.
  /// - Throws: `cancelled`; `corrupt` if the names of references cannot be read; `missingObject` or `corrupt`
  ///   if a commit on the way to the nearest tag cannot be read. A tag whose object cannot be read counts,
  ///   but is never the nearest.
  package func tags(
    _ graph: inout CommitGraph?, isCancelled: () -> Bool = { false }
  ) throws(GitError) -> TagSummary {
    let references = objectProblem == nil ? refs.with(prefix: Self.tagPrefix) : []
    let names = objectProblem == nil ? references.map(\.name) : try refs.names().map(\.name)
    let tags = names.compactMap { $0.text(after: Self.tagPrefix) }
    let highest = VersionTag.highest(tags)
    var nearest: TagSummary.Nearest?
    var unread = 0
    if graph != nil {
      let names = describeNames(references, &graph, unread: &unread)
      if let found = try graph?.describe(names, isCancelled: isCancelled) {
        // As git does: an annotated tag has a name of its own, whatever the reference is called.
        let own = found.name.tag.flatMap { try? tag($0).name }
        nearest = .init(name: own ?? found.name.name, distance: found.distance)
      }
    }
    return TagSummary(count: tags.count, nearest: nearest, highest: highest, unread: unread)
  }

  /// Chooses the tag that describes each commit: annotated before lightweight, the newest of annotated ones,
  /// the first of lightweight ones. Counts the tags that cannot be read.
  private func describeNames(
    _ references: [Reference], _ graph: inout CommitGraph?, unread: inout Int
  ) -> [Int: DescribeName] {
    var names: [Int: DescribeName] = [:]
    for reference in references {
      var target = reference.peeled ?? reference.target
      if reference.peeled == nil, graph?.number(of: target) == nil {
        // A loose reference to a tag has no peeled id, and libgit2 does not tell a packed one that needs
        // none, so the object is read.
        do throws(GitError) {
          let peeled = try peel(target)
          guard peeled.kind == .commit else { continue }
          target = peeled.id
        } catch {
          // What a partial clone leaves with its remote is no commit.
          if error.isDamage, error.code != .missingObject || !isPartialClone { unread += 1 }
          continue
        }
      }
      guard let number = graph?.insertTagTarget(target) else { continue }
      let name = DescribeName(
        name: reference.name.text(after: Self.tagPrefix) ?? "",
        tag: target != reference.target ? reference.target : nil)
      if let current = names[number] {
        guard let new = name.tag else { continue }
        if let old = current.tag, taggedAt(old) >= taggedAt(new) { continue }
      }
      names[number] = name
    }
    return names
  }

  private func taggedAt(_ id: ObjectID) -> Int64 { (try? tag(id).taggedAt) ?? 0 }
}

/// A tag name that is a version, ordered by the precedence of Semantic Versioning 2.0.0, section 11.
///
/// Parsing is lenient: one to four numbers, after an optional `v` or a prefix that ends with `-`, `_`, `/` or
/// `@`, and a pre-release part whose hyphen is optional (`v1.0rc1`). Behind a prefix `_` may separate numbers
/// (`REL_16_1`). Versions without a prefix other than "release" rank above those with one. Names of
/// snapshots, of development and of lines of releases (`5.x`) are no versions.
package struct VersionTag: Sendable, Hashable {
  /// Words of names that are no release.
  private static let unreleased: Set<String> = [
    "snapshot", "nightly", "canary", "dev", "devel", "develop", "development", "trunk",
  ]

  /// Whether a word of a name says that it is no release: `dev3`, `x` of `5.x`, but not `x86`.
  private static func isUnreleased(_ word: Substring) -> Bool {
    word == "x" || unreleased.contains(String(word.drop(while: \.isNumber).prefix(while: \.isLetter)))
  }

  /// Prefixes that say nothing.
  private static let plainPrefixes: Set<String> = ["release", "rel", "version", "ver"]

  /// What precedes the version, without a `v` and separators, in lower case; empty for ``plainPrefixes``.
  private let prefix: String
  private var isPlain: Bool { prefix.isEmpty }
  private let numbers: [UInt64]
  private let prerelease: [String]

  /// Parses the short name of a tag; nil if it is not a version.
  package init?(_ name: String) { self.init(name, afterLetters: false) }

  /// - Parameter afterLetters: whether any letter may precede the numbers, as in `go1.22.0`.
  private init?(_ name: String, afterLetters: Bool) {
    guard let start = Self.start(of: name, afterLetters: afterLetters) else { return nil }
    let prefix = name[..<start]
    guard
      !name.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains(
        where: Self.isUnreleased)
    else { return nil }
    var own = prefix.lowercased()
    if own.last == "v" { own.removeLast() }
    while let last = own.last, "-_/@".contains(last) { own.removeLast() }
    self.prefix = Self.plainPrefixes.contains(own) ? "" : own
    var rest = name[start...]
    // Build metadata has no precedence.
    if let plus = rest.firstIndex(of: "+") { rest = rest[..<plus] }
    let separator = Self.separator(of: rest, after: prefix)
    var numbers: [UInt64] = []
    while numbers.count < 4 {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, let number = UInt64(digits) else { break }
      numbers.append(number)
      rest = rest[digits.endIndex...]
      let after = rest.dropFirst()
      guard rest.first == separator, after.first.map({ $0.isASCII && $0.isNumber }) == true, numbers.count < 4
      else { break }
      rest = after
    }
    // A bare number is a date or a build, unless a `v` precedes it.
    guard numbers.count > 1 || numbers.count == 1 && prefix.last.map({ $0 == "v" || $0 == "V" }) == true
    else {
      return nil
    }
    while numbers.count < 4 { numbers.append(0) }
    self.numbers = numbers
    let tail = rest.drop { $0 == "-" || $0 == "_" || $0 == "." }
    prerelease =
      tail.isEmpty || Self.finals.contains(tail.lowercased())
      ? [] : tail.split(separator: ".").flatMap(Self.parts)
  }

  /// Returns the name with the highest version; of several the first. Versions without a prefix and those
  /// with one that more than half of the versions have are the releases. Letters without a separator are a
  /// prefix where several names have them.
  package static func highest(_ names: some Sequence<String>) -> String? {
    let read = names.compactMap { name in
      let own = VersionTag(name)
      return (own ?? VersionTag(name, afterLetters: true)).map {
        (version: $0, name: name, isCertain: own != nil)
      }
    }
    let all = read.reduce(into: [String: Int]()) { $0[$1.version.prefix, default: 0] += 1 }
    let versions = read.filter { $0.isCertain || all[$0.version.prefix, default: 0] > 1 }
    let counts = versions.reduce(into: [String: Int]()) { $0[$1.version.prefix, default: 0] += 1 }
    let common = counts.first { $0.value * 2 > versions.count }?.key
    let releases = versions.filter { $0.version.isPlain || $0.version.prefix == common }
    let ranked = releases.isEmpty ? versions : releases
    return ranked.dropFirst().reduce(ranked.first) { best, next in
      best.map { $0.version.precedes(next.version) } == true ? next : best
    }?.name
  }

  /// Words behind a version that add nothing to it.
  private static let finals: Set<String> = ["release", "final", "ga"]

  /// Returns the version in a tag's name: `1.2.0` of `release-v1.2.0`, `6.3` of `swift-6.3-RELEASE`, `16.1`
  /// of `REL_16_1`; nil if it is not a version.
  package static func version(in name: String) -> String? {
    guard VersionTag(name, afterLetters: true) != nil, let start = start(of: name, afterLetters: true) else {
      return nil
    }
    var version = name[start...]
    if let separator = version.lastIndex(where: { "-_.".contains($0) }),
      finals.contains(version[separator...].dropFirst().lowercased())
    {
      version = version[..<separator]
    }
    return Self.separator(of: version, after: name[..<start]) == "_"
      ? String(version.map { $0 == "_" ? "." : $0 }) : String(version)
  }

  /// Returns what separates the numbers of a version: `_` only behind a prefix, and not in dates.
  private static func separator(of version: Substring, after prefix: Substring) -> Character {
    let digits = version.prefix { $0.isASCII && $0.isNumber }
    let rest = version[digits.endIndex...]
    let isNumber = rest.dropFirst().first.map { $0.isASCII && $0.isNumber } == true
    return !prefix.isEmpty && rest.first == "_" && isNumber && digits.count < 4 ? "_" : "."
  }

  private static func start(of name: String, afterLetters: Bool) -> String.Index? {
    // `@scope/name2@1.0`
    if let sign = name.lastIndex(of: "@"), case let start = name.index(after: sign), start < name.endIndex,
      name[start].isASCII, name[start].isNumber
    {
      return start
    }
    guard let digit = name.firstIndex(where: { $0.isASCII && $0.isNumber }) else { return nil }
    let prefix = name[..<digit]
    guard let last = prefix.last else { return digit }
    if "-_/".contains(last) || afterLetters && last.isLetter { return digit }
    guard last == "v" || last == "V" else { return nil }
    let before = prefix.dropLast().last
    return before == nil || before.map { "-_/@".contains($0) } == true ? digit : nil
  }

  /// Splits `rc10` into `rc` and `10`, so that it ranks above `rc9`.
  private static func parts(_ text: Substring) -> [String] {
    var parts: [String] = []
    var rest = text
    while let first = rest.first {
      let isDigits = first.isASCII && first.isNumber
      let part = rest.prefix { ($0.isASCII && $0.isNumber) == isDigits }
      parts.append(String(part))
      rest = rest[part.endIndex...]
    }
    return parts
  }
}

extension VersionTag: Comparable {
  package static func < (left: VersionTag, right: VersionTag) -> Bool {
    left.isPlain != right.isPlain ? right.isPlain : left.precedes(right)
  }

  /// Whether this version is lower, whatever precedes both.
  private func precedes(_ right: VersionTag) -> Bool {
    let left = self
    if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
    if left.prerelease.isEmpty || right.prerelease.isEmpty {
      return !left.prerelease.isEmpty && right.prerelease.isEmpty
    }
    for (a, b) in zip(left.prerelease, right.prerelease) where a != b {
      switch (UInt64(a), UInt64(b)) {
      case (let x?, let y?): if x != y { return x < y }
      case (_?, nil): return true
      case (nil, _?): return false
      case (nil, nil): return a < b
      }
    }
    return left.prerelease.count < right.prerelease.count
  }
}
