/// A table of paths with dense numbers; each is the name of an entry in a folder. The names are in one array.
///
/// ``CommitTally`` uses it for authors, too, each in the folder of the text's encoding.
struct PathTable: Sendable {
  /// The number of the root folder.
  static let root: Int32 = -1

  private struct Node: Sendable {
    let parent: Int32
    let nameCount: Int32
    let nameStart: Int
    let hash: UInt64
  }

  private var nodes: [Node] = []
  private var names: [UInt8] = []
  private var slots = [Int32](repeating: -1, count: 1024)
  /// A random seed, because authors of commits choose the names and could otherwise choose the slots.
  private let seed = UInt64.random(in: .min ... .max)

  var count: Int { nodes.count }

  /// Returns the number of a path, and adds it if it is new.
  ///
  /// - Parameters:
  ///   - name: the last component, less than 2^31 bytes.
  ///   - parent: the number of the folder; ``root`` if there is none.
  mutating func insert(_ name: UnsafeRawBufferPointer, below parent: Int32) -> Int32 {
    let hash = Bytes.hash(name, seed: seed ^ UInt64(UInt32(bitPattern: parent)))
    var position = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[position] >= 0 {
      let node = nodes[Int(slots[position])]
      if node.hash == hash, node.parent == parent, Int(node.nameCount) == name.count,
        has(name, at: node.nameStart)
      {
        return slots[position]
      }
      position = (position + 1) & (slots.count - 1)
    }
    let number = Int32(truncatingIfNeeded: nodes.count)
    slots[position] = number
    nodes.append(
      Node(
        parent: parent, nameCount: Int32(truncatingIfNeeded: name.count), nameStart: names.count, hash: hash))
    names.append(contentsOf: name)
    if nodes.count * 2 > slots.count { grow() }
    return number
  }

  /// The same within the limits of a comparison.
  mutating func insert(
    _ name: UnsafeRawBufferPointer, below parent: Int32, _ limits: DifferenceLimits
  ) throws(GitError) -> Int32 {
    let number = insert(name, below: parent)
    guard count <= limits.paths, names.count <= limits.nameBytes else {
      throw DifferenceLimits.exceeded("too many different paths")
    }
    return number
  }

  /// Returns the last component of a path, and the number of its folder.
  func component(_ number: Int) -> (name: ArraySlice<UInt8>, folder: Int32) {
    let node = nodes[number]
    return (names[node.nameStart..<(node.nameStart + Int(node.nameCount))], node.parent)
  }

  func path(_ number: Int) -> [UInt8] {
    var parts: [ArraySlice<UInt8>] = []
    var current = number
    while current >= 0 {
      let (name, folder) = component(current)
      parts.append(name)
      current = Int(folder)
    }
    return Array(parts.reversed().joined(separator: [UInt8(ascii: "/")]))
  }

  private func has(_ name: UnsafeRawBufferPointer, at start: Int) -> Bool {
    names.withUnsafeBytes { raw in
      for index in 0..<name.count where raw[start + index] != name[index] { return false }
      return true
    }
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 4)
    for (number, node) in nodes.enumerated() {
      var position = Int(truncatingIfNeeded: node.hash) & (slots.count - 1)
      while slots[position] >= 0 { position = (position + 1) & (slots.count - 1) }
      slots[position] = Int32(truncatingIfNeeded: number)
    }
  }
}
