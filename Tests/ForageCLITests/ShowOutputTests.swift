import Forage
import ForageCore
import ForagePlatform
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageCLI

/// `show` to exact bytes: everything of a repository, other kinds, what is missing, and pages in the browser.
struct ShowOutputTests {
  private static let known = FakeRepository(
    id: 1, fullName: "Acme/Tool", description: "Finds things", language: "Swift", topics: ["search", "cli"],
    stars: 8149
  ).with {
    $0.forks = 650
    $0.openIssues = 12
    $0.subscribers = 200
    $0.license = "MIT"
    $0.archived = true
    $0.isTemplate = true
    $0.homepage = "https://tool.example"
    $0.pushedAt = Date(timeIntervalSince1970: 1_767_225_600 - 3 * 3600)
    $0.facts.languages = ["Swift": 951, "C": 40, "Shell": 9]
    $0.facts.contributors = .people([.init(login: "kana", commits: 1234), .init(login: "bao", commits: 20)])
    $0.facts.release = .init(
      tag: "v1.2.0", name: "Better", publishedAt: Date(timeIntervalSince1970: 1_767_225_600 - 40 * 86_400))
    $0.facts.setReadme(
      """
      <p align="center"><img src="logo.png"></p>

      # Tool
      [![CI](https://ci.example/b.svg)](https://ci.example) ![x](y)

      <!-- nothing to see -->
      Finds **things** in [many places](https://x.example), fast.

      ## Use
      ```sh
      tool find
      ```
      - one
      - two
      """)
  }

  private static func service(_ change: (inout FakeRepository) -> Void = { _ in }) -> FakeGitHub {
    var repository = known
    change(&repository)
    return FakeGitHub(repositories: [repository]) { options in
      var issue = FakeIssue(repository: "Acme/Tool", number: 7, title: "It breaks")
      issue.body = "It **breaks**.\n\n- often"
      issue.author = "kana"
      issue.labels = ["bug", "help wanted"]
      issue.comments = 3
      issue.createdAt = Capture.now.addingTimeInterval(-7200)
      issue.updatedAt = Capture.now.addingTimeInterval(-3600)
      options.issues = [issue]
      options.commits = [
        FakeCommit(
          repository: "Acme/Tool", sha: "0123456789abcdef0123456789abcdef01234567",
          message: "Mend it\n\nIt was\n\tbroken.\n",
          author: .init(login: "kana", name: "Kana", date: Capture.now.addingTimeInterval(-7200)))
      ]
      options.files = [
        FakeFile(repository: "Acme/Tool", path: "a.swift", content: "let a = 1\n\n\tlet b = 2\n")
      ]
      var account = FakeAccount(login: "Kana")
      account.name = "Kana Y."
      account.followers = 1200
      account.repositories = 3
      options.users = [account]
    }
  }

  private func run(
    _ arguments: [String], _ github: FakeGitHub = service(), columns: Int? = 60, color: Bool = false,
    adding: [String: String] = [:]
  ) async throws -> (outcome: Outcome, requests: Int) {
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let outcome = await forage(
          ["show", "--timeout", "50"] + arguments, in: variables(home, server.baseURL, adding: adding),
          columns: columns,
          color: color)
        return (outcome, server.requests.count)
      }
    }
  }

  /// The failure of the only provider is reported once.
  @Test func aForgeThatFails() async throws {
    let github = Self.service()
    github.fail(.serverError)
    let (outcome, _) = try await run(["acme/tool"], github, columns: nil)
    #expect(outcome.status == .failed && outcome.out == "")
    let lines = outcome.err.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("forage: github: "), "\(outcome.err)")
  }

  /// Comments that cannot be read are a missing part, as a readme is.
  @Test func commentsThatCannotBeRead() async throws {
    func failing() -> FakeGitHub {
      let github = Self.service()
      // The issue itself is there.
      github.fail(.serverError, path: "/repos", skip: 1)
      return github
    }
    let arguments = ["acme/tool#7", "--comments", "2", "--format", "json"]
    let (named, requests) = try await run(arguments + ["-p", "github"], failing())
    #expect(named.status == .partial && named.err.contains("github: comments: "), "\(named)")
    for part in [
      #""state":"partial""#, #""notes":[{"section":"recentComments""#, #""requests":\#(requests),"#,
    ] {
      let document = named.out.filter { !$0.isWhitespace }
      #expect(document.contains(part), "\(part): \(document)")
    }
    #expect(try await run(arguments, failing()).outcome.status == .success)
  }

  /// An option that has no effect is not ignored silently.
  @Test(arguments: [("acme/tool", "2", true), ("acme/tool", "0", false), ("acme/tool#7", "2", false)])
  func commentsOfSomethingElse(_ reference: String, _ count: String, _ isWarned: Bool) async throws {
    let outcome = try await run([reference, "--comments", count]).outcome
    #expect(outcome.status == .success)
    #expect(outcome.err.contains("--comments is ignored") == isWarned, "\(outcome.err)")
  }

  @Test func repository() async throws {
    let (outcome, requests) = try await run(["acme/tool"])
    #expect(outcome.status == .success && outcome.err == "" && requests == 5)
    #expect(
      outcome.out == """
        Acme/Tool
          About         Finds things
          Address       https://github.com/Acme/Tool
          Homepage      https://tool.example
          Kind          archived, template
          Counts        8.1k stars, 200 watching, 650 forks, 12 open
                        issues, 650 repositories in the fork network
          Languages     Swift 95.1 %, C 4.0 %, Shell 0.9 %
          Topics        search, cli
          License       MIT
          Release       v1.2.0 (Better), 1mo ago (2025-11-22)
          Contributors  kana (1.2k), bao (20)
          Branch        main
          Created       8y ago (2017-07-14)
          Updated       2y ago (2023-11-14)
          Pushed        3h ago (2025-12-31)
          Size          102 kB

          Tool

          x

          Finds things in many places, fast.

          Use

              tool find

          - one
          - two

        """)
    let colored = try await run(["acme/tool"], color: true).outcome
    #expect(colored.out.contains("\n  \u{1B}[1mUse\u{1B}[0m\n"))
  }

  /// In a pipe the page is for people: 80 columns whatever the terminal, no colour, dates and exact counts.
  @Test func aPageInAPipe() async throws {
    let (outcome, _) = try await run(["acme/tool"], columns: nil, adding: ["COLUMNS": "200"])
    #expect(outcome.status == .success && outcome.err == "")
    #expect(
      outcome.out == """
        Acme/Tool
          About         Finds things
          Address       https://github.com/Acme/Tool
          Homepage      https://tool.example
          Kind          archived, template
          Counts        8,149 stars, 200 watching, 650 forks, 12 open issues, 650
                        repositories in the fork network
          Languages     Swift 95.1 %, C 4.0 %, Shell 0.9 %
          Topics        search, cli
          License       MIT
          Release       v1.2.0 (Better), 2025-11-22
          Contributors  kana (1,234), bao (20)
          Branch        main
          Created       2017-07-14
          Updated       2023-11-14
          Pushed        2025-12-31
          Size          102 kB

          Tool

          x

          Finds things in many places, fast.

          Use

              tool find

          - one
          - two

        """)
    #expect(try await run(["acme/tool", "--format", "auto"], columns: nil).outcome.out == outcome.out)
  }

  @Test func wideTerminals() async throws {
    let wide = try await run(["acme/tool"], columns: 200).outcome
    // No line is so wide that it is hard to read.
    #expect(wide.out.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 100 })
    #expect(
      wide.out.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "Counts 8.1k stars, 200 watching, 650 forks, 12 open issues, 650 repositories in the fork network "))
    #expect(wide.out.contains("  Pushed        3h ago (2025-12-31)\n"))
  }

  /// Keys and values: a row for each item of a list.
  @Test func tsv() async throws {
    let (outcome, _) = try await run(["acme/tool", "--format", "tsv"])
    let rows = outcome.out.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    for row in [
      ["schema", "1"], ["item.id", "github.com/acme/tool"], ["item.topics", "search"],
      ["item.topics", "cli"],
      ["item.languages", "Swift", "951", "0.951"], ["item.contributors", "kana", "1234", ""],
      ["item.latestRelease.tag", "v1.2.0"], ["item.stars", "8149"],
      ["item.pushedAt", "2025-12-31T21:00:00Z"], ["providers", "github", "repo", "ok", "1"],
    ] {
      #expect(rows.contains(row), "\(row)")
    }
    #expect(rows.allSatisfy { $0.count > 1 && !$0[0].contains(where: \.isNumber) })
  }

  /// Nothing of a long readme, issue or file is left out, on a terminal and in a pipe.
  @Test(arguments: [60, nil]) func longTexts(_ columns: Int?) async throws {
    let lines = (1...600).map { "Line \($0)." }
    let github = Self.service { $0.facts.setReadme(lines.joined(separator: "\n\n")) }
    let readme = try await run(["acme/tool"], github, columns: columns).outcome
    #expect(readme.out.hasSuffix(lines.map { "\n\n  " + $0 }.joined() + "\n"))
    let file = "https://github.com/acme/tool/blob/main/long.txt"
    let texts = FakeGitHub(repositories: [Self.known]) { options in
      var issue = FakeIssue(repository: "Acme/Tool", number: 8, title: "Long")
      issue.body = lines.joined(separator: "\n\n")
      options.issues = [issue]
      options.files = [
        FakeFile(
          repository: "Acme/Tool", path: "long.txt",
          content: (lines + [String(repeating: "x", count: 200)]).joined(separator: "\n"))
      ]
    }
    let issue = try await run(["acme/tool#8"], texts, columns: columns).outcome
    #expect(issue.out.hasSuffix(lines.map { "\n\n  " + $0 }.joined() + "\n"))
    let shown = try await run([file], texts, columns: columns).outcome
    #expect(shown.out.contains(lines.map { "\n  " + $0 }.joined()))
    #expect(shown.out.count { $0 == "x" } >= 200)
    #expect(shown.out.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= columns ?? 80 })
  }

  /// A page that is longer than the terminal goes through the pager.
  @Test func aLongPageIsPaged() async throws {
    let paged = Mutex<[String]>([])
    let github = Self.service {
      $0.facts.setReadme((1...100).map { "Line \($0)." }.joined(separator: "\n\n"))
    }
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let capture = Capture()
        let process = ProcessEnvironment(
          environment: variables(home, server.baseURL), output: capture.output(columns: 80),
          terminalPrograms: TerminalProgram { words, input, _ in
            paged.withLock { $0 = words + [input ?? ""] }
            return .ended(isSuccess: true)
          }, input: Input(isTerminal: true) { nil })
        let status = await Entry.run(["show", "acme/tool", "--timeout", "50"], in: process)
        #expect(status == .success && capture.results == "")
      }
    }
    let seen = paged.withLock { $0 }
    #expect(seen.first == "less" && seen.last?.hasPrefix("Acme/Tool\n") == true)
    #expect(seen.last?.hasSuffix("  Line 100.\n") == true)
  }

  @Test func json() async throws {
    let (outcome, _) = try await run(["acme/tool", "--format", "json"], columns: nil)
    #expect(
      outcome.out.contains(
        #""languages":[{"name":"Swift","bytes":951,"share":0.951},{"name":"C","bytes":40,"share":0.04},"#))
    #expect(
      outcome.out.contains(
        #""latestRelease":{"tag":"v1.2.0","name":"Better","publishedAt":"2025-11-22T00:00:00Z"}"#))
    #expect(
      outcome.out.contains(#""contributors":[{"login":"kana","commits":1234},{"login":"bao","commits":20}]"#))
    #expect(outcome.out.contains(#""readme":"<p align=\"center\">"#))
    #expect(outcome.out.contains(#""subscribers":200,"network":650"#))
    #expect(outcome.out.contains(#""requests":5"#) && !outcome.out.contains("\"notes\""))
  }

  @Test func markdown() async throws {
    let (outcome, _) = try await run(["acme/tool", "--format", "markdown"], columns: nil)
    #expect(
      outcome.out.hasPrefix("## Acme/Tool\n\n- **About:** Finds things\n- **Address:** [https://github.com/"))
    #expect(outcome.out.contains("\n> Tool  \n>\n> x  \n>\n> Finds things in many places, fast.  \n"))
    // What is read later has dates.
    #expect(outcome.out.contains("- **Pushed:** 2025-12-31\n") && !outcome.out.contains(" ago"))
  }

  /// A part that fails is named; the rest is shown. A provider that was named makes it status 3.
  @Test func partsThatAreMissing() async throws {
    let github = Self.service()
    github.fail(.permission, path: "/repos/acme/tool/languages")
    github.fail(.notFound, path: "/repos/acme/tool/readme")
    let (outcome, _) = try await run(["acme/tool"], github)
    #expect(outcome.status == .success)
    #expect(outcome.out.contains("  Language      Swift\n") && outcome.out.contains("  Release       v1.2.0"))
    let lines = outcome.err.split(separator: "\n")
    #expect(
      lines.count == 2 && lines[0].hasPrefix("forage: github: languages: ") && lines[1].hasPrefix("hint: "))
    let named = try await run(["acme/tool", "-p", "github", "--format", "json"], github, columns: nil).outcome
    #expect(named.status == .partial)
    #expect(named.out.contains(#""notes":[{"section":"languages","message":""#))
    #expect(named.out.contains(#""state":"partial""#))
    let large = Self.service { $0.facts.contributors = .tooLarge }
    let told = try await run(["acme/tool", "-p", "github"], large).outcome
    #expect(told.status == .success && told.err.contains("github: contributors: "))
  }

  @Test func issue() async throws {
    for reference in ["acme/tool#7", "https://github.com/Acme/Tool/issues/7"] {
      let (outcome, requests) = try await run([reference])
      #expect(requests == 1 && outcome.err == "")
      #expect(
        outcome.out == """
          Acme/Tool#7  It breaks
            State     open
            Kind      issue
            Author    kana
            Labels    bug, help wanted
            Comments  3
            Created   2h ago (2025-12-31)
            Updated   1h ago (2025-12-31)
            Address   https://github.com/Acme/Tool/issues/7

            It breaks.

            - often

          """)
    }
  }

  /// The time of a comment has the form of the other times of the page.
  @Test(arguments: [(60, "— bao, 3h ago (2025-12-31)"), (nil, "— bao, 2025-12-31")] as [(Int?, String)])
  func comments(_ columns: Int?, _ expected: String) throws {
    var issue = SearchResult(id: "github.com/acme/tool/issues/7", kind: .issue, title: "It breaks")
    issue["recentComments"] = .items([
      .record([
        "author": .text("bao"), "createdAt": .date(Capture.now.addingTimeInterval(-10_800)),
        "text": .text("Here, too."),
      ])
    ])
    let capture = Capture()
    let output = capture.output(columns: columns)
    try ShowRendering(EntityRecord(item: issue), bareHost: "github.com")
      .write(.table, to: output, PageStyle(output, [:]))
    #expect(capture.results.hasSuffix("\n  \(expected)\n  Here, too.\n"))
  }

  /// The name of a repository that would mean another one without its host is written as lists write it.
  @Test func hostsBeforeNames() throws {
    let id = "git.acme.example/team/größe"
    var code = SearchResult(id: id + "/blob/main/a.c", kind: .code, title: "a.c")
    code.set(.repository, id)
    code.set(.path, "a.c")
    var issue = SearchResult(id: id + "#7", kind: .issue, title: "It breaks")
    issue.set(.repository, id)
    issue.set(.number, 7)
    var commit = SearchResult(id: id + "@0123456789", kind: .commit, title: "Add it")
    commit.set(.repository, id)
    let repository = SearchResult(id: id, kind: .repo, title: "team/größe")
    for item in [code, issue, commit, repository] {
      for (bareHost, host) in [("github.com", "git.acme.example/"), ("git.acme.example", "")] {
        let capture = Capture()
        let output = capture.output(columns: 80)
        try ShowRendering(EntityRecord(item: item), bareHost: bareHost)
          .write(.table, to: output, PageStyle(output, [:]))
        let names = capture.results.split(whereSeparator: { " \n".contains($0) })
          .filter { $0.contains("team/größe") }
        let end = item.kind == .issue ? "#7" : ""
        #expect(names == ["\(host)team/größe\(end)"], "\(item.kind): \(capture.results)")
      }
    }
  }

  /// The lines of the pages of kinds that only some providers have, and nothing for what is unknown.
  @Test(
    arguments: [
      (
        .story,
        [
          .description: .text("About größe"), .author: .text("ada"), "points": .number(1234),
          .comments: .number(7), .createdAt: .date(day), .updatedAt: .date(day),
          "discussionUrl": .text("https://news.example/item?id=1"),
        ],
        [
          "About: About größe", "Author: ada", "Points: 1,234", "Comments: 7", "Created: 2025-12-31",
          "Updated: 2025-12-31", "Discussion: https://news.example/item?id=1",
        ]
      ),
      (
        .question,
        [
          .author: .text("ada"), "answers": .number(0), "accepted": .flag(false), "score": .number(3),
          "views": .number(12), "tags": .list(["swift", "größe"]), .updatedAt: .date(day),
        ],
        [
          "Author: ada", "Answers: 0", "Accepted: no", "Score: 3", "Views: 12", "Tags: swift, größe",
          "Updated: 2025-12-31",
        ]
      ),
      (
        .package,
        [
          .description: .text("Parses"), "version": .text("1.2.0-rc.1"), "registry": .text("crates.io"),
          .license: .text("MIT"), "downloads": .number(10), "recentDownloads": .number(2),
          "keywords": .list(["a", "b"]), .homepage: .text("https://a.example"),
          "documentation": .text("https://d.example"), "publishedAt": .date(day),
        ],
        [
          "About: Parses", "Version: 1.2.0-rc.1", "Registry: crates.io", "License: MIT", "Downloads: 10",
          "Recent downloads: 2", "Keywords: a, b", "Homepage: https://a.example",
          "Documentation: https://d.example", "Published: 2025-12-31",
        ]
      ),
      (
        .notification,
        [
          .repository: .text("git.acme.example/team/größe"), .reason: .text("review_requested"),
          .subject: .record(["kind": .text("pr")]), .unread: .flag(true), .updatedAt: .date(day),
        ],
        [
          "Repository: git.acme.example/team/größe", "Kind: pr", "Reason: review requested", "Unread: yes",
          "Updated: 2025-12-31",
        ]
      ),
    ] as [(ResultKind, [ResultField: FieldValue], [String])])
  func pages(_ kind: ResultKind, _ fields: [ResultField: FieldValue], _ lines: [String]) throws {
    let address = "https://a.example/1"
    let item = SearchResult(id: "x:1", kind: kind, title: "Größe\u{1B}[31m", url: address, fields: fields)
    let capture = Capture()
    let output = capture.output(columns: nil)
    try ShowRendering(EntityRecord(item: item), bareHost: "github.com")
      .write(.table, to: output, PageStyle(output, [:]))
    let shown = capture.results.split(separator: "\n").compactMap {
      $0.wholeMatch(of: /\ \ (\S+(?:\ \S+)*)\ \ +(.+)/).map { "\($0.output.1): \($0.output.2)" }
    }
    #expect(shown == lines + ["Address: " + address], "\(capture.results)")
    #expect(
      capture.results.split(separator: "\n").first?.contains("Größe") == true
        && !capture.results.contains("\u{1B}"))
  }

  private static let day = Capture.now.addingTimeInterval(-10_800)

  /// A file of the last list is shown whole, and the line in which something was found is named.
  @Test func theLineOfAFile() throws {
    var file = SearchResult(id: "local:größe", kind: .code, title: "größe")
    file.set("line", 9)
    file[.fragments] = .items([
      .record(["line": .number(8), "text": .text("func a() {\n\tb()\n\n}\n")])
    ])
    let capture = Capture()
    let output = capture.output(columns: 60)
    try ShowRendering(EntityRecord(item: file), bareHost: "github.com")
      .write(.table, to: output, PageStyle(output, [:]))
    #expect(capture.results.contains("  Found in line  9\n"), "\(capture.results)")
    #expect(
      capture.results.hasSuffix("   8  func a() {\n   9:     b()\n  10\n  11  }\n"), "\(capture.results)")
  }

  /// Of a long file the lines around the first match are shown, and which lines they are.
  @Test(arguments: [(1, 1, 31), (11, 1, 41), (60, 50, 90), (95, 85, 100), (100, 90, 100)])
  func theLinesAroundAMatch(_ line: Int, _ first: Int, _ last: Int) throws {
    var file = SearchResult(id: "local:größe", kind: .code, title: "größe")
    file.set("line", line)
    let text = (1...100).map { "line \($0)\n" }.joined()
    file[.fragments] = .items([.record(["line": .number(1), "text": .text(text)])])
    let capture = Capture()
    let output = capture.output(columns: 60)
    try ShowRendering(EntityRecord(item: file), bareHost: "github.com")
      .write(.table, to: output, PageStyle(output, [:]))
    let lines = capture.results.split(separator: "\n").map(String.init)
    #expect(lines.contains("  Lines          \(first) to \(last) of 100"), "\(capture.results)")
    let shown = lines.compactMap { $0.wholeMatch(of: /\ +([0-9]+)(:| ) line ([0-9]+)/)?.output }
    #expect(shown.map { String($0.1) } == (first...last).map(String.init))
    #expect(shown.filter { $0.2 == ":" }.map { String($0.1) } == [String(line)])
    var whole = ShowRendering(EntityRecord(item: file), bareHost: "github.com")
    whole.hasWholeFile = true
    let all = Capture()
    try whole.write(.table, to: all.output(columns: 60), PageStyle(output, [:]))
    #expect(all.results.contains("    1  line 1\n") || line == 1)
    #expect(all.results.contains(" line 100\n") && !all.results.contains("  Lines "))
    // What follows the place that is shown first.
    let found = whole.foundLines(width: 60)
    #expect(found.map(\.number.value) == [line] && found.map(\.rows) == [101 - line])
  }

  /// A file is read from the disk; the matches are marked where the line is still the same.
  @Test func matchesInAFile() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("größe", "ä needle\r\nneedle\n\tneedle needle\nneedle cut\n").path
    var result = SearchResult(id: path, kind: .code, title: "größe")
    result.set(.file, path)
    result.set(.path, "größe")
    func match(_ line: Int, _ text: String, _ ranges: [(Int, Int)]) -> FieldValue {
      .record([
        "line": .number(line), "text": .text(text),
        "ranges": .items(ranges.map { .items([.number($0.0), .number($0.1)]) }),
      ])
    }
    result[.matches] = .items([
      match(1, "ä needle", [(2, 8)]), match(2, "needle that was", [(0, 6)]),
      match(3, "\tneedle needle", [(1, 7), (8, 14), (8, 15), (-1, 3)]), match(9, "needle", [(0, 6)]),
    ])
    let file = try #require(ResolvedReference(text: "1", result: result).file)
    #expect(
      file[.fragments]?.elements.first?["matches"]
        == .items([(2, 8), (18, 24), (25, 31)].map { .items([.number($0.0), .number($0.1)]) }))
    let capture = Capture()
    let output = capture.output(columns: 60, color: true)
    try ShowRendering(EntityRecord(item: file), bareHost: "github.com")
      .write(.table, to: output, PageStyle(output, [:]))
    let found = "\u{1B}[31;1mneedle\u{1B}[0m"
    #expect(
      capture.results.hasSuffix(
        "  \u{1B}[31;1m1:\u{1B}[0m ä \(found)\n  2  needle\n  \u{1B}[31;1m3:\u{1B}[0m     \(found) \(found)\n  4  needle cut\n"
      ),
      "\(capture.results.debugDescription)")
    // A narrow page breaks the third line.
    let places = ShowRendering(EntityRecord(item: file), bareHost: "github.com").foundLines(width: 16)
    #expect(places.map(\.number) == [1, 3] && places.map(\.rows) == [5, 3])
  }

  @Test func commitFileAndAccount() async throws {
    #expect(
      try await run(["acme/tool@0123456"]).outcome.out == """
        Mend it
          Commit      0123456789abcdef0123456789abcdef01234567
          Repository  Acme/Tool
          Author      kana (Kana)
          Written     2h ago (2025-12-31)
          Changes     12 added, 3 removed
          Address
            https://github.com/Acme/Tool/commit/0123456789abcdef0123456789abcdef01234567

          It was
              broken.

        """)
    #expect(
      try await run(["https://github.com/acme/tool/blob/main/a.swift"]).outcome.out == """
        a.swift
          Repository  Acme/Tool
          At          main
          Size        22 B
          Address     https://github.com/Acme/Tool/blob/main/a.swift

          let a = 1

              let b = 2

        """)
    #expect(
      try await run(["@kana"]).outcome.out == """
        Kana
          Name     Kana Y.
          Type     user
          Counts   3 repositories, 1.2k followers, 3 followed
          Created  14y ago (2011-03-13)
          Address  https://github.com/Kana

        """)
  }

  @Test func whatIsNotThere() async throws {
    for reference in ["acme/tool#9", "@nobody", "acme/tool@fedcba9"] {
      let (outcome, _) = try await run([reference])
      #expect(outcome.status == .nothingFound && outcome.out == "", "\(reference)")
      #expect(outcome.err.contains("does not exist"), "\(reference)")
      #expect(outcome.err.contains("private") == (reference != "@nobody"), "\(outcome.err)")
    }
    let (odd, requests) = try await run(["??"])
    #expect(odd.status == .usage && requests == 0)
    #expect(odd.err.hasPrefix("forage: \"??\" ") && odd.err.contains("\nhint: "))
  }

  /// A readme that tries to drive the terminal, forge facts and reverse the reading direction.
  @Test(arguments: ["table", "tsv", "json", "markdown"])
  func hostileReadme(_ format: String) async throws {
    let payload =
      "\u{1B}[2J\u{1B}]0;t\u{7}\u{9B}31m\u{202E}gnp\u{2066}\u{8}&#27;[31m\r  License       Mine\u{0B}\u{2028}x"
    let github = Self.service {
      $0.facts.setReadme(
        "# \(payload)\n\n[\(payload)](\(payload)) `\(payload)`\n\n    \(payload)\n\n- \(payload)\n")
      $0.facts.release = .init(tag: payload, name: payload, publishedAt: Capture.now)
      $0.facts.contributors = .people([.init(name: payload, commits: 1)])
      $0.facts.languages = [payload: 1]
    }
    let (outcome, _) = try await run(["acme/tool", "--format", format], github, columns: 80)
    #expect(outcome.status == .success)
    let bad = outcome.out.unicodeScalars.filter {
      switch $0.value {
      case 9, 10: false
      case 0..<32, 127...159, 0x61C, 0x200E, 0x200F, 0x2028, 0x202A...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    #expect(bad.isEmpty, "\(Set(bad.map { String($0.value, radix: 16) }))")
    if format == "table" {
      #expect(outcome.out.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 80 })
      #expect(!outcome.out.contains("\n  License       Mine"))
    }
  }

  /// The page is opened without a request; where there is no browser its address is the result.
  @Test func inTheBrowser() async throws {
    try await withIsolatedHome { home in
      let script = home.directory.path("browser")
      let opened = home.directory.path("opened")
      try "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \(opened)\n".write(
        toFile: script, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
      let environment = variables(home, adding: ["BROWSER": "\(script) --new"])
      for (reference, page) in [
        ("acme/tool", "acme/tool"), ("acme/tool#7", "acme/tool/issues/7"), ("@kana", "kana"),
      ] {
        let outcome = await forage(["show", reference, "-w"], in: environment)
        #expect(outcome.status == .success && outcome.out == "")
        #expect(outcome.err == "forage: opened https://github.com/\(page)\n")
      }
      let seen = try String(contentsOfFile: opened, encoding: .utf8)
      #expect(
        seen
          == ["acme/tool", "acme/tool/issues/7", "kana"].map { "--new\nhttps://github.com/\($0)\n" }.joined())
      let none = await forage(["show", "acme/tool", "--web"], in: variables(home))
      #expect(none.status == .success && none.out == "https://github.com/acme/tool\n")
      #expect(none.err.contains("no browser") && none.err.contains("\nhint: "))
    }
  }

  @Test func theQueryInTheBrowser() async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        let environment = variables(home, server.baseURL)
        for (query, page) in [
          (
            ["http client", "language:swift", "--sort", "stars"],
            "q=http%20client%20language%3Aswift&type=repositories&s=stars&o=desc"
          ),
          (
            ["\"größer als\"", "--owner", "kana"],
            "q=%22gr%C3%B6%C3%9Fer%20als%22%20user%3Akana&type=repositories"
          ),
          (
            ["crash", "-k", "issue", "--sort", "created", "--order", "asc"],
            "q=crash&type=issues&s=created&o=asc"
          ),
          (["crash", "-k", "pr"], "q=crash%20is%3Apr&type=pullrequests"),
          (["crash", "-k", "code"], "q=crash&type=code"),
        ] {
          let outcome = await forage(["search"] + query + ["-p", "github", "-w"], in: environment)
          #expect(outcome.status == .success && outcome.err.contains("no browser"))
          #expect(outcome.out == "https://github.com/search?\(page)\n")
        }
        #expect(server.requests.isEmpty)
        let clash = await forage(["search", "http", "--web", "--json", "id"], in: environment)
        #expect(clash.status == .usage)
        #expect(clash.err.hasPrefix("forage: --web and --json exclude each other\nhint: "))
      }
    }
  }
}
