import Testing

@testable import ForageCore

@Suite struct QueryPlanTests {
  /// language and stars exact, topic and archived inexact, forks and license only here; no size.
  private static func abilities(
    text: Pushdown = .exact, booleans: Bool = true, needsText: Bool? = nil
  ) -> Abilities {
    Abilities(
      fields: [.language, .stars, .topics, .archived, .forks, .license], text: text,
      qualifiers: [
        "language": .exact, "stars": .exact, "topic": .inexact, "archived": .inexact,
        "followers": .unsupported,
        "props.*": .exact, "props.secret": .unsupported,
      ], booleans: booleans, needsText: needsText)
  }

  private static func plan(_ query: String, _ abilities: Abilities = abilities()) throws -> QueryPlan {
    try QueryPlan(parsed(query), abilities: abilities, vocabulary: .common)
  }

  /// A query, what is sent of it, what is checked here, and the names of that.
  struct Case: Sendable {
    var query: String
    var pushed: String
    var residual: String?
    var names: [String]

    init(_ query: String, _ pushed: String, _ residual: String? = nil, _ names: [String] = []) {
      (self.query, self.pushed, self.residual, self.names) = (query, pushed, residual, names)
    }
  }

  @Test(arguments: [
    Case("swift", "swift"),
    Case("swift language:go", "swift language:go"),
    Case("swift -language:go NOT x", "swift -language:go NOT x"),
    Case("swift topic:cli", "swift topic:cli", "topic:cli", ["topic"]),
    Case("swift -topic:cli", "swift", "-topic:cli", ["topic"]),
    Case("swift forks:>5", "swift", "forks:>5", ["forks"]),
    Case("swift -forks:>5", "swift", "-forks:>5", ["forks"]),
    Case("swift -size:>5", "swift", "-size:>5", ["size"]),
    Case("swift -followers:>5", "swift", "-followers:>5", ["followers"]),
    Case(
      "swift topic:cli forks:>5 language:go archived:false license:mit",
      "swift topic:cli language:go archived:false",
      "topic:cli forks:>5 archived:false license:mit", ["archived", "forks", "license", "topic"]),
    Case("swift (a OR b)", "swift (a OR b)"),
    Case("swift (language:go OR stars:>5)", "swift (language:go OR stars:>5)"),
    Case(
      "swift (language:go OR topic:cli)", "swift (language:go OR topic:cli)", "language:go OR topic:cli",
      ["language", "topic"]),
    Case("swift (language:go OR -topic:cli)", "swift", "language:go OR -topic:cli", ["language", "topic"]),
    Case("swift (language:go OR forks:>5)", "swift", "language:go OR forks:>5", ["forks", "language"]),
    Case("swift (word OR forks:>5)", "swift", "word OR forks:>5", ["forks", "text"]),
    Case("swift (language:go OR size:>5)", "swift", "language:go OR size:>5", ["language", "size"]),
    Case("swift NOT (language:go forks:>5)", "swift", "-language:go OR -forks:>5", ["forks", "language"]),
    Case("x NOT (language:go OR topic:cli)", "x -language:go", "-topic:cli", ["topic"]),
    Case("swift props.team:core", "swift props.team:core"),
    Case("forks:>1 topic:cli", "topic:cli", "forks:>1 topic:cli", ["forks", "topic"]),
  ])
  func split(_ expected: Case) throws {
    let plan = try Self.plan(expected.query)
    #expect(plan.pushed?.description == expected.pushed)
    #expect(plan.residual?.description == expected.residual)
    #expect(plan.residualNames == expected.names)
  }

  @Test func nothingIsPushedToAProviderThatNeedsNoText() throws {
    let plan = try Self.plan("forks:>5", Self.abilities(needsText: false))
    #expect(plan.pushed == nil)
    #expect(plan.residual?.description == "forks:>5")
    func refusal(_ what: String) -> QueryPlan.NotApplicable {
      QueryPlan.NotApplicable(what: "a query with only " + what, isWholeQuery: true)
    }
    #expect(throws: refusal("forks:")) { try Self.plan("forks:>5") }
    #expect(throws: refusal("topic:")) { try Self.plan("-topic:cli") }
    #expect(throws: refusal("excluded words, topic:")) {
      try Self.plan("-topic:cli NOT a", Self.abilities(text: .inexact))
    }
    #expect(throws: refusal("words")) { try Self.plan("a", Self.abilities(text: .unsupported)) }
    for query in ["language:go", "language:go NOT a"] {
      #expect(try Self.plan(query).pushed?.description == query)
      #expect(throws: QueryPlan.NotApplicable(what: "a query without words", isWholeQuery: true)) {
        try Self.plan(query, Self.abilities(needsText: true))
      }
    }
    #expect(try Self.plan("a language:go", Self.abilities(needsText: true)).residual == nil)
  }

  @Test(arguments: [
    ("swift size:>5", "size:"), ("swift followers:>5", "followers:"), ("swift is:public", "is:"),
    ("swift props.secret:x", "props.secret:"), ("swift (size:>5 OR followers:>1)", "size:"),
    ("swift (a size:>5 OR b followers:>1)", "size:"), ("NOT (a OR -size:>5)", "size:"),
  ])
  func impossibleFields(query: String, what: String) {
    let error = #expect(throws: QueryPlan.NotApplicable.self) { try Self.plan(query) }
    #expect(error?.what == what && error?.qualifier.map { $0.name + ":" } == what)
  }

  @Test(arguments: ["a OR b", "x (language:go OR language:c)", "NOT (a b)", "x (size:>5 OR followers:>1)"])
  func noAlternatives(query: String) {
    #expect(throws: QueryPlan.NotApplicable(what: "OR")) {
      try Self.plan(query, Self.abilities(booleans: false))
    }
  }

  @Test func conjunctionsNeedNoBooleans() throws {
    let plan = try Self.plan("NOT (a OR b) (c d)", Self.abilities(booleans: false))
    #expect(plan.pushed?.description == "NOT a NOT b c d")
    #expect(plan.residual == nil)
  }

  /// Repositories and accounts of one conjunction are alternatives: they are sent and checked together.
  @Test(arguments: [
    Case("x repo:a/b org:c", "x repo:a/b org:c"), Case("x (repo:a/b OR org:c)", "x repo:a/b org:c"),
    Case("x repo:a/b owner:c", "x repo:a/b owner:c", "repo:a/b owner:c", ["owner", "repo"]),
    Case("x repo:a/b user:c", "x", "repo:a/b user:c", ["repo", "user"]),
    Case("x NOT (repo:a/b org:c)", "x -repo:a/b -org:c"),
  ])
  func scopes(_ expected: Case) throws {
    let abilities = Abilities(
      fields: [.owner, .fullName], qualifiers: ["repo": .exact, "org": .exact, "owner": .inexact])
    let plan = try Self.plan(expected.query, abilities)
    #expect(plan.pushed?.description == expected.pushed)
    #expect(plan.residual?.description == expected.residual && plan.residualNames == expected.names)
    // What the one can never be in, the other may be in.
    let narrow = try Self.plan("x repo:a/b user:c", Abilities(fields: [], qualifiers: ["repo": .exact]))
    #expect(narrow.pushed?.description == "x repo:a/b" && narrow.residual == nil)
    var demoted = try Self.plan("x repo:a/b org:c", abilities)
    demoted.demote(["org"])
    #expect(demoted.residual?.description == "repo:a/b org:c")
  }

  @Test func customProperties() {
    let abilities = Self.abilities()
    #expect(abilities.push("props.team") == .exact)
    #expect(abilities.push("props.secret") == .unsupported)
    #expect(abilities.push("stars") == .exact)
    #expect(abilities.push("anything") == .unsupported)
  }

  @Test func demotion() throws {
    var plan = try Self.plan("swift language:go topic:cli (language:c OR stars:>5)")
    let pushed = plan.pushed
    plan.demote([])
    #expect(plan.residual?.description == "topic:cli")
    plan.demote(["unheard-of", "topic"])
    #expect(plan.residual?.description == "topic:cli")
    plan.demote(["language"])
    #expect(plan.residual?.description == "topic:cli language:go (language:c OR stars:>5)")
    #expect(plan.residualNames == ["language", "stars", "topic"])
    let demoted = plan
    plan.demote(["language", "stars"])
    #expect(plan == demoted)
    #expect(plan.pushed == pushed)
    var negative = try Self.plan("swift -language:go")
    negative.demote(["language"])
    #expect(negative.residual?.description == "-language:go")
  }
}
