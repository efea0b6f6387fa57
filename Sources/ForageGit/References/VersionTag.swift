/// A tag name that is a version, ordered by the precedence of Semantic Versioning 2.0.0, section 11.
///
/// Parsing is lenient: one to four numbers, after an optional `v` or a prefix that ends with `-`, `_` or `/`,
/// and a pre-release part whose hyphen is optional (`v1.0rc1`). Versions without such a prefix rank above
/// those with one. Names of snapshots, of development and of lines of releases (`5.x`) are no versions.
package struct VersionTag: Sendable, Hashable {
  /// Words of names that are no release.
  private static let unreleased: Set<String> = [
    "snapshot", "nightly", "canary", "dev", "devel", "develop", "development", "trunk",
  ]

  /// Whether a word of a name says that it is no release: `dev3`, `x` of `5.x`, but not `x86`.
  private static func isUnreleased(_ word: Substring) -> Bool {
    word == "x" || unreleased.contains(String(word.drop(while: \.isNumber).prefix(while: \.isLetter)))
  }

  /// What precedes the version, without a `v` and separators, in lower case.
  private let prefix: String
  private var isPlain: Bool { prefix.isEmpty }
  private let numbers: [UInt64]
  private let prerelease: [String]

  /// Parses the short name of a tag; nil if it is not a version.
  package init?(_ name: String) {
    guard let start = Self.start(of: name) else { return nil }
    let prefix = name[..<start]
    guard
      !name.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains(
        where: Self.isUnreleased)
    else { return nil }
    var own = prefix.lowercased()
    if own.last == "v" { own.removeLast() }
    while let last = own.last, "-_/".contains(last) { own.removeLast() }
    self.prefix = own
    var rest = name[start...]
    // Build metadata has no precedence.
    if let plus = rest.firstIndex(of: "+") { rest = rest[..<plus] }
    var numbers: [UInt64] = []
    while numbers.count < 4 {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, let number = UInt64(digits) else { break }
      numbers.append(number)
      rest = rest[digits.endIndex...]
      let after = rest.dropFirst()
      guard rest.first == ".", after.first.map({ $0.isASCII && $0.isNumber }) == true, numbers.count < 4
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

  /// Returns the name with the highest version; of several the first. A prefix that more than half of the
  /// versions have is that of the releases.
  package static func highest(_ names: some Sequence<String>) -> String? {
    let versions = names.compactMap { name in VersionTag(name).map { (version: $0, name: name) } }
    let counts = versions.reduce(into: [String: Int]()) { $0[$1.version.prefix, default: 0] += 1 }
    let common = counts.first { $0.value * 2 > versions.count }?.key
    let releases = versions.filter { $0.version.prefix == common }
    let ranked = releases.isEmpty ? versions : releases
    // The first of equal ones.
    return ranked.reduce(nil as (version: VersionTag, name: String)?) { best, next in
      best.map { $0.version < next.version ? next : $0 } ?? next
    }?.name
  }

  /// Words behind a version that add nothing to it.
  private static let finals: Set<String> = ["release", "final", "ga"]

  /// Returns the version in a tag's name: `1.2.0` of `release-v1.2.0`, `6.3` of `swift-6.3-RELEASE`; nil if it is
  /// not a version.
  package static func version(in name: String) -> String? {
    guard VersionTag(name) != nil, let start = start(of: name) else { return nil }
    let version = name[start...]
    guard let separator = version.lastIndex(where: { "-_.".contains($0) }),
      finals.contains(version[separator...].dropFirst().lowercased())
    else { return String(version) }
    return String(version[..<separator])
  }

  private static func start(of name: String) -> String.Index? {
    guard let digit = name.firstIndex(where: { $0.isASCII && $0.isNumber }) else { return nil }
    let prefix = name[..<digit]
    guard let last = prefix.last else { return digit }
    if "-_/".contains(last) { return digit }
    guard last == "v" || last == "V" else { return nil }
    let before = prefix.dropLast().last
    return before == nil || before.map { "-_/".contains($0) } == true ? digit : nil
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
    if left.isPlain != right.isPlain { return right.isPlain }
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
