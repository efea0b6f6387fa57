import ForageCore
import Foundation
import Testing

@Suite struct EvaluationTests {
  private static let full = SearchResult(
    id: "github.com/apple/swift-nio", kind: .repo, title: "apple/swift-nio",
    fields: [
      .description: .text("Event-driven network framework"), .host: .text("github.com"),
      .owner: .text("apple"),
      .name: .text("swift-nio"), .fullName: .text("apple/swift-nio"), .language: .text("Swift"),
      .topics: .list(["networking", "Async"]), .license: .text("Apache-2.0"), .stars: .number(8000),
      .forks: .number(650), .sizeKB: .number(12_000), .fork: .flag(false), .archived: .flag(false),
      .isPrivate: .flag(false), .template: .flag(false), .mirror: .flag(false),
      // 2018-03-01 12:00, 2024-01-15 10:00 and 2024-01-15 23:59:59, UTC.
      .createdAt: .date(Date(timeIntervalSince1970: 1_519_905_600)),
      .updatedAt: .date(Date(timeIntervalSince1970: 1_705_312_800)),
      .pushedAt: .date(Date(timeIntervalSince1970: 1_705_363_199)), .path: .text("/home/me/src/swift-nio"),
    ])
  private static let bare = SearchResult(id: "example.org/x/y", kind: .repo, title: "x/y")

  private static func check(_ query: String, full: Bool, bare: Bool = false) throws {
    let tree = try parsed(query)
    #expect(tree.matches(Self.full) == full)
    #expect(tree.matches(Self.bare) == bare)
    let opposite = try parsed("NOT (\(query))")
    #expect(opposite.matches(Self.full) == !full)
    // A negated condition passes on an item without the field.
    #expect(opposite.matches(Self.bare) == !bare)
  }

  @Test(arguments: [
    "swift", "SWIFT", "apple/swift", "event-driven", "\"network framework\"", "async", "netw", "/home/me/src",
    "swift async", "swift OR rust", "NOT rust swift",
    "language:swift", "language:SWIFT", "license:apache-2.0", "topic:networking", "topic:ASYNC", "topics:2",
    "topics:>1",
    "stars:8000", "stars:>=8000", "stars:>7999", "stars:<8001", "stars:1..8000", "forks:<700", "size:>=12000",
    "created:2018-03-01", "created:<2018-03-02", "created:2018-01-01..2018-12-31", "updated:2024-01-15",
    "updated:>2024-01-15T09:59:59Z", "pushed:<=2024-01-15", "pushed:2024-01-15T23:59:59Z",
    "pushed:>=2024-01-15",
    "archived:false", "mirror:false", "template:false", "fork:true", "fork:false",
    "user:Apple", "org:apple", "owner:APPLE", "name:nio", "name:Swift-NIO", "path:src/swift",
    "repo:Apple/swift-nio", "repo:\"a/b\",apple/swift-nio",
    "repo:apple/swift-log org:apple", "swift user:google owner:apple",
    "is:public", "IS:Public",
  ])
  func holds(query: String) throws { try Self.check(query, full: true) }

  @Test(arguments: [
    "rust", "\"framework network\"", "swift rust", "language:rust", "language:swi", "license:mit",
    "topic:net",
    "topics:>2", "stars:>8000", "stars:<8000", "stars:1..7999", "forks:>650", "size:0", "created:2018-03-02",
    "created:>2018-03-01", "updated:<2024-01-15", "pushed:<2024-01-15", "pushed:>2024-01-15", "archived:true",
    "mirror:true", "template:true", "fork:only", "user:app", "org:google", "owner:apple/swift-nio",
    "name:vapor",
    "path:/srv", "repo:apple/swift", "repo:swift-nio", "repo:\"a/b\",c/d", "repo:apple/swift org:google",
    "org:apple (repo:apple/a OR repo:apple/b)", "is:private", "is:archived",
    "is:fork", "is:mirror",
    "is:template", "is:unheard-of", "has:readme", "followers:>0", "good-first-issues:>=0",
    "help-wanted-issues:0",
    "props.team:core",
  ])
  func doesNotHold(query: String) throws { try Self.check(query, full: false) }

  @Test func conditionsThatNeedNoField() throws {
    // It says where words are looked for, negated or not; by itself it excludes nothing.
    for query in ["in:name", "-in:name"] {
      #expect(try parsed(query).matches(Self.full) && parsed(query).matches(Self.bare))
    }
    // Who has no topics carries no such field, so a positive condition on it fails.
    try Self.check("topics:0", full: false, bare: false)
    try Self.check("topics:<5", full: true, bare: false)
  }

  @Test func states() throws {
    var item = Self.bare
    item.set(.isPrivate, true)
    item.set(.archived, true)
    item.set(.fork, true)
    item.set(.mirror, true)
    item.set(.template, true)
    for query in [
      "is:private", "is:archived", "is:fork", "is:mirror", "is:template", "fork:only", "fork:true",
      "archived:true",
      "mirror:true", "template:true",
    ] {
      #expect(try parsed(query).matches(item), "\(query)")
    }
    #expect(try !parsed("is:public").matches(item))
    #expect(try !parsed("fork:false").matches(item))
  }

  @Test(arguments: [
    ("cpp", "C++"), ("CPP", "c++"), ("c++", "C++"), ("csharp", "C#"), ("golang", "Go"), ("js", "JavaScript"),
    ("ts", "TypeScript"), ("py", "Python"), ("rs", "Rust"), ("objc", "Objective-C"), ("obj-c", "Objective-C"),
    ("objective-c", "Objective-C"), ("\"objective c\"", "Objective-C"),
    ("jupyter-notebook", "Jupyter Notebook"),
    ("\"Jupyter Notebook\"", "Jupyter Notebook"), ("bash", "Shell"), ("vim", "Vim Script"), ("latex", "TeX"),
  ])
  func languageNames(wanted: String, language: String) throws {
    var item = Self.bare
    item.set(.language, language)
    #expect(try parsed("language:\(wanted)").matches(item))
    item.set(.language, "COBOL")
    #expect(try !parsed("language:\(wanted)").matches(item))
  }

  @Test(
    arguments: [
      ("gpl-3.0", "GPL-3.0-or-later", true), ("gpl-3.0", "GPL-3.0-only", true),
      ("GPL-3.0-only", "GPL-3.0", true),
      ("mit", "MIT", true), ("gpl-2.0", "GPL-3.0", false), ("gpl", "GPL-3.0", false),
      ("lgpl-3.0", "GPL-3.0", false),
    ] as [(String, String, Bool)])
  func licenseNames(wanted: String, license: String, expected: Bool) throws {
    var item = Self.bare
    item.set(.license, license)
    #expect(try parsed("license:\(wanted)").matches(item) == expected)
  }

  @Test func aProviderMayKnowBetterWhereWordsOccur() throws {
    let tree = try parsed("secret \"in the readme\" stars:8000")
    #expect(!tree.matches(Self.full))
    #expect(tree.matches(Self.full, occurs: { $0.text == "secret" || $0.isPhrase }))
    #expect(!tree.matches(Self.bare, occurs: { _ in true }))
  }

  @Test func qualifiersOfProvidersReadTheirField() throws {
    let vocabulary = QualifierVocabulary.common.adding([
      QualifierDefinition("points", .number, field: "points"),
      QualifierDefinition("tag", .text, field: "tags"),
    ])
    let tree = try QueryParser(vocabulary: vocabulary).parse("points:>10 tag:Swift").root
    var item = Self.bare
    #expect(!tree.matches(item, vocabulary: vocabulary))
    item.set("points", 11)
    item.set("tags", ["go", "swift"])
    #expect(tree.matches(item, vocabulary: vocabulary))
    #expect(!tree.matches(item))
    var request = SearchRequest(kind: item.kind, query: tree, pageSize: 1, deadline: .now)
    request.vocabulary = vocabulary
    #expect(request.matches(item))
    request.query = .not(tree)
    #expect(!request.matches(item))
    request.query = nil
    #expect(request.matches(item))
    for (points, holds) in [(10.5, true), (10, false)] {
      item["points"] = .fraction(points)
      #expect(tree.matches(item, vocabulary: vocabulary) == holds)
    }
    item["points"] = .text("11")
    #expect(!tree.matches(item, vocabulary: vocabulary))
  }
}
