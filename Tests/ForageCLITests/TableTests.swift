import TestSupport
import Testing

@testable import ForageCLI
@testable import ForageCore

struct TableTests {
  private static let columns: [TableColumn] = [
    .init(title: "NAME", style: .title), .init(title: "ABOUT", style: nil, dropOrder: 1, isFlexible: true),
    .init(title: "STARS", style: .stars, alignsRight: true, dropOrder: 2),
    .init(title: "FROM", style: .source, dropOrder: 3),
  ]

  private static let table = Table(
    columns: columns,
    rows: [
      ["apple/swift-nio", "Event-driven network application framework", "8.1k", "github+local"],
      ["kana/検索", "高速な検索ライブラリ 🚀 とても速い", "12", "github"],
      ["x", "", "3", "local"],
    ])

  /// The whole bytes at each width; a column is dropped only where it does not fit.
  @Test(
    arguments: [
      (
        40,
        [
          "NAME             ABOUT             STARS", "apple/swift-nio  Event-driven ne…   8.1k",
          "kana/検索        高速な検索ライ…      12", "x                                      3",
        ]
      ),
      (
        60,
        [
          "NAME             ABOUT                   STARS  FROM",
          "apple/swift-nio  Event-driven network…    8.1k  github+local",
          "kana/検索        高速な検索ライブラリ…      12  github",
          "x                                            3  local",
        ]
      ),
      (
        80,
        [
          "NAME             ABOUT                                       STARS  FROM",
          "apple/swift-nio  Event-driven network application framework   8.1k  github+local",
          "kana/検索        高速な検索ライブラリ 🚀 とても速い             12  github",
          "x                                                                3  local",
        ]
      ),
    ] as [(Int, [String])])
  func exactLines(_ width: Int, _ lines: [String]) {
    #expect(Self.table.lines(width: width, isColored: false) == lines)
  }

  @Test func aWideTerminalIsNotFilledUp() {
    #expect(Self.table.lines(width: 200, isColored: false) == Self.table.lines(width: 80, isColored: false))
  }

  @Test func aNarrowTerminalKeepsTheFirstColumn() {
    #expect(Self.table.lines(width: 20, isColored: false) == ["NAME", "apple/swift-nio", "kana/検索", "x"])
    #expect(Self.table.lines(width: 8, isColored: false) == ["NAME", "apple/s…", "kana/検…", "x"])
  }

  @Test func coloursCoverTheTextAlone() {
    let small = Table(
      columns: [.init(title: "A", style: .title), .init(title: "N", style: .stars, alignsRight: true)],
      rows: [["x", "10"]])
    #expect(
      small.lines(width: 80, isColored: true)
        == ["\u{1B}[2;4mA\u{1B}[0m   \u{1B}[2;4mN\u{1B}[0m", "\u{1B}[1mx\u{1B}[0m  \u{1B}[35m10\u{1B}[0m"])
  }

  @Test func columnsWithoutContentAreLeftOut() {
    let table = Table(columns: Self.columns, rows: [["a", "", "", "local"]])
    #expect(table.lines(width: 80, isColored: false) == ["NAME  FROM", "a     local"])
  }

  /// A list of repositories for a terminal of a width.
  private func repositories(_ names: [String], width: Int) -> [String] {
    let columns: [TableColumn] = [
      .init(title: "NAME", style: nil, maximum: width * 2 / 5, isName: true),
      .init(title: "ABOUT", style: nil, dropOrder: 1, isFlexible: true),
      .init(title: "STARS", style: nil, alignsRight: true, dropOrder: 2),
    ]
    let about = "A description that is longer than any terminal of a test is wide, 🚀 with 検索 and more"
    let lines = Table(columns: columns, rows: names.map { [$0, about, "8.1k"] }).lines(
      width: width, isColored: false)
    #expect(lines.allSatisfy { TextWidth.of($0) <= width })
    return lines
  }

  /// A description is cut before a name, and is not left out for one.
  @Test func namesAreShownWhole() {
    let names = ["swift-server/async-http-client", "kana/http-検索", "apple/swift-nio"]
    #expect(
      repositories(names, width: 60) == [
        "NAME                            ABOUT                  STARS",
        "swift-server/async-http-client  A description that i…   8.1k",
        "kana/http-検索                  A description that i…   8.1k",
        "apple/swift-nio                 A description that i…   8.1k",
      ])
    for width in [80, 120, 200] {
      let lines = repositories(names, width: width)
      #expect(zip(names, lines.dropFirst()).allSatisfy { $1.hasPrefix($0 + "  ") && $1.contains("A desc") })
    }
    #expect(repositories(names, width: 40).first == "NAME                    ABOUT")
  }

  /// A table of repositories as the program writes it.
  private func table(of names: [String], width: Int) -> [String] {
    let items = names.map { name in
      var result = SearchResult(id: "github.com/" + name, kind: .repo, title: name)
      result.set(.description, "A description that is longer than its column on any terminal")
      result.set(.language, "Swift")
      result.set(.stars, 8100)
      result.set(.pushedAt, Capture.now)
      return MergedItem(
        result: result, sources: [.init(provider: "github", rank: 1, id: nil, contribution: 0)], score: 0)
    }
    let lines = KindRendering.repository.table(items, width: width, dates: .ages(Capture.now)).lines(
      width: width, isColored: false)
    #expect(lines.allSatisfy { TextWidth.of($0) <= width })
    return lines
  }

  /// A table of clones with long folders as the program writes it.
  private func clones(width: Int) -> [String] {
    let items = ["apple/swift-nio", "swift-server/async-http-client", "kana/http-検索"].map { name in
      var result = SearchResult(id: "github.com/" + name, kind: .repo, title: name)
      result.set(
        .description, "A description that is longer than its column on any terminal of less than 200")
      result.set(.language, "Swift")
      result.set(.pushedAt, Capture.now)
      result.set(.path, "/home/me/src/github.com/" + name)
      return MergedItem(
        result: result, sources: [.init(provider: "local", rank: 1, id: nil, contribution: 0)], score: 0)
    }
    let lines = KindRendering.repository.table(
      items, width: width, dates: .ages(Capture.now), home: "/home/me"
    ).lines(width: width, isColored: false)
    #expect(lines.allSatisfy { TextWidth.of($0) <= width })
    return lines
  }

  /// The folders of clones give way to descriptions: a wider terminal never shows less of a description.
  @Test func foldersGiveWayToDescriptions() throws {
    func description(_ line: String) -> Int {
      line.firstRange(of: "A desc").map { start in
        line[start.lowerBound...].prefix { $0 != "…" }.firstRange(of: "  ").map {
          line[start.lowerBound..<$0.lowerBound].count
        } ?? line[start.lowerBound...].prefix { $0 != "…" }.count
      } ?? 0
    }
    var last = 0
    for width in [60, 80, 100, 120, 160, 240] {
      let lines = clones(width: width)
      let shown = description(lines[1])
      #expect(shown >= min(last, 39), "\(width): \(lines)")
      #expect(!lines[0].contains("CLONE") || shown >= 39, "\(width): \(lines)")
      last = shown
    }
    #expect(!clones(width: 80)[0].contains("CLONE"))
    // The folder itself is shown as long as the column is.
    let lines = clones(width: 140)
    #expect(lines[0].contains("CLONE") && lines[2].hasSuffix("/async-http-client"), "\(lines)")
    #expect(clones(width: 240)[1].hasSuffix("  ~/src/github.com/apple/swift-nio"))
  }

  /// On a narrow terminal other columns give way to a name that can be shown whole, from the end of the list
  /// of columns.
  @Test func aLongNameTakesTheRoomOfOtherColumns() {
    let long = "o/" + String(repeating: "n", count: 38)
    let lines = table(of: [long, "a/b", "c/d"], width: 60)
    #expect(lines.dropFirst().first?.hasPrefix(long + "  A desc") == true, "\(lines)")
    #expect(lines.first?.contains("FROM") == false)
  }

  /// From 80 columns on language, stars and time stay beside names of any length, and so does the
  /// description.
  @Test(arguments: [80, 120, 200], [88, 300]) func longNamesLeaveTheOtherColumns(_ width: Int, _ length: Int)
  {
    let long = "o/" + String(repeating: "検", count: length / 2)
    for names in [[long], [long, "a/b", "c/d"], Array(repeating: long, count: 30)] {
      let lines = table(of: names, width: width)
      for title in ["DESCRIPTION", "LANGUAGE", "STARS", "UPDATED"] {
        #expect(lines.first?.contains(title) == true, "\(lines)")
      }
      #expect(lines.dropFirst().allSatisfy { $0.contains("  A desc") && $0.contains("8.1k") }, "\(lines)")
    }
  }

  /// The description gives way to the names of nine tenths of the rows; the longest of the others is cut.
  @Test func usualNamesBeforeDescriptions() {
    let usual = (0..<18).map { "owner-\($0)/" + String(repeating: "n", count: 50) }
    let longest = "o/" + String(repeating: "x", count: 66)
    let lines = table(of: usual + ["a/b", longest], width: 120)
    #expect(
      zip(usual, lines.dropFirst()).allSatisfy { $1.hasPrefix($0 + "  ") && $1.contains("  A desc") },
      "\(lines)")
    #expect(lines.last?.contains("x…x") == true, "\(lines)")
  }

  /// Long names that differ at their ends only stay different.
  @Test(arguments: [60, 80]) func namesOfOneOwner(_ width: Int) {
    let names = (1...4).map { "an-owner-with-a-long-name/a-repository-with-a-long-name-\($0)" }
    let lines = table(of: names, width: width)
    #expect(Set(lines).count == 5 && lines.dropFirst().allSatisfy { $0.contains("…") }, "\(lines)")
  }

  /// One name that is much longer than the others is cut alone.
  @Test(arguments: [60, 80, 120]) func oneLongNameIsCutAlone(_ width: Int) {
    let names = ["apple/swift-nio", "swift-server/async-http-client", "kana/http-検索", "x/y", "zoe/tool"]
    let outlier = String(repeating: "a-very-long-organisation/", count: 8)
    let lines = repositories(names + [outlier], width: width)
    #expect(zip(names, lines.dropFirst()).allSatisfy { $1.hasPrefix($0 + "  ") })
    #expect(lines.last?.contains("…  A desc") == true && lines.last?.hasSuffix("8.1k") == true)
  }

  private func trimmed(_ line: String) -> Substring {
    line.prefix((line.lastIndex { $0 != " " }).map { line.distance(from: line.startIndex, to: $0) + 1 } ?? 0)
  }

  /// No line is wider than the terminal, whatever the cells; colours change nothing but colours.
  @Test func noLineIsTooWide() {
    var random = SeededGenerator(seed: propertySeed())
    let pieces = ["a", "word ", "日本", "👩‍👩‍👧", "🚀", "e\u{301}", "é", "…", "مك", "ﾊ", " ", "https://example.org/"]
    for _ in 0..<300 {
      let rows = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        Self.columns.map { _ in
          (0..<Int.random(in: 0...25, using: &random)).map { _ in random.pick(pieces) }.joined()
        }
      }
      var columns = Self.columns
      columns[0].isName = Bool.random(using: &random)
      columns[0].maximum = 24
      let table = Table(columns: columns, rows: rows)
      for width in [20, 40, 60, 80, 200] {
        let lines = table.lines(width: width, isColored: false)
        #expect(lines.count == rows.count + 1)
        #expect(lines.allSatisfy { TextWidth.of($0) <= width }, "\(width): \(rows)")
        let colored = table.lines(width: width, isColored: true).map {
          $0.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        }
        // Behind a style that ends a space stays; nobody sees it.
        #expect(zip(colored, lines).allSatisfy { trimmed($0) == trimmed($1) }, "\(colored) \(lines)")
      }
    }
  }
}
