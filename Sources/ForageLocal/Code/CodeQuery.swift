import ForageCore
import ForageInspector

/// What several `symbol-kind:` mean together: one of those that are named, and none of those that are
/// negated.
struct SymbolKinds: Hashable, Sendable {
  /// `nil` for any, also one that is not known.
  private var wanted: Set<SymbolKind>?
  private var excluded: Set<SymbolKind> = []

  /// Adds a value; one that is no kind means nothing.
  mutating func add(_ name: String, isNegated: Bool) {
    guard let kinds = SymbolKind(rawValue: name.lowercased())?.meant else { return }
    if isNegated { excluded.formUnion(kinds) } else { wanted = (wanted ?? []).union(kinds) }
  }

  /// Whether a definition of a kind is meant; `nil` is one whose kind is not known.
  func contains(_ kind: SymbolKind?) -> Bool {
    guard let kind else { return wanted == nil }
    return (wanted?.contains(kind) ?? true) && !excluded.contains(kind)
  }
}

/// A query for code: conditions on files, and patterns in their text.
struct CodeQuery: Sendable {
  /// A text to look for, or a name that must be defined or used.
  struct Pattern: Hashable, Sendable {
    /// Where a text counts.
    enum Role: Hashable, Sendable {
      /// Anywhere.
      case text
      /// As the name of a definition (`symbol:`) of some kinds (`symbol-kind:`).
      case definition(SymbolKinds)
      /// As a whole word of code that is no definition (`uses:`).
      case use
    }

    var source: PatternSource
    var role = Role.text
    /// The name that a line with the pattern may define: a word, or the last one of a phrase such as "struct
    /// name".
    var name: String?
    /// Whether some occurrence is not negated, so that its lines are results.
    var isPositive = false
  }

  /// A condition on a file that needs no text.
  enum Condition: Hashable, Sendable {
    case repository(Qualifier)
    case owner(String)
    case language(String)
    case path(String)
    case pathGlob(PathGlob)
    case filename(String)
    case fileExtension(String)
    case size(Bounds<Int>)
    case trait(Int)
    case always
    case never
  }

  indirect enum Node: Hashable, Sendable {
    case pattern(Int)
    case condition(Condition)
    case not(Node)
    case all([Node])
    case any([Node])
  }

  /// How case is treated.
  private enum CaseRule: String {
    case yes, no, smart
  }

  private(set) var patterns: [Pattern] = []
  private(set) var root: Node
  /// Whether words are also looked for in paths, or only there (`in:`).
  private(set) var searchesPaths = false
  private(set) var searchesText = true
  /// Whether the query names repositories or paths.
  private(set) var namesPlaces = false
  /// Whether the query names repositories or their owners.
  private(set) var namesRepositories = false
  /// The branch, tag or commit that is searched in place of what is checked out, `*` for all branches.
  private(set) var ref: String?
  /// The kinds of definitions that `symbol:` means.
  private var symbolKinds = SymbolKinds()

  /// Reads a query.
  ///
  /// - Throws: `SearchError` for a regular expression that is not valid, for several refs, and for kinds of
  ///   definitions without a name.
  init(_ query: QueryExpression?) throws(SearchError) {
    root = .all([])
    guard let query else { return }
    let normal = query.negationNormalForm
    var rule: CaseRule?
    var kinds: [(name: String, isNegated: Bool)] = []
    var scopes: Set<String> = []
    for leaf in normal.leaves {
      guard case .qualifier(let qualifier) = leaf.expression else { continue }
      if Qualifier.namesOfScopes.contains(qualifier.name) { namesRepositories = true }
      for text in qualifier.value.texts {
        switch qualifier.name {
        case "case": rule = leaf.isNegated ? .no : CaseRule(rawValue: text.lowercased()) ?? .no
        case "symbol-kind": kinds.append((text, leaf.isNegated))
        case "in" where !leaf.isNegated:
          scopes.formUnion(text.lowercased().split(separator: ",").map(String.init))
        case "repo", "path": namesPlaces = true
        case "ref":
          guard ref == nil || ref == text, !leaf.isNegated else {
            throw SearchError(
              .invalidQuery, "ref: takes one branch, tag or commit for the whole query",
              hint: "search once for each ref")
          }
          ref = text
        default: break
        }
      }
    }
    if !scopes.isEmpty {
      searchesPaths = scopes.contains("path")
      searchesText = scopes.contains("file") || !searchesPaths
    }
    let namesSymbols = normal.leaves.contains {
      if case .qualifier(let qualifier) = $0.expression { qualifier.name == "symbol" } else { false }
    }
    for kind in kinds { symbolKinds.add(kind.name, isNegated: kind.isNegated) }
    guard kinds.isEmpty || namesSymbols else {
      throw SearchError(
        .invalidQuery, "symbol-kind: says which definitions symbol: means, and there is no symbol:",
        hint: "add the name: symbol:NAME, or symbol:/EXPRESSION/")
    }
    root = node(normal, rule)
    for pattern in patterns {
      do throws(ExpressionProblem) {
        _ = try CodePattern(pattern.source)
      } catch {
        let text = pattern.source.text
        let shown = text.count > 64 ? text.prefix(64) + "…" : text[...]
        throw SearchError(
          .invalidQuery, "the regular expression /\(shown)/ is not valid: \(error.message)",
          hint: "write \\ before a character that stands for itself, or put the text in quotes")
      }
    }
  }

  private mutating func node(_ query: QueryExpression, _ rule: CaseRule?) -> Node {
    switch query {
    case .term(let term): return .pattern(add(term, rule, isPositive: true))
    case .not(.term(let term)): return .not(.pattern(add(term, rule, isPositive: false)))
    case .qualifier(let qualifier): return condition(qualifier, rule, isPositive: true)
    case .not(.qualifier(let qualifier)):
      let inner = condition(qualifier, rule, isPositive: false)
      return inner == .condition(.always) ? inner : .not(inner)
    case .not(let child): return .not(node(child, rule))
    case .and(let children): return .all(widened(children).map { node($0, rule) })
    case .or(let children): return .any(children.map { node($0, rule) })
    }
  }

  /// The parts of a conjunction, in which several qualifiers of the same sort are alternatives.
  private func widened(_ children: [QueryExpression]) -> [QueryExpression] {
    let families: [Set<String>] = [Qualifier.namesOfScopes, ["language"], ["extension"]]
    var result: [QueryExpression] = []
    var gathered = [[QueryExpression]](repeating: [], count: families.count)
    for child in children {
      if case .qualifier(let qualifier) = child,
        let family = families.firstIndex(where: { $0.contains(qualifier.name) })
      {
        gathered[family].append(child)
      } else {
        result.append(child)
      }
    }
    return gathered.compactMap { QueryExpression.any($0) } + result
  }

  private mutating func add(_ term: QueryTerm, _ rule: CaseRule?, isPositive: Bool) -> Int {
    let source = PatternSource(
      text: term.text, kind: term.isExpression ? .expression : .literal,
      ignoresCase: Self.ignoresCase(term, rule))
    let name = term.isExpression ? nil : Definitions.soughtName(in: term.text)
    return add(Pattern(source: source, name: name, isPositive: isPositive))
  }

  private mutating func add(_ pattern: Pattern) -> Int {
    let known = patterns.firstIndex {
      $0.source == pattern.source && $0.role == pattern.role
    }
    if let known {
      patterns[known].isPositive = patterns[known].isPositive || pattern.isPositive
      return known
    }
    patterns.append(pattern)
    return patterns.count - 1
  }

  private static func ignoresCase(_ term: QueryTerm, _ rule: CaseRule?) -> Bool {
    switch rule {
    case .yes: return false
    case nil, .no: return true
    case .smart:
      var isEscaped = false
      for scalar in term.text.unicodeScalars {
        if scalar.properties.isUppercase, !(isEscaped && term.isExpression) { return false }
        isEscaped = scalar == "\\" && !isEscaped
      }
      return true
    }
  }

  private mutating func condition(_ qualifier: Qualifier, _ rule: CaseRule?, isPositive: Bool) -> Node {
    if case .number(let bounds) = qualifier.value {
      return .condition(qualifier.name == "size" ? .size(bounds) : .never)
    }
    if qualifier.name == "repo" { return .condition(.repository(qualifier)) }
    let nodes = qualifier.value.texts.map { text -> Node in
      switch qualifier.name {
      case "symbol": return named(text, qualifier.expression, .definition(symbolKinds), rule, isPositive)
      // A name is used as it is written.
      case "uses": return named(text, qualifier.expression, .use, rule ?? .yes, isPositive)
      case "user", "org", "owner": return .condition(.owner(text.lowercased()))
      case "language":
        let name = LanguageTable.shared.languageName(text) ?? text
        return .condition(.language(name.lowercased()))
      case "path":
        let text = text.lowercased()
        return .condition(PathGlob(text).map(Condition.pathGlob) ?? .path(text))
      case "filename":
        let text = text.lowercased()
        return .condition(PathGlob(text).map(Condition.pathGlob) ?? .filename(text))
      case "extension":
        let text = (text.hasPrefix(".") ? String(text.dropFirst()) : text).lowercased()
        return .condition(PathGlob(text, after: "*.").map(Condition.pathGlob) ?? .fileExtension(text))
      case "is": return .condition(CodeFile.trait(named: text.lowercased()).map(Condition.trait) ?? .never)
      case "case", "in", "ref", "symbol-kind": return .condition(.always)
      default: return .condition(.never)
      }
    }
    return nodes.count == 1 ? nodes[0] : .any(nodes)
  }

  /// A pattern for a name, or for an expression that names match.
  private mutating func named(
    _ text: String, _ expression: String?, _ role: Pattern.Role, _ rule: CaseRule?, _ isPositive: Bool
  ) -> Node {
    let term = QueryTerm(expression ?? Self.lastPart(text), isExpression: expression != nil)
    let source = PatternSource(
      text: term.text, kind: term.isExpression ? .expression : .literal,
      ignoresCase: Self.ignoresCase(term, rule))
    return .pattern(
      add(
        Pattern(
          source: source, role: role, name: term.isExpression ? nil : term.text, isPositive: isPositive)))
  }

  /// The name behind the last separator of a name with parts, as in `A::b`, `a.b` and `a->b`.
  private static func lastPart(_ name: String) -> String {
    let part = name.replacing("->", with: "::").split { ".:#\\".contains($0) }.last.map(String.init)
    return part.map { $0.unicodeScalars.contains { $0.properties.isAlphabetic || $0 == "_" } } == true
      ? part ?? name : name
  }

  /// Names of files without a dot or a hyphen.
  private static let plainFileNames: Set = [
    "Makefile", "Dockerfile", "LICENSE", "README", "CHANGELOG", "CONTRIBUTING", "CODEOWNERS", "Gemfile",
    "Rakefile", "Procfile",
    "Vagrantfile", "Jenkinsfile", "Brewfile", "Podfile", "Justfile", "BUILD", "WORKSPACE", "Doxyfile",
    "Kconfig",
  ]

  /// The name of files that the query may mean: its only word, if that has a dot or a hyphen, as `Cargo.toml`
  /// and `docker-compose`, or is known as one, as `Makefile`.
  var fileName: String? {
    guard patterns.count == 1, let pattern = patterns.first, pattern.role == .text, pattern.isPositive,
      pattern.source.kind == .literal, searchesText
    else { return nil }
    let name = pattern.source.text
    let isName = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains($0)
    }
    guard isName, name.utf8.count >= 3 else { return nil }
    return name.contains { ".-".contains($0) } || Self.plainFileNames.contains(name) ? name : nil
  }

  /// How many letters and digits of an expression stand for themselves, outside of classes and repetitions.
  private static func fixedCharacters(of expression: String) -> Int {
    var (count, depth, isEscaped) = (0, 0, false)
    for character in expression {
      defer { isEscaped = character == "\\" && !isEscaped }
      if isEscaped { continue }
      switch character {
      case "[", "{": depth += 1
      case "]", "}": depth = max(0, depth - 1)
      default: count += depth == 0 && (character.isLetter || character.isNumber) ? 1 : 0
      }
    }
    return count
  }

  /// A word or an expression by which the index can choose no files, where nothing else lets it choose; `nil`
  /// for none.
  var patternWithoutIndex: PatternSource? {
    guard searchesText, formula.expression == nil else { return nil }
    return patterns.indices.first { index in
      let source = patterns[index].source
      guard patterns[index].isPositive else { return false }
      switch source.kind {
      case .literal: return source.text.unicodeScalars.count < 3
      case .expression:
        return formula(.pattern(index)).expression == nil && Self.fixedCharacters(of: source.text) < 3
      case .bytes: return false
      }
    }.map { patterns[$0].source }
  }

  /// The condition on trigrams that every text that fits fulfils.
  var formula: TrigramFormula { searchesPaths ? .all : formula(root) }

  private func formula(_ node: Node) -> TrigramFormula {
    switch node {
    case .pattern(let index):
      let source = patterns[index].source
      switch source.kind {
      case .literal:
        return .literal(source.text.unicodeScalars, ignoresCase: source.ignoresCase)
      case .expression:
        return ExpressionTrigrams.formula(source.text, ignoresCase: source.ignoresCase)
      case .bytes: return .all
      }
    case .condition, .not: return .all
    case .all(let parts): return .conjunction(parts.map(formula))
    case .any(let parts): return parts.isEmpty ? .all : .disjunction(parts.map(formula))
    }
  }

  /// Whether the query is fulfilled.
  ///
  /// - Parameters:
  ///   - condition: Whether a condition holds; `nil` if that is unknown.
  ///   - pattern: Whether a pattern occurs; `nil` if that is unknown.
  /// - Returns: `nil` if what is unknown decides.
  func holds(_ condition: (Condition) -> Bool?, _ pattern: (Int) -> Bool?) -> Bool? {
    func holds(_ node: Node) -> Bool? {
      switch node {
      case .pattern(let index): return pattern(index)
      case .condition(let what): return condition(what)
      case .not(let inner): return holds(inner).map { !$0 }
      case .all(let parts): return decided(by: false, parts)
      case .any(let parts): return decided(by: true, parts)
      }
    }
    func decided(by value: Bool, _ parts: [Node]) -> Bool? {
      var isKnown = true
      for part in parts {
        let found = holds(part)
        if found == value { return value }
        if found == nil { isKnown = false }
      }
      return isKnown ? !value : nil
    }
    return holds(root)
  }
}
