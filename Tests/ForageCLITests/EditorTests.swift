import Forage
import ForageCore
import Synchronization
import TestSupport
import Testing

@testable import ForageCLI

/// With what an editor is started for a file, and what happens without one.
struct EditorTests {
  @Test(
    arguments: [
      ("vim", "vim +7 /a/b c.swift"), ("/usr/bin/nvim -R", "/usr/bin/nvim -R +7 /a/b c.swift"),
      ("nano", "nano +7 /a/b c.swift"), ("code --wait", "code --wait --goto /a/b c.swift:7"),
      ("codium -g", "codium -g /a/b c.swift:7"), ("hx", "hx /a/b c.swift:7"),
      ("subl", "subl /a/b c.swift:7"),
      ("ed", "ed /a/b c.swift"),
    ])
  func commands(_ editor: String, _ command: String) {
    let place = FilePlace(path: "/a/b c.swift", line: 7)
    for variables in [["VISUAL": editor, "EDITOR": "ed -s"], ["VISUAL": " ", "EDITOR": editor]] {
      let words = Editor.command(place, environment: variables)
      #expect(words?.joined(separator: " ") == command)
      #expect(words?.last?.hasPrefix(place.path) == true)
    }
    #expect(
      Editor.command(FilePlace(path: "/a"), environment: ["EDITOR": editor])?.last == "/a")
  }

  /// Opens a file of a clone that has no page, and returns the commands that were run.
  private func open(
    _ environment: [String: String], columns: Int? = 80, hasKeyboard: Bool = true,
    ending: TerminalProgram.Ending = .ended(isSuccess: true), _ capture: Capture
  ) async throws -> [[String]] {
    let calls = Mutex<[[String]]>([])
    let process = ProcessEnvironment(
      environment: environment, output: capture.output(columns: columns),
      terminalPrograms: TerminalProgram { words, input, environment in
        #expect(input == nil && environment["GH_TOKEN"] == nil)
        calls.withLock { $0.append(words) }
        return ending
      }, input: Input(isTerminal: hasKeyboard) { nil })
    var result = SearchResult(id: "/src/a", kind: .code, title: "a.swift")
    result.set(.file, #filePath)
    result[.matches] = .items([.record(["line": .number(3), "text": .text("x")])])
    let context = try Context(process, output: process.output)
    _ = try await context.openPages(of: [ResolvedReference(text: "1", result: result)])
    return calls.withLock(\.self)
  }

  @Test func aFileWithoutAPage() async throws {
    let capture = Capture()
    let calls = try await open(["EDITOR": "vi", "GH_TOKEN": "s3cret"], capture)
    #expect(calls == [["vi", "+3", #filePath]] && capture.results == "" && capture.messages == "")
  }

  /// Without an editor or a terminal the place is the result, with what to do.
  @Test(arguments: [([:], true, true), (["EDITOR": "vi"], false, true), (["EDITOR": "vi"], true, false)])
  func noEditor(_ environment: [String: String], _ isTerminal: Bool, _ hasKeyboard: Bool) async throws {
    let capture = Capture()
    let calls = try await open(
      environment, columns: isTerminal ? 80 : nil, hasKeyboard: hasKeyboard, capture)
    #expect(calls.isEmpty && capture.results == #filePath + ":3\n")
    #expect(capture.messages.contains("hint: ") && capture.messages.contains("EDITOR"))
  }

  @Test func anEditorThatIsNotThere() async throws {
    let capture = Capture()
    await #expect(throws: ForageError.self) {
      _ = try await open(["VISUAL": "no-such"], ending: .notStarted, capture)
    }
    #expect(capture.results == #filePath + ":3\n")
  }
}
