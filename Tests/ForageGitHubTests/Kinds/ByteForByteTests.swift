import ForageCore
import TestSupport
import Testing

@testable import ForageGitHub

/// Whatever is searched for arrives at the server as it was meant, and alters nothing else.
@Suite struct ByteForByteTests {
  @Test func anyTextAndAnyValueOfAnyKind() async throws {
    var random = SeededGenerator(seed: propertySeed())
    let empty = #"{"total_count":0,"incomplete_results":false,"items":[]}"#
    try await withServer(answering: .json(body: empty)) { server in
      try await withProvider(at: server, token: "t0ken") { provider in
        for number in 0..<1000 {
          let kind = GitHubKind.all[number % GitHubKind.all.count]
          let word = QueryExpression.term(QueryTerm(Self.text(&random), isPhrase: true))
          let qualifier = Self.qualifier(of: kind, &random)
          let condition =
            random.chance(0.3) ? QueryExpression.not(.qualifier(qualifier)) : .qualifier(qualifier)
          let tree = QueryExpression.and([word, condition])
          _ = try await provider.search(
            SearchRequest(kind: kind.kind, query: tree, pageSize: 30, deadline: .now + .seconds(30)))
          let seen = try #require(server.requests.last)
          #expect(seen.path == "/search/" + kind.path && seen.fragmentless)
          #expect(seen.queryItems.map(\.name) == ["q", "per_page"] && seen.query("per_page") == "30")
          let sent = seen.query("q") ?? ""
          let expected = tree.text(in: GitHubQuery.notation)
          #expect(Array(sent.utf8) == Array(expected.utf8), "\(tree)")
          // What is read there is what was meant here.
          #expect(
            try QueryParser(vocabulary: gitHubVocabulary).parse(sent).root == Self.renamed(tree), "\(sent)")
          server.forgetRequests()
        }
      }
      #expect(server.connectionCount == 1)
    }
  }

  private static let fixed = [
    "a&page=9", "a#b", "C++", "100%", "%26", "x&q=y", "\u{0}a", "\r\nX: y", "日本語", "e\u{301}", "🚀", "/../",
    "say \"x\" \\", "a:b", "-a", "OR", "(a", "@me", "app/robot", "a,b", "*", ">5", "..", "+1",
  ]
  private static let ranges: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0...0x1F, 0x7F...0x7FF, 0x800...0xD7FF, 0x10000...0x10FFF,
  ]

  /// A text of any characters, at least one of which is visible.
  private static func text(_ random: inout SeededGenerator) -> String {
    if random.chance(0.2) { return random.pick(fixed) }
    var text = ""
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      if let scalar = Unicode.Scalar(UInt32.random(in: random.pick(ranges), using: &random)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "a"
  }

  /// A qualifier that the kind takes, with any value of its type.
  private static func qualifier(of kind: GitHubKind, _ random: inout SeededGenerator) -> Qualifier {
    // What is not applied exactly is not sent as it is.
    let names = kind.abilities.qualifiers.filter { $0.key != "props.*" && $0.value == .exact }.keys.sorted()
    let name = random.pick(names)
    let type = gitHubVocabulary.of(kind.kind)[name]?.type
    switch type?.value {
    case .number:
      let bound = Bounds<Int>.End(Int.random(in: 0...9999, using: &random), isInclusive: random.chance(0.5))
      return Qualifier(
        name,
        .number(
          random.chance(0.5) ? Bounds(lower: bound, upper: nil) : Bounds(lower: nil, upper: bound)))
    case .date:
      let point = random.pick(["2024-02-29", "2024-01-31T10:00:00+02:00"].compactMap { DatePoint($0) })
      return Qualifier(name, .date(.exactly(point)))
    case .flag: return Qualifier(name, .boolean(random.chance(0.5)))
    case .text where type?.isChoice == true: return Qualifier(name, .text(random.pick(type?.words ?? [])))
    case .text, .list, .fraction, nil:
      let value = text(&random)
      // The path of a clone is no repository of a server, and a pattern is no path of one: these are not
      // sent.
      let isSent = !Qualifier(name, .text(value)).isPathPattern
      return Qualifier(
        name, .text(name == "repo" && value.hasPrefix("/") ? "o" + value : isSent ? value : "o"))
    }
  }

  /// The tree with GitHub's name for an owner.
  private static func renamed(_ tree: QueryExpression) -> QueryExpression {
    switch tree {
    case .qualifier(var qualifier):
      if qualifier.name == "owner" { qualifier.name = "user" }
      return .qualifier(qualifier)
    case .not(let child): return .not(renamed(child))
    case .and(let children): return .and(children.map(renamed))
    case .or(let children): return .or(children.map(renamed))
    case .term: return tree
    }
  }
}

extension RecordedRequest {
  /// Whether nothing that separates parts of an address stands bare in the query.
  fileprivate var fragmentless: Bool { !target.contains("#") && target.count { $0 == "?" } == 1 }
}
