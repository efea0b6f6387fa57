/// A TOML reader that skips lines it cannot parse.
struct ManifestTOML {
  private var cursor: ByteCursor

  static func read(_ bytes: [UInt8]) -> ManifestNode {
    var reader = ManifestTOML(cursor: ByteCursor(bytes))
    let root = ManifestNode()
    var table = root
    while let byte = reader.cursor.peek {
      switch byte {
      case 0x0A, 0x0D, 0x20, 0x09:
        reader.cursor.skip()
      case UInt8(ascii: "#"):
        reader.cursor.skipLine()
      case UInt8(ascii: "["):
        reader.cursor.skip()
        let isList = reader.cursor.take("[")
        table = reader.key().reduce(root) { $0.member($1) }
        if isList { table = ManifestNode() }
        reader.cursor.skipLine()
      default:
        reader.entry(of: table, depth: 0)
        reader.skipBlanks()
        if reader.cursor.peek != 0x0A { reader.cursor.skipLine() }
      }
    }
    return root
  }

  /// Reads `name.name = value`.
  private mutating func entry(of table: ManifestNode, depth: Int) {
    let names = key()
    skipBlanks()
    guard let last = names.last, cursor.take("=") else {
      // At least one byte, so that every call makes progress.
      if cursor.peek != 0x0A { cursor.skip() }
      return
    }
    let owner = names.dropLast().reduce(table) { $0.member($1) }
    owner.members[last] = value(depth: depth)
  }

  /// Reads a dotted key; its quoted parts may contain any byte.
  private mutating func key() -> [String] {
    var names: [String] = []
    repeat {
      skipBlanks()
      if let quote = cursor.peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        cursor.skip()
        names.append(cursor.string(quote, isRaw: quote == UInt8(ascii: "'")))
      } else {
        let name = cursor.text { LineScanner.isWord($0) || $0 == UInt8(ascii: "-") }
        if name.isEmpty { break }
        names.append(name)
      }
      skipBlanks()
      // No manifest has longer keys.
    } while names.count < ManifestNode.depthLimit && cursor.take(".")
    return names
  }

  private mutating func value(depth: Int) -> ManifestNode {
    let node = ManifestNode()
    skipBlanks()
    guard let first = cursor.peek else { return node }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let isRaw = first == UInt8(ascii: "'")
      if cursor.peek(1) == first, cursor.peek(2) == first {
        cursor.skip(3)
        cursor.skip(past: isRaw ? "'''" : "\"\"\"")
      } else {
        cursor.skip()
        node.text = cursor.string(first, isRaw: isRaw)
      }
    case UInt8(ascii: "["):
      cursor.skip()
      guard depth < ManifestNode.depthLimit else { return node }
      items(of: node, depth: depth)
    case UInt8(ascii: "{"):
      cursor.skip()
      guard depth < ManifestNode.depthLimit else { return node }
      while let byte = cursor.peek {
        if byte == UInt8(ascii: "}") {
          cursor.skip()
          break
        }
        if byte <= 0x20 || byte == UInt8(ascii: ",") {
          cursor.skip()
        } else if byte == UInt8(ascii: "#") {
          cursor.skipLine()
        } else {
          entry(of: node, depth: depth + 1)
        }
      }
    default:
      node.text = cursor.text {
        $0 > 0x20 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "}")
          && $0 != UInt8(ascii: "#")
      }
    }
    return node
  }

  private mutating func items(of node: ManifestNode, depth: Int) {
    while let byte = cursor.peek {
      if byte == UInt8(ascii: "]") {
        cursor.skip()
        return
      }
      if byte <= 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") {
        cursor.skip()
      } else if byte == UInt8(ascii: "#") {
        cursor.skipLine()
      } else {
        node.items.append(value(depth: depth + 1))
      }
    }
  }

  private mutating func skipBlanks() { cursor.skip { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
