import ForageCore
import ForageLocal
import ForageStore
import Foundation
import TestSupport
import Testing

/// Commits of clones, against `git log` of the same histories.
struct CommitSearchTests {
  private static let words = ["fix", "Crash", "größe", "a_b", "fixes", "crash-proof", "x", "日本"]
  private static let authors = [
    "Kim Ö <kim@x.example>", "Ann B <ann@fix.example>", "kim two <two@y.example>",
  ]
  private static let files = ["main.c", "src/größe.c", "src/deep/b c.txt", "README"]

  /// A history with merges, several authors, times that go back, and files that grow and shrink.
  private func history(_ random: inout SeededGenerator) -> String {
    var lines: [String] = []
    var date = 1_600_000_000
    let count = Int.random(in: 8...60, using: &random)
    for mark in 1...count {
      date += Int.random(in: -2_000...9_000, using: &random)
      lines += ["commit refs/heads/\(random.chance(0.2) ? "other" : "main")", "mark :\(mark)"]
      lines.append(
        "author \(random.pick(Self.authors)) \(date - Int.random(in: 0...90_000, using: &random)) +0100")
      lines.append("committer \(random.pick(Self.authors)) \(date) +0000")
      let message = (0..<Int.random(in: 1...6, using: &random)).map { _ in random.pick(Self.words) }
        .joined(separator: random.pick([" ", "\n", ", ", "."]))
      lines += ["data \(message.utf8.count)", message]
      if mark > 1 {
        lines.append("from :\(mark - 1)")
        if mark > 3, random.chance(0.2) {
          lines.append("merge :\(Int.random(in: 1..<(mark - 1), using: &random))")
        }
      }
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let file = random.pick(Self.files)
        if mark > 1, random.chance(0.15) {
          lines.append("D \"\(file)\"")
          continue
        }
        let text = (0..<Int.random(in: 0...5, using: &random)).map { _ in
          random.pick(["Needle 1", "needle", "hay", "x\"y"]) + "\n"
        }
        .joined()
        lines += ["M 100644 inline \"\(file)\"", "data \(text.utf8.count)", text]
      }
      lines.append("")
    }
    lines += ["reset refs/tags/v1", "from :\(count / 2 + 1)", ""]
    return lines.joined(separator: "\n") + "\n"
  }

  /// A query, with the arguments of `git log` that mean the same.
  private static let queries: [(query: String, arguments: [String])] = wordQueries + otherQueries
  private static let wordQueries: [(query: String, arguments: [String])] = words.map { word in
    ("\"\(word)\"", ["-i", "-P", "--grep=(*UCP)(?<![\\w])\(word)(?![\\w])"])
  }
  private static let otherQueries: [(query: String, arguments: [String])] = [
    ("author:kim", ["-i", "--author=kim"]), ("author:FIX.example", ["-i", "--author=fix.example"]),
    ("committer:ann", ["-i", "--committer=ann"]), ("merge:true", ["--merges"]),
    ("merge:false", ["--no-merges"]),
    ("committer-date:>=2020-09-14", ["--since=2020-09-14T00:00:00Z"]),
    ("path:main.c", ["--full-history", "--no-merges", "--", "main.c"]),
    ("path:src", ["--full-history", "--no-merges", "--", "src"]),
    ("path:src/", ["--full-history", "--no-merges", "--", "src"]),
    ("path:*.c", ["--full-history", "--no-merges", "--", "*.c"]),
    ("path:nowhere", ["--full-history", "--no-merges", "--", "nowhere"]),
    ("(added:\"needle 1\" OR removed:\"needle 1\")", ["-i", "--no-merges", "-Gneedle 1"]),
    ("(added:needle OR removed:needle) case:yes", ["--no-merges", "-Gneedle"]),
    ("(added:\"x\\\"y\" OR removed:\"x\\\"y\")", ["--no-merges", "-Gx\"y"]),
    ("ref:v1", ["v1"]),
    (
      "ref:other crash author:kim",
      ["other", "-i", "-P", "--grep=(?<![\\w])crash(?![\\w])", "--author=kim", "--all-match"]
    ),
    ("ref:*", ["--branches", "--remotes"]),
  ]

  @Test func likeGitLog() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<12 {
      let workshop = try Workshop()
      let repository = try await workshop.clone("o", ["--bare"])
      try await repository.fastImport(history(&random))
      _ = try await workshop.scan()
      let provider = LocalProvider { workshop.store }
      let branches = try await repository.git("branch --format=%(refname:short)").split(separator: "\n")
      for (query, arguments) in Self.queries where branches.contains("other") || !query.contains("ref:other")
      {
        let expected = try await repository.git(
          ["log", "--format=%H"]
            + (arguments.contains { $0 == "v1" || $0 == "other" || $0 == "--branches" } ? [] : ["HEAD"])
            + arguments
        )
        .split(separator: "\n").map(String.init)
        let found = try await all(query, provider)
        #expect(
          Set(found) == Set(expected) && found.count == expected.count,
          "seed \(seed), round \(round): \(query) found \(found.count), git \(expected.count)")
        if !query.contains("path") {
          #expect(Set(found.prefix(1)) == Set(expected.prefix(1)), "seed \(seed): \(query)")
        }
      }
    }
  }

  /// A file that moves adds and removes no line; letters beyond ASCII are found as they are written.
  @Test func linesOfMovedFiles() async throws {
    let workshop = try Workshop()
    let repository = try await workshop.clone("o")
    try repository.write("a.txt", "needle\nÉcole\n")
    try await repository.commit("first")
    try await repository.git("mv a.txt b.txt")
    try await repository.commit("moves")
    _ = try await workshop.scan()
    let provider = LocalProvider { workshop.store }
    for (query, count) in [
      ("added:needle", 1), ("removed:needle", 0), ("added:\"École\"", 1), ("added:NEEDLE", 1),
      ("added:NEEDLE case:smart", 0), ("added:needle case:smart", 1), ("added:NEEDLE case:yes", 0),
    ] {
      #expect(try await all(query, provider).count == count, "\(query)")
    }
  }

  /// The ids of all results, page by page.
  private func all(_ query: String, _ provider: LocalProvider) async throws -> [String] {
    let vocabulary = QualifierVocabulary.common.adding(provider.info.vocabulary)
    let parsed = try QueryParser(vocabulary: vocabulary).parse(query)
    var (ids, cursor) = ([String](), String?.none)
    repeat {
      let request = SearchRequest(
        kind: .commit, query: parsed.root, pageSize: 7, cursor: cursor, deadline: .now + .seconds(120))
      let page = try await provider.search(request)
      #expect(page.notes.isEmpty, "\(page.notes)")
      ids += page.items.compactMap { $0[.sha]?.text }
      cursor = page.next
    } while cursor != nil
    return ids
  }

  /// The fields that GitHub's commits have, and an id that makes both one result.
  @Test func fields() async throws {
    let workshop = try Workshop()
    let repository = try await workshop.clone("o", origin: "git@github.com:Owner/Name.git")
    let commit = try await repository.commit("Subject line\n\nBody", author: "Ann <ann@x>")
    try await repository.git("update-ref refs/remotes/origin/main HEAD")
    _ = try await workshop.scan()
    let provider = LocalProvider { workshop.store }
    let request = SearchRequest(
      kind: .commit, query: try QueryParser(vocabulary: .common).parse("body repo:owner/name").root,
      pageSize: 5,
      deadline: .now + .seconds(60))
    let page = try await provider.search(request)
    let item = try #require(page.items.first)
    #expect(page.items.count == 1 && page.total == ResultTotal(1))
    #expect(item.id == "github.com/owner/name@\(commit)" && item.title == "Subject line")
    #expect(item.url == "https://github.com/Owner/Name/commit/\(commit)")
    #expect(
      item[.author]?.text == "Ann" && item[.committer]?.text == "C O Mitter"
        && item[.parents]?.texts.count == 1)
    // What is not pushed has no page; a ref that no clone has is told.
    try await repository.commit("body again")
    _ = try await workshop.scan()
    #expect(try await provider.search(request).items.map(\.url) == [nil, nil])
    var unknown = request
    unknown.query = .qualifier(Qualifier("ref", .text("nowhere")))
    await #expect(throws: SearchError.self) { try await provider.search(unknown) }
    // In no time nothing is found, and that is said.
    var late = request
    late.deadline = .now
    let nothing = try await provider.search(late)
    #expect(nothing.items.isEmpty && nothing.notes.first?.code == "history_not_read")
  }

  /// Whoever asks is who git makes commits as in that clone: by address or by name, whole and without case.
  @Test func ofMe() async throws {
    let workshop = try Workshop()
    let repository = try await workshop.clone("o", origin: "git@github.com:owner/name.git")
    try await repository.git("config user.email kim@x.example")
    try await repository.git(["config", "user.name", "Kim Ö"])
    var mine: Set<String> = []
    for author in [
      "Kim <KIM@X.example>", "kim ö <other@y.example>", "Kim Öz <kim@x.example.org>", "@me <@me>",
    ] {
      let commit = try await repository.commit("by " + author, author: author)
      if mine.count < 2 { mine.insert(commit) }
    }
    _ = try await workshop.scan()
    let provider = LocalProvider { workshop.store }
    func found(_ query: String) async throws -> Set<String> {
      let request = SearchRequest(
        kind: .commit, query: try QueryParser(vocabulary: .common).parse(query).root, pageSize: 5,
        deadline: .now + .seconds(60))
      return Set(try await provider.search(request).items.compactMap { $0[.sha]?.text })
    }
    #expect(try await found("author:@me") == mine)
    #expect(try await found("-author:@me by").isDisjoint(with: mine))
    #expect(try await found("committer:@me").isEmpty)
  }
}
