import CLibGit2
import ForagePlatform
import Synchronization

/// The references of a repository. `HEAD` is read at once, the other references on first use.
package final class RefStore: Sendable {
  /// The most references; the largest known repositories have about a million.
  static let referenceLimit = 5_000_000

  package let head: HeadState
  private let gitDir: String
  private let commonDir: String
  private let limit: Int
  private let problem: GitError?
  /// The references, sorted by the bytes of their names, each name once.
  private let loaded = Mutex<Result<[Reference], GitError>?>(nil)

  /// Reads `HEAD`.
  ///
  /// - Parameters:
  ///   - limit: the most references; only tests use another than the default.
  ///   - problem: why ids cannot be read here; nil if they can.
  init(
    gitDir: String, commonDir: String, limit: Int = RefStore.referenceLimit, problem: GitError? = nil
  ) throws(GitError) {
    (self.gitDir, self.commonDir, self.limit, self.problem) = (gitDir, commonDir, limit, problem)
    let head = try RefReader(gitDir: gitDir, commonDir: commonDir).head()
    if let problem {
      let ref: ReferenceName? =
        switch head {
        case .symbolic(let ref, _), .invalid(_, let ref?): ref
        case .detached, .invalid(_, nil): nil
        }
      self.head = .invalid(problem.message, ref: ref)
    } else {
      self.head = head
    }
  }

  /// Reads all references, unless they are loaded.
  ///
  /// - Throws: `corrupt` for a damaged `packed-refs`, or a link to a folder among the references; `tooLarge`
  ///   for too many references or too deep folders. A damaged loose file is skipped; git skips it with a
  ///   warning.
  package func load() throws(GitError) { _ = try result().get() }

  private func result() -> Result<[Reference], GitError> {
    loaded.withLock { loaded in
      if let loaded { return loaded }
      let result = Result { () throws(GitError) in
        if let problem { throw problem }
        return try RefReader(gitDir: gitDir, commonDir: commonDir).all(limit: limit)
      }
      loaded = result
      return result
    }
  }

  /// All references, sorted by the bytes of their names; empty if they cannot be read, in which case
  /// ``load()`` throws.
  package var all: [Reference] { (try? result().get()) ?? [] }

  /// Returns the names of all references and whether they are symbolic, also where ids cannot be read.
  package func names() throws(GitError) -> [(name: ReferenceName, isSymbolic: Bool)] {
    guard problem != nil else { return try result().get().map { ($0.name, $0.isSymbolic) } }
    return try RefReader(gitDir: gitDir, commonDir: commonDir).names(limit: limit)
  }

  package subscript(name name: ReferenceName) -> Reference? { all.reference(name) }

  /// The reference with a full name from a configuration, in whose texts bytes that are not UTF-8 are
  /// replaced; nil also if several names look the same.
  package func reference(shownAs text: String) -> Reference? {
    if let found = self[name: ReferenceName(text)] { return found }
    guard text.unicodeScalars.contains("\u{FFFD}") else { return nil }
    let found = all.filter { $0.name.description == text }
    return found.count == 1 ? found[0] : nil
  }

  package func with(prefix: String) -> [Reference] {
    let all = all
    return Array(all[all.place(of: ReferenceName(prefix))...].prefix { $0.name.hasPrefix(prefix) })
  }
}

extension [Reference] {
  /// Returns the reference with a name; the references must be sorted.
  func reference(_ name: ReferenceName) -> Reference? {
    let place = place(of: name)
    return place < count && self[place].name == name ? self[place] : nil
  }

  /// Returns the index of the first name that does not precede another.
  func place(of name: ReferenceName) -> Int { indices.search { self[$0].name < name } }
}

/// The full name of a reference, such as `refs/heads/main`: bytes, which need not be UTF-8.
///
/// Names that differ only in their Unicode composition are different names, as in git.
package struct ReferenceName: Sendable, Hashable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package init(_ text: String) { bytes = Array(text.utf8) }

  package func hasPrefix(_ prefix: String) -> Bool { bytes.starts(with: prefix.utf8) }

  /// Returns what follows a prefix, for display: bytes that are not UTF-8 are replaced. Nil if the name has
  /// another prefix.
  package func text(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(decoding: bytes.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
  }
}

extension ReferenceName: Comparable {
  package static func < (left: ReferenceName, right: ReferenceName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension ReferenceName: CustomStringConvertible, ExpressibleByStringLiteral {
  /// The name for display: bytes that are not UTF-8 are replaced.
  package var description: String { String(decoding: bytes, as: UTF8.self) }

  package init(stringLiteral text: String) { self.init(text) }
}

package struct Reference: Sendable, Hashable {
  package let name: ReferenceName
  /// The object id; of a symbolic reference, that of its target.
  package let target: ObjectID
  /// The peeled object of an annotated tag, if `packed-refs` has it; nil if it must be read from the tag.
  package let peeled: ObjectID?
  /// Whether it is symbolic, such as `refs/remotes/origin/HEAD`.
  package let isSymbolic: Bool
}

package enum HeadState: Sendable, Hashable {
  /// A reference; the commit is nil if the branch is unborn.
  case symbolic(ref: ReferenceName, commit: ObjectID?)
  case detached(ObjectID)
  /// Neither a reference nor an id that can be read, with the reason; and the reference that it names, if
  /// any.
  case invalid(String, ref: ReferenceName? = nil)

  package var commit: ObjectID? {
    switch self {
    case .symbolic(_, let commit): commit
    case .detached(let commit): commit
    case .invalid: nil
    }
  }

  /// The short name of the branch, if `HEAD` is on one.
  package var branch: String? {
    switch self {
    case .symbolic(let ref, _), .invalid(_, let ref?): ref.text(after: "refs/heads/")
    case .detached, .invalid(_, nil): nil
    }
  }
}

/// Reads references through libgit2.
final class RefReader {
  /// How often the references are read again if git packs them meanwhile.
  private static let attempts = 5
  /// The depth to which symbolic references are followed, as in git.
  private static let symbolicDepth = 5
  /// The prefixes of references that each work tree has for itself (gitrepository-layout(5)); libgit2
  /// 1.5.1 lists none of them in a linked work tree, and 1.9 not those below `refs/bisect`.
  private static let own = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"]

  private let gitDir: String
  private let commonDir: String
  private let handle: RepositoryHandle

  init(gitDir: String, commonDir: String) throws(GitError) {
    (self.gitDir, self.commonDir) = (gitDir, commonDir)
    let packed = commonDir + "/packed-refs"
    // libgit2 would wait for a pipe.
    guard FileAccess.entry(packed).map({ $0.kind == .file }) ?? true else {
      throw GitError(.corrupt, "\(packed) is not a regular file", hint: "remove it")
    }
    handle = try RepositoryHandle(gitDir)
  }

  private var repository: OpaquePointer { handle.pointer }

  /// Whether this is a linked work tree.
  private var isLinked: Bool { gitDir != commonDir }

  func head() -> HeadState {
    let file = gitDir + "/HEAD"
    let none = HeadState.invalid("HEAD holds neither a commit id nor the name of a reference")
    // Very old repositories have a symbolic link instead of a file with `ref:`.
    if let target = FileAccess.linkTarget(Array(file.utf8)), target.starts(with: "refs/".utf8) {
      return branch(FileAccess.cString(target))
    }
    guard FileAccess.isFile(file) else { return none }
    guard FileAccess.canRead(file) else { return .invalid(FileAccess.denied(file).message) }
    var found: OpaquePointer?
    guard git_reference_lookup(&found, repository, "HEAD") == 0, let found else { return none }
    defer { git_reference_free(found) }
    if let id = git_reference_target(found) { return .detached(ObjectID(id.pointee)) }
    return git_reference_symbolic_target(found).map { branch($0) } ?? none
  }

  private func branch(_ target: UnsafePointer<CChar>) -> HeadState {
    let name = ReferenceName(target)
    var isValid: Int32 = 0
    guard name.hasPrefix("refs/"), git_reference_name_is_valid(&isValid, target) == 0, isValid == 1 else {
      return .invalid("HEAD names no valid reference")
    }
    if FileAccess.entry("\(commonDir)/\(name)")?.kind == .other {
      return .invalid("\(name) is not a file", ref: name)
    }
    var found: OpaquePointer?
    var status = git_reference_lookup(&found, repository, target)
    defer { git_reference_free(found) }
    var resolved: OpaquePointer?
    if status == 0 { status = git_reference_resolve(&resolved, found) }
    defer { git_reference_free(resolved) }
    guard status == 0 || status == GIT_ENOTFOUND.rawValue else {
      return .invalid(LibGit2.error(status, "reading \(name)").message, ref: name)
    }
    return .symbolic(
      ref: name, commit: resolved.flatMap { git_reference_target($0) }.map { ObjectID($0.pointee) })
  }

  /// Reads all references, sorted by the bytes of their names.
  func all(limit: Int) throws(GitError) -> [Reference] {
    let packed = commonDir + "/packed-refs"
    var found: [Reference] = []
    for _ in 0..<Self.attempts {
      let stamp = FileAccess.stamp(packed)
      found = try read(limit)
      // `git pack-refs` writes this file before it removes loose references. If it did so after libgit2 read
      // the file, references that were loose may be in neither.
      if FileAccess.stamp(packed) == stamp { break }
    }
    return found
  }

  /// Reads the names of all references from their files, for a repository whose ids libgit2 cannot read.
  func names(limit: Int) throws(GitError) -> [(name: ReferenceName, isSymbolic: Bool)] {
    var found: [ReferenceName: Bool] = [:]
    for line in (try FileAccess.read(commonDir + "/packed-refs") ?? []).split(separator: UInt8(ascii: "\n")) {
      guard let space = line.firstIndex(of: UInt8(ascii: " ")), line.first != UInt8(ascii: "#") else {
        continue
      }
      found[ReferenceName(bytes: Array(line[(space + 1)...]))] = false
      guard found.count <= limit else { throw Self.tooMany() }
    }
    try ReferenceFolder.visit(commonDir + "/refs") { (rest) throws(GitError) in
      let name = ReferenceName(bytes: Array("refs/".utf8) + rest)
      guard !rest.reversed().starts(with: ".lock".utf8.reversed()) else { return }
      let content = try FileAccess.read(bytes: FileAccess.path(commonDir, name.bytes), first: 4)
      found[name] = content.map { $0 == Array("ref:".utf8) } ?? false
      guard found.count <= limit else { throw Self.tooMany() }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func read(_ limit: Int) throws(GitError) -> [Reference] {
    var files = 0
    for folder in isLinked ? [commonDir, gitDir] : [commonDir] {
      try ReferenceFolder.visit(folder + "/refs") { (_) throws(GitError) in
        files += 1
        if files > limit { throw Self.tooMany() }
      }
    }
    var direct: [Reference] = []
    var symbolic: [(name: ReferenceName, target: ReferenceName)] = []
    var iterator: OpaquePointer?
    try check(git_reference_iterator_new(&iterator, repository))
    defer { git_reference_iterator_free(iterator) }
    var next: OpaquePointer?
    var status = git_reference_next(&next, iterator)
    while status == 0, let reference = next {
      defer { git_reference_free(reference) }
      guard direct.count + symbolic.count < limit else { throw Self.tooMany() }
      add(reference, &direct, &symbolic)
      next = nil
      status = git_reference_next(&next, iterator)
    }
    if status != GIT_ITEROVER.rawValue { try check(status) }
    if isLinked { try addOwn(limit, &direct) }
    direct.sort { $0.name < $1.name }
    return Self.resolved(direct, symbolic)
  }

  private func check(_ status: Int32) throws(GitError) {
    do throws(GitError) {
      try LibGit2.check(status, "reading the references")
    } catch {
      var error = error
      if error.code == .corrupt, error.hint.isEmpty {
        error.hint = "if git cannot read \(commonDir)/packed-refs either, remove its damaged line"
      }
      throw error
    }
  }

  private func add(
    _ reference: OpaquePointer, _ direct: inout [Reference],
    _ symbolic: inout [(name: ReferenceName, target: ReferenceName)]
  ) {
    guard let text = git_reference_name(reference) else { return }
    let name = ReferenceName(text)
    if isLinked, Self.own.contains(where: name.hasPrefix) { return }
    if let id = git_reference_target(reference) {
      let peeled = git_reference_target_peel(reference).map { ObjectID($0.pointee) }
      direct.append(Reference(name: name, target: ObjectID(id.pointee), peeled: peeled, isSymbolic: false))
    } else if let target = git_reference_symbolic_target(reference) {
      symbolic.append((name, ReferenceName(target)))
    }
  }

  private func addOwn(_ limit: Int, _ direct: inout [Reference]) throws(GitError) {
    for prefix in Self.own {
      let folder = gitDir + "/" + prefix.dropLast()
      try ReferenceFolder.visit(folder) { (rest) throws(GitError) in
        guard direct.count < limit else { throw Self.tooMany() }
        guard !rest.reversed().starts(with: ".lock".utf8.reversed()),
          let line = try FileAccess.line(bytes: FileAccess.path(folder, rest)),
          let id = ObjectID(hex: line.prefix { $0 != " " && $0 != "\t" })
        else { return }
        let name = ReferenceName(bytes: Array(prefix.utf8) + rest)
        direct.append(Reference(name: name, target: id, peeled: nil, isSymbolic: false))
      }
    }
  }

  /// Adds the symbolic references that lead to one of the others.
  private static func resolved(
    _ direct: [Reference], _ symbolic: [(name: ReferenceName, target: ReferenceName)]
  ) -> [Reference] {
    let targets = Dictionary(symbolic.map { ($0.name, $0.target) }) { _, last in last }
    var all = direct
    for (name, target) in targets {
      var current = target
      for _ in 0..<symbolicDepth {
        guard let next = targets[current] else { break }
        current = next
      }
      guard let reference = direct.reference(current) else { continue }
      all.append(
        Reference(name: name, target: reference.target, peeled: reference.peeled, isSymbolic: true))
    }
    if all.count > direct.count { all.sort { $0.name < $1.name } }
    return all
  }

  private static func tooMany() -> GitError {
    GitError(
      .tooLarge, "the repository has too many references", hint: "delete references that are not needed")
  }
}

extension ReferenceName {
  init(_ text: UnsafePointer<CChar>) {
    self.init(bytes: FileAccess.bytes(text))
  }
}

/// The check of a folder of loose references before libgit2 lists it.
///
/// libgit2 follows links to folders, in a circle as deep as it goes, and then lists no reference; it waits
/// for a pipe that a link names (both still so in 1.9).
enum ReferenceFolder {
  /// The depth of folders; libgit2 follows 100.
  private static let depthLimit = 90

  /// Calls `body` with the path of each file below a folder, relative to it.
  ///
  /// - Throws: `corrupt` for a link to anything but a file, `tooLarge` for too deep folders, `permission`,
  ///   and the errors of `body`.
  static func visit(_ folder: String, _ body: ([UInt8]) throws(GitError) -> Void) throws(GitError) {
    try visit(Array(folder.utf8), relative: [], depth: 0, body)
  }

  private static func visit(
    _ folder: [UInt8], relative: [UInt8], depth: Int, _ body: ([UInt8]) throws(GitError) -> Void
  ) throws(GitError) {
    let shown = String(decoding: folder, as: UTF8.self)
    guard depth < depthLimit else {
      throw GitError(.tooLarge, "\(shown) is below more than \(depthLimit) levels of folders")
    }
    guard let directory = opendir(FileAccess.cString(folder)) else {
      if errno == EACCES { throw FileAccess.denied(shown) }
      return
    }
    defer { closedir(directory) }
    try FileAccess.visit(directory) { (text, _) throws(GitError) in
      let name = FileAccess.bytes(text)
      let own = relative + (relative.isEmpty ? [] : [UInt8(ascii: "/")]) + name
      let full = folder + [UInt8(ascii: "/")] + name
      switch FileAccess.entry(bytes: full, follow: false)?.kind {
      case .directory: try visit(full, relative: own, depth: depth + 1, body)
      case .file: try body(own)
      case .symlink:
        guard let target = FileAccess.entry(bytes: full)?.kind else { return }
        guard target == .file else {
          throw GitError(
            .corrupt, "\(String(decoding: full, as: UTF8.self)) is a link to something other than a file",
            hint: "remove the link")
        }
        try body(own)
      case .other, nil: return
      }
    }
  }
}
