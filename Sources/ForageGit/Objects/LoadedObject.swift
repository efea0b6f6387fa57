import CLibGit2

/// The content of an object; owns or shares its memory.
struct LoadedObject: ~Copyable {
  /// The owner of the memory.
  private enum Owner {
    case library(OpaquePointer)
    case program(ObjectBytes)
  }

  /// The type of the object.
  let kind: ObjectKind
  private let owner: Owner
  /// The content; valid as long as this value.
  let bytes: UnsafeRawBufferPointer

  /// Reads an object with libgit2.
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

  /// Reads an object without libgit2 if possible.
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

  /// The size in bytes.
  var size: Int { bytes.count }

  /// Calls `body` with the content, which is valid during the call.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch owner {
    case .library: body(bytes)
    case .program(let object): object.withBytes(body)
    }
  }
}
