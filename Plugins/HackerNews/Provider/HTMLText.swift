/// Converts the simple HTML of Hacker News to plain text.
enum HTMLText {
  /// Decodes character references; unknown ones are kept.
  static func decoded(_ html: String) -> String {
    guard html.utf8.contains(UInt8(ascii: "&")) else { return html }
    var result = ""
    var rest = html[...]
    while let mark = rest.firstIndex(of: "&") {
      result += rest[..<mark]
      let behind = rest[rest.index(after: mark)...]
      let name = behind.prefix(longestName)
      if let end = name.firstIndex(of: ";"), let character = character(name[..<end]) {
        result.unicodeScalars.append(character)
        rest = behind[behind.index(after: end)...]
      } else {
        result += "&"
        rest = behind
      }
    }
    return result + rest
  }

  /// Removes tags. Paragraphs are separated by an empty line, and a link whose text is truncated is replaced
  /// by its address.
  static func plain(_ html: String) -> String {
    var result = ""
    var rest = html[...]
    var link: (address: String, start: String.Index)?
    while let open = rest.firstIndex(of: "<") {
      result += rest[..<open]
      guard let close = rest[open...].firstIndex(of: ">") else {
        rest = rest[open...]
        break
      }
      let tag = rest[rest.index(after: open)..<close]
      let name = tag.prefix { $0.isLetter || $0 == "/" }.lowercased()
      switch name {
      case "p": result += result.isEmpty ? "" : "\n\n"
      case "br", "br/": result += "\n"
      case "a": link = address(tag).map { ($0, result.endIndex) }
      case "/a":
        if let link, result[link.start...].hasSuffix("...") {
          result.replaceSubrange(link.start..., with: link.address)
        }
        link = nil
      default: break
      }
      rest = rest[rest.index(after: close)...]
    }
    return decoded(result + rest)
  }

  /// The address in a link's tag.
  private static func address(_ tag: Substring) -> String? {
    guard let start = tag.firstRange(of: "href=\"")?.upperBound, let end = tag[start...].firstIndex(of: "\"")
    else { return nil }
    return String(tag[start..<end])
  }

  /// The maximum length of a character reference.
  private static let longestName = 10
  private static let named: [Substring: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
  ]

  private static func character(_ name: Substring) -> Unicode.Scalar? {
    guard name.hasPrefix("#") else { return named[name] }
    let digits = name.dropFirst()
    let number =
      digits.hasPrefix("x") || digits.hasPrefix("X") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
  }
}
