import CLibGit2

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

  init(hashing bytes: UnsafeRawBufferPointer) {
    var oid = git_oid()
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

  /// Returns the target of an annotated tag, the tagger date in seconds since 1970 (0 if it has none), and its
  /// own name (nil if it has none).
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
