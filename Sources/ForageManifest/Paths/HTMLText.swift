import ForageCore

/// Converts HTML in API responses to plain text: character references and simple tags.
package enum HTMLText {
  /// The maximum length of a character reference.
  private static let longestEntity = 10

  /// The named character references that are decoded; others are kept.
  private static let named: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "hellip": "…",
    "mdash": "—", "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "copy": "©",
    "reg": "®", "trade": "™", "laquo": "«", "raquo": "»", "bull": "•", "middot": "·", "times": "×",
    "euro": "€", "pound": "£", "deg": "°", "shy": "\u{AD}",
  ]

  /// Tags that begin a new line.
  private static let breaking: Set<Substring> = [
    "br", "p", "div", "li", "ul", "ol", "pre", "tr", "table", "blockquote", "h1", "h2", "h3", "h4", "h5",
    "h6", "hr",
  ]

  /// Decodes character references once: `&amp;lt;` becomes `&lt;`.
  package static func decode(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = ""
    var rest = text[...]
    while let mark = rest.firstIndex(of: "&") {
      result += rest[..<mark]
      let name = rest[rest.index(after: mark)...].prefix(longestEntity + 1)
      if let end = name.firstIndex(of: ";"), let decoded = entity(name[..<end]) {
        result += decoded
        rest = rest[rest.index(after: end)...]
      } else {
        result += "&"
        rest = rest[rest.index(after: mark)...]
      }
    }
    return result + rest
  }

  private static func entity(_ name: Substring) -> String? {
    guard name.first == "#" else { return named[String(name)] }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let number = isHexadecimal ? digits.dropFirst() : digits
    guard number.utf8.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
      let value = UInt32(number, radix: isHexadecimal ? 16 : 10), value != 0,
      let scalar = Unicode.Scalar(value)
    else { return nil }
    return String(scalar)
  }

  /// Removes tags and comments and decodes character references. Block tags become line breaks, with at most
  /// one empty line in a row.
  package static func plain(_ html: String) -> String {
    var text = ""
    var rest = html[...]
    while let open = rest.firstIndex(of: "<") {
      text += rest[..<open]
      let behind = rest[rest.index(after: open)...]
      if behind.hasPrefix("!--") {
        guard let end = behind.utf8Index(behind: "-->") else { return finish(text) }
        rest = behind[end...]
        continue
      }
      let begins = behind.first.map { $0.isLetter || $0 == "/" || $0 == "!" } ?? false
      guard begins, let close = behind.firstIndex(of: ">") else {
        text += "<"
        rest = behind
        continue
      }
      let name = behind[..<close].drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
      if breaking.contains(name[...]) { text += "\n" }
      rest = behind[behind.index(after: close)...]
    }
    return finish(text + rest)
  }

  private static func finish(_ text: String) -> String {
    var lines: [String] = []
    for line in decode(text).split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = line.trimmingWhitespace()
      if trimmed.isEmpty, lines.last?.isEmpty ?? true { continue }
      lines.append(trimmed)
    }
    return lines.joined(separator: "\n").trimmingWhitespace()
  }
}

extension Substring {
  /// The index after the first occurrence of an ASCII text.
  fileprivate func utf8Index(behind text: StaticString) -> Index? {
    let whole = String(self)
    guard let found = whole.utf8Range(of: text) else { return nil }
    let distance = whole.utf8.distance(from: whole.startIndex, to: found.upperBound)
    return utf8.index(startIndex, offsetBy: distance)
  }
}
