import Forage
import ForageCore

/// The query and the kinds that the arguments ask for.
extension SearchCommand {
  /// The query of the arguments and of the qualifiers that are options, with further conditions.
  func parsedQuery(_ runner: SearchRunner, _ conditions: [QueryExpression]) throws -> Query {
    let parser = runner.parser
    let text = query.joined(separator: " ")
    let extra = try qualifiers.conditions(parser) + conditions
    if extra.isEmpty, text.allSatisfy(\.isWhitespace) {
      throw ForageError(
        "the query is empty",
        hint:
          "write what to look for, for example: forage search \"http client language:swift\"; without a query: forage feed"
      )
    }
    return try runner.parsed(text, and: extra)
  }

  /// Says how to choose a kind, where the first word is the name of one, as in gh.
  ///
  /// - Returns: The name of the kind; `nil` where the first word is none, or nothing else is searched for.
  func hintAtKind(_ runner: SearchRunner, _ output: Output) throws -> String? {
    guard kind.isEmpty, let first = query.first,
      let meant = KnownNames.kind(named: first, among: runner.kindNames)
    else { return nil }
    let conditions = try qualifiers.conditions(runner.parser).map { $0.description.shellQuoted }
    let rest = query.dropFirst() + conditions
    guard !rest.isEmpty else { return nil }
    output.warning(
      "\"\(first)\" is searched for as a word",
      hint: "did you mean: forage search -k \(meant) \(rest.joined(separator: " "))")
    return meant
  }
}

extension Query {
  /// Whether it asks for pull requests only.
  var asksForPullRequests: Bool {
    root.conjuncts.contains(.qualifier(Qualifier("is", .text(ResultKind.pullRequest.rawValue))))
  }

  /// Whether it is one word and nothing else.
  var isOneWord: Bool { if case .term(let term) = root { !term.text.contains(" ") } else { false } }
}
