import CLibGit2

/// The four kinds of objects.
package enum ObjectKind: Sendable, Hashable {
  case commit, tree, blob, tag

  init?(_ type: git_object_t) {
    switch type {
    case GIT_OBJECT_COMMIT: self = .commit
    case GIT_OBJECT_TREE: self = .tree
    case GIT_OBJECT_BLOB: self = .blob
    case GIT_OBJECT_TAG: self = .tag
    default: return nil
    }
  }
}

/// An object that was read: owns libgit2's copy of its bytes and frees it.
struct LoadedObject: ~Copyable {
  private let pointer: OpaquePointer

  init(_ id: ObjectID, in odb: OpaquePointer) throws(GitError) {
    var object: OpaquePointer?
    let status = id.withOID { git_odb_read(&object, odb, $0) }
    guard status == 0, let object else {
      throw status == GIT_ENOTFOUND.rawValue
        ? .missing(id) : LibGit2.error(status, "reading object \(id.hex)")
    }
    pointer = object
  }

  deinit {
    git_odb_object_free(pointer)
  }

  var type: git_object_t { git_odb_object_type(pointer) }
  var size: Int { git_odb_object_size(pointer) }

  /// Lends the object's bytes for the duration of the call.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(start: git_odb_object_data(pointer), count: git_odb_object_size(pointer)))
  }
}

extension ObjectID {
  /// Lends the id in libgit2's form.
  @inline(__always)
  func withOID<Result>(_ body: (UnsafePointer<git_oid>) -> Result) -> Result {
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
  /// Files that are read as text (mailmaps, attributes, licences, readmes) are cut off at 4 MiB.
  package static let textLimit = 4 << 20
  /// No object or pack has more bytes (1 PiB): a loose object's header can claim any number unchecked.
  static let sizeLimit = 1 << 50

  /// An object's kind and size in bytes (0 to 2^50), without its content.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  package func header(of id: ObjectID) throws(GitError) -> (kind: ObjectKind, size: Int) {
    var size = 0
    var type = GIT_OBJECT_INVALID
    let status = id.withOID { git_odb_read_header(&size, &type, odb, $0) }
    guard status == 0 else {
      throw status == GIT_ENOTFOUND.rawValue
        ? .missing(id) : LibGit2.error(status, "reading object \(id.hex)")
    }
    guard let kind = ObjectKind(type) else { throw .corruptObject(id, "its type is unknown") }
    guard (0...Self.sizeLimit).contains(size) else {
      throw .corruptObject(id, "it claims a size that no object has")
    }
    return (kind, size)
  }

  /// Whether an object is there; does not look for packs that arrived since the last look.
  func has(_ id: ObjectID) -> Bool {
    id.withOID { git_odb_exists_ext(odb, $0, UInt32(GIT_ODB_LOOKUP_NO_REFRESH.rawValue)) } == 1
  }

  /// A blob's bytes, at most `limit` of them.
  ///
  /// - Throws: `missingObject`, `corrupt`, `tooLarge` when the blob has more than 256 MiB.
  package func blob(_ id: ObjectID, limit: Int = GitRepository.textLimit) throws(GitError) -> [UInt8] {
    let header = try header(of: id)
    // libgit2 can only load a packed object whole; more would break this process's memory goal by far.
    guard header.size <= 256 << 20 else {
      throw GitError(.tooLarge, "object \(id.hex) has \(header.size) bytes")
    }
    let object = try LoadedObject(id, in: odb)
    return object.withBytes { [UInt8]($0.prefix(limit)) }
  }

  /// A commit's fields.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  package func commit(_ id: ObjectID) throws(GitError) -> Commit {
    let object = try LoadedObject(id, in: odb)
    guard object.type == GIT_OBJECT_COMMIT else { throw .corruptObject(id, "it is not a commit") }
    guard let commit = object.withBytes({ Commit(id: id, $0) }) else {
      throw .corruptObject(id, "its header is not a commit's")
    }
    return commit
  }

  /// Follows annotated tags to what they name; what is no tag is returned as it is.
  ///
  /// - Throws: `missingObject`, `corrupt` (also for a chain of more than 32 tags).
  package func peel(_ id: ObjectID) throws(GitError) -> (id: ObjectID, kind: ObjectKind) {
    var current = id
    // Tags of tags are rare and of depth 2; 32 stops a crafted chain.
    for _ in 0..<32 {
      let kind = try header(of: current).kind
      guard kind == .tag else { return (current, kind) }
      current = try tag(current).target
    }
    throw .corruptObject(id, "too many tags in a row")
  }

  /// An annotated tag's target and when it was made (0 when it does not say).
  func tag(_ id: ObjectID) throws(GitError) -> (target: ObjectID, taggedAt: Int64) {
    let object = try LoadedObject(id, in: odb)
    let parsed: (ObjectID, Int64)? = object.withBytes { bytes in
      var lines = HeaderLines(bytes)
      guard let first = lines.next(), first.hasKey("object"), let target = ObjectID(hex: first.value) else {
        return nil
      }
      var time: Int64 = 0
      while let line = lines.next() {
        if line.hasKey("tagger") { time = Ident(line.value)?.time ?? 0 }
      }
      return (target, time)
    }
    guard let parsed else { throw .corruptObject(id, "its header is not a tag's") }
    return parsed
  }
}
