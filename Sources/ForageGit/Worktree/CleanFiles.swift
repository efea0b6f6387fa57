/// The files of a work tree that are unchanged since they were added to the index.
///
/// If the size equals that of the blob, the file has the bytes of the blob, because conversion of line ends
/// changes the size.
package struct CleanFiles: Sendable {
  private let index: IndexFile
  /// A bit for each clean entry.
  private let bits: [UInt64]

  /// Creates an empty set, as for a bare repository.
  package init() {
    index = IndexFile()
    bits = []
  }

  /// Creates a set of all files but `exceptions`: entries that are not clean, or not known to be.
  init(_ index: IndexFile, except exceptions: [Int32]) {
    self.index = index
    let count = index.records.count
    var bits = [UInt64](repeating: 0, count: (count + 63) / 64)
    index.withView { view in
      for entry in 0..<count
      where view.stage(entry) == 0 && view.mode(entry) & IndexView.Mode.type == IndexView.Mode.file {
        bits[entry >> 6] |= 1 << UInt64(entry & 63)
      }
      for entry in exceptions { bits[Int(entry) >> 6] &= ~(1 << UInt64(entry & 63)) }
    }
    self.bits = bits
  }

  /// Whether the file at a path from the root is unchanged, and has this id and this size, if given, in the index.
  package func contains(path: String, id: ObjectID, size: Int? = nil) -> Bool {
    if bits.isEmpty { return false }
    var path = path
    return path.withUTF8 { text in
      index.withView { view in
        guard let entry = view.find(UnsafeRawBufferPointer(text)) else { return false }
        return bits[entry >> 6] >> UInt64(entry & 63) & 1 == 1 && view.id(entry) == id
          && size.map { UInt32(truncatingIfNeeded: $0) == view.size(entry) } ?? true
      }
    }
  }
}
