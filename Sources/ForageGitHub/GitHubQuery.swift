import ForageCore

/// Converts queries to GitHub's search syntax.
enum GitHubQuery {
  /// GitHub's maximum length of a query in characters, not counting operators and qualifiers.
  static let maximumTextLength = 256
  /// GitHub's maximum number of `AND`, `OR` and `NOT` in a query.
  static let maximumOperators = 5

  /// The query in GitHub's syntax.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - standIns: Qualifiers of which one must be present if there is no word; `nil` if no word is required.
  ///   - isAdvanced: Whether it is for the advanced search of issues.
  /// - Throws: `SearchError` if GitHub would reject the query, or find nothing whatever there is: with code
  ///   `unsupportedQuery` for lack of words, `invalidQuery` for a query that is too large or has patterns of
  ///   paths.
  static func text(
    _ query: QueryExpression, wordsOr standIns: [String]? = nil, isAdvanced: Bool = false
  ) throws -> String {
    if let standIns, !hasSubject(query, standIns) {
      throw SearchError(
        .unsupportedQuery,
        "GitHub's code search needs a word or one of \(standIns.map { $0 + ":" }.joined(separator: ", "))",
        hint: "add a word to the query")
    }
    if let pattern = query.qualifiers.first(where: \.isPathPattern) {
      throw SearchError(
        .invalidQuery, "GitHub cannot match patterns such as \(pattern.name):\(pattern.valueText)",
        hint: "write it without * and ?, for example extension:md, or search clones with: -p local")
    }
    let length = query.leaves.reduce(0) { sum, leaf in
      if case .term(let term) = leaf.expression { sum + term.text.count } else { sum }
    }
    guard length <= maximumTextLength else {
      throw SearchError(
        .invalidQuery,
        "GitHub accepts at most \(maximumTextLength) characters of text in a query; this one has \(length)",
        hint: "use fewer words")
    }
    // The advanced search of issues treats adjacent conditions as AND, scopes too.
    let (rest, names) = isAdvanced ? (query.unitingScopes, []) : separated(query)
    let operators = rest.map(operatorCount) ?? 0
    guard operators <= maximumOperators else {
      throw SearchError(
        .invalidQuery,
        "GitHub accepts at most \(maximumOperators) AND, OR and NOT in a query; this one has \(operators)",
        hint: "use fewer operators, or run several searches")
    }
    return ([rest] + names).compactMap { $0?.text(in: notation) }.joined(separator: " ")
  }

  /// Separates alternative repositories and accounts from a query.
  ///
  /// GitHub combines adjacent `repo:`, `user:` and `org:` qualifiers by OR, so these alternatives need no
  /// operators.
  ///
  /// - Returns: The rest of the query, and the qualifiers; none if the query names repositories or accounts
  ///   in another way as well.
  private static func separated(_ query: QueryExpression) -> (
    rest: QueryExpression?, names: [QueryExpression]
  ) {
    let conditions = query.conjuncts
    guard let place = conditions.firstIndex(where: isChoiceOfScopes),
      case .or(let names) = conditions[place]
    else { return (query, []) }
    let others = conditions.indices.filter { $0 != place }.map { conditions[$0] }
    let rest = QueryExpression.all(others)
    let hasMore = rest?.qualifiers.contains(where: isScope) == true
    return hasMore ? (query, []) : (rest, names)
  }

  private static func isChoiceOfScopes(_ condition: QueryExpression) -> Bool {
    guard case .or(let choices) = condition else { return false }
    let names = Set(choices.map { if case .qualifier(let choice) = $0 { choice.name } else { "" } })
    return names == ["repo"] || names.isSubset(of: ["user", "org", "owner"])
  }

  /// Whether the query has a required word or a qualifier that replaces one.
  private static func hasSubject(_ query: QueryExpression, _ standIns: [String]) -> Bool {
    query.leaves.contains { leaf in
      switch leaf.expression {
      case .term: !leaf.isNegated
      case .qualifier(let qualifier): !leaf.isNegated && standIns.contains(qualifier.name)
      default: false
      }
    }
  }

  /// The query with `owner/name` for `host/owner/name`, without what the repositories of other hosts decide.
  ///
  /// - Parameter hosts: The hosts of the server.
  /// - Throws: `SearchError` with code `unsupportedQuery` for a query about repositories of other hosts
  ///   alone.
  static func withoutHosts(_ query: QueryExpression, hosts: [String]) throws -> QueryExpression {
    switch reduced(query, { onServer($0, hosts) }) {
    case .condition(let condition): return condition
    case .constant:
      let host = hosts.joined(separator: ", ")
      let folder = query.qualifiers.compactMap(Self.folder).first
      throw SearchError(
        .unsupportedQuery,
        folder.map { "\($0) has no remote on \(host)" }
          ?? "a repository that is not on \(host) is not supported",
        hint: "name a repository on \(host) with repo:owner/name, or choose other providers")
    }
  }

  /// The path of a clone that is on no forge, or of a folder above clones, if a qualifier names one.
  private static func folder(_ qualifier: Qualifier) -> String? {
    qualifier.name == "repo" ? qualifier.value.texts.first { $0.hasPrefix("/") } : nil
  }

  /// A condition, or what it always is on a server.
  private enum Reduced {
    case condition(QueryExpression)
    case constant(Bool)
  }

  /// What a condition on a repository is on the server with the hosts.
  private static func onServer(_ qualifier: Qualifier, _ hosts: [String]) -> Reduced {
    if qualifier.name == "repo", case .list(let texts) = qualifier.value {
      let left = texts.compactMap { text -> String? in
        guard case .condition(.qualifier(let one)) = onServer(Qualifier("repo", .text(text)), hosts) else {
          return nil
        }
        return one.valueText
      }
      guard let first = left.first else { return .constant(false) }
      return .condition(.qualifier(Qualifier("repo", left.count > 1 ? .list(left) : .text(first))))
    }
    guard qualifier.name == "repo", case .text(let value) = qualifier.value else {
      return .condition(.qualifier(qualifier))
    }
    if folder(qualifier) != nil || RepositoryIdentity.gist(value) != nil { return .constant(false) }
    guard let parts = RepositoryIdentity.components(value),
      parts.host.contains(where: { ".:".contains($0) })
    else { return .condition(.qualifier(qualifier)) }
    return hosts.contains(parts.host.lowercased())
      ? .condition(.qualifier(Qualifier("repo", .text(parts.owner + "/" + parts.name)))) : .constant(false)
  }

  private static func reduced(_ query: QueryExpression, _ decide: (Qualifier) -> Reduced) -> Reduced {
    switch query {
    case .term: return .condition(query)
    case .qualifier(let qualifier): return decide(qualifier)
    case .not(let child):
      switch reduced(child, decide) {
      case .condition(let condition): return .condition(.negation(of: condition))
      case .constant(let isTrue): return .constant(!isTrue)
      }
    case .and(let children):
      // Several scopes are alternatives: those of other servers decide nothing where there is another one.
      func isElsewhere(_ child: QueryExpression) -> Bool {
        if child.isScope, case .constant(false) = reduced(child, decide) { true } else { false }
      }
      let here = children.filter { !isElsewhere($0) }
      let hasScope = here.contains(where: \.isScope)
      return joined(hasScope ? here : children, decide, ending: false, QueryExpression.all)
    case .or(let children): return joined(children, decide, ending: true, QueryExpression.any)
    }
  }

  /// - Parameter ending: The value of a part that decides the whole.
  private static func joined(
    _ parts: [QueryExpression], _ decide: (Qualifier) -> Reduced, ending: Bool,
    _ join: ([QueryExpression]) -> QueryExpression?
  ) -> Reduced {
    var conditions: [QueryExpression] = []
    for part in parts {
      switch reduced(part, decide) {
      case .condition(let condition): conditions.append(condition)
      case .constant(ending): return .constant(ending)
      case .constant: break
      }
    }
    return join(conditions).map(Reduced.condition) ?? .constant(!ending)
  }

  /// Whether a qualifier restricts a search to a repository or an account.
  static func isScope(_ qualifier: Qualifier) -> Bool {
    BelongingRepository.qualifiers.contains(qualifier.name)
  }

  /// The repositories and accounts in which a query searches.
  static func scopes(of query: QueryExpression) -> [Qualifier] {
    query.leaves.compactMap { leaf in
      guard !leaf.isNegated, case .qualifier(let scope) = leaf.expression else { return nil }
      return isScope(scope) ? scope : nil
    }
  }

  /// The accounts that a query names and does not search in.
  static func people(of query: QueryExpression) -> [Qualifier] {
    query.leaves.compactMap { leaf in
      guard case .qualifier(let person) = leaf.expression else { return nil }
      return peopleNames.contains(person.name) ? person : nil
    }
  }

  private static let peopleNames: Set = [
    "author", "assignee", "mentions", "commenter", "involves", "committer", "reviewed-by", "review-requested",
    "user-review-requested",
  ]

  /// The query without repositories and accounts that the server does not have; `nil` if it searches in no
  /// others.
  ///
  /// GitHub treats adjacent ones as alternatives.
  static func without(_ missing: Set<Qualifier>, in query: QueryExpression) -> QueryExpression? {
    func isMissing(_ condition: QueryExpression) -> Bool {
      if case .qualifier(let scope) = condition { missing.contains(scope) } else { false }
    }
    let conditions = query.conjuncts
    let rest = conditions.filter { !isMissing($0) }
    guard rest.count == conditions.count || rest.contains(where: { !scopes(of: $0).isEmpty }),
      let rest = QueryExpression.all(rest),
      case .condition(let condition) = reduced(
        rest, { missing.contains($0) ? .constant(false) : .condition(.qualifier($0)) })
    else { return nil }
    return condition
  }

  /// The query with other names of repositories.
  static func renaming(_ names: [Qualifier: String], in query: QueryExpression) -> QueryExpression {
    let renamed = reduced(query) { scope in
      .condition(.qualifier(names[scope].map { Qualifier(scope.name, .text($0)) } ?? scope))
    }
    return if case .condition(let condition) = renamed { condition } else { query }
  }

  /// The qualifier that the search for repositories does not have, although it sorts by that time.
  static let updated = "updated"
  /// A condition that every repository fulfils: GitHub refuses an empty query.
  static let everyRepository = QueryExpression.qualifier(
    Qualifier("stars", .number(Bounds(lower: Bounds.End(0, isInclusive: true), upper: nil))))

  /// The query without the conditions on `updated`, which are checked on the results; `nil` if nothing else
  /// is left.
  ///
  /// What is left is met by every result that meets the query: a condition goes as a whole if it can be met
  /// by `updated` alone.
  static func withoutUpdated(_ query: QueryExpression) -> QueryExpression? {
    func concernsUpdated(_ condition: QueryExpression) -> Bool {
      condition.qualifiers.contains { $0.name == updated }
    }
    guard concernsUpdated(query) else { return query }
    return QueryExpression.all(query.negationNormalForm.conjuncts.filter { !concernsUpdated($0) })
  }

  /// The direction in which a list sorted by `updated` begins with what the query asks for.
  static func orderByUpdated(_ query: QueryExpression) -> SortOrder {
    for qualifier in query.qualifiers where qualifier.name == updated {
      if case .date(let dates) = qualifier.value { return dates.lower == nil ? .ascending : .descending }
    }
    return .descending
  }

  /// GitHub's notation, in which `owner` is `user`.
  static let notation = QueryExpression.Notation(
    qualifierName: { $0 == "owner" ? "user" : $0 }, term: { $0.unescaped })

  private static func operatorCount(_ query: QueryExpression) -> Int {
    switch query {
    case .term, .qualifier: 0
    case .not(.qualifier): 0
    case .not(let child): 1 + operatorCount(child)
    case .and(let children): children.reduce(0) { $0 + operatorCount($1) }
    case .or(let children): children.reduce(children.count - 1) { $0 + operatorCount($1) }
    }
  }
}
