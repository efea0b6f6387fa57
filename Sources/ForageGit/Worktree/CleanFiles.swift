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

  /// Creates a set of all files of an index except some.
  ///
  /// - Parameter exceptions: the entries that are not clean, or not known to be.
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

  /// Whether the file at a path is unchanged and has this id in the index.
  ///
  /// - Parameters:
  ///   - path: relative to the root of the work tree.
  ///   - size: the size of the blob in bytes; if given, the file must have the same size.
  package func contains(path: String, id: ObjectID, size: Int? = nil) -> Bool {
    var copy = path
    return copy.withUTF8 { contains(path: UnsafeRawBufferPointer($0), id: id, size: size) }
  }

  /// The same for a borrowed path.
  package func contains(path: UnsafeRawBufferPointer, id: ObjectID, size: Int? = nil) -> Bool {
    if bits.isEmpty { return false }
    return index.withView { view in
      guard let entry = view.find(path), bits[entry >> 6] >> UInt64(entry & 63) & 1 == 1, view.id(entry) == id
      else { return false }
      return size.map { UInt32(truncatingIfNeeded: $0) == view.size(entry) } ?? true
    }
  }
}
