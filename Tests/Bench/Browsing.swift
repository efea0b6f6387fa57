import ForageBrowse
import ForageCore
import Foundation

/// The row about the screens of `forage browse`, in this process.
enum Browsing {
  private static let (results, keys) = (10_000, 1_000)
  /// Milliseconds from a key to its frame: one frame of a display.
  private static let goal = 16.0

  /// Prints the time from a key to the bytes for the terminal, in a long list.
  static func row() {
    var state = BrowseState(columns: 200, rows: 50, query: "http", providers: [])
    _ = state.begin()
    let columns = [TableColumn(fifths: 2), TableColumn(isFlexible: true), TableColumn(hasMarks: true)]
    let items = (0..<results).map { number in
      BrowseItem(
        SearchResult(
          id: "github.com/owner/\(number)", kind: .repo, title: "owner/\(number)",
          fields: [.favorite: .flag(number % 7 == 0)]),
        cells: ["owner/\(number)", "An HTTP client with a 日本語 description, number \(number)", "8.1k"],
        summary: BrowseText { _ in [FrameRow("owner/\(number)")] })
    }
    _ = reduce(
      &state,
      .search(
        generation: state.request.generation,
        .page(BrowsePage(BrowseRows(columns: columns, items: items)))))
    var writer = FrameWriter(hasColor: true)
    let pressed: [BrowseKey] = [
      .pageDown, .down, .end, .up, .home, .character("F"), .pageDown, .character("F"), .character("f"),
      .character("/"), .character("x"), .escape,
    ]
    var times: [Double] = []
    for index in 0..<keys {
      let before = ContinuousClock.now
      _ = reduce(&state, .input(.key(pressed[index % pressed.count])))
      _ = writer.bytes(for: state.frame())
      times.append((ContinuousClock.now - before) / .milliseconds(1))
    }
    Report.single("browse: key to frame with \(results) results", milliseconds: times, goal: goal)
  }
}
