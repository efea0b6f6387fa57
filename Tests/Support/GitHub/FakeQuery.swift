/// A search query as `FakeGitHub` understands it, after GitHub's "Searching for repositories" and its
/// neighbours.
///
/// Words and phrases are looked up as case-insensitive substrings. Parts
/// side by side must all match, except that several `user:`, `org:` and `repo:` widen each other, as do
/// several `language:`. A name that is no qualifier makes the whole part a word. `OR`, `AND`, `NOT`, a
/// leading `-` and parentheses work; a missing closing quote or parenthesis is taken to be at the end.
struct FakeQuery {
  indirect enum Node {
    case word(String)
    case qualifier(name: String, value: String)
    case not(Node)
    case and([Node])
    case or([Node])
  }

  /// Qualifiers of the repository search; `followers` and the like are accepted and match everything.
  static let ofRepositories: Set<String> = [
    "repo", "user", "org", "language", "topic", "topics", "stars", "forks", "size", "created", "pushed",
    "updated",
    "license", "is", "archived", "mirror", "template", "fork", "in", "followers", "good-first-issues",
    "help-wanted-issues", "has", "sort",
  ]

  let root: Node
  /// How many `AND`, `OR` and `NOT` there are.
  let operatorCount: Int
  /// Characters outside of qualifiers and operators.
  let textLength: Int

  /// Reads a query.
  ///
  /// - Parameter known: the names that are qualifiers; all others make words.
  init(_ text: String, known: Set<String> = Self.ofRepositories) {
    var parser = Parser(tokens: Self.tokens(text), known: known)
    root = parser.parseAll()
    operatorCount = parser.tokens.count { $0 == "AND" || $0 == "OR" || $0 == "NOT" }
    textLength = Self.words(root, negatedToo: true).reduce(0) { $0 + $1.count + 1 }
  }

  /// The words that must be there, lower case, for ranking.
  var positiveWords: [String] { Self.words(root, negatedToo: false).map { $0.lowercased() } }

  /// Every value of a qualifier, negated ones too.
  func values(of names: Set<String>) -> [String] { Self.collect(root, names) }

  private static func collect(_ node: Node, _ names: Set<String>) -> [String] {
    switch node {
    case .word: []
    case .qualifier(let name, let value): names.contains(name) ? [value] : []
    case .not(let inner): collect(inner, names)
    case .and(let list), .or(let list): list.flatMap { collect($0, names) }
    }
  }

  private static func words(_ node: Node, negatedToo: Bool) -> [String] {
    switch node {
    case .word(let word): [word]
    case .qualifier: []
    case .not(let inner): negatedToo ? words(inner, negatedToo: true) : []
    case .and(let list), .or(let list): list.flatMap { words($0, negatedToo: negatedToo) }
    }
  }

  /// Splits at spaces and parentheses outside of quotes; the quotes stay in the token.
  private static func tokens(_ text: String) -> [String] {
    var tokens: [String] = []
    var current = ""
    var quoted = false
    for character in text {
      if character == "\"" { quoted.toggle() }
      if !quoted, character.isWhitespace || character == "(" || character == ")" {
        // `-(` negates a group.
        if !current.isEmpty { tokens.append(current == "-" && character == "(" ? "NOT" : current) }
        current = ""
        if !character.isWhitespace { tokens.append(String(character)) }
      } else {
        current.append(character)
      }
    }
    if !current.isEmpty { tokens.append(current) }
    return tokens
  }

  /// Recursive descent: OR binds weakest, then AND (also unwritten), then NOT.
  private struct Parser {
    let tokens: [String]
    let known: Set<String>
    var position = 0

    init(tokens: [String], known: Set<String>) {
      self.tokens = tokens
      self.known = known
    }

    mutating func parseAll() -> Node {
      var parts: [Node] = []
      while position < tokens.count {
        parts.append(parseOr())
        if position < tokens.count, tokens[position] == ")" { position += 1 }
      }
      return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func parseOr() -> Node {
      var choices = [parseAnd()]
      while position < tokens.count, tokens[position] == "OR" {
        position += 1
        choices.append(parseAnd())
      }
      return choices.count == 1 ? choices[0] : .or(choices)
    }

    private mutating func parseAnd() -> Node {
      var parts: [Node] = []
      while position < tokens.count, tokens[position] != ")", tokens[position] != "OR" {
        if tokens[position] == "AND" { position += 1 } else { parts.append(parseOne()) }
      }
      return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func parseOne() -> Node {
      let token = tokens[position]
      position += 1
      if token == "NOT" {
        guard position < tokens.count, tokens[position] != ")" else { return .and([]) }
        return .not(parseOne())
      }
      if token == "(" {
        let inner = parseOr()
        if position < tokens.count, tokens[position] == ")" { position += 1 }
        return inner
      }
      if token.hasPrefix("-"), token.count > 1 { return .not(FakeQuery.term(token.dropFirst(), known)) }
      return FakeQuery.term(token[...], known)
    }
  }

  private static func term(_ token: Substring, _ known: Set<String>) -> Node {
    if let colon = token.firstIndex(of: ":"), !token[..<colon].contains("\"") {
      let name = token[..<colon].lowercased()
      let value = token[token.index(after: colon)...].filter { $0 != "\"" }
      if known.contains(name), !value.isEmpty { return .qualifier(name: name, value: String(value)) }
    }
    return .word(String(token.filter { $0 != "\"" }))
  }
}
