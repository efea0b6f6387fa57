/// One reference.
package struct Reference: Sendable, Hashable {
  /// The full name, as in `refs/heads/main`.
  package let name: String
  /// The object that it names (of a symbolic reference: that its target names).
  package let target: ObjectID
  /// What an annotated tag names in the end, when `packed-refs` tells; nil when it is not known without
  /// reading.
  package let peeled: ObjectID?
  /// Whether `packed-refs` says that the target is no annotated tag.
  package let isKnownPlain: Bool
  /// Whether it names another reference, as `refs/remotes/origin/HEAD` does.
  package let isSymbolic: Bool
}

/// What `HEAD` says.
package enum HeadState: Sendable, Hashable {
  /// On a reference; the commit is nil when that does not exist yet.
  case symbolic(ref: String, commit: ObjectID?)
  /// On a commit.
  case detached(ObjectID)
  /// Neither a reference nor an id, with the reason.
  case invalid(String)

  /// The commit, when there is one.
  package var commit: ObjectID? {
    switch self {
    case .symbolic(_, let commit): commit
    case .detached(let commit): commit
    case .invalid: nil
    }
  }

  /// The branch's short name, when on one.
  package var branch: String? {
    guard case .symbolic(let ref, _) = self, ref.hasPrefix("refs/heads/") else { return nil }
    return String(ref.dropFirst("refs/heads/".count))
  }
}

/// The references of a repository, read directly from `packed-refs` and the loose files.
///
/// libgit2 reads each tag's object to tell what it names, 7 times slower than `git for-each-ref`; here the
/// `^` lines of `packed-refs` tell.
package struct RefStore: Sendable {
  /// Symbolic references are followed this far, as in git.
  private static let symbolicDepth = 5
  /// Folders below `refs` are read this deep: a path can hold no more than 4 KiB of names.
  private static let folderDepth = 128
  /// More references are refused: the largest known repositories have about a million.
  static let referenceLimit = 5_000_000

  /// What `HEAD` says.
  package let head: HeadState
  private let list: ReferenceList

  /// All references sorted by the bytes of their names.
  package var all: [Reference] { list.all }

  /// Reads all references.
  ///
  /// - Parameter limit: the most references to accept; other than the default only in tests.
  /// - Throws: `corrupt` for a damaged `packed-refs`; a damaged loose file is passed over, as git does with
  ///   a warning. `tooLarge` for too many references or folders in each other.
  init(gitDir: String, commonDir: String, limit: Int = RefStore.referenceLimit) throws(GitError) {
    let packed = try Self.packed(commonDir, limit)
    var rest = limit - packed.all.count
    var loose: [String: Reference] = [:]
    var symbolic: [(name: String, target: String)] = []
    var roots = [commonDir]
    // A linked work tree has a few references of its own.
    if gitDir != commonDir { roots.append(gitDir) }
    for root in roots {
      try Self.loose(root, "refs", Self.folderDepth, &rest) { name, value in
        switch value {
        case .id(let id):
          loose[name] = Reference(name: name, target: id, peeled: nil, isKnownPlain: false, isSymbolic: false)
        case .symbolic(let target):
          loose[name] = nil
          symbolic.append((name, target))
        }
      }
    }
    let targets = Dictionary(symbolic.map { ($0.name, $0.target) }) { _, last in last }
    for (name, target) in symbolic {
      var current = target
      for _ in 0..<Self.symbolicDepth {
        guard let next = targets[current] else { break }
        current = next
      }
      let named = loose[current] ?? (targets[current] == nil ? packed[name: current] : nil)
      guard let reference = named, !reference.isSymbolic else { continue }
      loose[name] = Reference(
        name: name, target: reference.target, peeled: reference.peeled, isKnownPlain: reference.isKnownPlain,
        isSymbolic: true)
    }
    list = packed.overlaid(by: ReferenceList(Array(loose.values)), without: Set(targets.keys))
    head = Self.readHead(gitDir, list)
  }

  /// The reference with a full name.
  package subscript(name name: String) -> Reference? { list[name: name] }

  /// The references whose names begin with a prefix.
  package func with(prefix: String) -> [Reference] { list.with(prefix: prefix) }

  private enum Value {
    case id(ObjectID)
    case symbolic(String)
  }

  private static func parse(_ bytes: [UInt8]) -> Value? {
    let marker = Array("ref:".utf8)
    if bytes.starts(with: marker) {
      let rest = bytes.dropFirst(marker.count).drop(while: isSpace)
      let name = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      let text = String(decoding: name, as: UTF8.self)
      return isValidName(text) ? .symbolic(text) : nil
    }
    guard let id = bytes.withUnsafeBytes({ ObjectID(hex: $0) }) else { return nil }
    guard bytes.count == ObjectID.hexCount || isSpace(bytes[ObjectID.hexCount]) else { return nil }
    return .id(id)
  }

  /// Whether a name from a file is one that may be joined to a folder.
  private static func isValidName(_ name: String) -> Bool {
    name.hasPrefix("refs/") && !name.utf8.contains { $0 < 0x21 || $0 == 0x7F }
      && !name.split(separator: "/", omittingEmptySubsequences: false).contains {
        $0.isEmpty || $0.hasPrefix(".") || $0.hasSuffix(".lock") || $0.contains("..")
      }
  }

  private static func readHead(_ gitDir: String, _ list: ReferenceList) -> HeadState {
    let path = gitDir + "/HEAD"
    // Very old repositories have a symbolic link instead of a file with `ref:`.
    let text = Disk.linkTarget(path).map { Array("ref: \($0)".utf8) }
    do throws(GitError) {
      let read: [UInt8]? = if let text { text } else { try Disk.read(path, limit: 1 << 16) }
      guard let bytes = read, let value = parse(bytes) else {
        return .invalid("HEAD holds neither a commit id nor the name of a reference")
      }
      switch value {
      case .id(let id): return .detached(id)
      case .symbolic(let name): return .symbolic(ref: name, commit: list[name: name]?.target)
      }
    } catch {
      return .invalid(error.message)
    }
  }

  private static func tooMany() -> GitError {
    GitError(
      .tooLarge, "there are more references than can be read", hint: "delete those that are not needed")
  }

  /// Reads the files below a folder; `rest` is how many more files and folders may be there.
  private static func loose(
    _ root: String, _ folder: String, _ depth: Int, _ rest: inout Int, _ add: (String, Value) -> Void
  ) throws(GitError) {
    guard depth > 0 else {
      throw GitError(.tooLarge, "\(root)/refs has more than \(folderDepth) levels of folders")
    }
    for name in Disk.names(in: root + "/" + folder) where !name.hasSuffix(".lock") {
      let full = folder + "/" + name
      let path = root + "/" + full
      rest -= 1
      guard rest >= 0 else { throw tooMany() }
      // A link to a folder is not entered: it could lead back here, or anywhere.
      if Disk.entry(path, follow: false)?.kind == .directory {
        try loose(root, full, depth - 1, &rest, add)
      } else if let bytes = try Disk.read(path, limit: 1 << 16), let value = parse(bytes) {
        add(full, value)
      }
    }
  }

  private static func packed(_ commonDir: String, _ limit: Int) throws(GitError) -> ReferenceList {
    let path = commonDir + "/packed-refs"
    guard let bytes = try Disk.read(path) else { return ReferenceList([]) }
    var found: [Reference] = []
    var fullyPeeled = false
    var tagsPeeled = false
    var last: (name: String, id: ObjectID, peeled: ObjectID?)?
    func finish() {
      guard let reference = last else { return }
      let known = fullyPeeled || tagsPeeled && reference.name.hasPrefix("refs/tags/")
      found.append(
        Reference(
          name: reference.name, target: reference.id, peeled: reference.peeled,
          isKnownPlain: known && reference.peeled == nil, isSymbolic: false))
    }
    let valid = bytes.withUnsafeBytes { raw -> Bool in
      var position = 0
      while position < raw.count, found.count <= limit {
        let end = raw[position...].firstIndex(of: UInt8(ascii: "\n")) ?? raw.count
        let line = UnsafeRawBufferPointer(rebasing: raw[position..<end])
        position = end + 1
        guard let first = line.first else { continue }
        if first == UInt8(ascii: "#") {
          let words = String(decoding: line, as: UTF8.self).split(separator: " ")
          fullyPeeled = fullyPeeled || words.contains("fully-peeled")
          tagsPeeled = tagsPeeled || words.contains("peeled")
        } else if first == UInt8(ascii: "^") {
          guard let id = ObjectID(hex: line, at: 1), last != nil else { return false }
          last?.peeled = id
        } else {
          finish()
          guard let id = ObjectID(hex: line), line.count > ObjectID.hexCount + 1,
            line[ObjectID.hexCount] == UInt8(ascii: " ")
          else { return false }
          let name = String(decoding: line[(ObjectID.hexCount + 1)...], as: UTF8.self)
          last = (name, id, nil)
        }
      }
      finish()
      return true
    }
    guard found.count <= limit else { throw tooMany() }
    guard valid else {
      throw GitError(.corrupt, "\(path) is damaged", hint: "run `git fsck` there")
    }
    return ReferenceList(found)
  }
}
