import ForageCLI
import ForageCore
import TestSupport
import Testing

/// Options of `search` to exact bytes, for a terminal and for a pipe.
struct SearchOutputTests {
  private func run(_ arguments: [String], columns: Int? = nil, color: Bool = false) async throws -> Outcome {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        await forage(
          ["search", "http", "--sort", "stars", "-p", "github"] + arguments,
          in: variables(home, server.baseURL),
          columns: columns, color: color)
      }
    }
  }

  /// Durations differ from run to run.
  private func timeless(_ text: String) -> String {
    text.replacing(/"elapsedMs":\s?[0-9]+/, with: "\"elapsedMs\":0")
  }

  @Test func pipe() async throws {
    let outcome = try await run([])
    #expect(
      outcome.out == """
        apple/swift-nio\tEvent-driven network framework for http clients\tSwift\t8149\t2025-12-31T21:00:00Z\t\
        https://github.com/apple/swift-nio\t\tgithub
        kana/http-検索\t高速な検索ライブラリ 🚀\tRust\t999\t2025-11-22T00:00:00Z\thttps://github.com/kana/http-検索\t\tgithub
        nemo/http\t\t\t0\t2023-11-14T22:13:20Z\thttps://github.com/nemo/http\t\tgithub

        """)
    #expect(outcome.err == "")
  }

  @Test(
    arguments: [
      (
        60,
        """
        REPOSITORY       DESCRIPTION        LANGUAGE  STARS  UPDATED
        apple/swift-nio  Event-driven net…  Swift      8.1k   3h ago
        kana/http-検索   [archived] 高速…   Rust        999  1mo ago
        nemo/http                                         0   2y ago

        """
      ),
      (
        80,
        """
        REPOSITORY       DESCRIPTION                    LANGUAGE  STARS  UPDATED  FROM
        apple/swift-nio  Event-driven network framewo…  Swift      8.1k   3h ago  github
        kana/http-検索   [archived] 高速な検索ライブ…   Rust        999  1mo ago  github
        nemo/http                                                     0   2y ago  github

        """
      ),
      (
        200,
        """
        REPOSITORY       DESCRIPTION                                      LANGUAGE  STARS  UPDATED  FROM
        apple/swift-nio  Event-driven network framework for http clients  Swift      8.1k   3h ago  github
        kana/http-検索   [archived] 高速な検索ライブラリ 🚀               Rust        999  1mo ago  github
        nemo/http                                                                       0   2y ago  github

        """
      ),
    ] as [(Int, String)])
  func terminal(_ columns: Int, _ expected: String) async throws {
    let outcome = try await run(["--no-number"], columns: columns)
    #expect(outcome.out == expected)
    let lines = outcome.out.split(separator: "\n").map { TextWidth.of(String($0)) }
    #expect(lines.allSatisfy { $0 <= columns })
  }

  @Test func colours() async throws {
    let outcome = try await run(["-L", "1", "--no-number"], columns: 60, color: true)
    let (off, head) = ("\u{1B}[0m", "\u{1B}[2;4m")
    #expect(
      outcome.out == """
        \(head)REPOSITORY\(off)       \(head)DESCRIPTION\(off)        \(head)LANGUAGE\(off)  \(head)STARS\(off)  \
        \(head)UPDATED\(off)
        \u{1B}[1mapple/swift-nio\(off)  Event-driven net…  \u{1B}[36mSwift\(off)      \u{1B}[35m8.1k\(off)   \
        \u{1B}[2m3h ago\(off)

        """)
  }

  @Test func json() async throws {
    let outcome = try await run(["-L", "1", "--format", "json"])
    #expect(
      timeless(outcome.out) == """
        {"schema":1,"query":"http","complete":true,\
        "providers":[{"id":"github","kind":"repo","state":"ok","returned":1,"total":{"value":3,"relation":"eq"},"elapsedMs":0,"requests":1,"fromCache":false,\
        "incomplete":false,"residual":[],"error":null}],"items":[{"id":"github.com/apple/swift-nio",\
        "kind":"repo","title":"apple/swift-nio","url":"https://github.com/apple/swift-nio",\
        "description":"Event-driven network framework for http clients","host":"github.com","owner":"apple",\
        "name":"swift-nio","avatarUrl":"https://avatars.githubusercontent.com/u/80767167?v=4","language":"Swift",\
        "topics":["networking"],"license":"Apache-2.0","stars":8149,"forks":0,"watchers":8149,"openIssues":0,\
        "sizeKB":100,"fork":false,"archived":false,"private":false,"template":false,\
        "defaultBranch":"main","createdAt":"2017-07-14T02:40:00Z","updatedAt":"2023-11-14T22:13:20Z",\
        "pushedAt":"2025-12-31T21:00:00Z","favorite":false,"score":0.016393,"sources":[{"provider":"github","rank":1,\
        "id":"github.com:1"}]}]}

        """)
  }

  @Test func fields() async throws {
    let outcome = try await run(["--json", "stars, id,pushedAt"])
    #expect(
      outcome.out == """
        [{"stars":8149,"id":"github.com/apple/swift-nio","pushedAt":"2025-12-31T21:00:00Z"},\
        {"stars":999,"id":"github.com/kana/http-検索","pushedAt":"2025-11-22T00:00:00Z"},\
        {"stars":0,"id":"github.com/nemo/http","pushedAt":null}]

        """)
    let pretty = try await run(["--json", "stars", "-L", "1"], columns: 80)
    #expect(pretty.out == "[\n  {\n    \"stars\": 8149\n  }\n]\n")
  }

  @Test func ndjson() async throws {
    let outcome = try await run(["--format", "ndjson"])
    let lines = timeless(outcome.out).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.dropLast().allSatisfy { $0.hasPrefix("{\"id\":\"github.com/") })
    #expect(
      lines.last.map(String.init) == """
        {"summary":{"schema":1,"query":"http","complete":true,"providers":[{"id":"github","kind":"repo",\
        "state":"ok","returned":3,"total":{"value":3,"relation":"eq"},"elapsedMs":0,"requests":1,\
        "fromCache":false,"incomplete":false,"residual":[],"error":null}]}}
        """)
  }

  @Test func explanations() async throws {
    let pipe = try await run(["-L", "1", "--explain"])
    #expect(pipe.out.hasSuffix("\tgithub\tscore 0.0164 = github rank 1 (0.0164)\n"))
    let terminal = try await run(["-L", "1", "--explain"], columns: 60)
    #expect(
      terminal.out.split(separator: "\n").last.map(String.init) == "  score 0.0164 = github rank 1 (0.0164)")
    let json = try await run(["-L", "1", "--explain", "--format", "json"])
    #expect(
      json.out.contains(
        #""sources":[{"provider":"github","rank":1,"id":"github.com:1","contribution":0.016393}]"#))
  }

  @Test func nothingFound() async throws {
    for columns in [nil, 80] {
      let outcome = try await run(["nothinglikethis"], columns: columns)
      #expect(outcome.status == .nothingFound)
      #expect(outcome.out == "")
      #expect(outcome.err.hasPrefix("forage: nothing found\nhint: "))
    }
    let json = try await run(["nothinglikethis", "--json", "id"])
    #expect(json.out == "[]\n")
    #expect(json.status == .nothingFound)
  }
}
