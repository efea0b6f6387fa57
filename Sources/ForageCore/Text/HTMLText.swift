/// Converts HTML in the answers of sites to plain text: character references and simple tags.
public enum HTMLText {
  /// The maximum length of a character reference, in characters.
  private static let longestEntity = 10

  /// The named character references that are decoded; others are kept.
  private static let named: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "Tab": "\t", "NewLine": "\n", "excl": "!",
    "num": "#", "dollar": "$", "percnt": "%", "lpar": "(", "rpar": ")", "ast": "*", "plus": "+", "comma": ",",
    "period": ".", "sol": "/", "colon": ":", "semi": ";", "equals": "=", "quest": "?", "commat": "@",
    "lsqb": "[", "lbrack": "[", "bsol": "\\", "rsqb": "]", "rbrack": "]", "Hat": "^", "lowbar": "_",
    "grave": "`", "lcub": "{", "lbrace": "{", "verbar": "|", "vert": "|", "rcub": "}", "rbrace": "}",
    "nbsp": "\u{A0}", "hellip": "…",
    "mdash": "—", "ndash": "–", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "copy": "©",
    "reg": "®", "trade": "™", "laquo": "«", "raquo": "»", "bull": "•", "middot": "·", "times": "×",
    "rarr": "→", "larr": "←", "euro": "€", "pound": "£", "deg": "°", "shy": "\u{AD}",
  ]

  /// Tags that begin a new line.
  private static let breaking: Set<Substring> = [
    "br", "div", "li", "ul", "ol", "pre", "tr", "table", "blockquote", "h1", "h2", "h3", "h4", "h5",
    "h6", "hr",
  ]

  /// Decodes character references once: `&amp;lt;` becomes `&lt;`.
  public static func decode(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var result = ""
    var rest = text[...]
    while let mark = rest.firstIndex(of: "&") {
      result += rest[..<mark]
      let name = rest[rest.index(after: mark)...].prefix(longestEntity + 1)
      if let end = name.firstIndex(of: ";"), let decoded = character(name[..<end]) {
        result.unicodeScalars.append(decoded)
        rest = rest[rest.index(after: end)...]
      } else {
        result += "&"
        rest = rest[rest.index(after: mark)...]
      }
    }
    return result + rest
  }

  /// The character of a reference, named without `&` and `;`; `nil` for an unknown one.
  private static func character(_ name: Substring) -> Unicode.Scalar? {
    guard name.first == "#" else { return named[String(name)] }
    let digits = name.dropFirst()
    let isHexadecimal = digits.first == "x" || digits.first == "X"
    let number = isHexadecimal ? digits.dropFirst() : digits
    guard number.utf8.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
      let value = UInt32(number, radix: isHexadecimal ? 16 : 10), value != 0,
      let scalar = Unicode.Scalar(value)
    else { return nil }
    return scalar
  }

  /// The maximum length of a tag, in bytes; without a limit the time would be quadratic.
  private static let longestTag = 4000

  /// Removes tags and comments and decodes character references.
  ///
  /// Block tags become line breaks, with at most one empty line in a row; a link whose text is cut off
  /// (`...`) is replaced by its address.
  public static func plain(_ html: String) -> String {
    var text = ""
    var rest = html[...]
    var link: (address: Substring, start: Int)?
    while let open = rest.firstIndex(of: "<") {
      text += rest[..<open]
      let behind = rest[rest.index(after: open)...]
      if behind.hasPrefix("!--") {
        guard let end = behind.utf8.firstRange(of: "-->".utf8)?.upperBound else { return finish(text) }
        rest = behind[end...]
        continue
      }
      let begins = behind.first.map { $0.isLetter || $0 == "/" || $0 == "!" } ?? false
      guard begins, let close = behind.utf8.prefix(longestTag).firstIndex(of: UInt8(ascii: ">")) else {
        text += "<"
        rest = behind
        continue
      }
      let tag = behind[..<close]
      let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }.lowercased()
      switch name {
      case "p": text += tag.first == "/" ? "\n" : "\n\n"
      case "a" where tag.first != "/": link = address(tag).map { ($0, text.utf8.count) }
      case "a":
        if let link, text.hasSuffix("...") {
          text.removeSubrange(text.utf8.index(text.startIndex, offsetBy: link.start)...)
          text += link.address
        }
        link = nil
      default: if breaking.contains(name[...]) { text += "\n" }
      }
      rest = behind[behind.index(after: close)...]
    }
    return finish(text + rest)
  }

  private static func address(_ tag: Substring) -> Substring? {
    guard let start = tag.utf8.firstRange(of: "href=\"".utf8)?.upperBound,
      let end = tag[start...].firstIndex(of: "\"")
    else {
      return nil
    }
    return tag[start..<end]
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
