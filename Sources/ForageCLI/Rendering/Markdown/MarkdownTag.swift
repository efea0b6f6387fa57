/// A tag, a comment or an address in angle brackets in Markdown, and its replacement in plain text.
struct MarkdownTag {
  /// The text that replaces it.
  let replacement: String
  /// The index after it.
  let end: Int

  /// Tags that end a paragraph.
  private static let blocks: Set<String> = [
    "p", "div", "table", "tr", "ul", "ol", "hr", "details", "summary", "pre", "blockquote", "center",
    "section", "picture", "dl", "dt", "dd",
  ]
  private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]
  /// Tags whose content is not text.
  private static let hidden: Set<String> = ["script", "style", "title"]

  /// Reads the construct that begins at a `<`.
  ///
  /// - Parameter limit: The most scalars of a tag.
  /// - Returns: `nil` for a `<` that begins no tag.
  init?(_ input: [Unicode.Scalar], at start: Int, limit: Int) {
    if input[start...].starts(with: Array("<!--".unicodeScalars)) {
      // A comment without an end hides the rest of the text, as in a browser.
      let end = Self.place(of: "-->", in: input, from: start + 4)
      (replacement, self.end) = ("", end ?? input.count)
      return
    }
    var place = start + 1
    let isClosing = place < input.count && input[place] == "/"
    if isClosing { place += 1 }
    let nameStart = place
    while place < input.count, Self.isName(input[place]) { place += 1 }
    let name = String(String.UnicodeScalarView(input[nameStart..<place])).lowercased()
    guard let close = Self.close(input, from: place, limit: start + limit) else { return nil }
    if ["http", "https", "mailto"].contains(name), place < input.count, input[place] == ":" {
      replacement = String(String.UnicodeScalarView(input[(start + 1)..<close]))
      end = close + 1
      return
    }
    let isDeclaration = name.isEmpty && place < input.count && (input[place] == "!" || input[place] == "?")
    let isTag =
      !name.isEmpty && (place == close || input[place].properties.isWhitespace || input[place] == "/")
    guard isDeclaration || isTag else { return nil }
    if Self.hidden.contains(name), !isClosing {
      let closing = Self.place(of: "</" + name, in: input, from: close)
      (replacement, end) = ("", closing ?? input.count)
      return
    }
    replacement = Self.replacement(name, isClosing: isClosing)
    end = close + 1
  }

  private static func replacement(_ name: String, isClosing: Bool) -> String {
    if headings.contains(name) { return isClosing ? "\n\n" : "\n\n# " }
    if blocks.contains(name) { return "\n\n" }
    switch name {
    case "br": return "\n"
    case "li": return isClosing ? "\n" : "\n- "
    case "td", "th": return " "
    default: return ""
    }
  }

  private static func isName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-")
  }

  /// The index of the `>` that ends a tag, outside quotes; `nil` where the paragraph ends or another `<` follows first.
  private static func close(_ input: [Unicode.Scalar], from start: Int, limit: Int) -> Int? {
    var quote: Unicode.Scalar?
    var place = start
    while place < min(input.count, limit) {
      let next = input[place]
      if let open = quote {
        if next == open { quote = nil }
      } else if next == ">" {
        return place
      } else if next == "<" || (next == "\n" && place + 1 < input.count && input[place + 1] == "\n") {
        return nil
      } else if next == "\"" || next == "'" {
        quote = next
      }
      place += 1
    }
    return nil
  }

  /// The index after `-->`, or of the beginning of a closing tag.
  private static func place(of text: String, in input: [Unicode.Scalar], from start: Int) -> Int? {
    let wanted = Array(text.unicodeScalars)
    var place = start
    while place + wanted.count <= input.count {
      if input[place] == wanted[0],
        String(String.UnicodeScalarView(input[place..<(place + wanted.count)])).lowercased() == text
      {
        return text == "-->" ? place + wanted.count : place
      }
      place += 1
    }
    return nil
  }
}
