import ForageCore
import TestSupport
import Testing

@testable import ForageBrowse

/// The list that narrows while one types.
struct PickTests {
  private func state(_ names: [String], weights: [String: Double] = [:], query: String = "", rows: Int = 10)
    -> PickState
  {
    PickState(
      names.map { PickItem(value: $0, name: $0, place: "~/src/" + $0, weight: weights[$0] ?? 0) },
      query: query,
      columns: 60, rows: rows, isUnicode: true)
  }

  /// On a wide terminal what is known of the selected item stands beside the list, as long as it is selected.
  @Test func preview() {
    var state = state(["alpha", "beta"], rows: 4)
    #expect(state.previewed == nil)
    state.resize(columns: 109, rows: 4)
    #expect(state.previewed == nil && !state.frame().rows[1].text.contains("│"))
    state.resize(columns: 120, rows: 4)
    #expect(state.previewed == "alpha")
    state.show([FrameRow("main"), FrameRow(String(repeating: "x", count: 200))], of: "alpha")
    let rows = state.frame().rows
    #expect(rows[1].text.hasSuffix(" │ main") && rows[1].text.hasPrefix("▸ alpha"))
    #expect(rows[2].width == 120 && rows[2].text.contains("beta"))
    #expect(!rows[0].text.contains("│"))
    _ = state.apply(.key(.down))
    #expect(state.previewed == "beta" && state.frame().rows[1].text.hasSuffix(" │ "))
  }

  /// What fits is what has the characters in their order; of several words each must.
  @Test func fitsAreSubsequences() {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let letters = Array("abAB-/ößÖéx")
    func text(_ most: Int) -> String {
      String(
        (0..<Int.random(in: 0...most, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a"
        })
    }
    func isSubsequence(_ pattern: String, _ text: String) -> Bool {
      var rest = pattern.unicodeScalars[...]
      for scalar in text.unicodeScalars {
        guard let first = rest.first else { break }
        let small = scalar.properties.lowercaseMapping.unicodeScalars
        if first == scalar || small.count == 1 && first == small.first { rest.removeFirst() }
      }
      return rest.isEmpty
    }
    for round in 0..<2_000 {
      let (pattern, name) = (text(4), text(12))
      let folded = FoldedText(name)
      let match = FuzzyMatch(Array(pattern.unicodeScalars), in: folded.scalars, lower: folded.lower)
      #expect(
        (match != nil) == (!pattern.isEmpty && isSubsequence(pattern, name)),
        "seed \(seed), round \(round): \(pattern) in \(name)")
      guard let match else { continue }
      #expect(
        match.places == match.places.sorted() && Set(match.places).count == pattern.unicodeScalars.count)
    }
  }

  @Test(arguments: [
    ("nio", ["apple/swift-nio", "x/SwiftNio", "minion/tool"]), ("swni", ["apple/swift-nio", "x/SwiftNio"]),
    ("SN", ["x/SwiftNio"]),
    ("swift nio", ["apple/swift-nio", "x/SwiftNio"]),
    ("", ["apple/swift-nio", "minion/tool", "x/SwiftNio", "größe/ü"]),
    ("grü", ["größe/ü"]), ("zzz", []),
    // All lie in a folder of that name: the shortest path is the closest.
    ("src", ["größe/ü", "x/SwiftNio", "minion/tool", "apple/swift-nio"]),
  ])
  func narrowing(_ query: String, _ first: [String]) {
    let values = state(["apple/swift-nio", "minion/tool", "x/SwiftNio", "größe/ü"], query: query).values
    #expect(values == first)
  }

  /// Names come before places, what is used more before the rest, and a better fit before a use or two.
  @Test func order() {
    let names = ["a/one", "b/two", "c/three"]
    #expect(state(names, weights: ["b/two": 1]).values == ["b/two", "a/one", "c/three"])
    #expect(state(names, weights: ["b/two": 1, "c/three": 3.5]).values == ["c/three", "b/two", "a/one"])
    let items = [
      PickItem(value: "1", name: "x/other", place: "~/tool/other", weight: 5),
      PickItem(value: "2", name: "x/tool", place: "~/src/x", weight: 0),
    ]
    #expect(PickState(items, query: "tool", columns: 60, rows: 5, isUnicode: true).values == ["2", "1"])
    #expect(
      state(["x/t-o-o-l", "x/tool"], weights: ["x/t-o-o-l": 0.5], query: "tool").values.first == "x/tool")
  }

  @Test func keys() {
    var list = state((1...30).map { "o/n\($0)" }, rows: 6)
    #expect(list.apply(.key(.down)) == nil && list.apply(.key(.down)) == nil && list.apply(.key(.up)) == nil)
    #expect(list.apply(.key(.enter)) == .picked("o/n2"))
    _ = list.apply(.key(.pageDown))
    #expect(list.frame().text.contains("▸ o/n7") && list.frame().rows.count == 6)
    _ = list.apply(.paste("n30\n"))
    #expect(list.apply(.key(.enter)) == .picked("o/n30"))
    for _ in 0..<4 { _ = list.apply(.key(.backspace)) }
    #expect(list.values.count == 30)
    _ = list.apply(.click(column: 3, row: 3))
    #expect(list.apply(.key(.enter)) == .picked(list.values[2]))
    _ = list.apply(.key(.character("q")))
    #expect(
      list.values.isEmpty && list.apply(.key(.enter)) == nil && list.frame().text.contains("nothing fits"))
    #expect(list.apply(.key(.escape)) == .cancelled && list.apply(.key(.control("c"))) == .interrupted)
  }

  /// No row is wider than the terminal, whatever the names are.
  @Test(arguments: [(1, 1), (20, 3), (60, 5), (200, 10)]) func frames(_ columns: Int, _ rows: Int) {
    var list = PickState(
      ["o/\u{1B}[31mred", "日本/語語語語語語語語語語語", "x/" + String(repeating: "long", count: 50)].map {
        PickItem(value: $0, name: $0, place: "/path/" + $0, weight: 0)
      }, query: "", columns: columns, rows: rows, isUnicode: true)
    for input in [BrowseInput.key(.down), .key(.down), .paste("語")] {
      let frame = list.frame()
      #expect(frame.rows.count == rows && frame.rows.allSatisfy { $0.width <= columns })
      #expect(!frame.text.contains("\u{1B}"))
      _ = list.apply(input)
    }
  }
}
