import CLibGit2

/// An object database of one's own, for a second thread: opened without references and configuration, which
/// reading objects does not need.
struct ObjectDatabase: ~Copyable {
  let pointer: OpaquePointer

  /// Opens the database of a repository, with its alternates.
  ///
  /// - Parameter objects: the folder `objects` that work trees share.
  /// - Throws: `corrupt`, `permission`, `other`.
  init(_ objects: String) throws(GitError) {
    var opened: OpaquePointer?
    try LibGit2.check(git_odb_open(&opened, objects), "opening the object database")
    guard let opened else { throw GitError(.other, "libgit2 opened no object database") }
    do throws(GitError) {
      try LibGit2.addUnusualAlternates(of: objects, to: opened)
      try LooseObjects.take(over: opened, objects: objects)
    } catch {
      git_odb_free(opened)
      throw error
    }
    pointer = opened
  }

  deinit {
    git_odb_free(pointer)
  }
}
