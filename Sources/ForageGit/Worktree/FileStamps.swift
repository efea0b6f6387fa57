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

  init(_ entry: Int, _ view: IndexView) {
    self.init([
      view.size(entry), view.inode(entry), view.modifiedSeconds(entry), view.modifiedNanoseconds(entry),
      view.changedSeconds(entry), view.changedNanoseconds(entry),
    ])
  }

  /// FNV-1a with words instead of bytes.
  private init(_ fields: [UInt32]) {
    value = Int64(
      bitPattern: fields.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }
}

/// The stamps that files of a work tree had when they were added to the index of git.
package struct FileStamps: Sendable {
  private let index: IndexFile

  /// The stamp of a file with the content of a blob; `nil` if the index has none or another content, or if the
  /// file may have been changed without a change of its stamp.
  ///
  /// - Parameter path: The path from the root.
  package func stamp(of path: String, id: ObjectID) -> FileStamp? {
    var path = path
    return path.withUTF8 { text in
      index.withView { view in
        guard let entry = view.find(UnsafeRawBufferPointer(text)), view.stage(entry) == 0,
          view.mode(entry) & IndexView.Mode.type == IndexView.Mode.file, view.id(entry) == id,
          // Racily clean: written at the time of the index or later.
          (Int64(view.modifiedSeconds(entry)), Int64(view.modifiedNanoseconds(entry))) < index.modifiedAt
        else { return nil }
        return FileStamp(entry, view)
      }
    }
  }

  fileprivate init(_ index: IndexFile) { self.index = index }
}

extension GitRepository {
  /// The stamps of the files of the work tree; none if it has no readable index, or if a filter program can give a file
  /// other bytes of the same size.
  package func fileStamps() -> FileStamps {
    let index = worktree != nil && hasNoFilters ? try? IndexFile(gitDir: gitDir) : nil
    return FileStamps(index ?? IndexFile())
  }
}
