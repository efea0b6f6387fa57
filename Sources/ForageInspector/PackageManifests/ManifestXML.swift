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
