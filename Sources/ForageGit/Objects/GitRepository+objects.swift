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

  /// libgit2's name of it.
  var type: git_object_t {
    switch self {
    case .commit: GIT_OBJECT_COMMIT
    case .tree: GIT_OBJECT_TREE
    case .blob: GIT_OBJECT_BLOB
    case .tag: GIT_OBJECT_TAG
    }
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
    if let header = objects.header(of: id) { return header }
    var size = 0
    var type = GIT_OBJECT_INVALID
    let odb = try odb()
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
    if objects.contains(id) { return true }
    guard let odb = try? odb() else { return false }
    return id.withOID { git_odb_exists_ext(odb, $0, UInt32(GIT_ODB_LOOKUP_NO_REFRESH.rawValue)) } == 1
  }

  /// A blob's bytes, at most `limit` of them.
  ///
  /// - Throws: as ``withBlob(_:_:)``.
  package func blob(_ id: ObjectID, limit: Int = GitRepository.textLimit) throws(GitError) -> [UInt8] {
    try withBlob(id) { [UInt8]($0.prefix(limit)) }
  }

  /// Lends a blob's bytes for the duration of the call.
  ///
  /// - Throws: `missingObject`, `corrupt`, `tooLarge` when the blob has more than 256 MiB.
  package func withBlob<Result>(
    _ id: ObjectID, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(GitError) -> Result {
    let header = try header(of: id)
    // A packed object is loaded whole; more would break this process's memory goal by far.
    guard header.size <= 256 << 20 else {
      throw GitError(.tooLarge, "object \(id.hex) has \(header.size) bytes")
    }
    return try LoadedObject(id, in: self).withBytes(body)
  }

  /// A commit's fields.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  package func commit(_ id: ObjectID) throws(GitError) -> Commit {
    let object = try LoadedObject(id, in: self)
    guard object.kind == .commit else { throw .corruptObject(id, "it is not a commit") }
    guard let commit = object.withBytes({ Commit(id: id, $0) }) else {
      throw .corruptObject(id, "its header is not a commit's")
    }
    return commit
  }

  /// A commit's tree.
  ///
  /// - Throws: as ``commit(_:)``.
  package func tree(of id: ObjectID) throws(GitError) -> ObjectID {
    let object = try LoadedObject(id, in: self)
    guard object.kind == .commit else { throw .corruptObject(id, "it is not a commit") }
    let tree = object.withBytes { bytes in
      var lines = HeaderLines(bytes)
      return lines.next().flatMap { $0.hasKey("tree") ? ObjectID(hex: $0.value) : nil }
    }
    guard let tree else { throw .corruptObject(id, "its header is not a commit's") }
    return tree
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
    let object = try LoadedObject(id, in: self)
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
