import ForageBrowse
import ForageCore
import TestSupport
import Testing

/// What is written to the terminal for a frame.
struct FrameWriterTests {
  /// A terminal that knows the sequences that are written, and nothing else.
  private struct Terminal {
    var rows: [String]
    var cursor: (row: Int, column: Int)?
    private var row = 0
    private var isHidden = true

    init(rows: Int) { self.rows = Array(repeating: "?", count: rows) }

    /// - Returns: The SGR parameters that were used.
    mutating func write(_ text: String) -> Set<String> {
      var codes: Set<String> = []
      var rest = Substring(text)
      var place: (row: Int, column: Int)?
      while let character = rest.first {
        guard character == "\u{1B}" else {
          rows[row].append(character)
          rest.removeFirst()
          continue
        }
        let sequence = rest.dropFirst(2)
        let parameters = sequence.prefix { !$0.isLetter }
        let end = sequence.dropFirst(parameters.count).first
        rest = sequence.dropFirst(parameters.count + 1)
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch end {
        case "H":
          row = numbers[0] - 1
          place = (row, numbers[1] - 1)
        case "K": rows[row] = ""
        case "m": codes.formUnion(parameters.split(separator: ";").map(String.init))
        case "h" where parameters == "?25": cursor = place
        case "l" where parameters == "?25": cursor = nil
        case "h" where parameters == "?2026", "l" where parameters == "?2026": break
        default: Issue.record("\(parameters)\(end.map(String.init) ?? "")")
        }
      }
      return codes
    }

    func expectShows(_ frame: Frame) {
      #expect(rows == frame.rows.map(\.text))
      #expect(cursor?.row == frame.cursor?.row && cursor?.column == frame.cursor?.column)
    }
  }

  @Test func theFirstFrameIsWhole() {
    let frame = Screen.list(samples(0..<3)).state.frame()
    var writer = FrameWriter(hasColor: true)
    var terminal = Terminal(rows: 24)
    let text = writer.bytes(for: frame)
    #expect(text.hasPrefix("\u{1B}[?2026h") && text.hasSuffix("\u{1B}[?2026l"))
    #expect(terminal.write(text).contains("7"))
    terminal.expectShows(frame)
    #expect(writer.bytes(for: frame) == "")
    writer.forget()
    #expect(writer.bytes(for: frame) == text)
  }

  /// Only rows that have changed are written, and the terminal shows the frame.
  @Test func changes() {
    var screen = Screen.list(samples(0..<40))
    var writer = FrameWriter(hasColor: false)
    var terminal = Terminal(rows: 24)
    _ = terminal.write(writer.bytes(for: screen.state.frame()))
    screen.press(.character("j"))
    let text = writer.bytes(for: screen.state.frame())
    #expect(text.split(separator: "\u{1B}[2K").count - 1 == 2)
    _ = terminal.write(text)
    terminal.expectShows(screen.state.frame())
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<300 {
      screen.press(
        random.pick([
          .character("j"), .character("k"), .pageDown, .pageUp, .enter, .escape, .character("?"),
          .character("/"), .character("p"), .character("F"), .character("s"),
        ]))
      _ = terminal.write(writer.bytes(for: screen.state.frame()))
      terminal.expectShows(screen.state.frame())
    }
  }

  /// Without colors there is reverse video and nothing else.
  @Test func noColor() {
    var writer = FrameWriter(hasColor: false)
    var terminal = Terminal(rows: 24)
    let frame = Screen.list([sample("a/b", isStarred: true)]).state.frame()
    #expect(terminal.write(writer.bytes(for: frame)) == ["7", "0"])
  }

  @Test func otherSizesAreDrawnWhole() {
    var writer = FrameWriter(hasColor: false)
    var screen = Screen.list(samples(0..<3))
    _ = writer.bytes(for: screen.state.frame())
    screen.send(.resize(columns: 70, rows: 20))
    var terminal = Terminal(rows: 20)
    _ = terminal.write(writer.bytes(for: screen.state.frame()))
    terminal.expectShows(screen.state.frame())
  }

  /// Whatever is switched on is switched off again.
  @Test func restoring() {
    for mode in ["1049", "2004", "1000", "1006"] {
      #expect(FrameWriter.begin.contains("\u{1B}[?\(mode)h") && FrameWriter.end.contains("\u{1B}[?\(mode)l"))
    }
    for mode in ["7", "25"] {
      #expect(FrameWriter.begin.contains("\u{1B}[?\(mode)l") && FrameWriter.end.contains("\u{1B}[?\(mode)h"))
    }
  }

  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("é", "w6k="),
  ])
  func clipboard(_ text: String, _ encoded: String) {
    #expect(FrameWriter.copy(text, [:]) == "\u{1B}]52;c;\(encoded)\u{7}")
  }

  /// Through tmux and screen; the console of Linux has no clipboard.
  @Test func clipboardsBehindOthers() {
    let plain = "\u{1B}]52;c;Zg==\u{7}"
    #expect(FrameWriter.copy("f", ["TERM": "xterm", "TMUX": "", "STY": ""]) == plain)
    #expect(FrameWriter.copy("f", ["TERM": "linux"]) == nil)
    #expect(FrameWriter.copy("f", ["STY": "1.x"]) == "\u{1B}P\(plain)\u{1B}\\")
    #expect(
      FrameWriter.copy("f", ["TMUX": "/tmp/x,1,0"])
        == plain + "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;Zg==\u{7}\u{1B}\\")
  }
}
