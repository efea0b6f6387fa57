import CLibGit2
import ForagePlatform

/// An index that libgit2 has read; freed when it is deinitialised.
final class IndexHandle {
  let pointer: OpaquePointer

  /// Reads the index of a repository.
  ///
  /// - Throws: `unsupportedIndex` for a split or sparse index, which libgit2 cannot read (still so in 1.9),
  ///   for one without a checksum before libgit2 1.8, and for a damaged one.
  init(_ library: LibGit2Repository) throws(GitError) {
    // The handle keeps an index, which git may have written again since.
    try LibGit2.check(git_repository_set_index(library.pointer, nil), "closing the index")
    var index: OpaquePointer?
    try LibGit2.check(git_repository_index(&index, library.pointer), "reading the index")
    guard let index else { throw GitError(.other, "libgit2 returned no index") }
    pointer = index
  }

  deinit { git_index_free(pointer) }

  var hasIntentToAdd: Bool {
    (0..<git_index_entrycount(pointer)).contains {
      Self.isIntentToAdd(git_index_get_byindex(pointer, $0).pointee)
    }
  }

  /// The files with a name.
  func files(named name: String) -> [(path: [UInt8], id: ObjectID)] {
    var files: [(path: [UInt8], id: ObjectID)] = []
    visit { entry, stage in
      guard stage == 0, let path = entry.path else { return }
      let start = strlen(path) - name.utf8.count
      guard start >= 0, strcmp(path + start, name) == 0,
        start == 0 || path[start - 1] == CChar(bitPattern: UInt8(ascii: "/"))
      else { return }
      files.append((FileAccess.bytes(path), ObjectID(entry.id)))
    }
    return files
  }

  /// The folders with files, other than the root.
  func folders() -> [[UInt8]] {
    var folders: Set<[UInt8]> = []
    var last: [UInt8] = []
    visit { entry, _ in
      guard let path = entry.path, let slash = strrchr(path, Int32(UInt8(ascii: "/"))) else { return }
      // Those of a folder mostly follow each other.
      let bytes = UnsafeRawBufferPointer(start: path, count: slash - UnsafeMutablePointer(mutating: path))
      if last.elementsEqual(bytes) { return }
      last = Array(bytes)
      var folder = last[...]
      while !folder.isEmpty, folders.insert(Array(folder)).inserted {
        folder = folder[..<(folder.lastIndex(of: UInt8(ascii: "/")) ?? folder.startIndex)]
      }
    }
    return Array(folders)
  }

  /// Whether git is told not to look for changes of a file.
  static func isUnwatched(_ entry: git_index_entry) -> Bool {
    UInt32(entry.flags) & GIT_INDEX_ENTRY_VALID.rawValue != 0
      || UInt32(entry.flags_extended) & GIT_INDEX_ENTRY_SKIP_WORKTREE.rawValue != 0
  }

  private static func isIntentToAdd(_ entry: git_index_entry) -> Bool {
    UInt32(entry.flags_extended) & GIT_INDEX_ENTRY_INTENT_TO_ADD.rawValue != 0
  }

  /// Whether a file is outside the sparse checkout.
  func isSkipped(_ path: UnsafePointer<CChar>) -> Bool {
    guard let entry = git_index_get_bypath(pointer, path, 0) else { return false }
    return UInt32(entry.pointee.flags_extended) & GIT_INDEX_ENTRY_SKIP_WORKTREE.rawValue != 0
  }

  func contains(_ path: [UInt8]) -> Bool {
    git_index_get_bypath(pointer, FileAccess.cString(path), 0) != nil
  }

  /// Calls `body` with each entry and its stage.
  func visit(_ body: (git_index_entry, _ stage: Int32) -> Void) {
    for number in 0..<git_index_entrycount(pointer) {
      guard let entry = git_index_get_byindex(pointer, number) else { continue }
      body(entry.pointee, git_index_entry_stage(entry))
    }
  }
}

/// Tells which files pass through a filter program or an encoding that libgit2 does not apply.
struct FilterPrograms {
  private let library: LibGit2Repository
  private let names: Set<String>

  init(_ library: LibGit2Repository, _ config: GitConfig) {
    self.library = library
    names = Set(
      config.subsections(of: "filter").filter { name in
        ["clean", "process"].contains { config.string("filter.\(name).\($0)") != nil }
      })
  }

  func apply(to path: [UInt8]) -> Bool {
    attribute("filter", path).map(names.contains) ?? false || attribute("working-tree-encoding", path) != nil
  }

  private func attribute(_ name: String, _ path: [UInt8]) -> String? {
    var value: UnsafePointer<CChar>?
    guard git_attr_get(&value, library.pointer, 0, FileAccess.cString(path), name) == 0, let value,
      git_attr_value(value) == GIT_ATTR_VALUE_STRING
    else { return nil }
    return String(cString: value)
  }
}

extension LibGit2Repository {
  /// Makes libgit2 compare the files of this folder.
  func use(worktree: String) throws(GitError) {
    if let known = git_repository_workdir(pointer), String(cString: known) == worktree + "/" { return }
    try LibGit2.check(git_repository_set_workdir(pointer, worktree, 0), "setting the work tree \(worktree)")
  }

  /// Whether the rules for untracked files ignore a path or a folder above it.
  func ignores(_ path: [UInt8]) throws(GitError) -> Bool {
    var answer: Int32 = 0
    try LibGit2.check(
      git_ignore_path_is_ignored(&answer, pointer, FileAccess.cString(path)),
      "reading the rules for untracked files")
    return answer != 0
  }

  /// Makes libgit2 use an index without entries, until the next one is read.
  func useEmptyIndex() throws(GitError) {
    var index: OpaquePointer?
    try LibGit2.check(git_index_new(&index), "creating an index")
    defer { git_index_free(index) }
    try LibGit2.check(git_repository_set_index(pointer, index), "setting the index")
  }
}

extension WorkTree {
  /// Compares with libgit2; submodules are only listed.
  ///
  /// The two comparisons are those of `git_status_list_new`, which cannot be cancelled.
  ///
  /// - Parameters:
  ///   - checkFolders: Gets the folders without tracked files before they are looked into; throws where
  ///     libgit2 must not.
  ///   - staged: Compares the index with `HEAD`; called last.
  init(
    _ library: LibGit2Repository, _ index: IndexHandle, filters: FilterPrograms, untracked: Bool,
    isCancelled: () -> Bool, checkFolders: ([[UInt8]]) throws(GitError) -> Void,
    staged: () throws(GitError) -> [Change]
  ) throws(GitError) {
    var last: [UInt8]?
    index.visit { entry, stage in
      if entry.mode == GIT_FILEMODE_COMMIT.rawValue, stage == 0 {
        submodules.append((FileAccess.bytes(entry.path), ObjectID(entry.id)))
      }
      if IndexHandle.isUnwatched(entry) { unwatched.append(FileAccess.bytes(entry.path)) }
      guard stage != 0 else { return }
      let path = FileAccess.bytes(entry.path)
      if path != last { changes.append(Change(kind: .conflicted, path: path)) }
      last = path
    }
    try addUnstaged(library, index, filters, untracked, isCancelled, checkFolders)
    changes += try staged()
  }

  /// The paths whose entries in the index differ from a tree.
  ///
  /// - Parameter head: The tree of `HEAD`; `nil` before the first commit.
  static func staged(
    _ library: LibGit2Repository, _ index: IndexHandle, _ head: ObjectID?, _ isCancelled: () -> Bool
  ) throws(GitError) -> [Change] {
    var changes: [Change] = []
    var tree: OpaquePointer?
    defer { git_tree_free(tree) }
    if let head {
      let status = head.withOID { git_tree_lookup(&tree, library.pointer, $0) }
      try LibGit2.check(status, "reading the tree of HEAD")
    }
    let flags = GIT_DIFF_INCLUDE_TYPECHANGE.rawValue
    try compare(flags, isCancelled) {
      git_diff_tree_to_index($0, library.pointer, tree, index.pointer, $1)
    } each: { delta in
      switch delta.status {
      case GIT_DELTA_ADDED, GIT_DELTA_MODIFIED, GIT_DELTA_TYPECHANGE:
        changes.append(Change(kind: .staged, path: FileAccess.bytes(delta.new_file.path)))
      case GIT_DELTA_DELETED:
        changes.append(Change(kind: .removed, path: FileAccess.bytes(delta.old_file.path)))
      default: break
      }
    }
    return changes
  }

  private mutating func addUnstaged(
    _ library: LibGit2Repository, _ index: IndexHandle, _ filters: FilterPrograms, _ untracked: Bool,
    _ isCancelled: () -> Bool, _ checkFolders: ([[UInt8]]) throws(GitError) -> Void
  ) throws(GitError) {
    var flags = GIT_DIFF_INCLUDE_TYPECHANGE.rawValue | GIT_DIFF_IGNORE_SUBMODULES.rawValue
    if untracked {
      // A folder without tracked files is not looked into yet.
      flags |= GIT_DIFF_INCLUDE_UNTRACKED.rawValue | GIT_DIFF_ENABLE_FAST_UNTRACKED_DIRS.rawValue
    }
    let files = ClonedFiles(git_repository_workdir(library.pointer).map { String(cString: $0) } ?? "")
    /// Git does not count a file of which it cannot tell whether it is there.
    func isReachable(_ path: [UInt8]) -> Bool {
      files.entry(path) != nil || [ENOENT, ENOTDIR, ELOOP].contains(errno)
    }
    let slash = UInt8(ascii: "/")
    var (doubtful, folders): (Set<[UInt8]>, [[UInt8]]) = ([], [])
    func addUntracked(_ name: UnsafePointer<CChar>) {
      var path = FileAccess.bytes(name)
      // A repository in the place of a tracked file is no other path.
      if path.last == slash { path.removeLast() }
      if !index.contains(path) { changes.append(Change(kind: .untracked, path: FileAccess.bytes(name))) }
    }
    try Self.compare(flags, isCancelled) {
      git_diff_index_to_workdir($0, library.pointer, index.pointer, $1)
    } each: { delta in
      guard let name = delta.old_file.path, delta.old_file.mode != GIT_FILEMODE_COMMIT.rawValue else {
        return
      }
      let path = FileAccess.bytes(name)
      switch delta.status {
      case GIT_DELTA_UNTRACKED:
        if path.last == slash { folders.append(Array(path.dropLast())) } else { addUntracked(name) }
      case GIT_DELTA_DELETED:
        if !index.isSkipped(name), isReachable(path) { changes.append(Change(kind: .unstaged, path: path)) }
      case GIT_DELTA_MODIFIED, GIT_DELTA_TYPECHANGE:
        changes.append(Change(kind: .unstaged, path: path))
        // The content was compared, without the program; another size is a change in any case.
        if delta.status == GIT_DELTA_MODIFIED, delta.old_file.size == delta.new_file.size {
          doubtful.insert(path)
        }
      default: break
      }
    }
    removeUnstaged { doubtful.contains($0.path) && filters.apply(to: $0.path) }
    folders.removeAll { folder in
      // Another repository counts as one path.
      guard files.entry(folder + [slash] + Array(".git".utf8)) != nil else { return false }
      addUntracked(FileAccess.cString(folder + [slash]))
      return true
    }
    guard !folders.isEmpty else { return }
    // libgit2 takes such names of folders for patterns.
    if folders.contains(where: { $0.contains { "*?[\\!#".utf8.contains($0) } }) {
      throw GitError(.unsupportedIndex, "libgit2 cannot compare a folder with such a name")
    }
    try checkFolders(folders)
    // A repository in the work tree counts as one path, also without files of its own: it is not looked into.
    flags |= GIT_DIFF_RECURSE_UNTRACKED_DIRS.rawValue
    try Self.compare(flags, paths: folders, isCancelled) {
      git_diff_index_to_workdir($0, library.pointer, index.pointer, $1)
    } each: { delta in
      if delta.status == GIT_DELTA_UNTRACKED, let name = delta.old_file.path { addUntracked(name) }
    }
  }

  /// Makes a comparison and calls `each` with the differences.
  ///
  /// - Parameter paths: Files and folders that are compared alone; none for all.
  private static func compare(
    _ flags: UInt32, paths: [[UInt8]] = [], _ isCancelled: () -> Bool,
    _ make: (UnsafeMutablePointer<OpaquePointer?>, UnsafePointer<git_diff_options>) -> Int32,
    each body: (git_diff_delta) -> Void
  ) throws(GitError) {
    var options = git_diff_options()
    try LibGit2.check(
      git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION)), "preparing a comparison")
    options.flags = flags | GIT_DIFF_SKIP_BINARY_CHECK.rawValue
    var names: [UnsafeMutablePointer<CChar>?] = paths.map { strdup(FileAccess.cString($0)) }
    defer { for name in names { free(name) } }
    if !names.isEmpty { options.flags |= GIT_DIFF_DISABLE_PATHSPEC_MATCH.rawValue }
    options.progress_cb = { _, _, _, payload in
      guard let poll = payload?.assumingMemoryBound(to: (() -> Bool).self) else { return 0 }
      return poll.pointee() ? GIT_EUSER.rawValue : 0
    }
    var diff: OpaquePointer?
    // The compiler puts the length of the path of these lines into the program, which must not depend on the
    // folder.
    #sourceLocation(file:"comparison.swift",line:1)
    let status = withoutActuallyEscaping(isCancelled) { isCancelled in
      withUnsafePointer(to: isCancelled) { poll in
        names.withUnsafeMutableBufferPointer { names in
          options.payload = UnsafeMutableRawPointer(mutating: poll)
          options.pathspec = git_strarray(strings: names.baseAddress, count: names.count)
          return make(&diff, &options)
        }
      }
    }
    #sourceLocation()
    defer { git_diff_free(diff) }
    if status == GIT_EUSER.rawValue { throw .cancelled }
    try LibGit2.check(status, "comparing the work tree")
    for number in 0..<git_diff_num_deltas(diff) {
      if let delta = git_diff_get_delta(diff, number) { body(delta.pointee) }
    }
  }
}
