/// A token of a query with its position.
struct QueryToken: Hashable {
  enum Kind: Hashable {
    case word(String)
    case phrase(String)
    /// A regular expression without its slashes.
    case expression(String)
    /// A name and a value joined by a colon; `isQuoted` if the value was quoted.
    case pair(name: String, value: String, isQuoted: Bool)
    /// A name with several comma-separated values of which at least one is quoted, or with one quoted value
    /// that contains a comma.
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
  /// The position at which the value of a pair begins.
  var valueStart: Int
}

/// Splits a query into tokens.
///
/// It works on Unicode scalars, because a combining mark after a quote or a space would hide that character
/// in a grapheme cluster.
struct QueryLexer {
  private let source: String
  private let characters: [Unicode.Scalar]
  private var position = 0
  /// Whether no slash that closes a regular expression follows: each word that begins with a slash would look
  /// for one up to the end.
  private var hasNoExpressions = false

  init(_ source: String) {
    self.source = source
    characters = Array(source.unicodeScalars)
  }

  /// Reads all tokens.
  ///
  /// - Throws: `QueryError` for an unclosed quote, empty quotes and an empty regular expression.
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
      } else if character == "/", let end = flagsEnd(from: start) {
        throw QueryError(
          message: "a regular expression takes no letters after its closing slash",
          hint:
            "leave them out: case is ignored unless the query has case:yes; write \\/ for a slash in the expression, or put the word in quotes",
          query: source, range: start..<end)
      } else if character == "/", let end = expressionEnd(from: start) {
        result.append(try expression(from: start, to: end))
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

  /// Whether the minus at `index` negates the token that follows it. Alone or before another minus it is a
  /// word.
  private func canNegate(at index: Int) -> Bool {
    index < characters.count && !characters[index].properties.isWhitespace && characters[index] != "-"
      && characters[index] != ")"
  }

  private func text(_ range: Range<Int>) -> String {
    var result = String.UnicodeScalarView()
    for place in range { result.append(characters[place]) }
    return String(result)
  }

  private static func endsWord(_ character: Unicode.Scalar) -> Bool {
    character.properties.isWhitespace || character == "(" || character == ")" || character == "\""
  }

  /// The position of the slash that closes a regular expression, which ends a word; `nil` if there is none.
  /// A slash after a backslash belongs to the expression.
  private mutating func expressionEnd(from start: Int) -> Int? {
    if hasNoExpressions { return nil }
    var place = start + 1
    while place < characters.count {
      let isLast = place + 1 == characters.count || Self.endsWord(characters[place + 1])
      if characters[place] == "/", isLast { return place }
      place += characters[place] == "\\" ? 2 : 1
    }
    hasNoExpressions = true
    return nil
  }

  /// The letters that other programs take after a regular expression, for example to ignore case.
  private static let flags: Set<Unicode.Scalar> = ["g", "i", "m", "s", "u", "x"]

  /// The end of a regular expression that is followed by flags, as in `/ab+/i`; `nil` for anything else, such
  /// as the path `/etc/s`.
  private func flagsEnd(from start: Int) -> Int? {
    var place = start + 1
    while place < characters.count, characters[place] != "/" {
      place += characters[place] == "\\" ? 2 : 1
    }
    guard place < characters.count,
      characters[start + 1..<place].contains(where: { " \\.+*?|()[]{}^$".unicodeScalars.contains($0) })
    else { return nil }
    let word = characters[(place + 1)...].prefix { !Self.endsWord($0) }
    let isFlags = !word.isEmpty && word.allSatisfy(Self.flags.contains) && Set(word).count == word.count
    return isFlags ? word.endIndex : nil
  }

  private mutating func expression(from start: Int, to end: Int) throws(QueryError) -> QueryToken {
    position = end + 1
    guard end > start + 1 else {
      throw QueryError(
        message: "the regular expression is empty",
        hint: "write it between the slashes, or put // in quotes to search for it",
        query: source, range: start..<position)
    }
    return token(.expression(text(start + 1..<end)), from: start, valueStart: start + 1)
  }

  /// Whether a slash follows the backslashes at a place, of which there is at least one: the first only says
  /// that no regular expression begins here.
  private func isEscapedSlash(at place: Int) -> Bool {
    let rest = characters[min(place, characters.count)...]
    return rest.first == "\\" && rest.first { $0 != "\\" } == "/"
  }

  /// A text with a backslash where it begins with a slash, or with backslashes before one.
  static func escapingSlash(_ text: String) -> String {
    text.unicodeScalars.first { $0 != "\\" } == "/" ? "\\" + text : text
  }

  /// Whether a text is one regular expression between slashes.
  static func isExpression(_ text: String) -> Bool {
    var lexer = QueryLexer(text)
    let last = lexer.characters.count - 1
    return last > 1 && lexer.characters[0] == "/" && lexer.expressionEnd(from: 0) == last
  }

  private mutating func bare(from start: Int) throws(QueryError) -> QueryToken {
    while position < characters.count, !Self.endsWord(characters[position]) { position += 1 }
    let text = text((isEscapedSlash(at: start) ? start + 1 : start)..<position)
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
    let takesPatterns = Qualifier.namesOfPatterns.contains(name.lowercased())
    if takesPatterns, colon + 1 < characters.count, characters[colon + 1] == "/",
      let end = expressionEnd(from: colon + 1)
    {
      _ = try expression(from: colon + 1, to: end)
      return token(
        .pair(name: name, value: self.text(colon + 1..<position), isQuoted: false), from: start,
        valueStart: colon + 1)
    }
    let isEscaped = takesPatterns && isEscapedSlash(at: colon + 1)
    let value = self.text(colon + (isEscaped ? 2 : 1)..<position)
    if value.isEmpty || value.hasSuffix(","), position < characters.count, characters[position] == "\"" {
      var values = try value.split(separator: ",").map(String.init) + [quoted()]
      while position + 1 < characters.count, characters[position] == ",",
        !Self.endsWord(characters[position + 1]) || characters[position + 1] == "\""
      {
        position += 1
        values += try further()
      }
      // Quotes that the value needs anyway do not make it a list.
      guard values.count == 1,
        !values[0].contains(",") || values[0].unicodeScalars.contains(where: Self.endsWord)
      else {
        return token(.list(name: name, values: values), from: start, valueStart: colon + 1)
      }
      return token(.pair(name: name, value: values[0], isQuoted: true), from: start, valueStart: colon + 1)
    }
    return token(.pair(name: name, value: value, isQuoted: false), from: start, valueStart: colon + 1)
  }

  /// Reads the values after a comma: one quoted value, or unquoted values up to the next quote.
  private mutating func further() throws(QueryError) -> [String] {
    if characters[position] == "\"" { return [try quoted()] }
    let start = position
    while position < characters.count, !Self.endsWord(characters[position]) { position += 1 }
    // A comma before a quote continues the list.
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

  /// Reads a quoted text. `\"` and `\\` stand for a quote and a backslash.
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
            message: "the quotes are empty",
            hint: "write a phrase between the quotes, or remove them",
            query: source, range: start..<position)
        }
        return String(text)
      } else {
        text.append(character)
        position += 1
      }
    }
    throw QueryError(
      message: "the quote is not closed",
      hint: "add a closing \" (write a quote inside a phrase as \\\")", query: source,
      range: start..<start + 1)
  }
}
