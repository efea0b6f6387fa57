/// The tree ids cached in an index (extension `TREE` of gitformat-index(5)).
struct CacheTree {
  private struct Node {
    /// The range of the folder's last path component in the bytes of the index.
    var name: Range<Int>
    /// Nil if an entry below has changed since.
    var id: ObjectID?
    /// The index after the last node of the subtree.
    var subtreeEnd: Int
  }

  private var nodes: [Node] = []

  /// Parses the extension; a damaged one counts as absent, because it is only a cache.
  ///
  /// - Parameter range: the range of the extension.
  init(_ bytes: CheckedBytes, _ range: Range<Int>) {
    var position = range.lowerBound
    // The number of subfolders that each open node still lacks.
    var open: [(node: Int, rest: Int)] = []
    repeat {
      guard let zero = bytes.first(0, from: position), zero < range.upperBound,
        let entries = Self.number(bytes, zero + 1, UInt8(ascii: " "), range.upperBound),
        let subtrees = Self.number(bytes, entries.next, UInt8(ascii: "\n"), range.upperBound),
        subtrees.value >= 0, nodes.count < range.count
      else {
        nodes = []
        return
      }
      var node = Node(name: position..<zero, id: nil, subtreeEnd: nodes.count + 1)
      position = subtrees.next
      if entries.value >= 0 {
        guard range.upperBound - position >= ObjectID.byteCount else {
          nodes = []
          return
        }
        node.id = bytes.id(at: position)
        position += ObjectID.byteCount
      }
      nodes.append(node)
      open.append((nodes.count - 1, subtrees.value))
      while let last = open.last, last.rest == 0 {
        nodes[last.node].subtreeEnd = nodes.count
        open.removeLast()
      }
      if let last = open.indices.last { open[last].rest -= 1 }
    } while !open.isEmpty
  }

  /// The node of the root tree; nil if the extension is absent.
  var root: Int? { nodes.isEmpty ? nil : 0 }

  func id(_ node: Int) -> ObjectID? { nodes[node].id }

  /// Returns the child nodes of a node, in the order that ``find(_:among:_:)`` needs.
  func children(of node: Int, _ bytes: CheckedBytes) -> [Int] {
    var children: [Int] = []
    var child = node + 1
    while child < nodes[node].subtreeEnd {
      children.append(child)
      child = nodes[child].subtreeEnd
    }
    func name(_ node: Int) -> UnsafeRawBufferPointer { bytes[nodes[node].name] }
    children.sort { Self.isLess(name($0), name($1)) }
    return children
  }

  /// Returns the node with a name among sorted ones.
  func find(_ name: UnsafeRawBufferPointer, among children: [Int], _ bytes: CheckedBytes) -> Int? {
    let place = children.indices.search { Self.isLess(bytes[nodes[children[$0]].name], name) }
    guard place < children.count, Bytes.areEqual(bytes[nodes[children[place]].name], name) else { return nil }
    return children[place]
  }

  /// The order of the extension itself, with shorter names first, so that the input is sorted already.
  private static func isLess(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    left.count == right.count ? Bytes.isLess(left, right) : left.count < right.count
  }

  private static func number(
    _ bytes: CheckedBytes, _ start: Int, _ terminator: UInt8, _ end: Int
  ) -> (value: Int, next: Int)? {
    var position = start
    let isNegative = position < end && bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var value = 0
    let first = position
    // No count in an index has more than ten digits.
    while position < end, position - first < 10, isDigit(bytes[position]) {
      value = value * 10 + Int(bytes[position] & 15)
      position += 1
    }
    guard position > first, position < end, bytes[position] == terminator else { return nil }
    return (isNegative ? -value : value, position + 1)
  }
}
