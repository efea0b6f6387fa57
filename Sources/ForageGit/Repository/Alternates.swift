import CLibGit2

/// The object databases that another one borrows from, as `info/alternates` names them (`link_alt_odb_entries` of
/// git's object-file.c).
///
/// `GIT_ALTERNATE_OBJECT_DIRECTORIES` is not heeded.
struct Alternates: Sendable, Hashable {
  /// Databases that borrow from each other are followed this far, as in git.
  private static let depth = 5
  /// More are not listed: a list can name any number, and each is looked at.
  private static let limit = 1_000

  /// Those that exist, absolute and without links, in the order in which git looks in them.
  private(set) var found: [String] = []
  /// Those that do not exist.
  private(set) var broken: [String] = []
  /// Of those that exist, what libgit2 does not find by itself: relative names in an alternate's own list or
  /// without a dot at the start, and quoted ones.
  private(set) var unusual: [String] = []

  /// Reads what a database names, and what those name.
  ///
  /// - Parameter objects: the database's folder.
  init(of objects: String) {
    guard FileAccess.isFile(objects + "/info/alternates") else { return }
    let own = FileAccess.realPath(objects) ?? objects
    var seen: Set<String> = [own]
    follow(own, 0, isUnusual: false, &seen)
  }

  /// Each database is followed at once by those that it names itself.
  private mutating func follow(_ objects: String, _ depth: Int, isUnusual: Bool, _ seen: inout Set<String>) {
    for (line, isQuoted) in Self.lines(objects) {
      guard seen.count < Self.limit else { return }
      let path = FileAccess.join(objects, line)
      let resolved = FileAccess.realPath(path) ?? path
      guard seen.insert(resolved).inserted else { continue }
      guard FileAccess.isDirectory(resolved) else {
        broken.append(resolved)
        continue
      }
      found.append(resolved)
      let isAbsolute = line.hasPrefix("/")
      let isMissed = isUnusual || isQuoted || !isAbsolute && (depth > 0 || !line.hasPrefix("."))
      if isMissed { unusual.append(resolved) }
      if depth < Self.depth { follow(resolved, depth + 1, isUnusual: isMissed, &seen) }
    }
  }

  /// The paths of `info/alternates`, one a line; `#` begins a comment, and quotes go around unusual names.
  private static func lines(_ objects: String) -> [(path: String, isQuoted: Bool)] {
    guard let bytes = try? FileAccess.read(objects + "/info/alternates", limit: GitRepository.textLimit) else {
      return []
    }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      if line.first == UInt8(ascii: "#") { return nil }
      if line.first == UInt8(ascii: "\""), let name = QuotedName(line) {
        return (String(decoding: name.bytes, as: UTF8.self), true)
      }
      return (String(decoding: line, as: UTF8.self), false)
    }
  }
}

extension GitRepository {
  /// The object databases that this one borrows from, directly or through others, absolute and without links;
  /// those that do not exist are told by ``brokenAlternates()``.
  package func alternates() -> [String] { Alternates(of: objectsFolder).found }

  /// Alternate object databases that are named and do not exist.
  package func brokenAlternates() -> [String] { Alternates(of: objectsFolder).broken }
}

extension LibGit2 {
  /// Adds to a database the alternates that libgit2 passes over and git does not.
  static func addUnusualAlternates(of objects: String, to odb: OpaquePointer) throws(GitError) {
    for path in Alternates(of: objects).unusual {
      try check(git_odb_add_disk_alternate(odb, path), "opening the object database \(path)")
    }
  }
}
