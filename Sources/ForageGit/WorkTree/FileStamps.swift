import CLibGit2
import ForagePlatform

/// The size, times and inode of a file as one number, which changes with the content of the file.
package struct FileStamp: Sendable, Hashable {
  package let value: Int64

  package init(_ value: Int64) { self.value = value }

  init(_ info: borrowing stat) {
    let (modified, changed) = (info.modified, info.changed)
    self.init([
      UInt32(truncatingIfNeeded: info.st_size), UInt32(truncatingIfNeeded: info.st_ino),
      UInt32(truncatingIfNeeded: modified.tv_sec), UInt32(truncatingIfNeeded: modified.tv_nsec),
      UInt32(truncatingIfNeeded: changed.tv_sec), UInt32(truncatingIfNeeded: changed.tv_nsec),
    ])
  }

  fileprivate init(_ entry: git_index_entry) {
    self.init([
      entry.file_size, entry.ino, UInt32(bitPattern: entry.mtime.seconds), entry.mtime.nanoseconds,
      UInt32(bitPattern: entry.ctime.seconds), entry.ctime.nanoseconds,
    ])
  }

  /// FNV-1a with words instead of bytes.
  private init(_ fields: [UInt32]) {
    value = Int64(
      bitPattern: fields.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }
}

/// The stamps that files of a work tree had when they were added to the index of git: a file with the same
/// stamp is as in the index.
package struct FileStamps {
  private let index: StampedIndex?

  /// Creates stamps of no file, as for a bare repository.
  package init() { index = nil }

  fileprivate init(_ index: StampedIndex?) { self.index = index }

  /// The stamp of a file with the content of a blob; `nil` if the index has none or another content, or if
  /// the file may have been changed without a change of its stamp.
  ///
  /// - Parameters:
  ///   - path: The path from the root.
  ///   - size: The size that the file must have had, if given. If it equals that of the blob, the file has
  ///     the bytes of the blob, because conversion of line ends changes the size.
  package func stamp(of path: String, id: ObjectID, size: Int? = nil) -> FileStamp? {
    guard let index, let entry = index.entry(path), ObjectID(entry.id) == id,
      entry.mode & UInt32(S_IFMT) == UInt32(S_IFREG),
      size.map({ UInt32(truncatingIfNeeded: $0) == entry.file_size }) ?? true,
      // Racily clean: written at the time of the index or later.
      (Int64(entry.mtime.seconds), Int64(entry.mtime.nanoseconds)) < index.modifiedAt
    else { return nil }
    return FileStamp(entry)
  }
}

/// An index in memory for lookups. No repository is attached that could read the file again.
private final class StampedIndex {
  let modifiedAt: (seconds: Int64, nanoseconds: Int64)
  private let pointer: OpaquePointer

  /// Returns nil if there is no index, or libgit2 cannot read it.
  init?(_ path: String) {
    var index: OpaquePointer?
    // The time is read first, so that a later write makes the entries count as racy.
    guard let file = FileAccess.entry(path), (try? LibGit2.start()) != nil, git_index_open(&index, path) == 0,
      let index
    else { return nil }
    pointer = index
    modifiedAt = (file.modifiedAt, file.modifiedNanoseconds)
  }

  deinit { git_index_free(pointer) }

  func entry(_ path: String) -> git_index_entry? { git_index_get_bypath(pointer, path, 0)?.pointee }
}

extension GitRepository {
  /// A question whether the index has a file; `false` for all where libgit2 cannot read it.
  package func trackedFiles() -> (_ path: String) -> Bool {
    let index = StampedIndex(gitDir + "/index")
    return { index?.entry($0) != nil }
  }

  /// The stamps of the files of the work tree; none if it has no readable index, or if a filter program can
  /// give a file other bytes of the same size.
  package func fileStamps() -> FileStamps {
    // Git LFS replaces files by much shorter ones.
    let hasNoFilters = config.subsections(of: "filter").allSatisfy { $0 == "lfs" }
    return FileStamps(worktree != nil && hasNoFilters ? StampedIndex(gitDir + "/index") : nil)
  }
}
