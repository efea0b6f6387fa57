import CLibGit2

/// Compares files with their entries by content, with the filters that attributes define.
///
/// libgit2 hashes and filters. It gets a minimal index in memory, because it supports no split or sparse
/// index and takes long to read others. The handle uses that index as long as the hasher lives.
struct ContentHasher: ~Copyable {
  enum Verdict: UInt8, Sendable {
    case same, different
    /// The file passes through a filter program, which is not run here.
    case unknown
  }

  private let repository: GitRepository
  private let library: LibGit2Repository
  private let index: OpaquePointer

  /// Throws `other` if libgit2 is out of memory.
  init(_ repository: GitRepository) throws(GitError) {
    let library = try repository.library()
    try library.use(repository.objects())
    var made: OpaquePointer?
    try LibGit2.check(git_index_new(&made), "creating an index")
    guard let made else { throw GitError(.other, "libgit2 returned no index") }
    index = made
    self.library = library
    self.repository = repository
    _ = git_repository_set_index(library.pointer, made)
  }

  deinit {
    _ = git_repository_set_index(library.pointer, nil)
    git_index_free(index)
  }

  /// Adds an entry to libgit2's index: that of a `.gitattributes` file, or of a file to hash.
  func add(_ entry: Int, _ view: IndexView) {
    guard view.stage(entry) == 0, let path = view.cString(entry) else { return }
    var item = git_index_entry()
    item.mode = view.mode(entry)
    item.path = path
    view.id(entry).withOID { item.id = $0.pointee }
    // An entry that libgit2 refuses is not needed.
    _ = git_index_add(index, &item)
  }

  /// Adds the entry of a file that exists, unless its rules are read from the work tree.
  private func addFile(_ entry: Int, _ view: IndexView) {
    if !Self.isAttributes(view.path(entry)) { add(entry, view) }
  }

  static func isAttributes(_ path: UnsafeRawBufferPointer) -> Bool {
    let name = ".gitattributes".utf8
    return path.count >= name.count && path.suffix(name.count).elementsEqual(name)
      && (path.count == name.count || path[path.count - name.count - 1] == UInt8(ascii: "/"))
  }

  func compare(_ entry: Int, _ view: IndexView, root: String) -> Verdict {
    let relative = String(decoding: view.path(entry), as: UTF8.self)
    guard let path = view.cString(entry) else { return .different }
    if view.mode(entry) & IndexView.Mode.type == IndexView.Mode.symlink,
      let target = FileAccess.linkTarget(FileAccess.path(root, view.path(entry)))
    {
      return target.withUnsafeBytes { ObjectID(hashing: $0) } == view.id(entry) ? .same : .different
    }
    addFile(entry, view)
    let id: ObjectID? =
      withFilters(path) { filters -> ObjectID? in
        // Without filters the file is hashed in parts.
        guard let filters else {
          var oid = git_oid()
          let file = FileAccess.cString(FileAccess.path(root, view.path(entry)))
          return git_odb_hashfile(&oid, file, GIT_OBJECT_BLOB) == 0 ? ObjectID(oid) : nil
        }
        return filtered(entry, view, root: root, limit: FileAccess.fileLimit, filters) {
          ObjectID(hashing: $0)
        }
      } ?? nil
    if id == view.id(entry) { return .same }
    return needsProgram(relative) ? .unknown : .different
  }

  /// Returns a file or link as `git add` would record it; an unreadable one has a null id.
  func version(_ entry: Int, _ view: IndexView, root: String, limit: Int) -> FileVersion {
    var mode = view.mode(entry)
    let id: ObjectID?
    if let target = FileAccess.linkTarget(FileAccess.path(root, view.path(entry))) {
      mode = IndexView.Mode.symlink
      id = target.withUnsafeBytes { ObjectID(hashing: $0) }
    } else {
      if mode & IndexView.Mode.type != IndexView.Mode.file { mode = 0o100644 }
      id = content(entry, view, root: root, limit: limit) { ObjectID(hashing: $0) }
    }
    return FileVersion(path: Array(view.path(entry)), mode: mode, id: id ?? ObjectID(git_oid()))
  }

  /// Calls `body` with the content of a file as `git add` would record it; nil if it cannot be read.
  func content<Result>(
    _ entry: Int, _ view: IndexView, root: String, limit: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    guard let path = view.cString(entry) else { return nil }
    addFile(entry, view)
    return withFilters(path) { filtered(entry, view, root: root, limit: limit, $0, body) } ?? nil
  }

  /// Calls `body` with the filters that attributes and configuration select for a path, nil for none; nil if
  /// they cannot be loaded.
  private func withFilters<Result>(
    _ path: UnsafePointer<CChar>, _ body: (OpaquePointer?) -> Result
  ) -> Result? {
    var filters: OpaquePointer?
    // Git heeds `core.safecrlf` only when it adds a file.
    let flags = UInt32(GIT_FILTER_ALLOW_UNSAFE.rawValue)
    guard git_filter_list_load(&filters, library.pointer, nil, path, GIT_FILTER_TO_ODB, flags) == 0 else {
      return nil
    }
    defer { git_filter_list_free(filters) }
    return body(filters)
  }

  /// Calls `body` with the filtered content of a file; nil if it cannot be read.
  private func filtered<Result>(
    _ entry: Int, _ view: IndexView, root: String, limit: Int, _ filters: OpaquePointer?,
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    let path = FileAccess.path(root, view.path(entry))
    guard let bytes = (try? FileAccess.read(bytes: path, limit: limit, follow: false)) ?? nil else {
      return nil
    }
    var output = git_buf()
    defer { git_buf_dispose(&output) }
    let status = bytes.withUnsafeBytes {
      git_filter_list_apply_to_buffer(
        &output, filters, $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
    }
    guard status == 0 else { return nil }
    return body(UnsafeRawBufferPointer(start: output.ptr, count: output.size))
  }

  /// Whether attributes select a filter program, or an encoding that libgit2 does not support.
  private func needsProgram(_ path: String) -> Bool {
    if let name = attribute("filter", path) {
      let config = repository.config
      return config.string("filter.\(name).clean") != nil || config.string("filter.\(name).process") != nil
    }
    return attribute("working-tree-encoding", path) != nil
  }

  private func attribute(_ name: String, _ path: String) -> String? {
    var value: UnsafePointer<CChar>?
    guard git_attr_get(&value, library.pointer, 0, path, name) == 0, let value,
      git_attr_value(value) == GIT_ATTR_VALUE_STRING
    else { return nil }
    return String(cString: value)
  }
}

/// Compares files by content if their metadata does not show whether they differ.
struct ContentCheck {
  /// The number of files from which a second thread with its own handle pays off: some milliseconds of work.
  private static let sharedCount = 256
  /// The files that a thread takes at a time.
  private static let batch = 16

  let index: IndexFile
  let root: String
  let repository: GitRepository

  /// Returns a verdict for each of the entries.
  func run(_ entries: [Int32], isCancelled: () -> Bool) throws(GitError) -> [ContentHasher.Verdict] {
    if entries.isEmpty { return [] }
    let (index, root, attributes) = (index, root, attributeEntries())
    let parts = try SharedWork.run(
      entries.count, by: Self.batch, from: Self.sharedCount, in: repository, isCancelled: isCancelled
    ) { (repository, next, isCancelled) throws(GitError) in
      let hasher = try ContentHasher(repository)
      var found: [(position: Int, verdict: ContentHasher.Verdict)] = []
      try index.withView { (view) throws(GitError) in
        for entry in attributes { hasher.add(Int(entry), view) }
        while let range = next() {
          for position in range {
            if isCancelled() { throw .cancelled }
            found.append((position, hasher.compare(Int(entries[position]), view, root: root)))
          }
        }
      }
      return found
    }
    var verdicts = [ContentHasher.Verdict](repeating: .different, count: entries.count)
    for (position, verdict) in parts.joined() { verdicts[position] = verdict }
    return verdicts
  }

  /// Returns the entries of `.gitattributes` files that the work tree lacks. Git reads only those from the
  /// index; libgit2 adds the rules of all that its index has.
  private func attributeEntries() -> [Int32] {
    index.withView { view in
      view.records.indices.compactMap { entry in
        let path = view.path(entry)
        guard ContentHasher.isAttributes(path), FileAccess.kind(root, path) == nil else { return nil }
        return Int32(truncatingIfNeeded: entry)
      }
    }
  }
}
