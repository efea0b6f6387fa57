import Foundation
import TestSupport
import Testing

/// What the program prints and with which status it ends, compared with a file for each scenario in `Golden`.
///
/// With `FORAGE_RECORD=1` in the environment the files are written instead of compared.
struct GoldenTranscriptTests {
  private static let isRecording = ProcessInfo.processInfo.environment["FORAGE_RECORD"] == "1"
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden", isDirectory: true)
  /// How many differing lines a failure shows.
  private static let shownLines = 5

  private static func file(_ name: String) -> URL { folder.appendingPathComponent(name + ".txt") }

  @Test(arguments: GoldenScenario.all)
  func transcript(_ scenario: GoldenScenario) async throws {
    let actual = try await scenario.transcript()
    let file = Self.file(scenario.name)
    if Self.isRecording {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: file)
      return
    }
    guard let expected = try? String(contentsOf: file, encoding: .utf8) else {
      Issue.record("there is no file \(file.path); record it with FORAGE_RECORD=1")
      return
    }
    // Since version 1.7 libgit2 does not open what it cannot read.
    if scenario.name == "inspect-sha256", actual.contains("\nstatus 4\n") {
      #expect(actual.contains("the repository uses the object format sha256") && actual.contains("hint: "))
      return
    }
    if let difference = Self.difference(expected, actual) {
      Issue.record("\(scenario.name) differs at \(difference)")
    }
  }

  @Test func everyFileHasAScenario() throws {
    let names = GoldenScenario.all.map(\.name)
    #expect(Set(names).count == names.count, "two scenarios have the same name")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder.path)) ?? []
    let strays = files.filter { !$0.hasPrefix(".") && !names.map { $0 + ".txt" }.contains($0) }.sorted()
    guard Self.isRecording else {
      #expect(strays == [], "no scenario belongs to these files")
      return
    }
    for stray in strays { try FileManager.default.removeItem(at: Self.folder.appendingPathComponent(stray)) }
  }

  /// The first place where two texts differ; nil for the same bytes.
  static func difference(_ expected: String, _ actual: String) -> String? {
    guard !expected.utf8.elementsEqual(actual.utf8) else { return nil }
    let sides = [expected, actual].map { $0.utf8.split(separator: 10, omittingEmptySubsequences: false) }
    let pairs = zip(sides[0], sides[1])
    let same = pairs.prefix { $0.elementsEqual($1) }.count
    let shown = sides.map { lines in
      lines.dropFirst(same).prefix(shownLines).map { String(decoding: $0, as: UTF8.self) }.joined(
        separator: "\n")
    }
    return "line \(same + 1)\nexpected:\n\(shown[0])\nactual:\n\(shown[1])"
  }

  @Test func theFirstDifferenceIsTold() {
    #expect(Self.difference("a\nb\n", "a\nb\n") == nil)
    #expect(Self.difference("a\nb\n", "a\nc\n") == "line 2\nexpected:\nb\n\nactual:\nc\n")
    #expect(Self.difference("a\n", "a\nb\n") == "line 2\nexpected:\n\nactual:\nb\n")
  }

  @Test func onlyWhatMustDifferIsReplaced() {
    let normalization = GoldenNormalization(
      ports: [40001, 40002], directory: "/t/x", start: Date(timeIntervalSince1970: 2_000_000_000),
      end: Date(timeIntervalSince1970: 2_000_000_002))
    let replaced: [(String, String)] = [
      ("http://127.0.0.1:40001/a 127.0.0.1:40002", "http://127.0.0.1:PORT/a 127.0.0.1:PORT2"),
      ("/t/x/home/src /t/x/tmp", "HOME/src DIR/tmp"),
      (#""elapsedMs":12,"cacheAgeMs": 3"#, #""elapsedMs":<ms>,"cacheAgeMs": <ms>"#),
      ("is exceeded until 12:34:56 UTC", "is exceeded until <time>"),
      ("hint: try again in 60 min, or", "hint: try again in <time>, or"),
      ("a  23y ago  b", "a  NNy ago  b"), ("2033-05-18T03:33:21Z", "<now>"), ("\u{1B}[1m", "\\e[1m"),
    ]
    for (text, expected) in replaced { #expect(normalization.normalized(text) == expected) }
    for text in ["2001-09-09T01:46:40Z", "3y ago", "port 40001", "\"returned\":12", "try again in a moment"] {
      #expect(normalization.normalized(text) == text)
    }
  }

  @Test func whatIsErasedOnATerminalDoesNotStay() {
    let text =
      "a\ngithub  waiting\nlocal  waiting\n\u{1B}[2A\r\u{1B}[Jgithub  waiting\n\u{1B}[1A\r\u{1B}[Jb\n"
    #expect(GoldenScenario.screen(text) == "a\nb\n")
    #expect(GoldenScenario.words(of: "search 'a  b' '' c") == ["search", "a  b", "", "c"])
  }
}
