import ForageBrowse
import ForageCore
import Testing

/// When searches start, and what their answers do.
struct SearchTests {
  @Test func theStart() {
    let feed = Screen()
    #expect(feed.state.focus == .field)
    #expect(feed.request?.query == "" && feed.request?.scope == .asked)
    #expect(feed.request?.providers == ["github", "local"])
    let search = Screen(query: " http  client ")
    #expect(search.state.focus == .list && search.request?.query == "http  client")
  }

  /// Clones and the cache 30 ms after the last key, everybody after 300 ms.
  @Test func typing() {
    var screen = Screen()
    screen.answer([])
    #expect(screen.type("h") == [])
    #expect(screen.wait(29) == [])
    screen.type("t")
    #expect(screen.wait(29) == [])
    screen.wait(1)
    #expect(screen.request?.scope == .local && screen.request?.query == "ht")
    screen.answer(samples(0..<2))
    #expect(screen.state.phase == .loading && screen.selectedTitle == "owner/0")
    #expect(screen.wait(269) == [])
    screen.wait(1)
    #expect(screen.request?.scope == .typing && screen.request?.query == "ht")
    screen.answer(samples(0..<3))
    #expect(screen.state.phase == .loaded && screen.state.items.count == 3)
    #expect(screen.state.deadline == nil && screen.wait(1000) == [])
  }

  @Test func enterAsksAtOnce() {
    var screen = Screen()
    screen.type("http")
    screen.press(.enter)
    #expect(screen.request?.scope == .asked && screen.request?.query == "http")
    #expect(screen.state.focus == .list && screen.state.localSearchIsDone)
    screen.answer(samples(0..<3))
    // What was asked already is not asked again.
    screen.press(.character("/"), .enter)
    #expect(screen.effects == [] && screen.state.focus == .list)
    // A key between does.
    screen.press(.character("/"), .character("x"), .enter)
    #expect(screen.request?.query == "httpx")
  }

  @Test func enterAsksWhoWasLeftOut() {
    var screen = Screen()
    screen.type("http")
    screen.wait(300)
    screen.answer(.providers([ProviderStatus(id: "github", state: .deferred(remaining: 2))]))
    screen.answer(samples(0..<1))
    #expect(screen.text.contains("github at Enter only") && screen.text.contains("2 of its searches left"))
    screen.press(.enter)
    #expect(screen.request?.scope == .asked)
  }

  /// Asking again would not help where a token is missing.
  @Test func aMissingToken() {
    var screen = Screen(query: "http")
    screen.answer(.providers([ProviderStatus(id: "github", state: .lacksToken)]))
    screen.answer(samples(0..<1))
    #expect(screen.text.contains("github needs a token") && !screen.text.contains("failed"))
    screen.answer([])
    #expect(!screen.text.contains("tries again"))
  }

  @Test func lateAnswersAreDropped() {
    var screen = Screen(query: "old")
    let old = screen.state.request.generation
    screen.press(.character("/"), .control("u"))
    screen.type("new")
    screen.wait(300)
    screen.answer(samples(5..<7))
    for news: BrowseSearchEvent in [
      .page(page(samples(0..<3))), .rows(BrowseRows(columns: sampleColumns, items: samples(0..<3))),
      .failed(BrowseProblem("late")),
      .providers([ProviderStatus(id: "github", state: .waiting(since: .zero))]),
      .providers([ProviderStatus(id: "github", state: .failed(BrowseProblem("late")))]),
    ] {
      #expect(screen.send(.search(generation: old, news)) == [])
      #expect(screen.state.phase == .loaded && screen.state.items.map(\.title) == ["owner/5", "owner/6"])
      #expect(screen.state.statuses == [] && !screen.text.contains("late"))
    }
  }

  /// An answer that never comes blocks no key, and the search can be started again.
  @Test func lostAnswers() {
    var screen = Screen(query: "http")
    screen.answer(.providers([ProviderStatus(id: "github", state: .waiting(since: .zero))]))
    for _ in 0..<50 { screen.wait(100) }
    #expect(screen.text.contains("github waiting 5.0 s"))
    screen.press(.character("j"), .character("?"), .escape)
    screen.press(.character("r"))
    #expect(screen.request?.scope == .refresh)
    screen.answer(samples(0..<1))
    #expect(screen.selectedTitle == "owner/0")
    #expect(screen.press(.character("q")) == [.quit(.done)])
  }

  /// The selection stays on its entity while better results arrive, and through the final order.
  @Test func theSelectionStaysOnItsEntity() {
    var screen = Screen(query: "http")
    func rows(_ names: [Int]) -> BrowseRows {
      BrowseRows(columns: sampleColumns, items: names.map { sample("owner/\($0)") })
    }
    screen.answer(.rows(rows([1, 2, 3])))
    screen.press(.character("j"))
    #expect(screen.selectedTitle == "owner/2")
    screen.answer(.rows(rows([7, 8, 1, 2, 3])))
    #expect(screen.selectedTitle == "owner/2" && screen.state.selected == 3)
    screen.answer(.page(page([3, 2, 7, 8, 1].map { sample("owner/\($0)") })))
    #expect(screen.selectedTitle == "owner/2" && screen.state.selected == 1)
    // Where the entity is gone, the row stays.
    screen.press(.character("r"))
    screen.answer([9, 8, 7].map { sample("owner/\($0)") })
    #expect(screen.state.selected == 1 && screen.selectedTitle == "owner/8")
    // Another word begins at the top.
    screen.press(.character("/"), .character("x"), .enter)
    screen.answer(samples(0..<9))
    #expect(screen.state.selected == 0)
  }

  /// Until a key means a result the first row is selected, also when better results arrive above it.
  @Test func theSelectionStaysOnTheFirstRow() {
    func rows(_ names: [Int]) -> BrowseRows {
      BrowseRows(columns: sampleColumns, items: names.map { sample("owner/\($0)") })
    }
    var screen = Screen(query: "http")
    screen.answer(.rows(rows([1, 2])))
    screen.answer(.rows(rows([7, 1, 2])))
    #expect(screen.selectedTitle == "owner/7" && screen.state.top == 0)
    screen.press(.character("f"))
    screen.answer([8, 7, 1, 2].map { sample("owner/\($0)") })
    #expect(screen.selectedTitle == "owner/7")
    // The next list begins at its top.
    screen.press(.character("/"), .character("x"), .enter)
    screen.answer(.rows(rows([1, 2])))
    screen.answer([3, 1, 2].map { sample("owner/\($0)") })
    #expect(screen.selectedTitle == "owner/3")
  }

  /// To ask again is offered only where somebody failed.
  @Test func aKindThatNobodyHas() {
    var screen = Screen(query: "crash repo:apple/swift-nio")
    screen.answer(
      .page(
        BrowsePage(
          BrowseRows(columns: sampleColumns, items: []), isAppended: false,
          notes: [BrowseProblem("no provider can answer this search", hint: "change it")])))
    #expect(screen.text.contains("hint: change it") && !screen.text.contains("tries again"))
  }

  /// The answers of clones do not take away what the cache has shown.
  @Test func fewerRowsWait() {
    var screen = Screen()
    screen.type("http")
    screen.wait(30)
    screen.answer(samples(0..<5))
    screen.wait(270)
    #expect(screen.state.items.count == 5)
    screen.answer(.rows(BrowseRows(columns: sampleColumns, items: samples(0..<2))))
    #expect(screen.state.items.count == 5)
    screen.answer(samples(0..<2))
    #expect(screen.state.items.count == 2)
  }

  /// A word that no clone and no cached answer has leaves the old list until everybody has answered.
  @Test func theOldListStays() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.character("j"), .character("/"))
    screen.type("x")
    screen.wait(30)
    screen.answer([])
    #expect(screen.state.items.count == 3 && screen.state.phase == .loading)
    screen.wait(270)
    screen.answer(samples(5..<9))
    // It is another list, which begins at its top.
    #expect(screen.selectedTitle == "owner/5")
    screen.type("y")
    screen.wait(300)
    screen.answer([])
    #expect(screen.state.items.isEmpty && screen.text.contains("nothing found"))
  }

  /// From a change of the query, the kind or the order until an answer is there, no key acts on a result.
  @Test func theOldListTakesNoActions() {
    let changes: [(inout Screen) -> Void] = [
      { $0.press(.character("/"), .character("x"), .down) },
      { $0.press(.character("/"), .character("x"), .enter) },
      { $0.press(.tab) }, { $0.press(.character("t")) },
    ]
    for change in changes {
      for milliseconds in [0, 30, 300] {
        var screen = Screen.list(samples(0..<3), columns: 120, rows: 30)
        screen.wait(150)
        change(&screen)
        screen.wait(milliseconds)
        for key in "sfoeycil" {
          #expect(screen.press(.character(key)) == [], "\(key)")
          #expect(screen.text.contains("another search, so nothing was done"), "\(key)")
        }
        #expect(screen.press(.enter) == [] && screen.state.focus == .list && screen.state.lastOpened == nil)
        #expect(screen.send(.input(.click(column: 5, row: 3))) == [])
        #expect(screen.wait(150).allSatisfy { !$0.isPreview })
        #expect(!screen.text.contains("▸") && screen.text.contains("owner/0"))
        let row = screen.state.frame().rows[2]
        #expect(row.spans.allSatisfy { $0.style == .dim || $0.text.allSatisfy { $0 == " " } })
        screen.wait(300)
        screen.answer(samples(5..<8))
        #expect(screen.text.contains(" ▸ owner/5") && screen.press(.character("f")).count == 1)
      }
    }
  }

  /// An answer that fails is none; the same list takes actions while it comes again.
  @Test func whatTakesActions() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.character("r"))
    #expect(screen.press(.character("f")).count == 1)
    screen.press(.character("/"))
    screen.type(" (")
    screen.press(.enter)
    screen.answer(.failed(BrowseProblem("a parenthesis is open")))
    #expect(screen.press(.character("f")) == [] && screen.text.contains("change the query with /"))
  }

  @Test func failures() {
    var screen = Screen()
    screen.type("\"http")
    screen.wait(30)
    screen.answer(.failed(BrowseProblem("the quotation has no end", hint: "add a \"")))
    #expect(screen.text.contains("the quotation has no end") && screen.text.contains("hint: add a \""))
    screen.type("\"")
    screen.wait(300)
    screen.answer(samples(0..<3))
    #expect(!screen.text.contains("quotation"))
    // A slip while typing does not lose the list.
    screen.type(" (")
    screen.wait(30)
    screen.answer(.failed(BrowseProblem("a parenthesis is open")))
    #expect(screen.state.items.count == 3 && screen.text.contains("a parenthesis is open"))
    // Asking again does not help a query that is not valid.
    var other = Screen(query: "(")
    other.answer(.failed(BrowseProblem("a parenthesis is open", isInQuery: true)))
    #expect(other.text.contains("a parenthesis is open") && !other.text.contains("tries again"))
  }

  /// A forge that fails is not asked again at once for the end of a short list.
  @Test func aFailureIsNoReasonToLoadMore() {
    var screen = Screen(query: "http")
    screen.answer(.providers([ProviderStatus(id: "github", state: .failed(BrowseProblem("it is down")))]))
    #expect(screen.answer(samples(0..<2), hasMore: true) == [])
    #expect(screen.press(.character("j")) == [.more(generation: screen.state.request.generation)])
  }

  /// A refresh that a limit refuses leaves the list as it is.
  @Test func aRefreshUnderALimit() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.character("j"), .character("r"))
    screen.answer(.providers([ProviderStatus(id: "github", state: .limited(until: .seconds(20)))]))
    screen.answer([])
    #expect(screen.state.items.count == 3 && screen.selectedTitle == "owner/1")
    #expect(screen.text.contains("github limit 20 s"))
  }

  /// In the field `r` is a letter, so that Enter asks again.
  @Test func enterTriesAgain() {
    var screen = Screen()
    screen.type("http")
    screen.wait(300)
    screen.answer(.providers([ProviderStatus(id: "github", state: .failed(BrowseProblem("it is down")))]))
    screen.answer([])
    #expect(screen.text.contains("Enter tries again") && !screen.text.contains(" r tries again"))
    screen.press(.enter)
    #expect(screen.request?.scope == .refresh && screen.state.focus == .list)
    screen.answer(samples(0..<2))
    screen.press(.character("/"), .enter)
    #expect(screen.request == nil)
  }

  /// A wait of details or of a further page is shown while it lasts.
  @Test func aWaitOutsideOfTheSearch() {
    var screen = Screen(query: "http")
    screen.answer(.providers([ProviderStatus(id: "github", state: .answered, count: 2)]))
    screen.answer(samples(0..<2))
    screen.send(.waiting(provider: "github", until: screen.state.now + .seconds(3)))
    #expect(screen.text.contains("github limit 3 s"))
    screen.wait(3000)
    #expect(screen.text.contains("github 2") && !screen.text.contains("limit"))
    screen.send(.waiting(provider: "nobody", until: screen.state.now + .seconds(3)))
    #expect(!screen.text.contains("limit"))
  }

  @Test func aFailedProvider() {
    var screen = Screen(query: "http")
    let limit = BrowseProblem("the limit is exceeded", hint: "set a token")
    screen.answer(.providers([ProviderStatus(id: "github", state: .waiting(since: .zero))]))
    screen.answer(.providers([ProviderStatus(id: "github", state: .failed(limit))]))
    screen.answer([])
    #expect(screen.text.contains("github: the limit is exceeded") && screen.text.contains("r tries again"))
    screen.answer(.providers([ProviderStatus(id: "github", state: .limited(until: .seconds(90)))]))
    #expect(screen.text.contains("github limit 1 min 30 s"))
    screen.wait(60_000)
    #expect(screen.text.contains("github limit 30 s") && screen.state.deadline == .seconds(61))
    screen.press(.character("r"))
    #expect(screen.request?.scope == .refresh)
    #expect(screen.request?.limits == ["github": .seconds(90)])
  }

  /// A refresh leaves out providers whose limits hold, and asks them again when they are over.
  @Test func aLimitThatHolds() {
    var screen = Screen(query: "http")
    let statuses = [
      ProviderStatus(id: "github", state: .limited(until: .seconds(20))),
      ProviderStatus(id: "local", state: .failed(BrowseProblem("down"))),
    ]
    screen.answer(.providers(statuses))
    screen.answer([])
    screen.press(.character("r"))
    #expect(screen.request?.limits == ["github": .seconds(20)])
    screen.answer(.providers(statuses))
    screen.answer([])
    screen.wait(20_000)
    screen.press(.character("r"))
    #expect(screen.request?.limits == [:])
  }

  /// A refresh in which somebody fails, or is left out, leaves the list, whoever else answers.
  @Test func aRefreshThatFailsInPart() {
    let limited = ProviderStatus(id: "github", state: .limited(until: .seconds(20)))
    for status in [ProviderStatus(id: "github", state: .failed(BrowseProblem("down"))), limited] {
      var screen = Screen(query: "http")
      let local = ProviderStatus(id: "local", state: .answered, count: 1)
      screen.answer(.providers([ProviderStatus(id: "github", state: .answered, count: 3), local]))
      screen.answer(samples(0..<3), hasMore: true)
      for _ in 0..<2 {
        screen.press(.character("r"))
        screen.answer(.providers([status, local]))
        screen.answer(samples(0..<1), hasMore: true)
        #expect(screen.state.items.count == 3)
        // What follows in the search that failed does not follow the list that stays.
        #expect(screen.press(.character("G")) == [] && !screen.text.contains("Esc stops"))
      }
      screen.press(.character("r"))
      screen.answer(.providers([ProviderStatus(id: "github", state: .answered, count: 2), local]))
      screen.answer(samples(0..<2))
      #expect(screen.state.items.count == 2)
    }
  }

  /// Who is left out of a refresh is told, with the key that asks it later, also where nobody else can
  /// answer.
  @Test func whoIsLeftOut() {
    var screen = Screen(query: "http")
    let statuses = [
      ProviderStatus(id: "github", state: .limited(until: .seconds(20))),
      ProviderStatus(id: "local", state: .answered),
    ]
    screen.answer(.providers(statuses))
    screen.answer([])
    screen.press(.character("r"))
    screen.answer(.providers(statuses))
    screen.answer([])
    #expect(screen.text.contains("github was not asked: its limit ends in 20 s"))
    #expect(screen.text.contains("then press r") && !screen.text.contains("nothing found"))
    screen.wait(20_000)
    #expect(screen.text.contains("its limit is over") && !screen.text.contains("tries again"))
    screen.press(.character("/"))
    #expect(screen.text.contains("hint: press Enter"))
  }

  /// Where limits hold for all that are chosen, a refresh sends nothing and the countdown stays.
  @Test func limitsOfEverybody() {
    var screen = Screen(query: "http")
    screen.answer(
      .providers(["github", "local"].map { ProviderStatus(id: $0, state: .limited(until: .seconds(20))) }))
    screen.answer(samples(0..<3))
    #expect(screen.press(.character("r")) == [])
    #expect(screen.text.contains("before its limit ends") && screen.text.contains("github limit 20 s"))
    #expect(screen.state.phase == .loaded && screen.state.items.count == 3)
    // Another list is asked for as usual.
    screen.press(.tab, .character("r"))
    #expect(screen.request?.scope == .asked && screen.request?.limits == [:])
  }

  /// A kind that cannot be sorted by the chosen key is sorted by relevance, which is told.
  @Test func anOrderThatAKindLacks() {
    var screen = Screen(query: "http", sort: "stars")
    screen.answer(samples(0..<2))
    screen.press(.tab)
    #expect(screen.state.kinds == [.code] && screen.state.sort == nil)
    #expect(
      screen.text.contains("sorts results of kind code by stars") && !screen.text.contains("· by stars"))
    screen.wait(300)
    #expect(screen.request?.sort == nil)
    var updated = Screen(query: "http", kinds: [.code], sort: "updated")
    updated.press(.tab)
    #expect(updated.state.kinds == [.issue] && updated.state.sort == "updated")
  }

  /// A refresh that fails leaves the list.
  @Test func aRefreshThatFails() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.character("r"))
    screen.answer(.providers([ProviderStatus(id: "github", state: .failed(BrowseProblem("down")))]))
    screen.answer([])
    #expect(screen.state.items.count == 3 && screen.text.contains("github: down"))
  }

  @Test func paging() {
    var screen = Screen.list(samples(0..<30), hasMore: true)
    #expect(screen.effects == [])
    for _ in 0..<24 { #expect(screen.press(.character("j")) == []) }
    screen.press(.character("j"))
    let generation = screen.state.request.generation
    #expect(screen.effects == [.more(generation: generation)])
    #expect(screen.press(.character("j")) == [])
    screen.answer(.page(page(samples(30..<60), isAppended: true, hasMore: true)))
    #expect(screen.effects == [] && screen.state.items.count == 60 && screen.selectedTitle == "owner/26")
    // A page without results is not asked for again until the selection moves.
    screen.press(.end)
    screen.answer(.page(page([], isAppended: true, hasMore: true)))
    #expect(screen.effects == [])
    #expect(screen.press(.character("j")) == [.more(generation: generation)])
    screen.answer(.page(page([], isAppended: true)))
    #expect(screen.press(.character("j")) == [])
  }

  @Test func toTheEnd() {
    var screen = Screen.list(samples(0..<30), hasMore: true)
    let generation = screen.state.request.generation
    #expect(screen.press(.character("G")) == [.more(generation: generation)])
    #expect(screen.text.contains("30 loaded, Esc stops"))
    #expect(
      screen.answer(.page(page(samples(30..<130), isAppended: true, hasMore: true)))
        == [.more(generation: generation)])
    #expect(screen.press(.escape) == [.stop(generation: generation)])
    #expect(!screen.state.isLoadingAll && screen.text.contains("stopped; 130 results are loaded"))
    screen.press(.character("G"))
    screen.answer(.page(page(samples(130..<150), isAppended: true)))
    #expect(screen.effects == [] && !screen.state.isLoadingAll && screen.state.items.count == 150)
  }

  @Test func theViewIsFilled() {
    var screen = Screen(rows: 60, query: "http")
    #expect(
      screen.answer(samples(0..<10), hasMore: true) == [.more(generation: screen.state.request.generation)])
  }

  @Test func kinds() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.tab)
    #expect(screen.state.kinds == [.code])
    screen.press(.tab, .tab)
    // Nobody who is chosen has stories, so that after issues repositories follow, which a query finds anyway.
    #expect(screen.state.kinds == [] && screen.text.contains(" repo · "))
    screen.press(.backTab)
    #expect(screen.state.kinds == [.issue])
    screen.wait(300)
    #expect(screen.effects.count == 2 && screen.state.request.kinds == [.issue])
    var alone = Screen(query: "x", providers: [BrowseProvider(id: "local", kinds: [.repo])])
    alone.answer([])
    #expect(alone.press(.tab) == [] && alone.text.contains("no other kind"))
  }

  @Test func sorting() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.character("t"))
    #expect(screen.state.sort == "stars")
    screen.press(.character("t"))
    #expect(screen.state.sort == "updated")
    screen.press(.character("t"))
    #expect(screen.state.sort == nil)
    screen.press(.tab, .tab, .character("t"))
    // Issues have no stars.
    #expect(screen.state.sort == "updated")
    var other = Screen(query: "x", sort: "forks")
    #expect(other.request?.sort == "forks")
    other.press(.character("t"))
    #expect(other.state.sort == nil)
  }

  @Test func providers() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.character("p"))
    #expect(screen.lines[2].contains("chosen: github, local"), "\(screen.text)")
    #expect(screen.lines[3].contains("[x] github") && screen.lines[5].contains("[ ] hackernews"))
    screen.press(.down, .down, .down, .character(" "))
    #expect(screen.text.contains("chosen: all"))
    screen.press(.escape)
    #expect(screen.request?.providers == ["github", "local", "hackernews"])
    screen.press(.character("p"), .enter)
    #expect(screen.effects == [])
    // None is none: nothing changes.
    screen.press(.character("p"), .character(" "), .enter)
    #expect(screen.effects == [] && screen.text.contains("no provider was chosen"))
    #expect(screen.state.providers.allSatisfy { $0.isChosen })
  }

  @Test func atRandom() {
    var screen = Screen()
    screen.answer(samples(0..<3))
    screen.press(.escape, .character("R"))
    #expect(screen.request?.isSample == true)
    screen.answer(samples(3..<6))
    #expect(screen.text.contains("10 at random"))
    screen.press(.character("r"))
    #expect(screen.request?.isSample == true && screen.request?.scope == .refresh)
    var search = Screen.list(samples(0..<3))
    #expect(search.press(.character("R")) == [] && search.text.contains("clear the query first"))
  }

  @Test func blankInputIsTheFeed() {
    var screen = Screen.list(samples(0..<3))
    screen.press(.character("/"), .control("u"))
    screen.wait(300)
    #expect(screen.state.request.query == "" && screen.text.contains("feed"))
  }
}

extension BrowseState {
  /// Whether nothing waits for a pause in typing.
  fileprivate var localSearchIsDone: Bool { deadline.map { $0 > now + .milliseconds(300) } ?? true }
}
