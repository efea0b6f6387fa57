import CLibGit2

/// The content of an object; frees libgit2's handle on it when it ends.
struct LoadedObject: ~Copyable {
  /// The type of the object.
  let kind: ObjectKind
  /// The content; valid as long as this value.
  let bytes: CheckedBytes
  private let handle: OpaquePointer

  /// Takes ownership of a handle.
  ///
  /// - Throws: `corrupt`.
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

  /// Reads an object.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  init(_ id: ObjectID, in repository: GitRepository) throws(GitError) {
    self = try repository.objects().object(id)
  }

  deinit { git_odb_object_free(handle) }

  /// The size in bytes.
  var size: Int { bytes.count }

  /// Calls `body` with the content, which is valid during the call.
  @inline(__always)
  func withBytes<Result>(_ body: (CheckedBytes) -> Result) -> Result { body(bytes) }
}
