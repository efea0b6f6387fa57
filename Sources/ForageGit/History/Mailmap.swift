import ForagePlatform

/// A mailmap with git's semantics (mailmap.c).
///
/// E-mails and names are compared case-insensitively in ASCII. A line has one of four forms: `Proper <e>`,
/// `<proper> <e>`, `Proper <proper> <e>` and `Proper <proper> Name <e>`.
package struct Mailmap: Sendable {
  private struct Replacement: Sendable {
    var name: [UInt8]?
    var email: [UInt8]?
  }

  private struct Entry: Sendable {
    var plain = Replacement()
    var byName: [[UInt8]: Replacement] = [:]
  }

  private var entries: [[UInt8]: Entry] = [:]

  package init() {}

  /// Adds the lines of a file; a later line overrides an earlier one.
  package mutating func add(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if line.first == UInt8(ascii: "#") { continue }
      add(line: line)
    }
  }

  package func resolve(name: [UInt8], email: [UInt8]) -> (name: [UInt8], email: [UInt8]) {
    if entries.isEmpty { return (name, email) }
    guard let entry = entries[Self.folded(email)] else { return (name, email) }
    let replacement = entry.byName.isEmpty ? entry.plain : entry.byName[Self.folded(name)] ?? entry.plain
    return (replacement.name ?? name, replacement.email ?? email)
  }

  private mutating func add(line: ArraySlice<UInt8>) {
    guard let first = Self.pair(line, allowEmptyEmail: false) else { return }
    let second = Self.pair(first.rest, allowEmptyEmail: true)
    let old = second?.email ?? first.email
    let replacement = Replacement(name: first.name, email: second == nil ? nil : first.email)
    // In place: an address can have any number of names.
    let key = Self.folded(old)
    if let oldName = second?.name {
      entries[key, default: Entry()].byName[Self.folded(oldName)] = replacement
    } else {
      if let name = replacement.name { entries[key, default: Entry()].plain.name = name }
      if let email = replacement.email { entries[key, default: Entry()].plain.email = email }
    }
  }

  private static func pair(
    _ line: ArraySlice<UInt8>, allowEmptyEmail: Bool
  ) -> (name: [UInt8]?, email: [UInt8], rest: ArraySlice<UInt8>)? {
    guard let left = line.firstIndex(of: UInt8(ascii: "<")),
      let right = line[(left + 1)...].firstIndex(of: UInt8(ascii: ">")),
      allowEmptyEmail || right > left + 1
    else { return nil }
    var name = line[line.startIndex..<left].drop(while: isSpace)
    while let last = name.last, isSpace(last) { name.removeLast() }
    return (name.isEmpty ? nil : Array(name), Array(line[(left + 1)..<right]), line[(right + 1)...])
  }

  private static func folded(_ bytes: [UInt8]) -> [UInt8] { bytes.map(lowercased) }
}

extension GitRepository {
  /// Returns the mailmap that git would use: `.mailmap` of the work tree (of `HEAD` if bare), `mailmap.blob`,
  /// `mailmap.file`.
  ///
  /// A source that cannot be read is ignored, as in git.
  package func mailmap() -> Mailmap {
    var map = Mailmap()
    for source in mailmapSources() { map.add(source) }
    return map
  }

  /// Returns the contents of the mailmap, lowest precedence first.
  func mailmapSources() -> [[UInt8]] {
    var sources: [[UInt8]] = []
    if let found = try? clonedFiles()?.read(Array(".mailmap".utf8), limit: Self.textLimit) {
      sources.append(found.bytes)
    }
    if let name = config.string("mailmap.blob") ?? (isBare ? "HEAD:.mailmap" : nil),
      let id = blobID(named: name), let bytes = try? blob(id)
    {
      sources.append(bytes)
    }
    if let file = config.string("mailmap.file") {
      let path = FileAccess.join(worktree ?? gitDir, expandHome(file))
      if let bytes = try? FileAccess.read(path, limit: Self.textLimit) { sources.append(bytes) }
    }
    return sources
  }

  /// Resolves `REVISION:path` or an id to a blob.
  private func blobID(named name: String) -> ObjectID? {
    guard let colon = name.firstIndex(of: ":") else { return ObjectID(hex: name) }
    let revision = String(name[..<colon])
    let start =
      revision == "HEAD"
      ? refs.head.commit
      : ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"].lazy
        .compactMap { self.refs[name: ReferenceName($0 + revision)]?.target }.first ?? ObjectID(hex: revision)
    guard let start, let peeled = try? peel(start), peeled.kind == .commit,
      let commit = try? commit(peeled.id)
    else { return nil }
    return try? entry(at: String(name[name.index(after: colon)...]), in: commit.tree)?.id
  }
}
