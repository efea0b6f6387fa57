import Synchronization

/// A reference.
package struct Reference: Sendable, Hashable {
  /// The full name, such as `refs/heads/main`.
  package let name: String
  /// The object id; of a symbolic reference, that of its target.
  package let target: ObjectID
  /// The peeled object of an annotated tag, if `packed-refs` has it; nil if it must be read from the tag.
  package let peeled: ObjectID?
  /// Whether `packed-refs` states that the target is not an annotated tag.
  package let isKnownPlain: Bool
  /// Whether it is symbolic, such as `refs/remotes/origin/HEAD`.
  package let isSymbolic: Bool
}

/// The state of `HEAD`.
package enum HeadState: Sendable, Hashable {
  /// A reference; the commit is nil if the branch is unborn.
  case symbolic(ref: String, commit: ObjectID?)
  /// A commit.
  case detached(ObjectID)
  /// Neither a reference nor an id, with the reason.
  case invalid(String)

  /// The commit, if there is one.
  package var commit: ObjectID? {
    switch self {
    case .symbolic(_, let commit): commit
    case .detached(let commit): commit
    case .invalid: nil
    }
  }

  /// The short name of the branch, if `HEAD` is on one.
  package var branch: String? {
    guard case .symbolic(let ref, _) = self, ref.hasPrefix("refs/heads/") else { return nil }
    return String(ref.dropFirst("refs/heads/".count))
  }
}

/// The references of a repository, read directly from `packed-refs` and loose files.
///
/// libgit2 reads the object of each tag to peel it, which is seven times slower than `git for-each-ref`; the
/// `^` lines of `packed-refs` are used instead. `HEAD` is read at once, the other references on first use.
package final class RefStore: Sendable {
  /// The most references; the largest known repositories have about a million.
  static let referenceLimit = 5_000_000

  /// The state of `HEAD`.
  package let head: HeadState
  private let roots: ReferenceRoots
  private let limit: Int
  private let loaded: Mutex<Result<ReferenceList, GitError>?>

  /// Reads `HEAD`, and the other references only if they are needed to resolve it.
  ///
  /// - Parameters:
  ///   - gitDir: the git directory.
  ///   - commonDir: the common git directory.
  ///   - limit: the most references; only tests use another than the default.
  /// - Throws: the errors of ``load()``.
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

  /// Reads all references, unless they are loaded.
  ///
  /// - Throws: `corrupt` for a damaged `packed-refs`, `tooLarge` for too many references or too deep folders.
  ///   A damaged loose file is skipped; git skips it with a warning.
  package func load() throws(GitError) { _ = try result().get() }

  private func result() -> Result<ReferenceList, GitError> {
    loaded.withLock { loaded in
      if let loaded { return loaded }
      let result = Result { () throws(GitError) in try Self.list(roots, limit) }
      loaded = result
      return result
    }
  }

  /// All references; empty if they cannot be read, in which case ``load()`` throws.
  private var list: ReferenceList { (try? result().get()) ?? ReferenceList([]) }

  /// All references, sorted by the bytes of their names.
  package var all: [Reference] { list.all }

  /// The reference with a full name.
  package subscript(name name: String) -> Reference? { list[name: name] }

  /// Returns the references whose names begin with a prefix.
  package func with(prefix: String) -> [Reference] { list.with(prefix: prefix) }

  /// The content of a reference's file.
  enum Value {
    case id(ObjectID)
    case symbolic(String)
  }

  /// Parses the content of a reference's file; nil if it is invalid.
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

  /// Whether a reference name from a file is safe to append to a folder.
  private static func isValidName(_ name: String) -> Bool {
    name.hasPrefix("refs/") && !name.utf8.contains { $0 < 0x21 || $0 == 0x7F }
      && !name.split(separator: "/", omittingEmptySubsequences: false).contains {
        $0.isEmpty || $0.hasPrefix(".") || $0.hasSuffix(".lock") || $0.contains("..")
      }
  }

  /// Resolves `HEAD` if no list is needed: for a commit, or a reference with a loose file.
  private static func head(_ value: Result<Value?, GitError>, _ roots: ReferenceRoots) -> HeadState? {
    guard case .success(.symbolic(let name)?) = value else { return head(value, ReferenceList([])) }
    let file = roots.folder(of: name) + "/" + name
    guard let bytes = (try? FileAccess.read(file, limit: 1 << 16)) ?? nil, case .id(let id) = parse(bytes)
    else {
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

  /// Reads the file `HEAD`.
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

/// The folders of loose references: most are below the common git directory, some are per work tree
/// (gitrepository-layout(5)).
struct ReferenceRoots: Sendable {
  /// The prefixes of references that each work tree has for itself.
  private static let own = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"]

  let gitDir: String
  let commonDir: String

  /// Returns the folder to which a reference's name is relative.
  func folder(of name: String) -> String {
    gitDir != commonDir && Self.own.contains(where: name.hasPrefix) ? gitDir : commonDir
  }
}
