import ForageBrowse
import ForageCore
import TestSupport
import Testing

/// Every event in every state.
struct EveryEventTests {
  private static let keys: [BrowseKey] =
    [
      .enter, .tab, .backTab, .escape, .backspace, .delete, .up, .down, .left, .right, .home, .end, .pageUp,
      .pageDown,
    ]
    + "aehuwzclk".map { .control($0) } + "qjkgGlhpsfFoycitrR?/ xXé日".map { .character($0) }

  /// States of every sort, with their names.
  private static func states() -> [(name: String, screen: Screen)] {
    var states: [(String, Screen)] = []
    for (columns, rows) in [(24, 8), (80, 24), (120, 40)] {
      func add(_ name: String, _ screen: Screen, _ change: (inout Screen) -> Void = { _ in }) {
        var screen = screen
        change(&screen)
        states.append(("\(name) \(columns)x\(rows)", screen))
      }
      let list = Screen.list(samples(0..<40), columns: columns, rows: rows, hasMore: true)
      add("start", Screen(columns: columns, rows: rows))
      add("feed", Screen(columns: columns, rows: rows)) { $0.answer(samples(0..<3)) }
      add("typing", Screen(columns: columns, rows: rows)) { $0.type("http") }
      add("loading", Screen(columns: columns, rows: rows, query: "http")) {
        $0.answer(.providers([ProviderStatus(id: "github", state: .waiting(since: .zero))]))
      }
      add("streaming", Screen(columns: columns, rows: rows, query: "http")) {
        $0.answer(.rows(BrowseRows(columns: sampleColumns, items: samples(0..<3))))
      }
      add("nothing", Screen(columns: columns, rows: rows, query: "http")) { $0.answer([]) }
      add("failed", Screen(columns: columns, rows: rows, query: "http")) {
        $0.answer(.failed(BrowseProblem("wrong", hint: "right")))
      }
      add("list", list)
      add("loading all", list) { $0.press(.character("G")) }
      add("filtered", list) { $0.press(.character("f"), .character("F")) }
      add("field over a list", list) { $0.press(.character("/")) }
      add("details", list) { $0.press(.enter) }
      add("failed details", list) {
        $0.press(.enter)
        $0.send(.details(request: $0.state.detail?.request ?? 0, .failure(BrowseProblem("wrong"))))
      }
      add("help", list) { $0.press(.character("?")) }
      add("providers", list) { $0.press(.character("p"), .down) }
      add("clone", list) {
        $0.press(.character("c"))
        $0.send(.cloneFolder(key: "repo github.com/owner/0", .success("/src")))
      }
    }
    return states
  }

  private static func events(_ state: BrowseState) -> [BrowseEvent] {
    let generation = state.request.generation
    let late = BrowseProblem("late")
    let text = BrowseText { _ in [FrameRow("text")] }
    var events: [BrowseEvent] = keys.map { .input(.key($0)) }
    events += [
      .input(.paste("pasted\ntext")), .input(.paste("")), .input(.wheel(isUp: true)),
      .input(.wheel(isUp: false)), .input(.click(column: 0, row: 0)), .input(.click(column: 5, row: 3)),
      .input(.click(column: 900, row: 900)), .resize(columns: 1, rows: 1), .resize(columns: 500, rows: 200),
      .resize(columns: 0, rows: -1), .clock(.zero), .clock(state.now + .seconds(5)), .reported(late),
      .waiting(provider: "x", until: .seconds(4)),
    ]
    for generation in [generation, generation - 1, generation + 1] {
      events += [
        .providers([]), .providers([ProviderStatus(id: "x", state: .deferred(remaining: 1))]),
        .providers([ProviderStatus(id: "x", state: .limited(until: .seconds(3)))]),
        .providers([ProviderStatus(id: "x", state: .lacksToken)]),
        .rows(BrowseRows(columns: sampleColumns, items: samples(3..<6))),
        .rows(BrowseRows(columns: [], items: [])), .page(page([])),
        .page(page(samples(0..<90), hasMore: true)), .page(page(samples(90..<99), isAppended: true)),
        .failed(late),
      ].map { BrowseEvent.search(generation: generation, $0) }
    }
    for request in -1...4 {
      events += [
        .details(request: request, .success(text)), .details(request: request, .failure(late)),
        .detailsWithheld(request: request),
        .facts(request: request, .success(text)), .facts(request: request, .failure(late)),
        .marked(.star, key: "repo github.com/owner/0", isSet: true, request: request, nil),
        .marked(.favorite, key: "repo github.com/owner/0", isSet: false, request: request, late),
      ]
    }
    return events + [
      .cloneFolder(key: "repo github.com/owner/0", .success("")), .cloneFolder(key: "none", .failure(late)),
      .cloned(key: "repo github.com/owner/0", .success("/src")), .cloned(key: "none", .failure(late)),
    ]
  }

  private static func expectSound(_ state: BrowseState, _ told: @autoclosure () -> String) {
    FramePropertyTests.expectFits(state, told())
    let isSelected = state.rows.isEmpty ? state.selected == 0 : state.rows.indices.contains(state.selected)
    let isVisible =
      state.rows.isEmpty || (state.top..<state.top + max(1, state.listHeight)).contains(state.selected)
    let isShown = state.rows.allSatisfy(state.items.indices.contains)
    if !(isSelected && isVisible && isShown) {
      Issue.record("\(told()): selected \(isSelected), visible \(isVisible), shown \(isShown)")
    }
  }

  @Test func everyEventInEveryState() {
    for (name, screen) in Self.states() {
      for event in Self.events(screen.state) {
        var screen = screen
        let before = screen.state
        let effects = screen.send(event)
        Self.expectSound(screen.state, "\(name), \(event)")
        for effect in effects {
          switch effect {
          case .quit(.done):
            guard case .input(.key(.character("q"))) = event else {
              Issue.record("\(name): \(event) quits")
              continue
            }
          case .quit(.interrupted):
            guard case .input(.key(.control("c"))) = event else {
              Issue.record("\(name): \(event) interrupts")
              continue
            }
          default: break
          }
        }
        if case .input(.key(.escape)) = event {
          // Esc loses nothing.
          #expect(screen.state.items.count == before.items.count, "\(name)")
          #expect(screen.state.field.text == before.field.text, "\(name)")
        }
        if case .search(let generation, _) = event, generation != before.request.generation {
          #expect(screen.state.items.count == before.items.count, "\(name)")
          #expect(screen.state.phase == before.phase, "\(name)")
        }
        // After any event the program can still be left.
        #expect(screen.press(.control("c")) == [.quit(.interrupted)])
      }
    }
  }

  /// A run of random keys, resizes and answers that come late, twice, or never.
  @Test func randomRuns() {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    var screen = Screen(query: "http")
    var open: [BrowseEffect] = screen.effects
    for step in 0..<10_000 {
      let event: BrowseEvent
      if random.chance(0.3), let effect = open.randomElement(using: &random) {
        event = Self.answer(to: effect, &random)
        if random.chance(0.8) { open.removeAll { $0 == effect } }
      } else if random.chance(0.1) {
        event = .resize(
          columns: Int.random(in: 1...(random.chance(0.2) ? 200 : 90), using: &random),
          rows: Int.random(in: 1...30, using: &random))
      } else if random.chance(0.2) {
        event = .clock(screen.state.now + .milliseconds(Int.random(in: 0...400, using: &random)))
      } else if random.chance(0.1) {
        event = .input(
          .click(column: Int.random(in: 0...120, using: &random), row: Int.random(in: 0...30, using: &random))
        )
      } else {
        event = .input(.key(random.pick(Self.keys)))
      }
      open += screen.send(event)
      if open.count > 50 { open.removeFirst(open.count - 50) }
      if step % 3 == 0 { Self.expectSound(screen.state, "seed \(seed), step \(step), \(event)") }
    }
  }

  private static func answer(to effect: BrowseEffect, _ random: inout SeededGenerator) -> BrowseEvent {
    let problem = BrowseProblem(FramePropertyTests.text(&random), hint: "hint")
    let text = BrowseText { _ in [FrameRow("text")] }
    func rows(_ first: Int) -> BrowseRows {
      BrowseRows(
        columns: sampleColumns, items: samples(first..<first + Int.random(in: 0...40, using: &random)))
    }
    let fails = random.chance(0.3)
    switch effect {
    case .search(let request):
      let news: BrowseSearchEvent = random.pick([
        .providers([ProviderStatus(id: "github", state: .waiting(since: .zero))]), .rows(rows(0)),
        .page(BrowsePage(rows(0), hasMore: fails)), .failed(problem),
      ])
      return .search(generation: request.generation, news)
    case .more(let generation), .stop(let generation):
      return .search(
        generation: generation,
        .page(BrowsePage(rows(100), isAppended: true, hasMore: fails, notes: fails ? [problem] : [])))
    case .preview(_, let request) where random.chance(0.5): return .detailsWithheld(request: request)
    case .details(_, let request, _), .preview(_, let request):
      return .details(request: request, fails ? .failure(problem) : .success(text))
    case .facts(_, _, let request):
      return .facts(request: request, fails ? .failure(problem) : .success(text))
    case .mark(let mark, let result, let isSet, let request):
      return .marked(
        mark, key: BrowseItem.key(result), isSet: isSet, request: request, fails ? problem : nil)
    case .cloneFolder(let result):
      return .cloneFolder(key: BrowseItem.key(result), fails ? .failure(problem) : .success("/src"))
    case .clone(let result, let folder):
      return .cloned(key: BrowseItem.key(result), fails ? .failure(problem) : .success(folder))
    default: return .reported(problem)
    }
  }
}
