import CLibGit2

extension GitRepository {
  /// The object that an expression names, as `git rev-parse` reads it: an abbreviated id, `HEAD~3`, `v1^{commit}`.
  ///
  /// - Returns: `nil` if there is none, if several objects begin with an abbreviated id, and where libgit2 does not know the
  ///   format of the repository.
  package func object(named expression: String) -> ObjectID? {
    guard let library = try? library() else { return nil }
    var object: OpaquePointer?
    guard git_revparse_single(&object, library.pointer, expression) == 0, let object else { return nil }
    defer { git_object_free(object) }
    return git_object_id(object).map { ObjectID($0.pointee) }
  }
}
