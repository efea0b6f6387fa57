/// A position in a byte array that moves forward; reads after the end yield nothing.
struct ByteCursor {
  let bytes: [UInt8]
  private(set) var at = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  /// The byte here; nil at the end.
  var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

  /// Advances by some bytes, at most to the end.
  mutating func skip(_ count: Int = 1) { at = min(at + count, bytes.count) }

  /// Consumes a byte if it is `byte`.
  mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: byte) else { return false }
    at += 1
    return true
  }

  /// Whether these bytes are next.
  func stands(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard length <= bytes.count - at else { return false }
    return (0..<length).allSatisfy { bytes[at + $0] == word.utf8Start[$0] }
  }

  mutating func skip(while condition: (UInt8) -> Bool) {
    while at < bytes.count, condition(bytes[at]) { at += 1 }
  }

  /// Consumes the bytes for which a condition holds and returns them as text.
  mutating func text(while condition: (UInt8) -> Bool) -> String {
    let start = at
    skip(while: condition)
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  /// Consumes a quote, double or single, and returns it.
  mutating func takeQuote() -> UInt8? {
    guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    at += 1
    return quote
  }

  mutating func skipBlanks() { skip { $0 == 0x20 || $0 == 0x09 } }

  mutating func skipLine() { skip { $0 != 0x0A } }

  /// Advances past the next occurrence of these bytes, or to the end.
  mutating func skip(past word: StaticString) {
    while at < bytes.count, !stands(word) { at += 1 }
    skip(word.utf8CodeUnitCount)
  }

  /// Consumes the rest of a string after its opening quote, up to and including the closing quote. A
  /// backslash yields the next byte literally instead of the character it encodes, because names in manifests
  /// have no escapes.
  ///
  /// - Parameter isRaw: whether a backslash is an ordinary byte.
  mutating func string(_ quote: UInt8, isRaw: Bool = false) -> String {
    var result: [UInt8] = []
    while let byte = peek {
      at += 1
      if byte == quote { break }
      if byte == UInt8(ascii: "\\"), !isRaw {
        if let next = peek {
          result.append(next)
          at += 1
        }
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a byte is a letter, digit, underscore or part of a character beyond ASCII.
  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }
}

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

/// Iterates over the elements of an XML document; does not expand entities.
enum ManifestXML {
  /// Calls `body` for each start tag with the names from the root to it, its attributes, and the text up to
  /// the next tag.
  static func forEach(
    _ bytes: [UInt8], _ body: (_ path: [String], _ attributes: [String: String], _ text: String) -> Void
  ) {
    var cursor = ByteCursor(bytes)
    var path: [String] = []
    while true {
      cursor.skip { $0 != UInt8(ascii: "<") }
      guard cursor.peek != nil else { return }
      if cursor.stands("<!--") {
        cursor.skip(past: "-->")
      } else if cursor.stands("<![CDATA[") {
        cursor.skip(past: "]]>")
      } else if cursor.stands("<!") || cursor.stands("<?") {
        cursor.skip(past: ">")
      } else if cursor.stands("</") {
        cursor.skip(past: ">")
        _ = path.popLast()
      } else {
        cursor.skip()
        path.append(cursor.text(while: isName))
        var attributes: [String: String] = [:]
        var attribute = ""
        var isEmpty = false
        while let byte = cursor.peek, byte != UInt8(ascii: ">") {
          isEmpty = byte == UInt8(ascii: "/")
          if let quote = cursor.takeQuote() {
            attributes[attribute] = cursor.string(quote, isRaw: true)
          } else if isName(byte) {
            attribute = cursor.text(while: isName)
          } else {
            cursor.skip()
          }
        }
        cursor.skip()
        body(path, attributes, isEmpty ? "" : cursor.text { $0 != UInt8(ascii: "<") })
        if isEmpty { path.removeLast() }
      }
    }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    ByteCursor.isWord(byte) || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":")].contains(byte)
  }
}
