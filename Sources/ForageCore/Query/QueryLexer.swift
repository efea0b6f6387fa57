/// A piece of a query with its place.
struct QueryToken: Hashable {
  enum Kind: Hashable {
    case word(String)
    case phrase(String)
    /// A name and a value joined by a colon; `isQuoted` when the value stood in quotes.
    case pair(name: String, value: String, isQuoted: Bool)
    /// A name and several values with commas between them, at least one in quotes; or one in quotes that holds a comma.
    case list(name: String, values: [String])
    case minus
    case open
    case close
    case and
    case or
    case not
  }

  var kind: Kind
  /// Unicode scalar offsets into the query.
  var range: Range<Int>
  /// Where the value of a pair begins.
  var valueStart: Int
}

/// Splits a query into tokens.
///
/// It works on Unicode scalars: a combining mark behind a quote or a space must not hide it, or printing would not be the reverse of parsing.
struct QueryLexer {
  private let source: String
  private let characters: [Unicode.Scalar]
  private var position = 0

  init(_ source: String) {
    self.source = source
    characters = Array(source.unicodeScalars)
  }

  /// Reads all tokens.
  ///
  /// - Throws: `QueryError` for a quote that is not closed or empty quotes.
  mutating func tokens() throws(QueryError) -> [QueryToken] {
    var result: [QueryToken] = []
    while position < characters.count {
      let start = position
      let character = characters[position]
      if character.properties.isWhitespace {
        position += 1
      } else if character == "(" || character == ")" {
        position += 1
        result.append(token(character == "(" ? .open : .close, from: start))
      } else if character == "\"" {
        result.append(token(.phrase(try quoted()), from: start))
      } else if character == "-", canNegate(at: position + 1) {
        position += 1
        result.append(token(.minus, from: start))
      } else {
        result.append(try bare(from: start))
      }
    }
    return result
  }

  private func token(_ kind: QueryToken.Kind, from start: Int, valueStart: Int? = nil) -> QueryToken {
    QueryToken(kind: kind, range: start..<position, valueStart: valueStart ?? start)
  }

  /// A minus negates what stands directly behind it; alone or before another minus it is a word.
  private func canNegate(at index: Int) -> Bool {
    index < characters.count && !characters[index].properties.isWhitespace && characters[index] != "-"
      && characters[index] != ")"
  }

  /// The text of a stretch of the query.
  private func text(_ range: Range<Int>) -> String {
    var result = String.UnicodeScalarView()
    for place in range { result.append(characters[place]) }
    return String(result)
  }

  private static func endsWord(_ character: Unicode.Scalar) -> Bool {
    character.properties.isWhitespace || character == "(" || character == ")" || character == "\""
  }

  private mutating func bare(from start: Int) throws(QueryError) -> QueryToken {
    while position < characters.count, !Self.endsWord(characters[position]) { position += 1 }
    let text = text(start..<position)
    switch text {
    case "AND": return token(.and, from: start)
    case "OR": return token(.or, from: start)
    case "NOT": return token(.not, from: start)
    default: break
    }
    guard let colon = characters[start..<position].firstIndex(of: ":"), colon > start,
      Self.isName(characters[start..<colon])
    else { return token(.word(text), from: start) }
    let name = self.text(start..<colon)
    let value = self.text(colon + 1..<position)
    if value.isEmpty || value.hasSuffix(","), position < characters.count, characters[position] == "\"" {
      var values = try value.split(separator: ",").map(String.init) + [quoted()]
      while position + 1 < characters.count, characters[position] == ",",
        !Self.endsWord(characters[position + 1]) || characters[position + 1] == "\""
      {
        position += 1
        values += try further()
      }
      // What would stand in quotes anyway is told from a list by them.
      guard values.count == 1,
        !values[0].contains(",") || values[0].unicodeScalars.contains(where: Self.endsWord)
      else {
        return token(.list(name: name, values: values), from: start, valueStart: colon + 1)
      }
      return token(.pair(name: name, value: values[0], isQuoted: true), from: start, valueStart: colon + 1)
    }
    return token(.pair(name: name, value: value, isQuoted: false), from: start, valueStart: colon + 1)
  }

  /// The values behind a comma: one in quotes, or those up to the next quotes.
  private mutating func further() throws(QueryError) -> [String] {
    if characters[position] == "\"" { return [try quoted()] }
    let start = position
    while position < characters.count, !Self.endsWord(characters[position]) { position += 1 }
    // A comma before quotes leads on.
    if position < characters.count, characters[position] == "\"", characters[position - 1] == "," {
      position -= 1
    }
    return text(start..<position).split(separator: ",").map(String.init)
  }

  private static func isName(_ characters: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let first = characters.first, isLetter(first) else { return false }
    return characters.allSatisfy {
      isLetter($0) || ("0"..."9").contains($0) || $0 == "-" || $0 == "_" || $0 == "."
    }
  }

  private static func isLetter(_ character: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(character) || ("A"..."Z").contains(character)
  }

  /// Reads a quoted text; `\"` and `\\` stand for a quote and a backslash.
  private mutating func quoted() throws(QueryError) -> String {
    let start = position
    position += 1
    var text = String.UnicodeScalarView()
    while position < characters.count {
      let character = characters[position]
      if character == "\\", position + 1 < characters.count,
        characters[position + 1] == "\"" || characters[position + 1] == "\\"
      {
        text.append(characters[position + 1])
        position += 2
      } else if character == "\"" {
        position += 1
        guard text.contains(where: { !$0.properties.isWhitespace }) else {
          throw QueryError(
            message: "there is nothing between the quotes",
            hint: "write the phrase between the quotes, or leave them out",
            query: source, range: start..<position)
        }
        return String(text)
      } else {
        text.append(character)
        position += 1
      }
    }
    throw QueryError(
      message: "the quote is never closed",
      hint: "close the phrase with \" (a quote inside a phrase is written \\\")", query: source,
      range: start..<start + 1)
  }
}
