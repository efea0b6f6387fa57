/// The entries of a TOML document; lines that cannot be parsed are left out, and so are lists of tables.
struct ManifestTOML {
  /// The most parts of a dotted key; no manifest has more than six.
  private static let keyLimit = 16

  /// The keys of each table and entry, and the strings of an entry's value outside inline tables.
  private(set) var entries: [(path: [String], strings: [String])] = []
  private var cursor: ByteCursor

  init(_ bytes: [UInt8]) {
    cursor = ByteCursor(bytes)
    var table: [String]? = []
    while cursor.peek != nil {
      cursor.skip { $0 <= 0x20 }
      if cursor.take("[") {
        let isList = cursor.take("[")
        let path = key()
        table = isList ? nil : path
        if !isList { entries.append((path, [])) }
      } else if cursor.peek != UInt8(ascii: "#") {
        let path = key()
        if !path.isEmpty, cursor.take("=") {
          let strings = strings()
          if let table { entries.append((table + path, strings)) }
        }
      }
      cursor.skipLine()
    }
  }

  /// Reads a dotted key and the blanks after it; its quoted parts may contain any byte.
  private mutating func key() -> [String] {
    var names: [String] = []
    repeat {
      cursor.skipBlanks()
      if let quote = cursor.takeQuote() {
        names.append(cursor.string(quote, isRaw: quote == UInt8(ascii: "'")))
      } else {
        let name = cursor.text { ByteCursor.isWord($0) || $0 == UInt8(ascii: "-") }
        if name.isEmpty { break }
        names.append(name)
      }
      cursor.skipBlanks()
    } while names.count < Self.keyLimit && cursor.take(".")
    return names
  }

  /// Reads a value up to the end of its last line and returns its strings outside inline tables.
  private mutating func strings() -> [String] {
    var strings: [String] = []
    var (lists, tables) = (0, 0)
    while let byte = cursor.peek, byte != 0x0A || lists > 0 || tables > 0 {
      if let quote = cursor.takeQuote() {
        let isRaw = quote == UInt8(ascii: "'")
        if cursor.stands(isRaw ? "''" : "\"\"") {
          cursor.skip(2)
          cursor.skip(past: isRaw ? "'''" : "\"\"\"")
        } else {
          let text = cursor.string(quote, isRaw: isRaw)
          if tables == 0 { strings.append(text) }
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "#"): cursor.skipLine()
      case UInt8(ascii: "["): lists += 1
      case UInt8(ascii: "]"): lists -= 1
      case UInt8(ascii: "{"): tables += 1
      case UInt8(ascii: "}"): tables -= 1
      default: break
      }
      if byte != UInt8(ascii: "#") { cursor.skip() }
    }
    return strings
  }
}
