/// A hash table of the names that an index has in one folder; the memory is reused for the next folder.
struct TrackedNames {
  /// The items with a name.
  struct Match {
    var entry: Int32 = -1
    /// The folder; -1 for none.
    var directory: Int32 = -1
    /// Whether the name matches byte for byte.
    var isExact = true
  }

  private struct Slot {
    var hash: UInt32
    /// An entry or, as its complement, a folder.
    var value: Int32
    var isUsed: Bool
  }

  private var slots: [Slot] = []
  private var mask = 0
  private let foldsCase: Bool
  /// A random seed, because authors of the repository choose the names and could otherwise choose the slots.
  private let seed = UInt64.random(in: .min ... .max)

  init(foldsCase: Bool) {
    self.foldsCase = foldsCase
  }

  /// Removes all names and reserves memory.
  mutating func reset(count: Int) {
    var capacity = 16
    while capacity < count * 2 { capacity *= 2 }
    let empty = Slot(hash: 0, value: 0, isUsed: false)
    if slots.count < capacity {
      slots = [Slot](repeating: empty, count: capacity)
    } else {
      for position in 0..<capacity { slots[position] = empty }
    }
    mask = capacity - 1
  }

  @inline(__always) mutating func insert(entry: Int32, _ name: UnsafeRawBufferPointer) { insert(entry, name) }

  @inline(__always)
  mutating func insert(directory: Int32, _ name: UnsafeRawBufferPointer) { insert(~directory, name) }

  @inline(__always) private mutating func insert(_ value: Int32, _ name: UnsafeRawBufferPointer) {
    let hash = Bytes.hash(name, seed: seed, folded: foldsCase)
    var position = Int(truncatingIfNeeded: hash >> 32) & mask
    while slots[position].isUsed { position = (position + 1) & mask }
    slots[position] = Slot(hash: UInt32(truncatingIfNeeded: hash), value: value, isUsed: true)
  }

  /// Returns the items with a name; exact matches have precedence.
  @inline(__always) func find(_ name: UnsafeRawBufferPointer, _ view: IndexView, prefix: Int) -> Match {
    let hash = Bytes.hash(name, seed: seed, folded: foldsCase)
    var position = Int(truncatingIfNeeded: hash >> 32) & mask
    var match = Match()
    while slots[position].isUsed {
      let slot = slots[position]
      position = (position + 1) & mask
      guard slot.hash == UInt32(truncatingIfNeeded: hash) else { continue }
      let other = Self.name(slot.value, view, prefix)
      let isExact = Bytes.areEqual(other, name)
      guard isExact || foldsCase && Bytes.areEqualFolded(other, name) else { continue }
      if !isExact, match.entry >= 0 || match.directory >= 0 { continue }
      if isExact, !match.isExact { match = Match() }
      match.isExact = isExact
      if slot.value >= 0 { match.entry = slot.value } else { match.directory = ~slot.value }
    }
    return match
  }

  @inline(__always)
  private static func name(_ value: Int32, _ view: IndexView, _ prefix: Int) -> UnsafeRawBufferPointer {
    if value >= 0 { return UnsafeRawBufferPointer(rebasing: view.path(Int(value))[prefix...]) }
    let path = view.prefix(Int(~value))
    return UnsafeRawBufferPointer(rebasing: path[prefix..<(path.count - 1)])
  }
}
