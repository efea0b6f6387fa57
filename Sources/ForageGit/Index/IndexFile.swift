/// An entry of an index, as positions in the bytes of the index.
struct IndexRecord: Sendable {
  /// The offset of the fixed-length fields.
  var entry: UInt32
  /// The offset of the path, which ends with a NUL.
  var path: UInt32
  /// The length of the path in bytes.
  var pathLength: UInt32
}

/// A folder of the index: a range of its sorted entries.
struct IndexDirectory: Sendable {
  /// The first entry below the folder.
  var first: Int32
  /// The index after the last entry.
  var end: Int32
  /// The index after the last subfolder; folders are numbered in the order of their entries.
  var subtreeEnd: Int32
  /// The length of the path with its trailing slash; 0 for the root.
  var prefixLength: Int32
}

/// The index of a work tree (gitformat-index(5)), read into memory and validated.
///
/// The checksum at the end is not verified, because that takes longer than everything else. The structure is
/// (lengths, order and form of paths), so that a damaged file leads to an error and to nothing worse.
struct IndexFile: Sendable {
  /// The bytes of the index, then of the shared index, then the paths that were compressed.
  var storage: [UInt8] = []
  /// The entries, ordered by path and stage.
  var records: [IndexRecord] = []
  /// The folders, the root first; see ``IndexDirectory/subtreeEnd``.
  private(set) var directories: [IndexDirectory] = []
  private(set) var conflictedPaths = 0
  /// The modification time of the file in seconds since 1970 and nanoseconds; 0 if there is none.
  var modifiedAt: (seconds: Int64, nanoseconds: Int64) = (0, 0)
  /// The range of the `TREE` extension in `storage`.
  var treeExtension: Range<Int> = 0..<0

  /// Creates an index without entries, as before the first `git add`.
  init() {
    directories = [IndexDirectory(first: 0, end: 0, subtreeEnd: 1, prefixLength: 0)]
  }

  /// Calls `body` with a view, which is valid during the call.
  @inline(__always) func withView<Result, Failure: Error>(
    _ body: (IndexView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.withUnsafeBufferPointer { (storage) throws(Failure) -> Result in
      try records.withUnsafeBufferPointer { (records) throws(Failure) -> Result in
        try directories.withUnsafeBufferPointer { (directories) throws(Failure) -> Result in
          try body(
            IndexView(
              bytes: CheckedBytes(UnsafeRawBufferPointer(storage)), records: CheckedList(records),
              directories: CheckedList(directories)))
        }
      }
    }
  }

  /// Validates order and form of all paths and finds the folders; must be called after the records change.
  mutating func arrange() throws(GitError) {
    var arrangement = IndexArrangement()
    try withView { (view) throws(GitError) in try arrangement.run(view) }
    directories = arrangement.directories
    conflictedPaths = arrangement.conflictedPaths
  }

  static func corrupt(_ why: String) -> GitError {
    GitError(.corrupt, "the index is damaged: \(why)", hint: "`git reset` writes a new index")
  }
}

/// A borrowed view of an index, whose accesses are checked in every build.
struct IndexView {
  enum Mode {
    static let type: UInt32 = 0o170000
    static let file: UInt32 = 0o100000
    static let symlink: UInt32 = 0o120000
    static let gitlink: UInt32 = 0o160000
    static let directory: UInt32 = 0o040000
  }

  /// The size of an entry's fields before its flags: ten numbers of 32 bits and the id.
  static let fieldBytes = 60

  let bytes: CheckedBytes
  let records: CheckedList<IndexRecord>
  let directories: CheckedList<IndexDirectory>

  @inline(__always) private func field(_ entry: Int, _ offset: Int) -> UInt32 {
    bytes.bigEndian32(Int(records[entry].entry) + offset)
  }

  @inline(__always) func changedSeconds(_ entry: Int) -> UInt32 { field(entry, 0) }
  @inline(__always) func changedNanoseconds(_ entry: Int) -> UInt32 { field(entry, 4) }
  @inline(__always) func modifiedSeconds(_ entry: Int) -> UInt32 { field(entry, 8) }
  @inline(__always) func modifiedNanoseconds(_ entry: Int) -> UInt32 { field(entry, 12) }
  @inline(__always) func inode(_ entry: Int) -> UInt32 { field(entry, 20) }
  @inline(__always) func mode(_ entry: Int) -> UInt32 { field(entry, 24) }
  @inline(__always) func user(_ entry: Int) -> UInt32 { field(entry, 28) }
  @inline(__always) func group(_ entry: Int) -> UInt32 { field(entry, 32) }
  /// The size of the file in bytes, modulo 2^32.
  @inline(__always) func size(_ entry: Int) -> UInt32 { field(entry, 36) }
  @inline(__always) func id(_ entry: Int) -> ObjectID { bytes.id(at: Int(records[entry].entry) + 40) }

  @inline(__always) func flags(_ entry: Int) -> UInt16 {
    bytes.bigEndian16(Int(records[entry].entry) + Self.fieldBytes)
  }

  @inline(__always) private func extendedFlags(_ entry: Int) -> UInt16 {
    guard flags(entry) & 0x4000 != 0 else { return 0 }
    return bytes.bigEndian16(Int(records[entry].entry) + Self.fieldBytes + 2)
  }

  /// The stage: 0, or 1 to 3 for the versions of a conflict.
  @inline(__always) func stage(_ entry: Int) -> Int { Int(flags(entry) >> 12 & 3) }
  @inline(__always) func isAssumedUnchanged(_ entry: Int) -> Bool { flags(entry) & 0x8000 != 0 }
  @inline(__always) func isSkipped(_ entry: Int) -> Bool { extendedFlags(entry) & 0x4000 != 0 }
  @inline(__always) func isIntentToAdd(_ entry: Int) -> Bool { extendedFlags(entry) & 0x2000 != 0 }

  @inline(__always) func path(_ entry: Int) -> UnsafeRawBufferPointer {
    let record = records[entry]
    let start = Int(record.path)
    return bytes[start..<(start + Int(record.pathLength))]
  }

  /// Returns the path from an offset on, which ends with a NUL; nil if it does not.
  @inline(__always) func cString(_ entry: Int, from offset: Int = 0) -> UnsafePointer<CChar>? {
    let record = records[entry]
    let text = bytes[(Int(record.path) + offset)..<(Int(record.path) + Int(record.pathLength) + 1)]
    guard text.last == 0 else { return nil }
    return text.baseAddress?.assumingMemoryBound(to: CChar.self)
  }

  /// Returns the path of a folder with its trailing slash.
  @inline(__always) func prefix(_ directory: Int) -> UnsafeRawBufferPointer {
    let folder = directories[directory]
    if folder.prefixLength == 0 { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let start = Int(records[Int(folder.first)].path)
    return bytes[start..<(start + Int(folder.prefixLength))]
  }

  func find(_ path: UnsafeRawBufferPointer) -> Int? {
    let entry = (0..<records.count).search { Bytes.isLess(self.path($0), path) }
    return entry < records.count && Bytes.areEqual(self.path(entry), path) ? entry : nil
  }
}
