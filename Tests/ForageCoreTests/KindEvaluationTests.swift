import ForageCore
import Foundation
import Testing

/// What qualifiers ask of issues, files, commits, accounts and topics.
@Suite struct KindEvaluationTests {
  private static let belonging: [QualifierDefinition] = ["repo", "user", "org", "owner"].map {
    QualifierDefinition($0, .text, field: .repository, kinds: [.issue, .commit])
  }
  private static let vocabulary = QualifierVocabulary.common.adding(
    belonging + [
      QualifierDefinition("type", .text, field: .isPullRequest, kinds: [.issue]),
      QualifierDefinition("type", .choice(["user", "org"]), field: .accountType, kinds: [.user]),
      QualifierDefinition("reason", .text, field: .stateReason, kinds: [.issue]),
      QualifierDefinition("closed", .date, field: .closedAt, kinds: [.issue]),
      QualifierDefinition("assignee", .text, field: .assignees, kinds: [.issue]),
      QualifierDefinition("merge", .flag, field: .parents, kinds: [.commit]),
      QualifierDefinition("committer", .text, field: .committer, kinds: [.commit]),
      QualifierDefinition("followers", .number, field: .followers, kinds: [.user]),
      QualifierDefinition("repositories", .number, field: .repositoryCount, kinds: [.topic]),
    ])

  private static let pull = SearchResult(
    id: "github.com/ada/kit#7", kind: .issue, title: "It leaks",
    fields: [
      .host: .text("github.com"), .repository: .text("github.com/ada/kit"), .number: .number(7),
      .isPullRequest: .flag(true), .draft: .flag(true), .locked: .flag(false), .state: .text("closed"),
      .stateReason: .text("not_planned"), .author: .text("robot[bot]"),
      .labels: .list(["Bug", "help wanted"]),
      .assignees: .list(["bao"]), .comments: .number(12), .isPrivate: .flag(false),
      .closedAt: .date(Date(timeIntervalSince1970: 1_705_312_800)),
      .mergedAt: .date(Date(timeIntervalSince1970: 1_705_312_800)),
    ])
  private static let commit = SearchResult(
    id: "github.com/ada/kit@00", kind: .commit, title: "Fix it",
    fields: [
      .repository: .text("github.com/ada/kit"), .author: .text("ada"), .committer: .text("web-flow"),
      .parents: .list(["a", "b"]), .message: .text("Fix it\n\nAt last, the leak."),
    ])
  private static let account = SearchResult(
    id: "github.com/@ada", kind: .user, title: "Ada",
    fields: [.accountType: .text("organization"), .followers: .number(5)])
  private static let topic = SearchResult(
    id: "github.com/topics/swift", kind: .topic, title: "Swift",
    fields: [.curated: .flag(true), .featured: .flag(false), .repositoryCount: .number(9)])
  private static let bare: [ResultKind: SearchResult] = Dictionary(
    uniqueKeysWithValues: [ResultKind.issue, .commit, .user, .topic].map {
      ($0, SearchResult(id: "x/y/z", kind: $0, title: "-"))
    })

  private func check(_ query: String, _ item: SearchResult, holds: Bool) throws {
    let tree = try QueryParser(vocabulary: Self.vocabulary).parse(query).root
    for vocabulary in [Self.vocabulary, Self.vocabulary.of(item.kind), Self.vocabulary.of(.repo)] {
      #expect(tree.matches(item, vocabulary: vocabulary) == holds, "\(query)")
      #expect(QueryExpression.negation(of: tree).matches(item, vocabulary: vocabulary) == !holds, "\(query)")
    }
    // An item without the field fails a condition and passes its opposite.
    let bare = try #require(Self.bare[item.kind])
    #expect(!tree.matches(bare, vocabulary: Self.vocabulary), "\(query)")
  }

  @Test(arguments: [
    "is:pr", "is:pull-request", "is:closed", "is:merged", "is:draft", "is:unlocked", "is:public", "IS:Closed",
    "state:closed", "STATE:Closed", "type:pr", "author:app/robot", "author:robot[bot]", "label:bug",
    "label:\"Help Wanted\"", "label:docs,bug", "comments:12", "comments:>10", "repo:ada/KIT", "user:Ada",
    "org:ada", "owner:ADA", "reason:\"not planned\"", "reason:not_planned", "closed:2024-01-15",
    "assignee:BAO",
    "leaks",
  ])
  func holdsForAPullRequest(query: String) throws { try check(query, Self.pull, holds: true) }

  @Test(arguments: [
    "is:issue", "is:open", "is:unmerged", "is:locked", "is:private", "is:unheard-of", "state:open",
    "type:issue",
    "type:Bug", "author:robot", "label:wanted", "label:docs,help", "comments:<12", "repo:ada/kitten",
    "repo:kit",
    "user:ad", "owner:kit", "reason:completed", "closed:<2024-01-15", "assignee:ada", "stars:>0",
    "is:curated",
  ])
  func doesNotHoldForAPullRequest(query: String) throws { try check(query, Self.pull, holds: false) }

  /// `no:` asks for a field that an item does not have.
  @Test(arguments: [
    ("no:milestone", true), ("no:label", false), ("NO:Assignee", false), ("-no:label", true),
    ("no:unheard-of", false),
  ])
  func withoutAField(query: String, holds: Bool) throws {
    let vocabulary = Self.vocabulary.adding([QualifierDefinition("no", .text, kinds: [.issue])])
    let tree = try QueryParser(vocabulary: vocabulary).parse(query).root
    #expect(tree.matches(Self.pull, vocabulary: vocabulary) == holds)
  }

  /// A part of the full name of an account is a word of it.
  @Test func wordsOfNames() throws {
    let account = SearchResult(
      id: "github.com/@kim", kind: .user, title: "kim", fields: [.name: .text("Kim Park")])
    #expect(try QueryParser().parse("park kim").root.matches(account))
  }

  /// Of a file what the service sends of its lines counts.
  @Test func linesOfFiles() throws {
    let file = SearchResult(
      id: "gitlab.com/ada/kit/a.swift", kind: .code, title: "a.swift",
      fields: [.fragments: .items([.record(["text": .text("func a() {}\nfunc startLoop() {}")])])])
    for (text, holds) in [("func startLoop", true), ("STARTLOOP", true), ("a.swift", true), ("stop", false)] {
      let query = try QueryParser().parse("\"\(text)\"").root
      #expect(query.matches(file, vocabulary: Self.vocabulary) == holds, "\(text)")
    }
  }

  @Test func theOthers() throws {
    for query in ["merge:true", "author:ADA", "committer:web-flow", "repo:ada/kit", "\"the leak\""] {
      try check(query, Self.commit, holds: true)
    }
    for query in ["merge:false", "committer:ada", "followers:5", "state:open"] {
      try check(query, Self.commit, holds: false)
    }
    for query in ["type:org", "followers:>=5"] { try check(query, Self.account, holds: true) }
    for query in ["type:user", "followers:>5", "is:sponsorable"] {
      try check(query, Self.account, holds: false)
    }
    for query in ["is:curated", "is:not-featured", "repositories:9"] {
      try check(query, Self.topic, holds: true)
    }
    for query in ["is:not-curated", "is:featured", "repositories:>9"] {
      try check(query, Self.topic, holds: false)
    }
  }

  @Test(
    arguments: [
      ("is:open", .issue, [.state]), ("is:unmerged", .issue, [.isPullRequest, .mergedAt]),
      ("is:quaint", .issue, []), ("repo:a/b", .repo, [.owner, .name]), ("repo:a/b", .issue, [.repository]),
      ("merge:true", .commit, [.parents]), ("in:title", .issue, []), ("label:x", .issue, [.labels]),
      ("type:org", .user, [.accountType]),
    ] as [(String, ResultKind, [ResultField])])
  func fieldsThatTell(query: String, kind: ResultKind, fields: [ResultField]) throws {
    guard case .qualifier(let qualifier) = try QueryParser(vocabulary: Self.vocabulary).parse(query).root
    else {
      Issue.record("\(query) is no qualifier")
      return
    }
    #expect(qualifier.fields(for: kind, vocabulary: Self.vocabulary) == fields)
  }
}
