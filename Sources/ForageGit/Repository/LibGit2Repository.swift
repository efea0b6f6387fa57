import CLibGit2

/// libgit2's handle on a git directory, without its work tree; frees it when it is deinitialised.
final class RepositoryHandle {
  let pointer: OpaquePointer

  /// Opens a git directory, whose format is valid.
  ///
  /// - Throws: `permission`, `other`.
  init(_ gitDir: String) throws(GitError) {
    try LibGit2.start()
    var opened: OpaquePointer?
    try LibGit2.check(git_repository_open_bare(&opened, gitDir), "opening \(gitDir)")
    guard let opened else { throw GitError(.other, "libgit2 returned no repository") }
    pointer = opened
  }

  deinit { git_repository_free(pointer) }
}

/// libgit2's handles on a repository with its work tree, for attributes and filters; frees them when it is
/// deinitialised.
final class LibGit2Repository {
  let pointer: OpaquePointer
  private let config: ConfigHandle

  /// Opens the repository.
  ///
  /// - Throws: `corrupt`, `permission`, `other`.
  init(_ location: RepositoryLocation, _ files: ConfigFiles) throws(GitError) {
    try LibGit2.start()
    var opened: OpaquePointer?
    let flags = GIT_REPOSITORY_OPEN_NO_SEARCH.rawValue
    try LibGit2.check(
      git_repository_open_ext(&opened, location.openPath, flags, nil), "opening \(location.openPath)")
    guard let repository = opened else { throw GitError(.other, "libgit2 returned no repository") }
    do throws(GitError) {
      config = try ConfigHandle(files, repository: repository)
      try LibGit2.check(git_repository_set_config(repository, config.pointer), "setting the configuration")
      pointer = repository
    } catch {
      git_repository_free(repository)
      throw error
    }
  }

  deinit {
    git_repository_free(pointer)
  }

  /// Makes libgit2 read objects from the same database.
  ///
  /// - Throws: `other`.
  func use(_ store: ObjectStore) throws(GitError) {
    try LibGit2.check(git_repository_set_odb(pointer, store.database), "setting the object database")
  }
}
