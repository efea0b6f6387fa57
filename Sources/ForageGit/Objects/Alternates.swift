/// The alternates of an object database, from `info/alternates` (git's `link_alt_odb_entries`).
///
/// `GIT_ALTERNATE_OBJECT_DIRECTORIES` is ignored. libgit2 misses quoted names, relative names without a
/// leading dot, and relative names in the list of an alternate (still so in 1.9), so it is told each
/// database.
struct Alternates: Sendable, Hashable {
  /// The depth to which alternates of alternates are followed, as in git.
  private static let depth = 5
  /// The most alternates, because each is examined.
  private static let limit = 1_000

  /// The databases that exist, absolute and without symbolic links, in the order in which git searches them.
  private(set) var found: [String] = []
  /// The databases that do not exist.
  private(set) var broken: [String] = []
  /// Whether there may be others: there are too many, or a list of them cannot be read.
  private(set) var isIncomplete = false

  init(of objects: String) {
    guard FileAccess.isFile(objects + "/info/alternates") else { return }
    let own = FileAccess.realPath(objects) ?? objects
    var seen: Set<String> = [own]
    follow(own, 0, &seen)
  }

  /// Depth first: the alternates of a database directly follow it.
  private mutating func follow(_ objects: String, _ depth: Int, _ seen: inout Set<String>) {
    guard let lines = Self.lines(objects) else {
      isIncomplete = true
      return
    }
    for line in lines {
      guard seen.count < Self.limit else {
        isIncomplete = true
        return
      }
      let path = FileAccess.join(objects, line)
      let resolved = FileAccess.realPath(path) ?? path
      guard seen.insert(resolved).inserted else { continue }
      guard FileAccess.isDirectory(resolved) else {
        broken.append(resolved)
        continue
      }
      found.append(resolved)
      if depth < Self.depth { follow(resolved, depth + 1, &seen) }
    }
  }

  /// Returns the paths in `info/alternates`, one a line; `#` begins a comment, and unusual names are quoted.
  /// Nil if the file cannot be read.
  private static func lines(_ objects: String) -> [String]? {
    let bytes: [UInt8]?
    do throws(GitError) {
      bytes = try FileAccess.read(objects + "/info/alternates", limit: GitRepository.textLimit)
    } catch {
      return nil
    }
    return (bytes ?? []).split(separator: UInt8(ascii: "\n")).compactMap { line in
      if line.first == UInt8(ascii: "#") { return nil }
      if line.first == UInt8(ascii: "\""), let name = QuotedName(line) {
        return String(decoding: name.bytes, as: UTF8.self)
      }
      return String(decoding: line, as: UTF8.self)
    }
  }
}

extension GitRepository {
  /// Returns the object databases from which this one borrows, directly or indirectly, absolute and without
  /// symbolic links. ``brokenAlternates()`` returns those that do not exist.
  package func alternates() -> [String] { objectFolders.alternates.found }

  package func brokenAlternates() -> [String] { objectFolders.alternates.broken }
}
