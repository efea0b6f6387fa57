import Foundation
import Testing

@testable import ForageCore

/// Names that mean different things for different kinds of results.
@Suite struct KindVocabularyTests {
  private static let vocabulary = QualifierVocabulary.common.adding([
    QualifierDefinition("is", .words(["public", "archived"]), kinds: [.repo]),
    QualifierDefinition("is", .words(["open", "closed", "pr"]), kinds: [.issue]),
    QualifierDefinition("type", .text, field: .isPullRequest, kinds: [.issue]),
    QualifierDefinition("type", .choice(["user", "org"]), field: .accountType, kinds: [.user]),
    QualifierDefinition("grade", .choice(["good"]), field: "grade", kinds: [.story]),
    QualifierDefinition("grade", .choice(["fine", "good"]), field: "grade", kinds: [.question]),
    QualifierDefinition("weight", .number, field: "weight", kinds: [.package]),
    QualifierDefinition("weight", .date, field: "weighed", kinds: [.story]),
    QualifierDefinition("size", .text, field: "size", kinds: [.package]),
    QualifierDefinition("repo", .text, field: .repository, kinds: [.issue]),
    QualifierDefinition("owner", .text, field: .repository, kinds: [.issue]),
  ])

  private func parse(_ query: String) throws -> Query {
    try QueryParser(vocabulary: Self.vocabulary).parse(query)
  }

  @Test func definitionsByKind() {
    let vocabulary = Self.vocabulary
    #expect(vocabulary["size"]?.type == .number && vocabulary.of(.repo)["SIZE"]?.field == .sizeKB)
    #expect(vocabulary.of(.package)["size"]?.type == .text)
    #expect(
      vocabulary.of(.story)["weight"]?.type == .date && vocabulary.of(.package)["weight"]?.type == .number)
    #expect(vocabulary.of(.repo)["weight"] == nil && vocabulary["weight"] != nil)
    #expect(vocabulary.of(.issue)["props.team"]?.type == .text)
    #expect(vocabulary.definition(of: "repo", for: .issue)?.field == .repository)
    #expect(vocabulary.of(.repo).definition(of: "repo", for: .issue)?.field == .repository)
    #expect(vocabulary.kinds(of: "type") == [.issue, .user] && vocabulary.kinds(of: "stars") == [])
    #expect(vocabulary.names.contains("grade") && Set(vocabulary.names).count == vocabulary.names.count)
  }

  /// What is there first stays, for every kind and for one.
  @Test func addingReplacesNothing() {
    let more = Self.vocabulary.adding([
      QualifierDefinition("stars", .text), QualifierDefinition("weight", .text, kinds: [.package]),
      QualifierDefinition("mood", .text, field: "mood"),
    ])
    #expect(more["stars"]?.type == .number && more.of(.package)["weight"]?.type == .number)
    #expect(more.of(.user)["mood"]?.field == "mood")
  }

  @Test(
    arguments: [
      ("weight:>5", .number(.from(5, isInclusive: false))), ("size:5", .number(.exactly(5))),
      ("size:large", .text("large")), ("type:ORG", .text("org")), ("type:Bug", .text("Bug")),
      ("grade:fine", .text("fine")), ("is:PR", .text("PR")), ("is:brand-new", .text("brand-new")),
    ] as [(String, QualifierValue)])
  func valuesOfEveryKind(query: String, value: QualifierValue) throws {
    guard case .qualifier(let qualifier) = try parse(query).root else {
      Issue.record("\(query) is no qualifier")
      return
    }
    #expect(qualifier.value == value)
  }

  @Test func datesWhereNumbersAreMeantToo() throws {
    let day = try #require(DatePoint("2024-01-31"))
    #expect(try parse("weight:2024-01-31").root == date("weight", .exactly(day)))
  }

  @Test(arguments: [
    ("grade:bad", "\"bad\"", "good, fine", 6..<9), ("weight:heavy", "\"heavy\"", "weight:10..50", 7..<12),
    ("x state:ajar", "\"ajar\"", "open, closed", 8..<12), ("type:", "type:", "type:word", 0..<5),
  ])
  func whatNoKindTakes(query: String, message: String, hint: String, range: Range<Int>) throws {
    let error = try #require(throws: QueryError.self) { try parse(query) }
    #expect(error.range == range)
    #expect(error.message.contains(message))
    #expect(error.hint.contains(hint))
  }

  @Test func unknownWordsAreTold() throws {
    let slip = try parse("is:opne")
    #expect(slip.warnings.count == 1)
    #expect(slip.warnings.first?.message.contains("is:opne") == true)
    #expect(slip.warnings.first?.hint == "did you mean is:open?")
    let hint = try #require(try parse("is:quite-new").warnings.first?.hint)
    #expect(hint.contains("archived, closed, open, pr, public"))
    #expect(try parse("is:Open is:archived").warnings.isEmpty)
    // Without a list nothing can be said.
    #expect(try QueryParser().parse("is:opne").warnings.isEmpty)
  }

  /// A condition that holds for one side of OR is told, unless parentheses say that it is meant.
  @Test func conditionsOfOneSideOfOr() throws {
    let hint = "to narrow all, write: (mutex OR semaphore) repo:x/y"
    #expect(try QueryParser().parse("mutex OR semaphore repo:x/y").warnings.map(\.hint) == [hint])
    for query in [
      "mutex OR (semaphore repo:x/y)", "(mutex repo:x/y) OR semaphore", "(mutex OR semaphore) repo:x/y",
      "mutex repo:x/y OR semaphore repo:x/z",
    ] {
      #expect(try QueryParser().parse(query).warnings.isEmpty, "\(query)")
    }
  }

  @Test func newNamesAreOffered() throws {
    #expect(try parse("wieght:5").warnings.first?.hint == "did you mean weight:5?")
    #expect(try QueryParser().parse("lable:bug").warnings.first?.hint == "did you mean label:bug?")
  }

  @Test(
    arguments: [
      ("is:open", .repo, "is:open"), ("is:open", .issue, nil), ("is:brand-new", .repo, nil),
      ("type:Bug", .user, "type:Bug"), ("type:org", .user, nil), ("type:org", .issue, nil),
      ("weight:5", .story, "weight:5"), ("weight:5", .package, nil), ("weight:5", .repo, "weight:"),
      ("is:open OR swift", .repo, nil), ("is:open OR type:user", .repo, "is:open"), ("-is:open", .repo, nil),
    ] as [(String, ResultKind, String?)])
  func whatAKindCannotAnswer(query: String, kind: ResultKind, what: String?) throws {
    let abilities = Abilities(
      fields: [],
      qualifiers: [
        "is": .exact, "type": kind == .repo ? .unsupported : .exact,
        "weight": kind == .repo ? .unsupported : .exact,
      ], booleans: true, needsText: false)
    let tree = try parse(query).root
    var found: String?
    do throws(QueryPlan.NotApplicable) {
      let plan = try QueryPlan(tree, abilities: abilities, vocabulary: Self.vocabulary.of(kind))
      if query == "-is:open" {
        #expect(plan.pushed == nil && plan.residualNames == ["is"])
      }
    } catch {
      found = error.what
    }
    #expect(found == what)
  }

  /// A qualifier of a provider's own means the field that its name tells.
  @Test func qualifiersOfFields() {
    for (name, type, field) in [
      ("points", .number, "points"), ("tag", .text, "tags"), ("updatedAt", .date, "updatedAt"),
      ("draft", .flag, "draft"), ("shelf", .text, "shelf"), ("star", .text, "star"),
    ] as [(String, QualifierType, String)] {
      let definition = QualifierDefinition(ofField: name, kinds: [.repo])
      #expect(
        definition == QualifierDefinition(name, type, field: ResultField(rawValue: field), kinds: [.repo]))
    }
  }
}
