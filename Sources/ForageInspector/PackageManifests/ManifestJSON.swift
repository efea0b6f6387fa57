/// A JSON reader that accepts comments and trailing commas, and returns what precedes malformed text.
struct ManifestJSON {
  private var cursor: ByteCursor

  static func read(_ bytes: [UInt8]) -> ManifestNode {
    var reader = ManifestJSON(cursor: ByteCursor(bytes))
    return reader.value(depth: 0)
  }

  private mutating func value(depth: Int) -> ManifestNode {
    let node = ManifestNode()
    skipSpace()
    guard let first = cursor.peek else { return node }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < ManifestNode.depthLimit else {
        // Deeper values are not needed, so their contents are read into this level.
        cursor.skip()
        return node
      }
      cursor.skip()
      if first == UInt8(ascii: "{") { members(of: node, depth: depth) } else { items(of: node, depth: depth) }
    case UInt8(ascii: "\""):
      cursor.skip()
      node.text = cursor.string(first)
    default:
      let word = cursor.text {
        !Self.isSpace($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "]")
          && $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "\"")
      }
      node.text = word
    }
    return node
  }

  private mutating func members(of node: ManifestNode, depth: Int) {
    while true {
      skipSpace()
      guard let byte = cursor.peek else { return }
      switch byte {
      case UInt8(ascii: "}"):
        cursor.skip()
        return
      case UInt8(ascii: "\""):
        cursor.skip()
        let name = cursor.string(byte)
        skipSpace()
        guard cursor.take(":") else { continue }
        node.members[name] = value(depth: depth + 1)
      default:
        cursor.skip()
      }
    }
  }

  private mutating func items(of node: ManifestNode, depth: Int) {
    while true {
      skipSpace()
      guard let byte = cursor.peek else { return }
      switch byte {
      case UInt8(ascii: "]"):
        cursor.skip()
        return
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: ":"):
        cursor.skip()
      default:
        node.items.append(value(depth: depth + 1))
      }
    }
  }

  private mutating func skipSpace() {
    while true {
      cursor.skip(while: Self.isSpace)
      if cursor.stands("//") {
        cursor.skipLine()
      } else if cursor.stands("/*") {
        cursor.skip(2)
        cursor.skip(past: "*/")
      } else {
        return
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
}
