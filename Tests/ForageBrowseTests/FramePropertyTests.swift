import ForageBrowse
import ForageCore
import TestSupport
import Testing

/// What holds for every frame.
struct FramePropertyTests {
  /// Text as a hostile or a foreign server sends it.
  static func text(_ random: inout SeededGenerator) -> String {
    let pieces = [
      "plain words", "日本語のライブラリ", "한국어", "ｆｕｌｌ", "👩‍👩‍👧‍👦", "❤️", "1️⃣", "🇩🇪", "e\u{301}\u{302}\u{303}", "עברית",
      "العربية",
      "\u{202E}desrever\u{202C}", "\u{2066}x\u{2069}", "\u{1B}[31mred\u{1B}[0m", "\u{1B}]0;title\u{7}",
      "\u{9B}2J", "\r\n", "\t", "\u{0}\u{8}\u{7F}", "\u{200B}", "\u{FE0F}", "\u{301}", "\u{FF9E}", "ก็", "नमस्ते",
      "\u{E0041}\u{E007F}", String(repeating: "long", count: 60), "",
    ]
    return (0..<Int.random(in: 0...4, using: &random)).map { _ in random.pick(pieces) }.joined(
      separator: random.pick(["", " "]))
  }

  static func item(_ index: Int, _ random: inout SeededGenerator) -> BrowseItem {
    let title = text(&random)
    let body = (0..<Int.random(in: 0...80, using: &random)).map { _ in text(&random) }
    var result = SearchResult(
      id: random.chance(0.8) ? "github.com/owner/\(index)" : "/\(index)", kind: .repo, title: title,
      url: random.chance(0.8) ? text(&random) : nil)
    result.set(.starred, random.chance(0.3))
    result.set(.favorite, random.chance(0.3))
    result.set(.path, random.chance(0.3) ? "/" + text(&random) : nil)
    return BrowseItem(
      result, cells: [title] + (1..<6).map { _ in text(&random) },
      // Rows that are wider than they may be.
      summary: BrowseText { _ in body.map { FrameRow($0) } })
  }

  /// As many rows as the terminal has, none wider than it, the cursor on it, and nothing that a terminal
  /// interprets.
  static func expectFits(_ state: BrowseState, _ told: @autoclosure () -> String) {
    let frame = state.frame()
    let isWhole = frame.columns == state.columns && frame.rows.count == state.height
    let isNarrow = frame.rows.allSatisfy {
      $0.width <= state.columns && TextWidth.of($0.text) <= state.columns
    }
    let isSafe = frame.rows.allSatisfy { row in
      !row.text.unicodeScalars.contains {
        $0.value < 32 || $0.value == 127
          || SafeText.isDangerous($0) && !(0xE0020...0xE007F).contains($0.value)
      }
    }
    let isOnScreen =
      frame.cursor.map { (0..<state.height).contains($0.row) && (0..<state.columns).contains($0.column) }
      ?? true
    if !(isWhole && isNarrow && isSafe && isOnScreen) {
      Issue.record("\(told()): whole \(isWhole), narrow \(isNarrow), safe \(isSafe), cursor \(isOnScreen)")
    }
  }

  @Test func anyTextInAnySize() {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<100 {
      let isTiny = random.chance(0.5)
      let columns = Int.random(in: 1...(isTiny ? 12 : 500), using: &random)
      let rows = Int.random(in: 1...(isTiny ? 12 : 200), using: &random)
      var screen = Screen(columns: columns, rows: rows, query: Self.text(&random))
      let items = (0..<Int.random(in: 0...40, using: &random)).map { Self.item($0, &random) }
      screen.answer(
        .providers([
          ProviderStatus(id: Self.text(&random), state: .waiting(since: .zero)),
          ProviderStatus(
            id: "github",
            state: .failed(BrowseProblem(Self.text(&random), hint: Self.text(&random))), count: 3),
        ]))
      screen.answer(items)
      Self.expectFits(screen.state, "seed \(seed), round \(round), list")
      screen.press(.character("j"), .enter)
      Self.expectFits(screen.state, "seed \(seed), round \(round), details")
      screen.press(.pageDown, .escape, .character("?"))
      Self.expectFits(screen.state, "seed \(seed), round \(round), help")
      screen.press(.escape, .character("p"), .down)
      Self.expectFits(screen.state, "seed \(seed), round \(round), providers")
      screen.press(.escape, .character("c"))
      if let key = screen.state.selectedItem?.key {
        screen.send(.cloneFolder(key: key, .success(Self.text(&random))))
      }
      Self.expectFits(screen.state, "seed \(seed), round \(round), clone")
      screen.press(.escape, .escape, .character("/"))
      screen.type(Self.text(&random))
      Self.expectFits(screen.state, "seed \(seed), round \(round), field")
    }
  }

  @Test(arguments: [(1, 1), (1, 200), (500, 1), (2, 2), (3, 3), (24, 4), (109, 5), (110, 5), (500, 200)])
  func extremes(_ columns: Int, _ rows: Int) {
    var screen = Screen.list(samples(0..<50), columns: columns, rows: rows)
    Self.expectFits(screen.state, "list")
    screen.press(.enter)
    Self.expectFits(screen.state, "details")
    screen.send(.reported(BrowseProblem("what happened", hint: "what to do")))
    Self.expectFits(screen.state, "message")
    screen.press(.escape, .character("/"))
    Self.expectFits(screen.state, "field")
  }

  /// A row that is too wide continues on the next ones; nothing is lost.
  @Test func brokenRows() {
    var row = FrameRow("ab", .title)
    row.add("日本語")
    #expect(row.broken(to: 3).map(\.text) == ["ab", "日", "本", "語"])
    #expect(row.broken(to: 4).map(\.text) == ["ab日", "本語"] && row.broken(to: 8) == [row])
    #expect(FrameRow("日本").broken(to: 1).map(\.text) == ["日", "本"])
  }

  /// A joined emoji has two columns, and one with variation selector 16 as well.
  @Test func emoji() {
    #expect(Span("👩‍👩‍👧").width == 2 && Span("❤️").width == 2 && Span("❤").width == 1)
  }

  /// Marks without a letter join the span before and do not widen it.
  @Test(arguments: ["\u{FE0F}", "\u{301}\u{FE0F}", "\u{FE0F}\u{301}\u{FE0F}\u{302}", "\u{200D}\u{FE0F}"])
  func marksAtTheBeginning(_ marks: String) {
    var row = FrameRow("▸ ")
    row.add(marks + "日本 text", width: 7)
    #expect(row.width == 9 && TextWidth.of(row.text) == 9)
  }

  @Test func styledText() {
    let row = FrameRow(styled: "\u{1B}[1mbold\u{1B}[0m plain \u{1B}[48;5;37m  \u{1B}[0m\u{1B}[2Jx\u{7}")
    #expect(row.text == "bold plain   2Jx\u{2407}")
    let styles = row.spans.filter { $0.style != .plain }.map { ($0.text, $0.style.codes) }
    #expect(styles.map(\.0) == ["bold", "  "] && styles.map(\.1) == ["1", "48;5;37"])
  }
}
