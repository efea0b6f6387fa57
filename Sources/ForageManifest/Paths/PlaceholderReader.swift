/// Splits a text at its placeholders `{name}`. Braces around anything else are literal, and `{{name}}` is the
/// literal `{name}`.
enum PlaceholderReader {
  enum Piece: Hashable {
    case text(String)
    case name(String)
  }

  static func pieces(_ text: String) -> [Piece] {
    var pieces: [Piece] = []
    var literal = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      literal += rest[..<open]
      let behind = rest[rest.index(after: open)...]
      let isDouble = behind.first == "{"
      let inner = isDouble ? behind.dropFirst() : behind
      let name = inner.prefix { isOfName($0) }
      let after = inner[name.endIndex...]
      guard !name.isEmpty, after.hasPrefix(isDouble ? "}}" : "}") else {
        literal += "{"
        rest = behind
        continue
      }
      if isDouble {
        literal += "{" + name + "}"
        rest = after.dropFirst(2)
        continue
      }
      if !literal.isEmpty { pieces.append(.text(literal)) }
      literal = ""
      pieces.append(.name(String(name)))
      rest = after.dropFirst()
    }
    literal += rest
    if !literal.isEmpty { pieces.append(.text(literal)) }
    return pieces
  }

  private static func isOfName(_ character: Character) -> Bool {
    guard character.isASCII else { return false }
    return character.isLetter || character.isNumber || character == "|" || character == "_"
      || character == "-"
  }
}
