import Forage
import ForageCore

/// The query and the kinds that the arguments ask for.
extension SearchCommand {
  /// The query of the arguments and of the qualifiers that are options.
  func parsedQuery(_ runner: SearchRunner) throws -> Query {
    let parser = runner.parser
    let text = query.joined(separator: " ")
    var extra = try qualifiers.conditions(parser)
    if wantsOnlyPullRequests { extra.append(try parser.parse("is:pr").root) }
    if extra.isEmpty, text.allSatisfy(\.isWhitespace) {
      throw ForageError(
        "the query is empty",
        hint:
          "write what to look for, for example: forage search \"http client language:swift\"; without a query: forage feed"
      )
    }
    return try runner.parsed(text, and: extra)
  }

  /// The kinds of `--kind`, each once; without it repositories, or everything where no chosen provider has those.
  func kinds(_ runner: SearchRunner) throws -> [ResultKind] {
    if var kinds = try OptionValue.kinds(kind, among: Self.kindNames(runner), what: "results") {
      let hasPullRequests = kinds.contains(Self.pullRequestKind)
      kinds.removeAll { $0 == Self.pullRequestKind }
      if hasPullRequests, kinds.contains(where: { $0 != .issue }) {
        throw ForageError(
          "--kind pr cannot be combined with \(kinds.map(\.rawValue).joined(separator: ", "))",
          hint: "search for each by itself, or use --kind issue")
      }
      return kinds.isEmpty ? [.issue] : kinds
    }
    return runner.usualKinds
  }

  /// The names of the kinds that the chosen providers have; pull requests are issues, and have a name of their own.
  private static func kindNames(_ runner: SearchRunner) -> [String] {
    let known = runner.knownKinds.map(\.rawValue)
    return known + (known.contains(ResultKind.issue.rawValue) ? [pullRequests] : [])
  }

  private static let pullRequestKind = ResultKind(rawValue: pullRequests)

  /// Whether `--kind` names pull requests and not issues.
  private var wantsOnlyPullRequests: Bool {
    let names = kind.flatMap { $0.split(separator: ",").map { $0.trimmingWhitespace().lowercased() } }
    return names.contains(Self.pullRequests) && !names.contains(ResultKind.issue.rawValue)
  }

  /// Says how to choose a kind, where the first word is the name of one, as in gh.
  ///
  /// - Returns: The name of the kind; `nil` where the first word is none, or nothing else is searched for.
  func hintAtKind(_ runner: SearchRunner, _ output: Output) throws -> String? {
    guard kind.isEmpty, let first = query.first,
      let meant = KnownNames.kind(named: first, among: Self.kindNames(runner))
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
    root.conjuncts.contains(.qualifier(Qualifier("is", .text(SearchCommand.pullRequests))))
  }

  /// Whether it is one word and nothing else.
  var isOneWord: Bool { if case .term(let term) = root { !term.text.contains(" ") } else { false } }
}
