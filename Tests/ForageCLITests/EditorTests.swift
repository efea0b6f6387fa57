import Forage
import ForageCore
import ForagePlatform
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageCLI

/// With what an editor is started for a file, and what happens without one.
struct EditorTests {
  /// Words as a shell splits them.
  @Test(
    arguments: [
      ("", []), (" \t\n", []), ("vi", ["vi"]), ("  vim \t -R\n-p ", ["vim", "-R", "-p"]),
      ("'my editor' -x", ["my editor", "-x"]), ("\"my editor\" \"a'b\"", ["my editor", "a'b"]),
      ("a\\ b c\\\\d \\'e", ["a b", "c\\d", "'e"]), ("emacsclient -a ''", ["emacsclient", "-a", ""]),
      ("\"\" x", ["", "x"]), ("a''b\"\"c", ["abc"]), ("'a'\"b\"\\c", ["abc"]),
      ("\"a\\\"b\\\\c\\$d\\`e\\f\"", ["a\"b\\c$d`e\\f"]), ("'a\\b'", ["a\\b"]),
      ("a\\\nb \"c\\\nd\" 'e\\\nf'", ["ab", "cd", "e\\\nf"]),
      (
        "$HOME/vi ~/x *.c `ls` $(ls) a;b|c&d #e",
        [
          "$HOME/vi", "~/x", "*.c", "`ls`", "$(ls)", "a;b|c&d", "#e",
        ]
      ),
      ("'größe 検索'\u{301}x", ["größe 検索\u{301}x"]), ("vi\r", ["vi\r"]), ("a\u{A0}b", ["a\u{A0}b"]),
    ] as [(String, [String])])
  func words(_ text: String, _ expected: [String]) throws {
    #expect(try ShellWords.split(text) == expected)
  }

  @Test(arguments: ["'", "vi 'a", "\"a", "\"a\\\"", "\"a\\", "vi \\", "'a''", "\"'\"'"])
  func wordsWithoutAnEnd(_ text: String) {
    #expect(throws: ShellWords.Unfinished.self) { try ShellWords.split(text) }
    let place = FileLocation(path: "/a")
    let error = #expect(throws: ForageError.self) {
      try Editor.command(place, environment: ["VISUAL": text, "EDITOR": "vi"])
    }
    #expect(error?.message.hasPrefix("VISUAL ends within quotes") == true && error?.code == .usage)
  }

  /// The line is told in the way of each family of editors.
  @Test(
    arguments: [
      ("vim", ["vim", "+7", "/a/b c.swift"]),
      ("/usr/bin/nvim -R", ["/usr/bin/nvim", "-R", "+7", "/a/b c.swift"]),
      ("nano", ["nano", "+7", "/a/b c.swift"]),
      ("emacsclient -a ''", ["emacsclient", "-a", "", "+7", "/a/b c.swift"]),
      ("code --wait", ["code", "--wait", "--goto", "/a/b c.swift:7:3"]),
      ("codium -g", ["codium", "-g", "/a/b c.swift:7:3"]), ("hx", ["hx", "/a/b c.swift:7"]),
      ("'/my programs/subl' -n", ["/my programs/subl", "-n", "/a/b c.swift:7"]),
      ("vim.basic", ["vim.basic", "+7", "/a/b c.swift"]),
      ("idea.sh", ["idea.sh", "--line", "7", "/a/b c.swift"]),
      ("zed", ["zed", "/a/b c.swift:7"]), ("kate", ["kate", "--line", "7", "/a/b c.swift"]),
      ("ed", ["ed", "/a/b c.swift"]), ("''", ["", "/a/b c.swift"]),
    ] as [(String, [String])])
  func commands(_ editor: String, _ command: [String]) throws {
    let place = FileLocation(path: "/a/b c.swift", line: 7, column: 3)
    for variables in [["VISUAL": editor, "EDITOR": "ed -s"], ["VISUAL": " ", "EDITOR": editor]] {
      #expect(try Editor.command(place, environment: variables) == command)
    }
    let folder = try Editor.command(FileLocation(path: "/a"), environment: ["EDITOR": editor])
    #expect(folder.last == "/a" && !folder.contains { $0.contains("7") || $0 == "--goto" })
  }

  /// A name that begins with a hyphen or a plus sign is no option.
  @Test func namesThatLookLikeOptions() throws {
    for (editor, command) in [
      ("vi", ["vi", "+1", "./-c quit"]), ("code", ["code", "--goto", "./-c quit:1"]),
      ("ed", ["ed", "./-c quit"]),
    ] {
      #expect(
        try Editor.command(FileLocation(path: "-c quit", line: 1), environment: ["EDITOR": editor]) == command
      )
    }
    #expect(
      try Editor.command(FileLocation(path: "+x", line: 1), environment: ["EDITOR": "vi"]).last == "./+x")
  }

  /// Editors count in code units of UTF-16, matches in bytes.
  @Test(
    arguments: [
      (1, 1, 1), (1, 5, 5), (2, 7, 4), (2, 11, 6), (3, 1, nil), (2, 13, nil), (9, 1, nil),
    ] as [(LineNumber, LineNumber, LineNumber?)])
  func columns(_ line: LineNumber, _ column: LineNumber, _ expected: LineNumber?) throws {
    let folder = try TemporaryDirectory()
    // Bytes of the second line: ö at 1, 検 at 3, x at 6, 🚀 at 7, y at 11.
    let file = try folder.write("größe", "plain\nö検x🚀y\n")
    let place = FileLocation(path: file.path, line: line, column: column).withEditorColumn
    #expect(place == FileLocation(path: file.path, line: line, column: expected))
  }

  /// Columns count from behind a byte order mark; those of UTF-16 are not known.
  @Test func columnsBehindByteOrderMarks() throws {
    let folder = try TemporaryDirectory()
    let marks: [([UInt8], LineNumber?)] = [([0xEF, 0xBB, 0xBF], 2), ([], 2), ([0xFF, 0xFE], nil)]
    for (mark, expected) in marks {
      let file = try folder.write("a", data: Data(mark + Array("äb\n".utf8)))
      #expect(FileLocation(path: file.path, line: 1, column: 3).withEditorColumn.column == expected)
    }
  }

  /// A file of a clone is read through no link, not even of a folder.
  @Test func columnsBehindLinks() async throws {
    let folder = try TemporaryDirectory()
    let clone = try await TemporaryRepository.make("clone", in: folder)
    for name in ["clone/a", "outside/a"] { try folder.write(name, "äb\n") }
    try FileManager.default.createSymbolicLink(
      atPath: clone.path + "/link", withDestinationPath: folder.path("outside"))
    for (name, expected) in [("a", 2), ("link/a", nil)] as [(String, LineNumber?)] {
      let place = FileLocation(path: clone.path + "/" + name, line: 1, column: 3)
      #expect(place.withEditorColumn.column == expected, "\(name)")
    }
  }

  /// Opens a file of a clone that has no page of its commit, and returns the commands that were run.
  private func open(
    _ environment: [String: String], columns: Int? = 80, hasKeyboard: Bool = true,
    ending: TerminalProgram.Ending = .ended(isSuccess: true), url: String? = nil, commit: String? = nil,
    _ capture: Capture
  ) async throws -> [[String]] {
    let calls = Mutex<[[String]]>([])
    let process = ProcessEnvironment(
      environment: environment, output: capture.output(columns: columns),
      terminalPrograms: TerminalProgram { words, input, environment in
        #expect(input == nil && environment["GH_TOKEN"] == nil)
        calls.withLock { $0.append(words) }
        return ending
      }, input: Input(isTerminal: hasKeyboard) { nil })
    var result = SearchResult(id: "/src/a", kind: .code, title: "a.swift", url: url)
    result.set(.file, #filePath)
    result.set(.path, String(#filePath.split(separator: "/").last ?? ""))
    result.set(.commit, commit)
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

  /// Only the page of the very commit is opened in place of the file.
  @Test func pagesOfCommits() async throws {
    let (url, commit) = ("https://github.com/o/r/blob/12ab/a.swift", "12ab")
    let environment = ["EDITOR": "vi", "BROWSER": "w3m"]
    let page = try await open(environment, url: url, commit: commit, Capture())
    #expect(page == [["w3m", url + "#L3"]])
    for other in ["12", "34cd", nil] {
      #expect(try await open(environment, url: url, commit: other, Capture()) == [["vi", "+3", #filePath]])
    }
  }

  /// Where the editor cannot have the terminal the place is the result, with what to do.
  @Test(arguments: [(false, true), (true, false)])
  func noTerminal(_ isTerminal: Bool, _ hasKeyboard: Bool) async throws {
    let capture = Capture()
    let calls = try await open(
      ["EDITOR": "vi"], columns: isTerminal ? 80 : nil, hasKeyboard: hasKeyboard, capture)
    #expect(calls.isEmpty && capture.results == #filePath + ":3\n")
    #expect(
      capture.messages
        == "forage: an editor is started on a terminal only\nhint: run the command on a terminal\n")
  }

  /// What is missing is an error; the place is written, so that nothing is lost.
  @Test(
    arguments: [
      ([:], .ended(isSuccess: true), "no editor is set"),
      (["VISUAL": "", "EDITOR": " "], .notStarted, "no editor is set"),
      (["VISUAL": "no-such -x"], .notStarted, "the editor no-such was not found or cannot be started"),
      (["EDITOR": "'my editor'"], .notStarted, "the editor 'my editor' was not found or cannot be started"),
      (["EDITOR": "false"], .ended(isSuccess: false), "the editor false failed"),
    ] as [([String: String], TerminalProgram.Ending, String)])
  func noEditor(_ environment: [String: String], _ ending: TerminalProgram.Ending, _ message: String)
    async throws
  {
    let capture = Capture()
    let error = await #expect(throws: ForageError.self) {
      try await open(environment, ending: ending, capture)
    }
    #expect(error?.message == message && error?.hint.hasPrefix("set VISUAL or EDITOR to the command") == true)
    #expect(error?.code == .usage && capture.results == #filePath + ":3\n" && capture.messages == "")
  }
}
