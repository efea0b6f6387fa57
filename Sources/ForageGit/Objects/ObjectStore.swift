import CLibGit2
import Synchronization

/// The folders of an object database and its alternates; shared by the handles of all threads.
final class ObjectFolders: Sendable {
  /// The folders, the repository's own first.
  let paths: [String]
  private let checked = Mutex<(stamps: [String], indexes: [PackIndexes])?>(nil)
  private let known = Mutex<String?>(nil)

  let alternates: Alternates

  init(_ objects: String) {
    alternates = Alternates(of: objects)
    paths = [objects] + alternates.found
  }

  /// Returns what changes when git adds or removes packs.
  func stamps() -> [String] { paths.map { FileAccess.stamp($0 + "/pack") } }

  /// Returns the indexes of each folder, checked again if they changed.
  func indexes() -> [PackIndexes] {
    let stamps = stamps()
    return checked.withLock { checked in
      if let checked, checked.stamps == stamps { return checked.indexes }
      let indexes = paths.map { PackIndexes(of: $0) }
      checked = (stamps, indexes)
      return indexes
    }
  }

  /// Returns what tells the files of this database from those of a copy, and from themselves after one of
  /// them was added, removed or damaged; of the time of the first call.
  func fingerprint() -> String {
    known.withLock { known in
      if let known { return known }
      var stamps: [String] = []
      for path in paths {
        stamps.append(path)
        for name in FileAccess.names(in: path) where name == "pack" || name.utf8.count == 2 {
          let folder = path + "/" + name
          for file in FileAccess.names(in: folder) {
            stamps.append(file + " " + FileAccess.stamp(folder + "/" + file))
          }
        }
      }
      let found = Array(stamps.joined(separator: "\n").utf8).withUnsafeBytes { ObjectID(hashing: $0) }.hex
      known = found
      return found
    }
  }
}

/// The objects of a repository and its alternates, read through libgit2 on one thread: the door to objects.
final class ObjectStore {
  /// The priorities of libgit2's backends: packs are searched before loose objects.
  private static let packPriority: Int32 = 2
  static let loosePriority: Int32 = 1

  private let folders: ObjectFolders
  private let replacements: [ObjectID: ObjectID]
  private var stamps: [String]
  /// libgit2's object database, which lives as long as this object.
  private(set) var database: OpaquePointer

  /// Opens the databases.
  ///
  /// - Parameter replacements: the objects to read in place of others; libgit2 does not know them.
  init(_ folders: ObjectFolders, replacements: [ObjectID: ObjectID]) throws(GitError) {
    self.folders = folders
    self.replacements = replacements
    stamps = folders.stamps()
    database = try Self.open(folders)
  }

  deinit { git_odb_free(database) }

  func object(_ id: ObjectID) throws(GitError) -> LoadedObject {
    var object: OpaquePointer?
    try look(for: id) { git_odb_read(&object, $0, $1) }
    guard let object else { throw .missing(id) }
    return try LoadedObject(id, object)
  }

  func header(of id: ObjectID) throws(GitError) -> (kind: ObjectKind, size: Int) {
    var size = 0
    var type = GIT_OBJECT_INVALID
    try look(for: id) { git_odb_read_header(&size, &type, $0, $1) }
    guard let kind = ObjectKind(type) else { throw .corruptObject(id, "its type is unknown") }
    return (kind, size)
  }

  /// Calls a function of libgit2; again if the object is missing and git changed the packs since they were
  /// opened.
  private func look(
    for id: ObjectID, _ call: (OpaquePointer, UnsafePointer<git_oid>) -> Int32
  ) throws(GitError) {
    let read = replacement(of: id)
    var status = read.withOID { call(database, $0) }
    if status == GIT_ENOTFOUND.rawValue, try reopen() { status = read.withOID { call(database, $0) } }
    guard status != 0 else { return }
    throw status == GIT_ENOTFOUND.rawValue
      ? .missing(id) : LibGit2.error(status, "reading object \(id.hex)")
  }

  /// The object to read in place of another, as `git replace` wants it.
  @inline(__always) func replacement(of id: ObjectID) -> ObjectID {
    if replacements.isEmpty { return id }
    var current = id
    // Git's limit for replacements of replacements.
    for _ in 0..<5 {
      guard let next = replacements[current] else { break }
      current = next
    }
    return current
  }

  /// Opens the databases again if their packs changed; returns whether they did.
  private func reopen() throws(GitError) -> Bool {
    let now = folders.stamps()
    guard now != stamps else { return false }
    let opened = try Self.open(folders)
    git_odb_free(database)
    (database, stamps) = (opened, now)
    return true
  }

  private static func open(_ folders: ObjectFolders) throws(GitError) -> OpaquePointer {
    try LibGit2.start()
    var made: OpaquePointer?
    try LibGit2.check(git_odb_new(&made), "creating an object database")
    guard let database = made else { throw GitError(.other, "libgit2 returned no object database") }
    do throws(GitError) {
      for (path, indexes) in zip(folders.paths, folders.indexes()) where !indexes.valid.isEmpty {
        if indexes.damaged.isEmpty, !indexes.hasShared {
          try add(to: database) { git_odb_backend_pack($0, path) }
        } else {
          // Only the packs whose own index was checked.
          for index in indexes.valid {
            try add(to: database) { git_odb_backend_one_pack($0, index) }
          }
        }
      }
      try LooseBackend.add(folders.paths, to: database)
    } catch {
      git_odb_free(database)
      throw error
    }
    return database
  }

  private static func add(
    to database: OpaquePointer,
    _ make: (UnsafeMutablePointer<UnsafeMutablePointer<git_odb_backend>?>) -> Int32
  ) throws(GitError) {
    var made: UnsafeMutablePointer<git_odb_backend>?
    let status = make(&made)
    // Git removed the pack meanwhile.
    if status == GIT_ENOTFOUND.rawValue { return }
    try LibGit2.check(status, "opening the packs")
    guard let backend = made else { return }
    // Indexes that git adds are checked, too, when a missing object leads to them.
    backend.pointee.refresh = nil
    let added = git_odb_add_backend(database, backend, packPriority)
    if added != 0 { backend.pointee.free?(backend) }
    try LibGit2.check(added, "setting up the object database")
  }
}

extension GitRepository {
  /// The objects that `refs/replace` names, with those to read in their place; none if
  /// `core.useReplaceRefs` is off.
  package func replacements() -> [ObjectID: ObjectID] {
    guard config.bool("core.usereplacerefs") != false else { return [:] }
    let prefix = "refs/replace/"
    let pairs = refs.with(prefix: prefix).compactMap { reference in
      reference.name.text(after: prefix).flatMap { ObjectID(hex: $0) }.map { ($0, reference.target) }
    }
    return Dictionary(pairs) { _, last in last }
  }

  /// Returns the pack indexes that are not used because they are damaged.
  package func damagedPackIndexes() -> [String] {
    objectProblem == nil ? objectFolders.indexes().flatMap(\.damaged) : []
  }
}

/// The content of an object; frees libgit2's handle on it when it ends.
struct LoadedObject: ~Copyable {
  let kind: ObjectKind
  /// The content; valid as long as this value.
  let bytes: CheckedBytes
  private let handle: OpaquePointer

  init(_ id: ObjectID, _ handle: OpaquePointer) throws(GitError) {
    guard let kind = ObjectKind(git_odb_object_type(handle)) else {
      git_odb_object_free(handle)
      throw .corruptObject(id, "its type is unknown")
    }
    self.kind = kind
    self.handle = handle
    bytes = CheckedBytes(
      UnsafeRawBufferPointer(start: git_odb_object_data(handle), count: git_odb_object_size(handle)))
  }

  deinit { git_odb_object_free(handle) }

  @inline(__always) func withBytes<Result>(_ body: (CheckedBytes) -> Result) -> Result { body(bytes) }
}

/// The four types of objects, with the values of libgit2.
package enum ObjectKind: Int32, Sendable {
  case commit = 1
  case tree, blob, tag

  init?(_ type: git_object_t) { self.init(rawValue: type.rawValue) }

  var type: git_object_t { git_object_t(rawValue) }
}

extension ObjectID {
  init(_ oid: git_oid) {
    self = withUnsafeBytes(of: oid) { ObjectID($0) }
  }

  /// The id of a blob with some content: the SHA-1 hash of "blob", the size and the content.
  package init(hashing bytes: UnsafeRawBufferPointer) {
    var oid = git_oid()
    // The hash itself needs nothing that could not be initialised.
    try? LibGit2.start()
    _ = git_odb_hash(&oid, bytes.baseAddress, bytes.count, GIT_OBJECT_BLOB)
    self.init(oid)
  }

  @inline(__always) func withOID<Result>(_ body: (UnsafePointer<git_oid>) -> Result) -> Result {
    var oid = git_oid()
    withUnsafeMutableBytes(of: &oid) { target in
      withUnsafeBytes(of: self) { source in
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[0..<Self.byteCount]))
      }
    }
    return body(&oid)
  }
}

extension GitRepository {
  /// The size limit of files that are read as text (4 MiB): mailmaps, attributes, licenses, READMEs.
  package static let textLimit = 4 << 20
  /// The largest valid size of an object or pack (1 PiB); the header of a loose object can state any number.
  static let sizeLimit = 1 << 50

  /// Returns the type of an object and its size in bytes, from 0 to 2^50, without its content.
  package func header(of id: ObjectID) throws(GitError) -> (kind: ObjectKind, size: Int) {
    let header = try objects().header(of: id)
    guard (0...Self.sizeLimit).contains(header.size) else {
      throw .corruptObject(id, "its size is out of range")
    }
    return header
  }

  package func blob(_ id: ObjectID, limit: Int = GitRepository.textLimit) throws(GitError) -> [UInt8] {
    try withBlob(id) { [UInt8]($0.prefix(limit)) }
  }

  /// Calls `body` with the content of a blob, which is valid during the call.
  ///
  /// - Throws: `missingObject`, `corrupt`, `tooLarge` for a blob of more than 256 MiB.
  package func withBlob<Result>(
    _ id: ObjectID, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(GitError) -> Result {
    let header = try header(of: id)
    // A packed object is loaded as a whole; a larger one would exceed the memory goal of this process.
    guard header.size <= 256 << 20 else {
      throw GitError(.tooLarge, "object \(id.hex) has \(header.size) bytes")
    }
    return try objects().object(id).withBytes { body($0.raw) }
  }

  /// Calls `body` with a commit and the positions of its parts.
  ///
  /// - Throws: `missingObject`, `corrupt`, also if the body returns nil.
  @inline(__always) func withCommit<Value>(
    _ id: ObjectID, _ body: (CheckedBytes, CommitScan) -> Value?
  ) throws(GitError) -> Value {
    let object = try objects().object(id)
    let isCommit = object.kind == .commit
    let value: Value? = object.withBytes { bytes in
      isCommit ? CommitScan(bytes).flatMap { body(bytes, $0) } : nil
    }
    guard let value else { throw .corruptObject(id, "it is not a valid commit, or has too many parents") }
    return value
  }

  package func commit(_ id: ObjectID) throws(GitError) -> Commit {
    let object = try objects().object(id)
    guard object.kind == .commit else { throw .corruptObject(id, "it is not a commit") }
    guard let commit = object.withBytes({ Commit(id: id, $0) }) else {
      throw .corruptObject(id, "its header is not that of a commit")
    }
    return commit
  }

  package func tree(of id: ObjectID) throws(GitError) -> ObjectID {
    try withCommit(id) { bytes, _ in CommitScan.tree(bytes) }
  }

  /// Peels annotated tags; returns any other object unchanged.
  ///
  /// - Throws: `missingObject`, `corrupt` (also for a chain of more than 32 tags).
  package func peel(_ id: ObjectID) throws(GitError) -> (id: ObjectID, kind: ObjectKind) {
    var current = id
    // Tags of tags are rare and two deep; the limit stops a crafted chain.
    for _ in 0..<32 {
      let kind = try header(of: current).kind
      guard kind == .tag else { return (current, kind) }
      current = try tag(current).target
    }
    throw .corruptObject(id, "its chain of tags is too long")
  }

  /// Returns the target of an annotated tag, the tagger date in seconds since 1970 (0 if it has none), and
  /// its own name (nil if it has none).
  func tag(_ id: ObjectID) throws(GitError) -> (target: ObjectID, taggedAt: Int64, name: String?) {
    let object = try objects().object(id)
    let parsed: (ObjectID, Int64, String?)? = object.withBytes { bytes in
      var lines = HeaderLines(bytes)
      guard let first = lines.next(), first.key == "object", let target = ObjectID(hex: first.value.raw)
      else {
        return nil
      }
      var time: Int64 = 0
      var name: String?
      while let line = lines.next() {
        if line.key == "tag", name == nil, !line.value.isEmpty {
          name = String(decoding: line.value.raw, as: UTF8.self)
        }
        if line.key == "tagger" { time = Ident(line.value)?.time ?? 0 }
      }
      return (target, time, name)
    }
    guard let parsed else { throw .corruptObject(id, "its header is not that of a tag") }
    return parsed
  }
}

extension GitRepository {
  /// The object that an expression names, as `git rev-parse` reads it: an abbreviated id, `HEAD~3`,
  /// `v1^{commit}`.
  ///
  /// - Returns: `nil` if there is none, if several objects begin with an abbreviated id, and where libgit2
  ///   does not know the format of the repository.
  package func object(named expression: String) -> ObjectID? {
    guard let library = try? library() else { return nil }
    var object: OpaquePointer?
    guard git_revparse_single(&object, library.pointer, expression) == 0, let object else { return nil }
    defer { git_object_free(object) }
    return git_object_id(object).map { ObjectID($0.pointee) }
  }
}
