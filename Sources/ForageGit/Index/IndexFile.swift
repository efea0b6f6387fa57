/// One entry of an index: where its fields and its path lie in the index's bytes.
struct IndexRecord: Sendable {
  /// Where the fields of a fixed length begin.
  var entry: UInt32
  /// Where the path begins; a zero byte follows it.
  var path: UInt32
  /// The path's bytes.
  var pathLength: UInt32
}

/// A folder of the index: a run of its sorted entries.
struct IndexDirectory: Sendable {
  /// The first entry below the folder.
  var first: Int32
  /// The entry after the last.
  var end: Int32
  /// The folder after the last below this one; folders are numbered in the order of their entries.
  var subtreeEnd: Int32
  /// The bytes of the path with its last slash; 0 for the root.
  var prefixLength: Int32
}

/// The index of a work tree (gitformat-index(5)), read into memory and checked.
///
/// The checksum at the end is not verified, which would take longer than all else; the structure is: lengths,
/// order and form of the paths, so that a damaged file leads to an error and to nothing worse.
struct IndexFile: Sendable {
  /// The index's bytes, then those of the shared index, then the paths that were compressed.
  var storage: [UInt8] = []
  /// The entries by path and stage.
  var records: [IndexRecord] = []
  /// The folders, the root first; see ``IndexDirectory/subtreeEnd``.
  private(set) var directories: [IndexDirectory] = []
  /// How many paths have entries of a merge.
  private(set) var conflictedPaths = 0
  /// How many submodules there are.
  private(set) var gitlinks = 0
  /// How many entries stand for a whole folder.
  private(set) var sparseDirectories = 0
  /// How many entries are left out of the work tree.
  private(set) var skippedEntries = 0
  /// When the file was written: seconds since 1970 and nanoseconds; 0 when there is none.
  var modifiedAt: (seconds: Int64, nanoseconds: Int64) = (0, 0)
  /// Where in `storage` the extension with the ids of trees lies.
  var treeExtension: Range<Int> = 0..<0

  /// An index without entries, as before the first `git add`.
  init() {
    directories = [IndexDirectory(first: 0, end: 0, subtreeEnd: 1, prefixLength: 0)]
  }

  /// Lends the content without checks of bounds: records and folders only refer to what is there.
  @inline(__always)
  func withView<Result, Failure: Error>(
    _ body: (IndexView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withUnsafeBufferPointer { (storage) throws(Failure) -> Result in
      try records.withUnsafeBufferPointer { (records) throws(Failure) -> Result in
        try directories.withUnsafeBufferPointer { (directories) throws(Failure) -> Result in
          try body(
            IndexView(
              bytes: UnsafeRawBufferPointer(storage), records: records, directories: directories))
        }
      }
    }
  }

  /// Checks the order and the form of all paths and finds the folders; to be called when the records change.
  ///
  /// - Throws: `corrupt`.
  mutating func arrange() throws(GitError) {
    var arrangement = IndexArrangement()
    try withView { (view) throws(GitError) in try arrangement.run(view) }
    directories = arrangement.directories
    conflictedPaths = arrangement.conflictedPaths
    gitlinks = arrangement.gitlinks
    sparseDirectories = arrangement.sparseDirectories
    skippedEntries = arrangement.skippedEntries
  }

  static func corrupt(_ why: String) -> GitError {
    GitError(.corrupt, "the index is damaged: \(why)", hint: "`git status` tells; `git reset` writes it anew")
  }
}

/// A borrowed view of an index; numbers of entries and folders come from it and are in range.
struct IndexView {
  /// What git calls the modes of an index.
  enum Mode {
    static let type: UInt32 = 0o170000
    static let file: UInt32 = 0o100000
    static let symlink: UInt32 = 0o120000
    static let gitlink: UInt32 = 0o160000
    static let directory: UInt32 = 0o040000
  }

  /// The bytes of an entry before its flags: ten numbers of 32 bits and the id.
  static let fieldBytes = 60

  let bytes: UnsafeRawBufferPointer
  let records: UnsafeBufferPointer<IndexRecord>
  let directories: UnsafeBufferPointer<IndexDirectory>

  @inline(__always)
  private func field(_ entry: Int, _ offset: Int) -> UInt32 {
    UInt32(
      bigEndian: bytes.loadUnaligned(fromByteOffset: Int(records[entry].entry) + offset, as: UInt32.self))
  }

  @inline(__always) func changedSeconds(_ entry: Int) -> UInt32 { field(entry, 0) }
  @inline(__always) func changedNanoseconds(_ entry: Int) -> UInt32 { field(entry, 4) }
  @inline(__always) func modifiedSeconds(_ entry: Int) -> UInt32 { field(entry, 8) }
  @inline(__always) func modifiedNanoseconds(_ entry: Int) -> UInt32 { field(entry, 12) }
  @inline(__always) func inode(_ entry: Int) -> UInt32 { field(entry, 20) }
  @inline(__always) func mode(_ entry: Int) -> UInt32 { field(entry, 24) }
  @inline(__always) func user(_ entry: Int) -> UInt32 { field(entry, 28) }
  @inline(__always) func group(_ entry: Int) -> UInt32 { field(entry, 32) }
  /// The file's bytes modulo 2^32.
  @inline(__always) func size(_ entry: Int) -> UInt32 { field(entry, 36) }
  @inline(__always) func id(_ entry: Int) -> ObjectID { ObjectID(bytes, at: Int(records[entry].entry) + 40) }

  @inline(__always)
  func flags(_ entry: Int) -> UInt16 {
    let offset = Int(records[entry].entry) + Self.fieldBytes
    return UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  @inline(__always)
  private func extendedFlags(_ entry: Int) -> UInt16 {
    guard flags(entry) & 0x4000 != 0 else { return 0 }
    let offset = Int(records[entry].entry) + Self.fieldBytes + 2
    return UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// 0, or 1 to 3 for the sides of a conflict.
  @inline(__always) func stage(_ entry: Int) -> Int { Int(flags(entry) >> 12 & 3) }
  /// Whether the user promised that the file does not change.
  @inline(__always) func isAssumedUnchanged(_ entry: Int) -> Bool { flags(entry) & 0x8000 != 0 }
  /// Whether the file is not to be in the work tree.
  @inline(__always) func isSkipped(_ entry: Int) -> Bool { extendedFlags(entry) & 0x4000 != 0 }
  /// Whether only the path is added so far.
  @inline(__always) func isIntentToAdd(_ entry: Int) -> Bool { extendedFlags(entry) & 0x2000 != 0 }

  @inline(__always)
  func path(_ entry: Int) -> UnsafeRawBufferPointer {
    let record = records[entry]
    let start = Int(record.path)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(record.pathLength))])
  }

  /// The path from a byte on, ended by a zero byte; nil only for an empty index.
  @inline(__always)
  func cString(_ entry: Int, from offset: Int = 0) -> UnsafePointer<CChar>? {
    bytes.baseAddress.map { ($0 + Int(records[entry].path) + offset).assumingMemoryBound(to: CChar.self) }
  }

  /// The path of a folder with its last slash.
  @inline(__always)
  func prefix(_ directory: Int) -> UnsafeRawBufferPointer {
    let folder = directories[directory]
    if folder.prefixLength == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let start = Int(records[Int(folder.first)].path)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + Int(folder.prefixLength))])
  }

  /// The first entry of a path; nil when there is none.
  func find(_ path: UnsafeRawBufferPointer) -> Int? {
    var low = 0
    var high = records.count
    while low < high {
      let middle = (low + high) / 2
      if Bytes.isLess(self.path(middle), path) { low = middle + 1 } else { high = middle }
    }
    return low < records.count && Bytes.areEqual(self.path(low), path) ? low : nil
  }
}
