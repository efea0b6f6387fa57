/// The files of a work tree that have not changed since they were put in the index.
///
/// Where the size is the blob's too, the file has the blob's bytes: attributes that convert line ends change it.
package struct CleanFiles: Sendable {
  private let index: IndexFile
  /// A bit for each entry that is clean.
  private let bits: [UInt64]
  /// Numbers of entries by the hash of their path; -1 for none.
  private let slots: [Int32]

  /// No file, as of a bare repository.
  package init() {
    index = IndexFile()
    bits = []
    slots = []
  }

  /// All files of an index but some.
  ///
  /// - Parameter exceptions: entries that are not clean, or not known to be.
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

  /// Names are chosen by whoever writes the repository; a seed keeps them from choosing the slots too.
  private static let seed = UInt64.random(in: .min ... .max)

  /// How many files there are.
  package var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Whether the file at a path is there, unchanged, and the index has it with this id.
  ///
  /// - Parameters:
  ///   - path: from the root of the work tree.
  ///   - size: the blob's bytes; given, the file must have as many.
  package func contains(path: String, id: ObjectID, size: Int? = nil) -> Bool {
    var copy = path
    return copy.withUTF8 { contains(path: UnsafeRawBufferPointer($0), id: id, size: size) }
  }

  /// The same for a path that is borrowed.
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
