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
    screen.press(.character("1"))
    #expect(screen.request?.query == "is:open is:pr" && screen.request?.kinds == [.issue])
    #expect(screen.request?.sort == "updated" && screen.request?.order == .ascending)
    #expect(screen.state.frame().text.contains("@review"))
    screen.answer(samples(0..<1))
    screen.press(.character("]"))
    #expect(screen.request?.providers == ["hackernews"] && screen.request?.kinds == [.story])
    screen.answer([])
    screen.press(.character("["))
    screen.press(.character("["))
    // Before the first tab comes the last one, that of the last kind.
    #expect(screen.state.frame().text.contains("@") == false && screen.request?.query == "")
    #expect(screen.request?.sort == nil && screen.request?.order == nil)
    screen.press(.character("3"))
    #expect(screen.request?.kinds == [.repo])
    #expect(screen.press(.character("9")) == [])
    #expect(screen.state.frame().text.contains("there is no tab 9"))
  }

  /// Whoever edits the query leaves the saved search as it is.
  @Test func edited() {
    var screen = Screen(saved: Self.saved)
    screen.answer([])
    screen.press(.escape)
    screen.press(.character("1"))
    screen.answer(samples(0..<1))
    screen.press(.character("/"), .character("x"))
    #expect(!screen.state.frame().text.contains("@review"))
    // In the query the keys are letters.
    screen.press(.character("1"))
    screen.press(.enter)
    #expect(screen.request?.query == "is:open is:prx1")
    screen.press(.character("1"))
    #expect(screen.request?.query == "is:open is:pr")
  }
}
