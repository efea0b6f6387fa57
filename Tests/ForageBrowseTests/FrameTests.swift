import ForageBrowse
import ForageCore
import Testing

/// What the screens look like, exactly, in five sizes.
struct FrameTests {
  private static let items = [
    sample(
      "swift-server/async-http-client", "HTTP client library built on SwiftNIO", stars: "1k", age: "5d ago",
      from: "github local", isFavorite: true),
    sample(
      "apple/swift-nio", "Event-driven network application framework", from: "github local", isStarred: true),
    sample("日本/語", "ライブラリ", language: "", stars: "7", age: "1y ago"),
  ]

  /// A list whose second row is selected, and shown in the pane where there is one.
  private func screen(_ columns: Int, _ rows: Int) -> Screen {
    var screen = Screen(columns: columns, rows: rows, query: "http client")
    screen.answer(
      .providers([
        ProviderStatus(id: "github", state: .answered, count: 30, total: ResultTotal(812)),
        ProviderStatus(id: "local", state: .answered, count: 2, total: ResultTotal(2)),
      ]))
    screen.answer(Self.items)
    screen.press(.character("j"))
    screen.wait(150)
    if case .preview(_, let request)? = screen.effects.first {
      screen.send(.details(request: request, .success(BrowseText { _ in [FrameRow("Event-driven")] })))
    }
    return screen
  }

  private func space(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// The rule with the tabs.
  private func tabs(_ columns: Int, _ names: String = "─[1 repo] 2 code  3 issue ") -> String {
    names + String(repeating: "─", count: columns - names.count)
  }

  /// A kind that has no list without a query is no tab there; one that cannot be searched is none with one.
  @Test func tabsOfTheQuery() {
    let providers = [
      BrowseProvider(id: "github", kinds: [.repo, .issue, .notification], feeds: [.repo, .notification])
    ]
    let feed = Screen(query: "", providers: providers)
    #expect(feed.lines[1].hasPrefix("─[1 repo] 2 notification ─"), "\(feed.lines)")
    let search = Screen(query: "x", providers: providers)
    #expect(search.lines[1].hasPrefix("─[1 repo] 2 issue ─"), "\(search.lines)")
  }

  @Test func narrow() {
    let rule = String(repeating: "─", count: 24)
    #expect(
      screen(24, 8).lines == [
        " http client", tabs(24, "─[1 repo] 2 code "), "   swift-server/asy…  ♥", " ▸ apple/swift-nio    ★",
        "   日本/語", "", rule,
        " github 30 of 812 · loc…",
      ])
  }

  @Test func sixtyColumns() {
    let rule = String(repeating: "─", count: 60)
    #expect(
      screen(60, 20).lines == [
        " forage  http client" + space(19) + "repo · github, local", tabs(60),
        "   swift-server/async-http-client  HTTP client library…   ♥",
        " ▸ apple/swift-nio" + space(17) + "Event-driven network…  ★",
        "   日本/語" + space(25) + "ライブラリ",
      ] + Array(repeating: "", count: 13) + [
        rule, " github 30 of 812 · local 2" + space(2) + "? help  ↵ open  s star  q quit",
      ])
  }

  @Test func eightyColumns() {
    let rule = String(repeating: "─", count: 80)
    #expect(
      screen(80, 24).lines == [
        " forage  http client" + space(39) + "repo · github, local", tabs(80),
        "   swift-server/async-http-client  HTTP client library…  Swift    1k  ♥   5d ago",
        " ▸ apple/swift-nio" + space(17) + "Event-driven networ…  Swift  8.1k  ★   2d ago",
        "   日本/語" + space(25) + "ライブラリ" + space(22) + "7      1y ago",
      ] + Array(repeating: "", count: 17) + [
        rule,
        " github 30 of 812 · local 2" + space(10) + "? help  ↵ open  s star  f favorite  q quit",
      ])
  }

  /// From 110 columns on the details are beside the list.
  @Test func aPane() {
    let rule = String(repeating: "─", count: 120)
    #expect(
      screen(120, 40).lines == [
        " forage  http client" + space(79) + "repo · github, local", tabs(120),
        "   swift-server/async-http-client  HTTP client library…     1k  ♥ │ Event-driven  ★ starred",
        " ▸ apple/swift-nio" + space(17) + "Event-driven network…  8.1k  ★ │",
        "   日本/語" + space(25) + "ライブラリ" + space(16) + "7" + space(4) + "│",
      ] + Array(repeating: space(66) + "│", count: 33) + [
        rule,
        " github 30 of 812 · local 2" + space(41)
          + "? help  ↵ open  s star  f favorite  / query  q quit",
      ])
  }

  @Test func wide() {
    let rule = String(repeating: "─", count: 200)
    #expect(
      screen(200, 50).lines == [
        " forage  http client" + space(159) + "repo · github, local", tabs(200),
        "   swift-server/async-http-client  HTTP client library built on SwiftN…  Swift    1k  ♥   5d ago  github local│ Event-driven  ★ starred",
        " ▸ apple/swift-nio" + space(17)
          + "Event-driven network application fr…  Swift  8.1k  ★   2d ago  github local│",
        "   日本/語" + space(25) + "ライブラリ" + space(38) + "7      1y ago  github      │",
      ] + Array(repeating: space(110) + "│", count: 43) + [
        rule,
        " github 30 of 812 · local 2" + space(121)
          + "? help  ↵ open  s star  f favorite  / query  q quit",
      ])
  }

  /// A description gives way to the usual names; one name that is far too long is cut alone, and the other
  /// columns stay.
  @Test func namesBeforeOtherColumns() throws {
    func row(_ name: String) throws -> String {
      let screen = Screen.list([sample("a/short"), sample(name), sample("b/short")])
      return try #require(screen.lines.first { $0.contains(name.prefix(20)) })
    }
    let usual = try row("owner/" + String(repeating: "n", count: 20))
    #expect(usual.hasSuffix("2d ago  github"), "\(usual)")
    let cut = try row("owner/" + String(repeating: "n", count: 64))
    #expect(cut.contains("n…") && cut.hasSuffix("2d ago  github"), "\(cut)")
  }

  /// Names are cut as far as their share before a description is left out.
  @Test func descriptionsBesideLongNames() throws {
    let names = (0..<3).map { "owner/\($0)" + String(repeating: "n", count: 33) }
    let screen = Screen.list(names.map { sample($0, "A description of it") }, columns: 50)
    for name in names {
      let row = try #require(screen.lines.first { $0.contains(name.prefix(20)) })
      #expect(row.contains("n…  A description") && TextWidth.of(row) <= 50, "\(row)")
    }
  }

  /// Where one row has no room for the owner of a file's repository, no row shows owners.
  @Test func namesOfRepositories() {
    let places = [
      "acme/tool:a.swift", "organization/repository:Sources/" + String(repeating: "n", count: 20),
    ]
    var columns = sampleColumns
    columns[0].keepsEnd = true
    func shown(_ width: Int) -> Bool {
      var screen = Screen(columns: width, query: "client")
      screen.answer(.page(BrowsePage(BrowseRows(columns: columns, items: places.map { sample($0) }))))
      return screen.text.contains(places[0])
    }
    #expect(shown(105) && !shown(60))
  }

  /// The selected row is in reverse video and has a mark, so that it is seen without colors.
  @Test func theSelectedRow() {
    let frame = screen(80, 24).state.frame()
    let reversed = frame.rows.indices.filter { frame.rows[$0].spans.contains(where: \.style.isReversed) }
    #expect(reversed == [3] && frame.rows[3].width == 80)
    #expect(frame.rows[3].spans.allSatisfy(\.style.isReversed) && frame.rows[3].text.hasPrefix(" ▸ "))
  }

  @Test func withoutSymbols() {
    var screen = Screen(query: "http", isUnicode: false)
    screen.answer(Array(Self.items.dropLast()))
    screen.press(.character("j"))
    let text = screen.text
    #expect(text.contains(" > apple/swift-nio") && text.contains("  S   2d ago") && text.contains("----"))
    #expect(!text.contains("★") && !text.contains("♥") && !text.contains("─") && !text.contains("·"))
  }

  /// All providers are those that the settings choose.
  @Test func whatIsSearched() {
    var providers = sampleProviders
    providers[2].isEnabled = false
    #expect(Screen(query: "x", providers: providers).lines[0].hasSuffix("repo · all providers"))
    providers[1].isChosen = false
    #expect(Screen(query: "x", sort: "stars", providers: providers).lines[0].hasSuffix("github · by stars"))
    #expect(Screen(providers: providers).lines[0].hasSuffix("feed · github"))
    // Without repositories a query finds everything.
    let stories = Screen(query: "x", providers: [BrowseProvider(id: "hackernews", kinds: [.story])])
    #expect(stories.lines[0].hasSuffix("story · all providers"))
    // What is most usual is left out first.
    var narrow = Screen(columns: 44, query: "x", sort: "stars", providers: Array(sampleProviders.prefix(2)))
    #expect(narrow.lines[0].hasSuffix("  repo · by stars"))
    narrow.send(.resize(columns: 30, rows: 20))
    #expect(narrow.lines[0].hasSuffix(" by stars") && !narrow.lines[0].contains("repo"))
  }

  @Test func theCursorIsInTheField() {
    var screen = Screen()
    #expect(screen.state.frame().cursor == Frame.Cursor(row: 0, column: 9))
    screen.type("日本")
    screen.press(.left)
    #expect(screen.state.frame().cursor == Frame.Cursor(row: 0, column: 11))
    screen.press(.escape)
    #expect(screen.state.frame().cursor == nil)
  }

  /// A query that is longer than the row is shown around the cursor.
  @Test func aLongQuery() {
    var screen = Screen(columns: 60)
    screen.type(String(repeating: "a", count: 50) + "end")
    #expect(screen.lines[0].contains("aend"))
    screen.press(.home)
    #expect(screen.lines[0].hasPrefix(" forage  aaaa") && !screen.lines[0].contains("end"))
  }

  @Test func emptyLists() {
    var feed = Screen()
    #expect(feed.text.contains("loading the feed"))
    feed.answer([])
    #expect(feed.text.contains("the feed is empty") && feed.text.contains("forage clones add DIR"))
    var search = Screen.list([])
    #expect(search.text.contains("nothing found") && search.text.contains("use fewer words"))
    // Keys that act on a result are not offered without one.
    #expect(search.lines[23].hasSuffix(" ? help  / query  q quit"), "\(search.lines[23])")
    search.answer([sample("a/b")])
    search.press(.character("F"))
    #expect(search.text.contains("no favorites in this list"))
    search.press(.character("s"))
    #expect(search.text.contains("show the whole list with F"))
  }

  @Test func theHelpNamesEveryKey() {
    var screen = Screen.list(samples(0..<3), rows: 50)
    screen.press(.character("?"))
    for key in ["g G", "Tab", "PgUp", "Ctrl-W", "Esc", " R ", " F ", " i ", "Ctrl-Z", "q Ctrl-C"] {
      #expect(screen.text.contains(key), "\(key)")
    }
    var small = Screen.list(samples(0..<3), columns: 40, rows: 10)
    small.press(.character("?"))
    #expect(!small.text.contains("quit"))
    #expect(small.lines[9].hasSuffix("↓ PgDn more  Esc back"))
    for _ in 0..<100 { small.press(.character("j")) }
    #expect(small.text.contains("q Ctrl-C") && !small.text.contains("more  Esc"))
    small.press(.escape)
    #expect(small.state.panel == nil && small.selectedTitle == "owner/0")
  }

  /// How to leave is offered as long as there is room for it beside the help.
  @Test(arguments: [60, 40])
  func theLastRowOfANarrowScreen(_ columns: Int) {
    var screen = Screen.list(samples(0..<3), columns: columns)
    screen.answer(.providers([ProviderStatus(id: "local", state: .answered, count: 3)]))
    #expect(
      screen.lines[23].contains("? help") && screen.lines[23].hasSuffix("  q quit"), "\(screen.lines[23])")
  }

  /// What the search has to tell is not about the help.
  @Test func noErrorBelowTheHelp() {
    var screen = Screen.list(samples(0..<3))
    screen.answer(.providers([ProviderStatus(id: "github", state: .failed(BrowseProblem("it is down")))]))
    #expect(screen.text.contains("it is down"))
    screen.press(.character("?"))
    #expect(!screen.text.contains("it is down"))
    screen.press(.escape)
    #expect(screen.text.contains("it is down"))
  }

  /// The last row offers what has an effect on the result that is meant.
  @Test func theKeysOfAResult() {
    let clone = sample("a/b", clone: "/src/b", url: "https://example.org/a/b")
    var screen = Screen.list([sample("story", isRepository: false), clone], columns: 100)
    #expect(screen.lines[23].hasSuffix("? help  ↵ open  f favorite  / query  q quit"))
    screen.press(.enter)
    #expect(screen.lines[23].hasSuffix("? help  Esc back  o browser  q quit"))
    screen.press(.escape, .down, .enter)
    #expect(screen.lines[23].hasSuffix("? help  Esc back  s star  o browser  i clone facts  q quit"))
  }

  /// A message that is too long for its row continues on the next ones; on a low terminal it is cut.
  @Test func longMessages() {
    var screen = Screen.list(samples(0..<40), columns: 50)
    let words = Array(repeating: "word", count: 40).joined(separator: " ")
    screen.send(.reported(BrowseProblem(words, hint: "do this")))
    #expect(screen.lines[20] == " " + Array(repeating: "word", count: 10).joined(separator: " "))
    #expect(screen.lines[22].hasSuffix("…") && screen.lines.count == 24)
    var low = Screen.list(samples(0..<40), columns: 50, rows: 8)
    low.send(.reported(BrowseProblem(words, hint: "do this")))
    #expect(low.lines[6].hasSuffix("…") && TextWidth.of(low.lines[6]) <= 50)
  }
}
