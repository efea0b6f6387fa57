import CLibGit2

/// An object that was read: owns its bytes, or a share in them.
struct LoadedObject: ~Copyable {
  /// Whose memory it is.
  private enum Owner {
    case library(OpaquePointer)
    case program(ObjectBytes)
  }

  /// What it is.
  let kind: ObjectKind
  private let owner: Owner
  /// Its bytes; they are there as long as this value.
  let bytes: UnsafeRawBufferPointer

  /// Reads with libgit2.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  init(_ id: ObjectID, in odb: OpaquePointer) throws(GitError) {
    var object: OpaquePointer?
    let status = id.withOID { git_odb_read(&object, odb, $0) }
    guard status == 0, let object else {
      throw status == GIT_ENOTFOUND.rawValue
        ? .missing(id) : LibGit2.error(status, "reading object \(id.hex)")
    }
    guard let kind = ObjectKind(git_odb_object_type(object)) else {
      git_odb_object_free(object)
      throw .corruptObject(id, "its type is unknown")
    }
    self.kind = kind
    owner = .library(object)
    bytes = UnsafeRawBufferPointer(start: git_odb_object_data(object), count: git_odb_object_size(object))
  }

  /// Reads without libgit2, where that is possible.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  init(_ id: ObjectID, in repository: GitRepository) throws(GitError) {
    guard let (kind, object) = repository.objects.object(id) else {
      self = try LoadedObject(id, in: try repository.odb())
      return
    }
    self.kind = kind
    owner = .program(object)
    bytes = object.bytes
  }

  deinit {
    if case .library(let object) = owner { git_odb_object_free(object) }
  }

  /// How many bytes it has.
  var size: Int { bytes.count }

  /// Lends the object's bytes for the duration of the call.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch owner {
    case .library: body(bytes)
    case .program(let object): object.withBytes(body)
    }
  }
}
