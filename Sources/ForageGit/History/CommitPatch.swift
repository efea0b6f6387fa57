import CLibGit2
import ForagePlatform

extension GitRepository {
  /// What a commit changes against its first parent, as `git diff` writes it, with renames.
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
    let library = try library()
    let parent = shallow.contains(commit.id) ? nil : commit.parents.first
    let trees = (
      old: try parent.map { id throws(GitError) in try TreeHandle(try tree(of: id), library) },
      new: try TreeHandle(commit.tree, library)
    )
    var options = git_diff_options()
    try LibGit2.check(
      git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION)), "preparing a comparison")
    options.flags = GIT_DIFF_DISABLE_PATHSPEC_MATCH.rawValue
    var diff: OpaquePointer?
    defer { git_diff_free(diff) }
    let names = [path].compactMap(\.self)
    let status = withExtendedLifetime(trees) {
      withCStrings(names) { strings in
        options.pathspec = strings
        return git_diff_tree_to_tree(&diff, library.pointer, trees.old?.pointer, trees.new.pointer, &options)
      }
    }
    try LibGit2.check(status, "comparing two commits")
    try LibGit2.check(git_diff_find_similar(diff, nil), "looking for renames")
    var bytes: [UInt8] = []
    for number in 0..<git_diff_num_deltas(diff) {
      if isCancelled() { throw .cancelled }
      if bytes.count >= limit { return (String(decoding: bytes.prefix(limit), as: UTF8.self), false) }
      var patch: OpaquePointer?
      defer { git_patch_free(patch) }
      try LibGit2.check(git_patch_from_diff(&patch, diff, number), "comparing a file")
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
