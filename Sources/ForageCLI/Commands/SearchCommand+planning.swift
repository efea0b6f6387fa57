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
    let known = runner.knownKinds.map(\.rawValue)
    // Pull requests are issues; a slip is compared with the names of both.
    let isKnown = known.contains(ResultKind.issue.rawValue)
    if var kinds = try OptionValue.kinds(
      kind, among: known + (isKnown ? [Self.pullRequests] : []), what: "results")
    {
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

  private static let pullRequestKind = ResultKind(rawValue: pullRequests)

  /// Whether `--kind` names pull requests and not issues.
  private var wantsOnlyPullRequests: Bool {
    let names = kind.flatMap { $0.split(separator: ",").map { $0.trimmingWhitespace().lowercased() } }
    return names.contains(Self.pullRequests) && !names.contains(ResultKind.issue.rawValue)
  }

  /// The names that gh has for kinds of results.
  private static let otherKinds = [
    "repos": "repo", "code": "code", "commits": "commit", "issues": "issue", "prs": pullRequests,
  ]

  /// Says how to choose a kind, where the first word is gh's name of one.
  func hintAtKind(_ output: Output) {
    guard kind.isEmpty, query.count > 1, let kind = Self.otherKinds[query[0]] else { return }
    let rest = query.dropFirst().joined(separator: " ")
    output.warning(
      "\"\(query[0])\" is searched for as a word", hint: "did you mean: forage search -k \(kind) \(rest)")
  }
}
