import Forage
import Foundation
import Testing

@testable import ForageCLI
@testable import ForageCore

/// Lists of each kind to exact bytes, for terminals of several widths and for a pipe.
struct KindListTests {
  /// A provider that gives one list, of whatever kinds are in it.
  private struct Given: SearchProvider {
    let info = ProviderInfo(id: "forge", name: "Forge")
    let kinds: [ResultKind: Abilities]
    let items: [SearchResult]

    init(_ items: [SearchResult]) {
      self.items = items
      kinds = Dictionary(
        uniqueKeysWithValues: Set(items.map(\.kind)).map { ($0, Abilities(fields: [], needsText: false)) })
    }

    func search(_ request: SearchRequest) async throws -> SearchPage {
      SearchPage(items: items.filter { $0.kind == request.kind })
    }
  }

  /// What a list of results looks like.
  static func written(
    _ items: [SearchResult], _ format: OutputFormat = .table, columns: Int = 80, color: Bool = false,
    contextLines: Int = 0, isForEditors: Bool = false, home: String? = nil, folder: String? = nil,
    tabWidth: Int = 4
  ) async throws -> String {
    let capture = Capture()
    var kinds: [ResultKind] = []
    for item in items where !kinds.contains(item.kind) { kinds.append(item.kind) }
    var search = FederatedSearch(query: try QueryParser().parse("x"), kinds: kinds)
    search.matches.contextLines = contextLines
    let result = await SearchRun(search, ProviderRegistry([Given(items)])).more()
    let output = capture.output(columns: format == .table ? columns : nil, color: color)
    var style = ListStyle(
      format: format, showsNumbers: false, isForEditors: isForEditors, home: home, folder: folder)
    style.settings.tabWidth = tabWidth
    try SearchRendering(SearchReport(result, of: search), nil, style, output: output).write()
    return capture.results
  }

  /// Rows for programs name the host of a repository that its name alone would not mean; those of the usual
  /// host do not.
  @Test func namesOfOtherHosts() async throws {
    func row(_ kind: ResultKind, _ host: String, _ owner: String = "team") async throws -> [Substring] {
      let id = "\(host)/\(owner)/one"
      let ids: [ResultKind: String] = [
        .repo: id, .issue: id + "#7", .commit: id + "@0123456789", .code: id + "/blob/0123/ä b.c",
      ]
      let title = kind == .repo ? owner + "/one" : "x"
      var item = SearchResult(id: ids[kind] ?? "thread", kind: kind, title: title)
      if kind != .repo { item.set(.repository, id) }
      if kind == .issue { item.set(.number, 7) }
      item.set(.host, host)
      item.set(.path, "ä b.c")
      return try await Self.written([item], .tsv).split(separator: "\t", omittingEmptySubsequences: false)
    }
    let places: [(ResultKind, Int, String)] = [
      (.repo, 0, ""), (.issue, 0, "#7"), (.commit, 4, ""), (.code, 0, ":ä b.c"), (.notification, 1, ""),
    ]
    for (kind, place, rest) in places {
      #expect(try await row(kind, "github.com")[place] == "team/one" + rest)
      for host in ["git.acme.example", "git.acme.example:8443", "nas", "codeberg.org"] {
        #expect(try await row(kind, host)[place] == "\(host)/team/one" + rest)
      }
      #expect(try await row(kind, "gitlab.com", "group/sub")[place] == "gitlab.com/group/sub/one" + rest)
    }
    // A name that would be shown as another one is an address.
    let page = "https://gitlab.com/g/one/-/blob/HEAD/a%0Ab#L3"
    var hidden = SearchResult(id: "gitlab.com/g/one/blob/HEAD/x", kind: .code, title: "a\nb", url: page)
    hidden.set(.repository, "gitlab.com/g/one")
    hidden.set(.path, "a\nb")
    hidden[.matches] = .items([.record(["line": .number(3), "column": .number(1), "text": .text("x")])])
    #expect(try await Self.written([hidden], .tsv) == "\(page)\tx\t\(page)\tforge\n")
    hidden.set(.file, "/home/me/one/a\nb")
    #expect(try await Self.written([hidden], .tsv).hasPrefix("file:///home/me/one/a%0Ab:3:1\t"))
    (hidden[.file], hidden.url) = (nil, nil)
    #expect(try await Self.written([hidden], .tsv).hasPrefix("gitlab.com/g/one:a%0Ab:3:1\t"))
    // A name that would be read as another thing's gives way to the folder of the clone, or to the page.
    for name in ["sp ace", "a@0123abc", "a!1", "a#1", "a:b"] {
      var unusual = SearchResult(
        id: "git.acme.example/team/\(name)", kind: .repo, title: "team/\(name)", url: "https://x.example/p")
      unusual.set(.host, "git.acme.example")
      #expect(try await Self.written([unusual], .tsv).hasPrefix("https://x.example/p\t"))
      unusual.set(.path, "/src/ä")
      #expect(try await Self.written([unusual], .tsv).hasPrefix("/src/ä\t"))
    }
    // A title that is no name of a repository stays as it is.
    let other = SearchResult(id: "shelf.example/a/b", kind: .repo, title: "A book")
    #expect(try await Self.written([other], .tsv).hasPrefix("A book\t"))
    var place = SearchResult(id: "/home/me/one/a.c", kind: .code, title: "a.c")
    place.set(.repository, "/home/me/one")
    place.set(.path, "a.c")
    #expect(try await Self.written([place], .tsv).hasPrefix("/home/me/one:a.c\t"))
  }

  /// Where several providers found something, a narrow terminal shows who did before languages, stars and
  /// times.
  @Test(arguments: [60, 80])
  func whoFoundWhatStays(_ width: Int) {
    var repository = SearchResult(
      id: "github.com/organization/repository-name", kind: .repo, title: "organization/repository-name")
    repository.set(.description, String(repeating: "a long description ", count: 5))
    repository.set(.language, "TypeScript")
    repository.set(.stars, 8100)
    repository.set(.pushedAt, Capture.now)
    func header(_ providers: [String]) -> String {
      let items = [
        MergedItem(
          result: repository,
          sources: providers.map { .init(provider: $0, rank: 1, id: nil, contribution: 0) },
          score: 0)
      ]
      let table = KindRendering.repository.table(items, width: width, dates: .ages(Capture.now))
      return table.lines(width: width, isColored: false)[0]
    }
    #expect(
      header(["github", "local"]).contains("FROM") && !header(["github", "local"]).contains("UPDATED"))
    #expect(header(["github"]).contains("STARS"))
    #expect(header(["github"]).contains("FROM") == (width > 60))
  }

  /// Clones of the same name can be told apart by their folders.
  @Test func clonesOfOneName() {
    let clones = ["/home/me/src/jq", "/home/me/lib/jq", "/home/me/src/other"].map { path in
      var clone = SearchResult(
        id: path, kind: .repo, title: path.split(separator: "/").last.map(String.init) ?? "")
      clone.set(.path, path)
      return MergedItem(clone)
    }
    let table = KindRendering.repository.table(clones, width: 60, dates: .ages(Capture.now), home: "/home/me")
    #expect(table.rows.map { $0.first { !$0.isEmpty } } == ["jq ~/src/jq", "jq ~/lib/jq", "other"])
  }

  static let issues: [SearchResult] = [
    issue(12, "A crash in the 検索 of everything that is found 🚀 twice") {
      $0.set(.state, "open")
      $0.set(.author, "kana")
      $0.set(.labels, ["bug", "help wanted"])
      $0.set(.comments, 1234)
      $0.set(.isPullRequest, false)
    },
    issue(7, "Speak\tmore\nclearly\u{1B}[2J") {
      $0.set(.state, "closed")
      $0.set(.isPullRequest, true)
      $0.set(.draft, true)
      $0.set(.mergedAt, Capture.now)
    },
  ]

  private static func issue(_ number: Int, _ title: String, _ change: (inout SearchResult) -> Void)
    -> SearchResult
  {
    var item = SearchResult(
      id: "github.com/acme/tool#\(number)", kind: .issue, title: title,
      url: "https://github.com/Acme/Tool/issues/\(number)")
    item.set(.host, "github.com")
    item.set(.repository, "github.com/acme/tool")
    item.set(.number, number)
    item.set(.updatedAt, Capture.now.addingTimeInterval(-3 * 86_400))
    change(&item)
    return item
  }

  @Test(
    arguments: [
      (
        60,
        """
        ISSUE         TITLE                          STATE   UPDATED
        Acme/Tool#12  A crash in the 検索 of every…  open     3d ago
        Acme/Tool#7   [draft, PR] Speak more clear…  merged   3d ago

        """
      ),
      (
        80,
        """
        ISSUE         TITLE                                    STATE   COMMENTS  UPDATED
        Acme/Tool#12  A crash in the 検索 of everything that…  open        1.2k   3d ago
        Acme/Tool#7   [draft, PR] Speak more clearly␛[2J       merged             3d ago

        """
      ),
      (
        200,
        """
        ISSUE         TITLE                                                     STATE   AUTHOR  LABELS            COMMENTS  UPDATED  FROM
        Acme/Tool#12  A crash in the 検索 of everything that is found 🚀 twice  open    kana    bug, help wanted      1.2k   3d ago  forge
        Acme/Tool#7   [draft, PR] Speak more clearly␛[2J                        merged                                       3d ago  forge

        """
      ),
    ] as [(Int, String)])
  func issues(_ columns: Int, _ expected: String) async throws {
    let text = try await Self.written(Self.issues, columns: columns)
    #expect(text == expected)
    #expect(text.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= columns })
  }

  @Test func issuesForPrograms() async throws {
    #expect(
      try await Self.written(Self.issues, .tsv) == """
        Acme/Tool#12\tA crash in the 検索 of everything that is found 🚀 twice\topen\tkana\tbug,help wanted\t1234\t\
        2025-12-29T00:00:00Z\thttps://github.com/Acme/Tool/issues/12\tforge
        Acme/Tool#7\tSpeak more clearly␛[2J\tmerged\t\t\t\t2025-12-29T00:00:00Z\t\
        https://github.com/Acme/Tool/issues/7\tforge

        """)
  }

  @Test func issuesAsMarkdown() async throws {
    #expect(
      try await Self.written(Self.issues, .markdown) == """
        | Issue | Title | State | Author | Labels | Comments | Updated | From |
        | --- | --- | --- | --- | --- | --- | --- | --- |
        | [Acme/Tool#12](https://github.com/Acme/Tool/issues/12) | A crash in the 検索 of everything that is found 🚀 \
        twice | open | kana | bug,help wanted | 1234 | 2025-12-29T00:00:00Z | forge |
        | [Acme/Tool#7](https://github.com/Acme/Tool/issues/7) | Speak more clearly␛\\[2J | merged |  |  |  | \
        2025-12-29T00:00:00Z | forge |

        """)
  }

  static var commit: SearchResult {
    let sha = "0123456789abcdef0123456789abcdef01234567"
    var item = SearchResult(
      id: "github.com/acme/tool@\(sha)", kind: .commit, title: "Mend the parser",
      url: "https://github.com/Acme/Tool/commit/\(sha)")
    item.set(.repository, "github.com/acme/tool")
    item.set(.sha, sha)
    item.set(.message, "Mend the parser\n\nIt was broken.")
    item.set(.author, "kana")
    item.set(.authoredAt, Capture.now.addingTimeInterval(-7200))
    return item
  }

  @Test func commits() async throws {
    #expect(
      try await Self.written([Self.commit]) == """
        COMMIT      MESSAGE          AUTHOR    DATE  REPOSITORY  FROM
        0123456789  Mend the parser  kana    2h ago  Acme/Tool   forge

        """)
    #expect(
      try await Self.written([Self.commit], columns: 40) == """
        COMMIT      MESSAGE          REPOSITORY
        0123456789  Mend the parser  Acme/Tool

        """)
    #expect(
      try await Self.written([Self.commit], .tsv) == """
        0123456789abcdef0123456789abcdef01234567\tMend the parser\tkana\t2025-12-31T22:00:00Z\tAcme/Tool\t\
        https://github.com/Acme/Tool/commit/0123456789abcdef0123456789abcdef01234567\tforge

        """)
  }

  static var user: SearchResult {
    var item = SearchResult(
      id: "github.com/@kana", kind: .user, title: "Kana", url: "https://github.com/Kana")
    item.set(.login, "Kana")
    item.set(.name, "山田かな")
    item.set(.description, "Writes search engines")
    item.set(.accountType, "user")
    item.set(.followers, 4321)
    return item
  }

  static var topic: SearchResult {
    var item = SearchResult(
      id: "github.com/topics/swift", kind: .topic, title: "Swift", url: "https://github.com/topics/swift")
    item.set(.name, "swift")
    item.set(.description, "A language")
    return item
  }

  @Test func accountsAndTopics() async throws {
    #expect(
      try await Self.written([Self.user]) == """
        LOGIN  NAME                             TYPE  FOLLOWERS  FROM
        Kana   山田かな: Writes search engines  user       4.3k  forge

        """)
    #expect(
      try await Self.written([Self.user], .tsv)
        == "Kana\t山田かな\tWrites search engines\tuser\t4321\thttps://github.com/Kana\tforge\n")
    #expect(
      try await Self.written([Self.topic]) == """
        TOPIC  DESCRIPTION  FROM
        swift  A language   forge

        """)
    #expect(
      try await Self.written([Self.topic], .tsv)
        == "swift\tA language\thttps://github.com/topics/swift\tforge\n")
  }

  @Test func severalKinds() async throws {
    var repository = SearchResult(
      id: "github.com/acme/tool", kind: .repo, title: "Acme/Tool", url: "https://github.com/Acme/Tool")
    repository.set(.description, "A tool")
    repository.set(.pushedAt, Capture.now)
    let all = [repository, Self.issues[0], Self.commit, Self.user, Self.topic]
    let table = try await Self.written(all, columns: 90)
    let rows = table.split(separator: "\n").map(String.init)
    #expect(rows.first?.hasPrefix("KIND    RESULT") == true)
    #expect(Set(rows.dropFirst().map { $0.prefix(6) }) == ["repo  ", "issue ", "commit", "user  ", "topic "])
    #expect(rows.allSatisfy { TextWidth.of($0) <= 90 })
    let plain = try await Self.written(all, .tsv)
    #expect(
      plain.contains("repo\tAcme/Tool\tA tool\t2026-01-01T00:00:00Z\thttps://github.com/Acme/Tool\tforge\n"))
    #expect(plain.contains("issue\tAcme/Tool#12\tA crash in the 検索"))
    #expect(plain.contains("commit\tAcme/Tool@0123456789\tMend the parser\t2025-12-31T22:00:00Z\t"))
    #expect(plain.contains("user\tKana\t山田かな: Writes search engines\t\thttps://github.com/Kana\tforge\n"))
    let widths = plain.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(widths.allSatisfy { $0.count == 6 })
  }

  /// Kinds that only other providers have, and one that nobody knows.
  @Test func kindsFromElsewhere() async throws {
    func item(_ kind: ResultKind, _ change: (inout SearchResult) -> Void) -> SearchResult {
      var item = SearchResult(
        id: "x/\(kind.rawValue)", kind: kind, title: "A title", url: "https://x.example/1")
      change(&item)
      return item
    }
    let story = item(.story) {
      $0.set("points", 120)
      $0.set(.comments, 33)
      $0.set(.author, "pg")
    }
    #expect(
      try await Self.written([story])
        == "STORY    POINTS  COMMENTS  AUTHOR  FROM\nA title     120        33  pg      forge\n")
    let question = item(.question) {
      $0.set("answers", 2)
      $0.set("accepted", true)
      $0.set("tags", ["swift", "nio"])
    }
    #expect(
      try await Self.written([question]) == """
        QUESTION            ANSWERS  TAGS        FROM
        [answered] A title        2  swift, nio  forge

        """)
    let package = item(.package) {
      $0.set("version", "1.2.3")
      $0.set("registry", "npm")
    }
    #expect(
      try await Self.written([package], .tsv) == "A title\t1.2.3\t\tnpm\t\thttps://x.example/1\tforge\n")
    #expect(
      try await Self.written([item("comet") { $0.set(.description, "Flies") }])
        == "TITLE    DESCRIPTION  FROM\nA title  Flies        forge\n")
  }

  /// What a terminal shows on one line while the search runs.
  @Test func provisionalLines() {
    #expect(KindRendering.of(.issue).line(Self.issues[0]).hasPrefix("Acme/Tool#12  A crash"))
    #expect(KindRendering.of(.commit).line(Self.commit) == "Acme/Tool@0123456789  Mend the parser")
    #expect(KindRendering.of(.user).line(Self.user) == "Kana  山田かな: Writes search engines")
    let bare = SearchResult(id: "github.com/a/b", kind: .repo, title: "a/b")
    #expect(KindRendering.of(.repo).line(bare) == "a/b")
  }

  /// Records tell their members in the order of people, not of the alphabet.
  @Test func recordsInJSON() {
    var item = SearchResult(id: "x", kind: .code, title: "x")
    item[.fragments] = .items([
      .record([
        "matches": .items([.items([.number(0), .number(3)])]), "line": .number(7), "text": .text("let"),
      ])
    ])
    item[.latestRelease] = .record([
      "publishedAt": .date(Capture.now), "name": .text("One"), "tag": .text("v1"),
    ])
    item[.languages] = .items([
      .record(["share": .fraction(0.5), "zeta": .flag(true), "bytes": .number(9), "name": .text("C")])
    ])
    let text = JSONTree.object(SearchJSON.members(item)).text()
    #expect(text.contains(#""fragments":[{"text":"let","line":7,"matches":[[0,3]]}]"#))
    #expect(text.contains(#"{"tag":"v1","name":"One","publishedAt":"2026-01-01T00:00:00Z"}"#))
    #expect(text.contains(#"[{"name":"C","bytes":9,"share":0.5,"zeta":true}]"#))
  }

  /// A name is there once: the votes of a question, else the members that every item has.
  @Test func namesAreThereOnce() {
    var question = SearchResult(id: "so:1", kind: .question, title: "q", fields: ["score": .number(11)])
    func text(_ item: SearchResult) -> String {
      SearchJSON.item(MergedItem(item), explains: true).text()
    }
    #expect(text(question).ranges(of: "\"score\":").count == 1 && text(question).contains("\"score\":11,"))
    question["score"] = nil
    #expect(!text(question).contains("score"))
    let names: [ResultField] = ["score", "id", "title", "sources", "related", "provenance"]
    let repo = SearchResult(
      id: "github.com/a/b", kind: .repo, title: "a/b",
      fields: Dictionary(uniqueKeysWithValues: names.map { ($0, .number(99)) }))
    #expect(!text(repo).contains("99") && text(repo).ranges(of: "\"score\":").count == 1)
    #expect(!JSONTree.object(SearchJSON.members(repo)).text().contains("99"))
  }
}
