import ForageBrowse
import ForageCore
import Testing

/// Saved searches and kinds as tabs.
struct TabTests {
  private static let saved = [
    BrowseSavedSearch(
      name: "review", query: "is:open is:pr", kinds: [.issue], sort: "updated", order: .ascending),
    BrowseSavedSearch(name: "new", query: "", kinds: [.story], providers: ["hackernews"]),
  ]

  @Test func places() {
    var screen = Screen(query: "http", saved: Self.saved)
    screen.answer(samples(0..<2))
    let first = screen.state.request
    screen.press(.character("1"))
    #expect(screen.request?.query == "is:open is:pr" && screen.request?.kinds == [.issue])
    #expect(screen.request?.sort == "updated" && screen.request?.order == .ascending)
    #expect(screen.state.frame().text.contains("[1 @review]"))
    screen.answer(samples(0..<1))
    screen.press(.character("]"))
    #expect(screen.request?.providers == ["hackernews"] && screen.request?.kinds == [.story])
    screen.answer([])
    screen.press(.character("["))
    screen.press(.character("["))
    // Before the first tab comes the last one, that of the last kind.
    #expect(screen.state.frame().text.contains("[1 @review]") == false && screen.request?.query == "http")
    #expect(screen.request?.sort == nil && screen.request?.order == nil)
    #expect(screen.press(.character("3")) == [.show(first)])
    #expect(screen.press(.character("9")) == [])
    #expect(screen.state.frame().text.contains("there is no tab 9"))
  }

  /// A tab keeps its list, with the place in it and the pages so far, until it is loaded anew.
  @Test func lists() {
    var screen = Screen(saved: Self.saved)
    screen.answer(samples(0..<30), hasMore: true)
    screen.press(.escape)
    let first = screen.state.request
    for _ in 0..<20 { screen.press(.down) }
    let shown = screen.state.frame().text
    screen.press(.character("1"))
    #expect(screen.state.request.kept == [first.generation])
    screen.answer(samples(0..<3))
    let review = screen.state.request
    screen.press(.down)
    // By the key of the tab, and by the one of the kind.
    #expect(screen.press(.character("3")) == [.show(first)])
    #expect(screen.state.frame().text == shown)
    #expect(screen.press(.character("1")) == [.show(review)])
    #expect(screen.state.selected == 1)
    // A page that was asked for before comes to its list.
    screen.send(.search(generation: first.generation, .page(page(samples(30..<50), isAppended: true))))
    #expect(screen.state.items.count == 3)
    #expect(screen.press(.character("3")) == [.show(first)])
    #expect(screen.state.items.count == 50 && screen.state.selected == 20)
    screen.press(.character("r"))
    #expect(screen.request?.scope == .refresh)
    let generations = [first.generation, review.generation, screen.state.request.generation]
    #expect(Set(generations).count == 3)
  }

  /// What is marked in one list is marked in the one that was kept.
  @Test func marksOfKeptLists() {
    var screen = Screen(query: "http", saved: Self.saved)
    screen.answer(samples(0..<3))
    screen.press(.character("1"))
    screen.answer(samples(0..<1))
    screen.press(.character("f"), .character("3"))
    #expect(screen.lines.contains { $0.contains("owner/0") && $0.contains("♥") }, "\(screen.text)")
  }

  /// A list that was not ready is searched for again.
  @Test func unfinishedLists() {
    var screen = Screen(saved: Self.saved)
    screen.answer(samples(0..<3))
    screen.press(.escape)
    screen.press(.character("1"))
    screen.press(.character("3"))
    #expect(screen.state.items.count == 3)
    screen.press(.character("1"))
    #expect(screen.request?.query == "is:open is:pr" && screen.state.phase == .loading)
  }

  /// Whoever edits the query leaves the saved search as it is.
  @Test func edited() {
    var screen = Screen(saved: Self.saved)
    screen.answer([])
    screen.press(.escape)
    screen.press(.character("1"))
    screen.answer(samples(0..<1))
    screen.press(.character("/"), .character("x"))
    #expect(!screen.state.frame().text.contains("[1 @review]"))
    // In the query the keys are letters.
    screen.press(.character("1"))
    screen.press(.enter)
    #expect(screen.request?.query == "is:open is:prx1")
    screen.press(.character("1"))
    #expect(screen.request?.query == "is:open is:pr")
  }
}
