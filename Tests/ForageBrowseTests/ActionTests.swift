import ForageBrowse
import ForageCore
import ForagePlatform
import Testing

/// What is done with one result, and what its outcome does.
struct ActionTests {
  @Test func movement() {
    var screen = Screen.list(samples(0..<100))
    let moves: [(BrowseKey, Int)] = [
      (.down, 1), (.character("j"), 2), (.up, 1), (.character("k"), 0), (.up, 0), (.pageDown, 19),
      (.pageDown, 38), (.pageUp, 19), (.end, 99), (.down, 99), (.home, 0), (.character("G"), 99),
      (.character("g"), 0),
    ]
    for (key, place) in moves {
      screen.press(key)
      #expect(screen.state.selected == place, "\(key)")
      #expect((screen.state.top..<screen.state.top + 20).contains(place))
    }
    screen.send(.input(.wheel(isUp: false)))
    #expect(screen.state.selected == 3)
    screen.send(.input(.wheel(isUp: true)))
    #expect(screen.state.selected == 0)
  }

  /// A letter is free for an action where the list and the details leave it to actions.
  @Test func keysOfActions() {
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "z")).map { Character(Unicode.Scalar($0)) }.filter(
      \.isLetter)
    for letter in letters {
      let action = ResultAction(name: "do", key: letter, title: "does it", command: ["do", "{id}"])
      var screen = Screen(query: "x", actions: [action])
      screen.answer(samples(0..<3))
      func isRun() -> Bool {
        screen.press(.character(letter)) == [.act(action, sample("owner/0").result)]
      }
      let inList = isRun()
      screen = Screen(query: "x", actions: [action])
      screen.answer(samples(0..<3))
      screen.press(.enter)
      #expect((inList && isRun()) != ResultAction.reservedKeys.contains(letter), "\(letter)")
    }
    let other = ResultAction(
      name: "merge", key: "M", title: "merge it", kinds: ["pr"], command: ["m"], plugin: "acme")
    var screen = Screen(rows: 60, query: "x", actions: [other])
    screen.answer(samples(0..<1))
    #expect(screen.press(.character("M")) == [] && screen.text.contains("merge does not take owner/0"))
    screen.press(.character("?"))
    #expect(screen.text.contains("merge it (of the plugin acme)"))
  }

  @Test func opening() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.character("j"))
    for key in [BrowseKey.enter, .right, .character("l")] {
      screen.press(key)
      #expect(
        screen.effects.first
          == .details(sample("owner/1").result, request: screen.state.detail?.request ?? 0, isRefresh: false))
      #expect(screen.state.focus == .detail && screen.text.contains("summary of owner/1"))
      screen.press([BrowseKey.escape, .left, .character("h")].randomElement() ?? .escape)
      #expect(screen.state.focus == .list && screen.state.detail == nil && screen.selectedTitle == "owner/1")
    }
    #expect(screen.state.lastOpened == "https://github.com/owner/1")
    screen.send(.input(.click(column: 5, row: 4)))
    #expect(screen.state.focus == .detail && screen.state.lastOpened == "https://github.com/owner/2")
  }

  @Test func details() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.enter)
    let request = screen.state.detail?.request ?? 0
    #expect(screen.text.contains("loading details"))
    let long = BrowseText { width in (0..<100).map { FrameRow("line \($0) of \(width)") } }
    screen.send(.details(request: request, .success(long)))
    #expect(screen.lines[2] == " line 0 of 78" && !screen.text.contains("loading"))
    screen.press(.character("j"), .character("j"))
    #expect(screen.lines[2] == " line 2 of 78")
    screen.press(.character("G"))
    #expect(screen.lines[21] == " line 99 of 78")
    screen.press(.pageUp, .character("g"))
    #expect(screen.lines[2] == " line 0 of 78")
    // Laid out again for another width.
    screen.send(.resize(columns: 60, rows: 20))
    #expect(screen.lines[2] == " line 0 of 58")
  }

  @Test func detailsThatFail() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.enter)
    let first = screen.state.detail?.request ?? 0
    screen.send(.details(request: first, .failure(BrowseProblem("the server failed"))))
    #expect(screen.text.contains("the server failed") && screen.text.contains("try again with r"))
    #expect(screen.text.contains("summary of owner/0"))
    screen.press(.character("r"))
    #expect(screen.effects == [.details(sample("owner/0").result, request: first + 1, isRefresh: true)])
    // The answer to what was asked before comes too late.
    screen.send(.details(request: first, .success(BrowseText { _ in [FrameRow("late")] })))
    #expect(!screen.text.contains("late"))
    screen.send(.details(request: first + 1, .success(BrowseText { _ in [FrameRow("whole")] })))
    #expect(screen.text.contains("whole") && !screen.text.contains("failed"))
    screen.press(.escape)
    #expect(screen.state.items.count == 3 && screen.state.focus == .list)
  }

  /// Marks are behind the title of the details, in words, as soon as they are set.
  @Test func marksOfTheDetails() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.enter, .character("s"))
    #expect(screen.lines[2] == " owner/0  ★ starred")
    screen.press(.character("f"))
    #expect(screen.lines[2] == " owner/0  ♥ favorite, ★ starred")
    let request = screen.state.detail?.request ?? 0
    screen.send(
      .details(request: request, .success(BrowseText { _ in [FrameRow("owner/0"), FrameRow("x")] })))
    screen.press(.character("s"))
    #expect(screen.lines[2] == " owner/0  ♥ favorite")
    screen.send(.resize(columns: 20, rows: 24))
    #expect(screen.lines[2] == " owner…  ♥ favorite")
    screen.send(.resize(columns: 120, rows: 24))
    screen.press(.character("f"))
    #expect(screen.lines[2].hasSuffix("│ owner/0"))
  }

  /// Beside the list r refreshes the list, so Enter loads failed details again.
  @Test func detailsThatFailInThePane() {
    var screen = Screen.list(samples(0..<3), columns: 120, rows: 30)
    screen.wait(150)
    let first = screen.state.detail?.request ?? 0
    screen.send(.details(request: first, .failure(BrowseProblem("the server failed"))))
    #expect(screen.text.contains("try again with Enter"))
    screen.press(.enter)
    #expect(screen.effects == [.details(sample("owner/0").result, request: first + 1, isRefresh: false)])
  }

  /// What the list knows stays where more would take requests; Enter asks for it.
  @Test func detailsThatAreWithheld() {
    var screen = Screen.list(samples(0..<3), columns: 120, rows: 30)
    screen.wait(150)
    let first = screen.state.detail?.request ?? 0
    #expect(screen.effects == [.preview(sample("owner/0").result, request: first)])
    screen.send(.detailsWithheld(request: first))
    #expect(screen.effects.isEmpty && screen.text.contains("summary of owner/0"))
    #expect(screen.text.contains("↵ loads the rest") && !screen.text.contains("loading"))
    screen.wait(1000)
    #expect(screen.effects.isEmpty)
    screen.press(.enter)
    #expect(screen.effects == [.details(sample("owner/0").result, request: first + 1, isRefresh: false)])
    #expect(screen.text.contains("loading details") && !screen.text.contains("loads the rest"))
    // The answer to the preview comes too late.
    screen.send(.detailsWithheld(request: first))
    #expect(screen.effects.isEmpty && screen.text.contains("loading details"))
    screen.send(.details(request: first + 1, .success(BrowseText { _ in [FrameRow("whole")] })))
    screen.press(.escape, .enter)
    #expect(screen.effects.isEmpty && screen.text.contains("whole"))
  }

  /// Who presses Enter before the preview has ended gets the details, with no request twice.
  @Test func detailsThatAreWantedMeanwhile() {
    for isWithheld in [true, false] {
      var screen = Screen.list(samples(0..<3), columns: 120, rows: 30)
      screen.wait(150)
      let first = screen.state.detail?.request ?? 0
      screen.press(.enter)
      #expect(screen.effects.isEmpty)
      screen.send(
        isWithheld
          ? .detailsWithheld(request: first)
          : .details(request: first, .success(BrowseText { _ in [FrameRow("whole")] })))
      let asks = [BrowseEffect.details(sample("owner/0").result, request: first + 1, isRefresh: false)]
      #expect(screen.effects == (isWithheld ? asks : []))
    }
  }

  /// The facts of a clone need nothing of the forge.
  @Test func factsTakeNoDetails() {
    let item = sample("owner/0", clone: "/src/owner")
    var screen = Screen.list([item])
    screen.press(.character("i"))
    let request = screen.state.detail?.request ?? 0
    #expect(screen.effects.first == .preview(item.result, request: request))
    screen.send(.detailsWithheld(request: request))
    #expect(screen.effects.isEmpty && screen.text.contains("r loads the rest"))
    screen.press(.character("r"))
    #expect(screen.effects == [.details(item.result, request: request + 2, isRefresh: true)])
  }

  /// In a query that has begun a question mark is a letter.
  @Test func theHelpOfAnEmptyQuery() {
    var screen = Screen()
    #expect(screen.state.focus == .field && screen.lines.last?.contains("? help") == true)
    screen.press(.character("?"))
    #expect(screen.state.panel == .help(top: 0) && screen.state.field.text.isEmpty)
    screen.press(.escape)
    #expect(screen.state.focus == .field)
    screen.type("a?")
    #expect(screen.state.field.text == "a?" && screen.lines.last?.contains("? help") == false)
  }

  @Test func theWheelInTheHelp() {
    var screen = Screen.list(samples(0..<3), rows: 12)
    screen.press(.character("?"))
    let first = screen.text
    for _ in 0..<50 { screen.send(.input(.wheel(isUp: false))) }
    let last = screen.text
    screen.send(.input(.wheel(isUp: true)))
    #expect(first != last && screen.text != last && last.contains("quit"))
  }

  /// The pane shows the selection when it has rested for 150 ms.
  @Test func thePaneFollows() {
    var screen = Screen.list(samples(0..<9), columns: 120, rows: 30)
    #expect(screen.wait(149) == [])
    screen.press(.character("j"))
    #expect(screen.wait(149) == [])
    screen.wait(1)
    #expect(screen.effects.count == 1 && screen.effects[0].isPreview)
    #expect(screen.state.focus == .list && screen.text.contains("│ summary of owner/1"))
    #expect(screen.state.lastOpened == nil)
    screen.press(.enter)
    // It is there already.
    #expect(screen.effects == [] && screen.state.focus == .detail)
    #expect(screen.state.lastOpened == "https://github.com/owner/1")
    screen.press(.escape, .character("j"))
    #expect(screen.text.contains("summary of owner/1"))
    screen.wait(150)
    #expect(screen.text.contains("summary of owner/2"))
    // A narrow terminal has no pane.
    screen.send(.resize(columns: 100, rows: 30))
    #expect(screen.state.detail == nil && !screen.text.contains("│"))
  }

  /// What the pane shows of a result is that of the refreshed list.
  @Test func thePaneFollowsARefresh() {
    func items(_ state: String) -> [BrowseItem] {
      var result = sample("owner/0").result
      result.set(.state, state)
      return [
        BrowseItem(
          result, cells: sample("owner/0").cells, summary: BrowseText { _ in [FrameRow("it is " + state)] })
      ]
    }
    var screen = Screen.list(items("open"), columns: 120, rows: 30)
    screen.wait(150)
    screen.send(.detailsWithheld(request: screen.state.detail?.request ?? 0))
    #expect(screen.text.contains("it is open"))
    screen.press(.character("r"))
    screen.answer(items("open"))
    #expect(screen.wait(150) == [])
    screen.press(.character("r"))
    screen.answer(items("closed"))
    #expect(screen.wait(150).contains { $0.isPreview })
    #expect(screen.text.contains("it is closed") && !screen.text.contains("it is open"))
  }

  @Test(arguments: [BrowseMark.star, .favorite]) func marks(_ mark: BrowseMark) {
    var screen = Screen.list(samples(0..<3))
    let (key, sign) = mark == .star ? ("s" as Character, "★") : ("f", "♥")
    screen.press(.character(key))
    guard case .mark(mark, sample("owner/0").result, true, let first)? = screen.effects.first else {
      Issue.record("\(screen.effects)")
      return
    }
    #expect(screen.lines[2].contains(sign))
    screen.send(.marked(mark, key: "repo github.com/owner/0", isSet: true, request: first, nil))
    #expect(screen.lines[2].contains(sign))
    #expect(screen.text.contains(mark == .star ? "starred owner/0" : "owner/0 is now a favorite"))
    // Removed, and taken back with the reason when that fails.
    screen.press(.character(key))
    #expect(!screen.lines[2].contains(sign))
    screen.send(
      .marked(
        mark, key: "repo github.com/owner/0", isSet: false, request: first + 1,
        BrowseProblem("refused", hint: "why")))
    #expect(screen.lines[2].contains(sign) && screen.text.contains("refused; hint: why"))
    // What the server has is what a new answer may not know yet.
    screen.press(.character("r"))
    screen.answer(samples(0..<3))
    #expect(screen.lines[2].contains(sign))
  }

  /// The outcome of the last change counts, whatever the order of the answers.
  @Test func changesInQuickSuccession() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.character("s"), .character("s"), .character("s"))
    let requests = screen.effects.compactMap { effect -> Int? in
      if case .mark(_, _, _, let request) = effect { request } else { nil }
    }
    #expect(requests.count == 3 && screen.lines[2].contains("★"))
    func ended(_ index: Int, _ isSet: Bool, _ problem: BrowseProblem?) -> BrowseEvent {
      .marked(.star, key: "repo github.com/owner/0", isSet: isSet, request: requests[index], problem)
    }
    screen.send(ended(0, true, nil))
    screen.send(ended(1, false, BrowseProblem("refused")))
    #expect(screen.lines[2].contains("★"))
    screen.send(ended(2, true, BrowseProblem("refused")))
    // The first star is there, the others failed.
    #expect(screen.lines[2].contains("★"))
    // An outcome that nobody waits for changes nothing.
    screen.send(ended(1, false, nil))
    #expect(screen.lines[2].contains("★"))
  }

  @Test func onlyRepositoriesCanBeStarred() {
    var screen = Screen.list([sample("a folder", isRepository: false)])
    #expect(screen.press(.character("s")) == [] && screen.text.contains("cannot be starred"))
    #expect(screen.press(.character("c")) == [] && screen.text.contains("cannot be cloned"))
    screen.press(.character("f"))
    #expect(screen.lines[2].contains("♥"))
  }

  @Test func onlyFavorites() {
    var screen = Screen.list([sample("a/a"), sample("b/b", isFavorite: true), sample("c/c")])
    screen.press(.character("j"), .character("F"))
    #expect(
      screen.state.rows == [1] && screen.selectedTitle == "b/b" && screen.text.contains("only favorites"))
    #expect(screen.lines[23].hasPrefix(" 1 favorite of 3 loaded rows"), "\(screen.lines[23])")
    screen.press(.character("F"))
    #expect(screen.state.rows == [0, 1, 2] && screen.selectedTitle == "b/b")
  }

  @Test func pagesAndAddresses() {
    var screen = Screen.list(samples(0..<3))
    #expect(screen.press(.character("o")) == [.open(address: "https://github.com/owner/0")])
    #expect(screen.state.lastOpened == "https://github.com/owner/0")
    #expect(screen.press(.character("y")) == [.copy("https://github.com/owner/0")])
    // Whoever copies it tells what became of it.
    #expect(!screen.text.contains("copied"))
  }

  /// A file without a page of its commit is opened in the editor, and any file with `e`.
  @Test func filesWithoutAPage() {
    var result = SearchResult(id: "/src:a.c", kind: .code, title: "a.c")
    func screen() -> Screen {
      Screen.list([BrowseItem(result, cells: ["a.c"], summary: BrowseText { _ in [] })])
    }
    var without = screen()
    #expect(without.press(.character("o")) == [] && without.text.contains("has no page"))
    #expect(without.press(.character("e")) == [] && without.text.contains("a.c is not on this disk"))
    result.set(.file, "/src/a.c")
    result[.matches] = .items([.record(["line": .number(7), "text": .text("x")])])
    var with = screen()
    let edit = BrowseEffect.edit(FileLocation(path: "/src/a.c", line: 7))
    #expect(with.press(.character("o")) == [edit])
    #expect(with.press(.character("e")) == [edit])
    // The page is of another commit, then of the one in which the file was found.
    result.url = "https://github.com/o/r/blob/1234/a.c"
    result.set(.commit, "5678")
    var other = screen()
    #expect(other.press(.character("o")) == [edit] && other.press(.character("e")) == [edit])
    #expect(other.state.lastOpened == nil)
    result.set(.commit, "1234")
    var same = screen()
    #expect(same.press(.character("o")) == [.open(address: "https://github.com/o/r/blob/1234/a.c#L7")])
    #expect(same.press(.character("e")) == [edit])
  }

  @Test func clonesInTheEditor() {
    var screen = Screen.list([sample("owner/name", clone: "/src/größe"), sample("owner/other")])
    #expect(screen.press(.character("e")) == [.edit(FileLocation(path: "/src/größe"))])
    screen.press(.down)
    #expect(screen.press(.character("e")) == [] && screen.text.contains("hint: clone it with c"))
  }

  /// A file is shown at its first match, until the user scrolls.
  @Test(arguments: [80, 120])
  func theFirstMatch(_ columns: Int) {
    let result = SearchResult(id: "/src:a.c", kind: .code, title: "a.c")
    let item = BrowseItem(result, cells: ["a.c"], summary: BrowseText { _ in [FrameRow("listed")] })
    var screen = Screen.list([item], columns: columns, rows: 12)
    // Each line takes several rows.
    let wide = String(repeating: "x", count: 100)
    let text = BrowseText { _ in
      (1...90).map { FrameRow("line \($0) \(wide)") }
    } matchedLines: { _ in
      [(50, 41), (70, 21), (90, 1)].map { MatchedLine(line: $0, rowsFromHere: $1) }
    }
    screen.press(.enter)
    screen.send(.details(request: screen.state.detail?.request ?? 0, .success(text)))
    // Line 50, which is the 41st from the end, after three rows.
    #expect(screen.lines[5].contains("line 50 "), "\(screen.text)")
    screen.send(.resize(columns: columns + 1, rows: 12))
    #expect(screen.lines[5].contains("line 50 "), "\(screen.text)")
    screen.press(.character("g"))
    #expect(screen.lines[2].contains("line 1 "), "\(screen.text)")
    screen.send(.resize(columns: columns, rows: 12))
    #expect(screen.lines[2].contains("line 1 "), "\(screen.text)")
  }

  /// `n` and `N` show the matches of a file one after the other, and the editor gets the one that is shown.
  @Test func nextAndPreviousMatch() {
    var result = SearchResult(id: "/src:a.c", kind: .code, title: "a.c")
    result.set(.file, "/src/a.c")
    result[.matches] = .items(
      [(10, 3), (50, 5)].map { .record(["line": .number($0), "column": .number($1), "text": .text("x")]) })
    let item = BrowseItem(result, cells: ["a.c"], summary: BrowseText { _ in [FrameRow("listed")] })
    var screen = Screen.list([item], rows: 12)
    screen.press(.enter)
    screen.press(.character("n"))
    #expect(screen.text.contains("this page has no matches"))
    let text = BrowseText { _ in
      (1...90).map { FrameRow("line \($0) of 90") }
    } matchedLines: { _ in
      [(10, 81), (50, 41), (89, 2)].map { MatchedLine(line: $0, rowsFromHere: $1) }
    }
    screen.send(.details(request: screen.state.detail?.request ?? 0, .success(text)))
    func edited(_ line: LineNumber, _ column: LineNumber?) -> [BrowseEffect] {
      [.edit(FileLocation(path: "/src/a.c", line: line, column: column))]
    }
    #expect(screen.lines[5] == " line 10 of 90" && screen.press(.character("e")) == edited(10, 3))
    #expect(screen.lines[11].contains("n next match"))
    screen.press(.character("j"), .character("n"))
    #expect(screen.lines[5] == " line 50 of 90" && screen.press(.character("e")) == edited(50, 5))
    screen.press(.character("n"))
    #expect(screen.text.contains("line 89 of 90") && screen.press(.character("e")) == edited(89, nil))
    screen.press(.character("n"))
    #expect(screen.text.contains("this is the last match of 3") && screen.text.contains("line 89 of 90"))
    screen.press(.character("N"))
    #expect(screen.lines[5] == " line 50 of 90")
    screen.press(.character("N"), .character("N"))
    #expect(screen.lines[5] == " line 10 of 90" && screen.text.contains("this is the first match of 3"))
  }

  @Test func cloning() {
    var screen = Screen.list(samples(0..<3))
    #expect(screen.press(.character("c")) == [.cloneFolder(sample("owner/0").result)])
    screen.send(.cloneFolder(key: "repo github.com/owner/0", .success("/home/me/src/owner/0")))
    #expect(screen.lines[2] == " clone owner/0 to:" && screen.lines[3] == "   /home/me/src/owner/0")
    #expect(screen.state.frame().cursor == Frame.Cursor(row: 3, column: 23))
    screen.press(.escape)
    #expect(screen.effects == [] && screen.state.panel == nil)
    screen.press(.character("c"))
    screen.send(.cloneFolder(key: "repo github.com/owner/0", .success("/home/me/src/owner/0")))
    screen.press(.backspace, .character("x"), .enter)
    #expect(screen.effects == [.clone(sample("owner/0").result, folder: "/home/me/src/owner/x")])
    #expect(screen.text.contains("cloning owner/0"))
    #expect(screen.press(.character("c")) == [] && screen.text.contains("is being cloned"))
    screen.send(.cloned(key: "repo github.com/owner/0", .failure(BrowseProblem("no access", hint: "log in"))))
    #expect(screen.text.contains("no access") && !screen.text.contains("cloning"))
    screen.press(.character("c"))
    screen.send(.cloneFolder(key: "repo github.com/owner/0", .success("/src")))
    screen.press(.enter)
    screen.send(.cloned(key: "repo github.com/owner/0", .success("/src")))
    #expect(screen.text.contains("cloned owner/0 to /src"))
    #expect(screen.press(.character("c")) == [] && screen.text.contains("cloned already: /src"))
    // Now there are facts.
    screen.press(.character("i"))
    #expect(screen.effects.contains { if case .facts(_, "/src", _) = $0 { true } else { false } })
  }

  @Test func facts() {
    var screen = Screen.list([sample("a/a"), sample("b/b", clone: "/src/b")])
    #expect(screen.press(.character("i")) == [] && screen.text.contains("there is no clone of a/a"))
    screen.press(.character("j"), .character("i"))
    guard case .facts(_, "/src/b", let request)? = screen.effects.last else {
      Issue.record("\(screen.effects)")
      return
    }
    #expect(screen.state.focus == .detail && screen.text.contains("inspecting"))
    screen.send(.facts(request: request - 1, .success(BrowseText { _ in [FrameRow("late")] })))
    #expect(!screen.text.contains("late"))
    screen.send(.facts(request: request, .success(BrowseText { _ in [FrameRow("12 commits")] })))
    #expect(screen.text.contains("summary of b/b") && screen.text.contains("12 commits"))
    screen.press(.character("i"))
    if case .facts(_, _, let request)? = screen.effects.last {
      screen.send(.facts(request: request, .failure(BrowseProblem("damaged"))))
    }
    #expect(screen.text.contains("damaged"))
  }

  /// Whether there is a clone of the repository of an issue is known when it is asked for.
  @Test func factsOfAnIssue() {
    var screen = Screen.list([sample("an issue", isRepository: false)])
    screen.press(.character("i"))
    guard case .facts(_, nil, let request)? = screen.effects.last else {
      Issue.record("\(screen.effects)")
      return
    }
    screen.send(.facts(request: request, .failure(BrowseProblem("there is no clone of o/r"))))
    #expect(screen.text.contains("there is no clone of o/r"))
  }

  @Test func focus() {
    var screen = Screen()
    screen.answer([])
    screen.type("q")
    #expect(screen.state.field.text == "q" && screen.effects == [])
    screen.press(.down)
    #expect(screen.state.focus == .list)
    screen.press(.character("/"))
    #expect(screen.state.focus == .field)
    screen.press(.escape)
    #expect(screen.state.focus == .list && screen.state.field.text == "q")
    screen.send(.input(.paste("http client")))
    #expect(screen.state.focus == .field && screen.state.field.text == "qhttp client")
    screen.press(.pageDown)
    #expect(screen.state.focus == .list)
    screen.send(.input(.click(column: 3, row: 0)))
    #expect(screen.state.focus == .field)
  }

  /// The arrow moves from the query into the list, where the first row is marked already.
  @Test func fromTheQueryIntoTheList() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.character("/"), .down)
    #expect(screen.state.focus == .list && screen.selectedTitle == "owner/1")
  }

  @Test func leaving() {
    var screen = Screen.list(samples(0..<3))
    #expect(screen.press(.character("q")) == [.quit(.done)])
    #expect(screen.press(.control("c")) == [.quit(.interrupted)])
    #expect(screen.press(.control("z")) == [.suspend])
    #expect(screen.press(.control("l")) == [.redraw])
    screen.press(.character("/"))
    #expect(screen.press(.control("c")) == [.quit(.interrupted)])
    screen.press(.escape, .character("?"))
    #expect(screen.press(.control("c")) == [.quit(.interrupted)])
  }

  @Test func nothingToActOn() {
    var screen = Screen.list([])
    for key in "lsfoyci" {
      #expect(screen.press(.character(key)) == [] && screen.text.contains("there is no result"), "\(key)")
    }
  }
}
