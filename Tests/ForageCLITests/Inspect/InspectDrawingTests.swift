import Forage
import TestSupport
import Testing

@testable import ForageCLI
@testable import ForageInspector

/// Bars, lines of bars, colours: the parts of a page.
struct InspectDrawingTests {
  private func summary(_ weeks: [Int], days: [Int] = [], hours: [Int] = []) -> ActivitySummary {
    ActivitySummary(
      activity: .init(
        weeks: weeks.enumerated().map { .init(start: "\($0.offset)", commits: $0.element) }, weekdays: days,
        hours: hours))
  }

  @Test(
    arguments: [
      ([], 10, "", ""), ([0, 0], 10, "▁▁", ".."), ([0, 1, 1000], 10, "▁▂█", ".:#"),
      ([1, 2, 3, 4, 5, 6, 7], 10, "▂▃▄▅▆▇█", ":-=+*##"),
      // Two weeks a bar; the odd one is the oldest.
      ([1, 1, 1, 2, 2], 3, "▃▅█", "-=#"), ([5, 0, 0, 0, 0], 3, "█▁▁", "#.."), ([1, 1], 0, "", ""),
      ([-4, 4], 2, "▁█", ".#"),
    ] as [([Int], Int, String, String)])
  func sparklines(_ weeks: [Int], _ width: Int, _ unicode: String, _ plain: String) {
    #expect(summary(weeks).sparkline(width: width, isUnicode: true) == unicode)
    #expect(summary(weeks).sparkline(width: width, isUnicode: false) == plain)
  }

  @Test func busiestTimes() {
    let days = [0, 3, 9, 9, 0, 0, 1]
    func hours(_ busy: [Int: Int]) -> [Int] { (0..<24).map { busy[$0] ?? 0 } }
    #expect(
      summary([1], days: days, hours: hours([9: 1, 10: 5, 11: 4])).text()
        == "1 commit in 1 week since 0; busiest of all time: Wednesday, 10–12\u{A0}h")
    #expect(
      summary([1, 1], days: days, hours: hours([22: 5, 23: 4])).text(isUnicode: false)
        == "2 commits in 2 weeks since 0; busiest of all time: Wednesday, 22-24 h")
    #expect(
      summary([], days: days, hours: hours([23: 4, 0: 5])).text(isUnicode: false)
        == "0 commits; busiest of all time: Wednesday, 23-1 h")
    #expect(
      summary([], days: days, hours: [1, 2]).text() == "0 commits; busiest of all time: Wednesday")
    #expect(summary([], days: [], hours: hours([1: 1])).text() == "0 commits")
  }

  /// Widths add up to the width, and what is there is seen.
  @Test func barsAreFull() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<300 {
      let languages = (0..<Int.random(in: 1...12, using: &random)).map {
        InspectionReport.Language(
          name: "l\($0)", bytes: 1, share: Double.random(in: 0.0001...1, using: &random))
      }
      let bar = LanguageBar(languages)
      let width = Int.random(in: 1...80, using: &random)
      let widths = bar.widths(of: width)
      #expect(widths.reduce(0, +) == width)
      #expect(width < bar.parts.count || widths.allSatisfy { $0 > 0 }, "\(widths)")
    }
    let nothing = LanguageBar([.init(name: "no such language", bytes: 0, share: 0)])
    #expect(nothing.widths(of: 10) == [0] && nothing.parts[0].color == LanguageBar.grey)
    #expect(LanguageBar([]).widths(of: 10) == [])
  }

  @Test(
    arguments: [
      ([:], true, "plain"), (["COLORTERM": "truecolor"], true, "full"),
      (["COLORTERM": "24bit"], true, "full"),
      (["COLORTERM": "truecolor"], false, "plain"), (["TERM": "xterm-256color"], true, "palette"),
      (["TERM": "xterm"], true, "plain"), (["TERM": "xterm-256color", "COLORTERM": "yes"], true, "palette"),
    ] as [([String: String], Bool, String)])
  func depths(_ environment: [String: String], _ isColored: Bool, _ expected: String) {
    #expect("\(ColorDepth(environment, isColored: isColored))" == expected)
  }

  @Test(
    arguments: [
      (0x000000, 16), (0xFFFFFF, 231), (0xFF0000, 196), (0x555555, 240), (0x89E051, 113), (0x080808, 232),
      (0xEEEEEE, 255), (0x5F87AF, 67),
    ] as [(Int, Int)])
  func nearestOfThePalette(_ color: Int, _ expected: Int) { #expect(ColorDepth.nearest(color) == expected) }

  @Test(
    arguments: [
      ([:], true), (["LANG": "en_US.UTF-8"], true), (["LANG": "de_DE.utf8"], true), (["LANG": "C"], false),
      (["LANG": "en_US.UTF-8", "LC_ALL": "C"], false), (["LC_ALL": "", "LANG": "C.UTF-8"], true),
      (["LC_CTYPE": "POSIX", "LANG": "C.UTF-8"], false), (["LANG": "ja_JP.eucJP"], false),
    ] as [([String: String], Bool)])
  func locales(_ environment: [String: String], _ expected: Bool) {
    #expect(Output.isUnicode(environment) == expected)
  }
}
