/// The files of a work tree that are unchanged since they were added to the index.
///
/// If the size equals that of the blob, the file has the bytes of the blob, because conversion of line ends
/// changes the size.
package struct CleanFiles: Sendable {
  private let index: IndexFile
  /// A bit for each clean entry.
  private let bits: [UInt64]
  /// The indices of entries by the hash of their path; -1 for none.
  private let slots: [Int32]

  /// Creates an empty set, as for a bare repository.
  package init() {
    index = IndexFile()
    bits = []
    slots = []
  }

  /// Creates a set of all files of an index except some.
  ///
  /// - Parameters:
  ///   - index: the index.
  ///   - exceptions: the entries that are not clean, or not known to be.
  init(_ index: IndexFile, except exceptions: [Int32]) {
    self.index = index
    let count = index.records.count
    var bits = [UInt64](repeating: 0, count: (count + 63) / 64)
    var capacity = 16
    while capacity < count * 2 { capacity *= 2 }
    var slots = [Int32](repeating: -1, count: count == 0 ? 0 : capacity)
    index.withView { view in
      for entry in 0..<count
      where view.stage(entry) == 0 && view.mode(entry) & IndexView.Mode.type == IndexView.Mode.file {
        bits[entry >> 6] |= 1 << UInt64(entry & 63)
      }
      for entry in exceptions { bits[Int(entry) >> 6] &= ~(1 << UInt64(entry & 63)) }
      for entry in 0..<count where bits[entry >> 6] >> UInt64(entry & 63) & 1 == 1 {
        var slot = Int(truncatingIfNeeded: Bytes.hash(view.path(entry), seed: Self.seed)) & (capacity - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (capacity - 1) }
        slots[slot] = Int32(truncatingIfNeeded: entry)
      }
    }
    self.bits = bits
    self.slots = slots
  }

  /// A random seed, because authors of the repository choose the names and could otherwise choose the slots.
  private static let seed = UInt64.random(in: .min ... .max)

  /// The number of files.
  package var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Whether the file at a path is unchanged and has this id in the index.
  ///
  /// - Parameters:
  ///   - path: relative to the root of the work tree.
  ///   - id: the id of the blob.
  ///   - size: the size of the blob in bytes; if given, the file must have the same size.
  package func contains(path: String, id: ObjectID, size: Int? = nil) -> Bool {
    var copy = path
    return copy.withUTF8 { contains(path: UnsafeRawBufferPointer($0), id: id, size: size) }
  }

  /// The same for a borrowed path.
  package func contains(path: UnsafeRawBufferPointer, id: ObjectID, size: Int? = nil) -> Bool {
    if slots.isEmpty { return false }
    return index.withView { view in
      var slot = Int(truncatingIfNeeded: Bytes.hash(path, seed: Self.seed)) & (slots.count - 1)
      while slots[slot] >= 0 {
        let entry = Int(slots[slot])
        if Bytes.areEqual(view.path(entry), path) {
          guard view.id(entry) == id else { return false }
          return size.map { UInt32(truncatingIfNeeded: $0) == view.size(entry) } ?? true
        }
        slot = (slot + 1) & (slots.count - 1)
      }
      return false
    }
  }
}
