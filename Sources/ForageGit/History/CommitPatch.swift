import CLibGit2
import ForagePlatform

extension GitRepository {
  /// The changes of a commit against its first parent, as `git diff` writes them, with renames.
  ///
  /// - Parameters:
  ///   - path: A file or a folder alone; `nil` for all.
  ///   - limit: The bytes after which nothing is added; of a larger patch the text is cut.
  /// - Returns: The text, in which bytes that are not UTF-8 are replaced, and whether all of it is there.
  /// - Throws: `missingObject`, `corrupt`, `cancelled`.
  package func patch(of commit: Commit, path: String? = nil, limit: Int, isCancelled: () -> Bool)
    throws(GitError)
    -> (text: String, isWhole: Bool)
  {
    let comparison = try CommitComparison(self, commit, path: path)
    var bytes: [UInt8] = []
    for number in 0..<comparison.count {
      if isCancelled() { throw .cancelled }
      if bytes.count >= limit { return (String(decoding: bytes.prefix(limit), as: UTF8.self), false) }
      var patch: OpaquePointer?
      defer { git_patch_free(patch) }
      try LibGit2.check(git_patch_from_diff(&patch, comparison.diff, number), "comparing a file")
      // Without a patch the file is binary or unchanged.
      guard let patch else { continue }
      var buffer = git_buf()
      defer { git_buf_dispose(&buffer) }
      try LibGit2.check(git_patch_to_buf(&buffer, patch), "writing a patch")
      bytes += UnsafeRawBufferPointer(start: buffer.ptr, count: buffer.size)
    }
    return (String(decoding: bytes.prefix(limit), as: UTF8.self), bytes.count <= limit)
  }
}

extension GitRepository {
  /// The files that a commit has changed against its first parent, in which a moved file is one, as the
  /// configuration says.
  ///
  /// - Throws: `missingObject`, `corrupt`, `cancelled`.
  package func changedFilesWithRenames(of commit: Commit, isCancelled: () -> Bool) throws(GitError)
    -> [ChangedFile]
  {
    let comparison = try CommitComparison(self, commit)
    var files: [ChangedFile] = []
    for number in 0..<comparison.count {
      if isCancelled() { throw .cancelled }
      let (old, new) = comparison.sides(number)
      guard old.isFile || new.isFile, let path = new.path ?? old.path else { continue }
      files.append(
        ChangedFile(
          path: Array(UnsafeRawBufferPointer(start: path, count: strlen(path))),
          old: old.isFile ? ObjectID(old.id) : nil, new: new.isFile ? ObjectID(new.id) : nil))
    }
    return files
  }

  /// The tree of the first parent; `nil` for a root, and for a commit at which a shallow clone ends.
  func treeBefore(_ commit: Commit) throws(GitError) -> ObjectID? {
    guard let parent = commit.parents.first, !shallow.contains(commit.id) else { return nil }
    return try tree(of: parent)
  }
}

/// What libgit2 finds that a commit changes against its first parent; a moved file is one, as the
/// configuration says.
final class CommitComparison {
  fileprivate private(set) var diff: OpaquePointer?

  /// - Parameter path: A file or a folder alone; `nil` for all.
  /// - Throws: `missingObject`, `corrupt`.
  init(_ repository: GitRepository, _ commit: Commit, path: String? = nil) throws(GitError) {
    let library = try repository.library()
    let trees = (
      old: try repository.treeBefore(commit).map { id throws(GitError) in try TreeHandle(id, library) },
      new: try TreeHandle(commit.tree, library)
    )
    var options = git_diff_options()
    try LibGit2.check(
      git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION)), "preparing a comparison")
    options.flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH.rawValue
    // The attributes of the index decide how files are compared.
    if let index = try? IndexHandle(library), repository.hasSlowAttributes(index, in: nil) {
      try library.useEmptyIndex()
    }
    let status = withExtendedLifetime(trees) {
      withCStrings([path].compactMap(\.self)) { strings in
        options.pathspec = strings
        return git_diff_tree_to_tree(&diff, library.pointer, trees.old?.pointer, trees.new.pointer, &options)
      }
    }
    try LibGit2.check(status, "comparing two commits")
    try LibGit2.check(git_diff_find_similar(diff, nil), "looking for renames")
  }

  deinit { git_diff_free(diff) }

  /// The number of files that differ.
  var count: Int { git_diff_num_deltas(diff) }

  /// A file before and after; its path is valid as long as the comparison.
  func sides(_ number: Int) -> (old: git_diff_file, new: git_diff_file) {
    let delta = git_diff_get_delta(diff, number)?.pointee
    return (delta?.old_file ?? git_diff_file(), delta?.new_file ?? git_diff_file())
  }
}

extension git_diff_file {
  /// Whether it is there, and no link, folder or submodule.
  var isFile: Bool { mode == GIT_FILEMODE_BLOB.rawValue || mode == GIT_FILEMODE_BLOB_EXECUTABLE.rawValue }
}

/// A tree that libgit2 has loaded.
private final class TreeHandle {
  let pointer: OpaquePointer

  init(_ id: ObjectID, _ library: LibGit2Repository) throws(GitError) {
    var tree: OpaquePointer?
    try LibGit2.check(id.withOID { git_tree_lookup(&tree, library.pointer, $0) }, "reading a tree")
    guard let tree else { throw .corruptObject(id, "it is not a tree") }
    pointer = tree
  }

  deinit { git_tree_free(pointer) }
}

/// Calls a body with texts as libgit2 takes them, which are valid during the call.
private func withCStrings<Result>(_ texts: [String], _ body: (git_strarray) -> Result) -> Result {
  var strings = texts.map { strdup($0) }
  defer { for string in strings { free(string) } }
  return strings.withUnsafeMutableBufferPointer { buffer in
    body(git_strarray(strings: buffer.baseAddress, count: buffer.count))
  }
}
