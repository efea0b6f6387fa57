import Synchronization

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
/// `^` lines of `packed-refs` tell. What `HEAD` says is known at once; the others are read at first need.
package final class RefStore: Sendable {
  /// More references are refused: the largest known repositories have about a million.
  static let referenceLimit = 5_000_000

  /// What `HEAD` says.
  package let head: HeadState
  private let roots: ReferenceRoots
  private let limit: Int
  private let loaded: Mutex<Result<ReferenceList, GitError>?>

  /// Reads `HEAD`, and the other references when it takes them to tell what it says.
  ///
  /// - Parameter limit: the most references to accept; other than the default only in tests.
  /// - Throws: as ``load()``.
  init(gitDir: String, commonDir: String, limit: Int = RefStore.referenceLimit) throws(GitError) {
    roots = ReferenceRoots(gitDir: gitDir, commonDir: commonDir)
    self.limit = limit
    let value = Self.headValue(gitDir)
    if let head = Self.head(value, roots) {
      self.head = head
      loaded = Mutex(nil)
    } else {
      let list = try Self.list(roots, limit)
      head = Self.head(value, list)
      loaded = Mutex(.success(list))
    }
  }

  /// Reads all references unless that was done.
  ///
  /// - Throws: `corrupt` for a damaged `packed-refs`; a damaged loose file is passed over, as git does with
  ///   a warning. `tooLarge` for too many references or folders in each other.
  package func load() throws(GitError) { _ = try result().get() }

  private func result() -> Result<ReferenceList, GitError> {
    loaded.withLock { loaded in
      if let loaded { return loaded }
      let result = Result { () throws(GitError) in try Self.list(roots, limit) }
      loaded = result
      return result
    }
  }

  /// All references; none when they cannot be read, which ``load()`` tells.
  private var list: ReferenceList { (try? result().get()) ?? ReferenceList([]) }

  /// All references sorted by the bytes of their names.
  package var all: [Reference] { list.all }

  /// The reference with a full name.
  package subscript(name name: String) -> Reference? { list[name: name] }

  /// The references whose names begin with a prefix.
  package func with(prefix: String) -> [Reference] { list.with(prefix: prefix) }

  /// What a file of a reference holds.
  enum Value {
    case id(ObjectID)
    case symbolic(String)
  }

  /// Reads such a file; nil when it is damaged.
  static func parse(_ bytes: [UInt8]) -> Value? {
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

  /// What `HEAD` says where no list is needed: it is a commit, or the name of a file with one.
  private static func head(_ value: Result<Value?, GitError>, _ roots: ReferenceRoots) -> HeadState? {
    guard case .success(.symbolic(let name)?) = value else { return head(value, ReferenceList([])) }
    let file = roots.folder(of: name) + "/" + name
    guard let bytes = (try? FileAccess.read(file, limit: 1 << 16)) ?? nil, case .id(let id) = parse(bytes) else {
      return nil
    }
    return .symbolic(ref: name, commit: id)
  }

  private static func head(_ value: Result<Value?, GitError>, _ list: ReferenceList) -> HeadState {
    switch value {
    case .success(.id(let id)?): .detached(id)
    case .success(.symbolic(let name)?): .symbolic(ref: name, commit: list[name: name]?.target)
    case .success(nil): .invalid("HEAD holds neither a commit id nor the name of a reference")
    case .failure(let error): .invalid(error.message)
    }
  }

  /// What the file `HEAD` holds.
  private static func headValue(_ gitDir: String) -> Result<Value?, GitError> {
    let path = gitDir + "/HEAD"
    // Very old repositories have a symbolic link instead of a file with `ref:`.
    if let target = FileAccess.linkTarget(path) { return .success(parse(Array("ref: \(target)".utf8))) }
    do throws(GitError) {
      return .success(try FileAccess.read(path, limit: 1 << 16).flatMap(parse))
    } catch {
      return .failure(error)
    }
  }
}

/// Where loose references lie: most below the folder that all work trees share, some in the work tree's own
/// (gitrepository-layout(5)).
struct ReferenceRoots: Sendable {
  /// What each work tree has for itself.
  private static let own = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"]

  let gitDir: String
  let commonDir: String

  /// The folder that a reference's name is a path below.
  func folder(of name: String) -> String {
    gitDir != commonDir && Self.own.contains(where: name.hasPrefix) ? gitDir : commonDir
  }
}
