/// Iterates over the elements of an XML document; does not expand entities.
struct ManifestXML {
  /// The depth limit of element names; documents nest some ten levels.
  private static let depthLimit = 64

  /// Calls `body` for each start tag with the names from the root to it, the text of its attributes, and the
  /// text up to the next tag.
  static func forEach(
    _ bytes: [UInt8], _ body: (_ path: [String], _ attributes: String, _ text: String) -> Void
  ) {
    var cursor = ByteCursor(bytes)
    var path: [String] = []
    var hidden = 0
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
        if hidden > 0 { hidden -= 1 } else { _ = path.popLast() }
      } else {
        cursor.skip()
        let name = cursor.text {
          LineScanner.isWord($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
            || $0 == UInt8(ascii: ":")
        }
        var attributes = ""
        while let byte = cursor.peek, byte != UInt8(ascii: ">") {
          if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            cursor.skip()
            attributes += "\"" + cursor.string(byte, isRaw: true) + "\""
          } else {
            attributes += cursor.text {
              $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'")
            }
          }
        }
        cursor.skip()
        let isEmpty = attributes.utf8.last == UInt8(ascii: "/")
        if path.count < depthLimit { path.append(name) } else { hidden += 1 }
        if hidden == 0 { body(path, attributes, isEmpty ? "" : cursor.text { $0 != UInt8(ascii: "<") }) }
        if isEmpty { if hidden > 0 { hidden -= 1 } else { _ = path.popLast() } }
      }
    }
  }
}
