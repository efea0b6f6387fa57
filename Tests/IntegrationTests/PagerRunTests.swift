import Foundation
import TestSupport
import Testing

/// Pagers and browsers of the built program on a real terminal.
struct PagerRunTests {
  /// Makes an executable script in the program's home.
  private func script(_ name: String, _ text: String, _ program: Program) throws -> String {
    let path = program.home.directory.path(name)
    try "#!/bin/sh\n\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  @Test func aLongListGoesThroughThePager() async throws {
    try await withProgram(FakeGitHub(repositories: matching(60))) { program, _ in
      let pager = try script("pager", "while IFS= read -r line; do echo \"$LESS|$line\"; done", program)
      let arguments = ["search", "match", "-L", "60"]
      let paged = try await program.runInTerminal(
        arguments, adding: ["FORAGE_PAGER": pager, "PAGER": "/no/such/pager", "NO_COLOR": "1"])
      #expect(paged.status == 0 && paged.outLines.count == 61)
      #expect(paged.outLines.allSatisfy { $0.hasPrefix("FRX|") })
      let plain = try await program.runInTerminal(arguments, adding: ["NO_COLOR": "1"])
      #expect(paged.outLines.map { String($0.dropFirst(4)) } == plain.outLines)
      let short = try await program.runInTerminal(
        ["search", "match", "-L", "5"], adding: ["PAGER": pager, "NO_COLOR": "1"])
      #expect(short.outLines.count == 6 && !short.out.contains("FRX|"))
      let pipe = try await program.run(arguments, adding: ["PAGER": pager])
      #expect(pipe.outLines.count == 60 && !pipe.out.contains("FRX|"))
    }
  }

  /// Inspections are written one by one; the messages about them stand below the pager's text.
  @Test func aLongInspectionGoesThroughThePager() async throws {
    let program = try Program()
    let pager = try script("pager", "while IFS= read -r line; do echo \"$LESS|$line\"; done", program)
    var clones: [String] = []
    for name in ["one", "two", "three"] { clones.append(try await program.makeClone("acme/\(name)").path) }
    let arguments = ["inspect", "--with", "hooks"] + clones + ["/no/such/clone"]
    let paged = try await program.runInTerminal(arguments, adding: ["PAGER": pager, "NO_COLOR": "1"])
    #expect(paged.status == 3 && paged.outLines.count > 24)
    #expect(paged.outLines.allSatisfy { $0.hasPrefix("FRX|") } && paged.err.contains("/no/such/clone"))
    let plain = try await program.runInTerminal(arguments, adding: ["NO_COLOR": "1"])
    #expect(paged.outLines.map { String($0.dropFirst(4)) } == plain.outLines)
  }

  /// Who closes the pager has seen enough.
  @Test func aPagerThatIsClosed() async throws {
    try await withProgram(FakeGitHub(repositories: matching(1000))) { program, _ in
      let pager = try script("pager", "IFS= read -r line; echo seen; exit 3", program)
      let result = try await program.runInTerminal(
        ["search", "match", "-L", "1000"], adding: ["PAGER": pager, "NO_COLOR": "1"])
      #expect(result.status == 0 && result.signal == nil)
      #expect(result.outLines == ["seen"] && result.err == "")
    }
  }

  @Test func aPagerThatIsNotThere() async throws {
    try await withProgram(FakeGitHub(repositories: matching(60))) { program, _ in
      let result = try await program.runInTerminal(
        ["search", "match", "-L", "60"], adding: ["PAGER": "no-such-pager", "NO_COLOR": "1"])
      #expect(result.status == 0 && result.outLines.count == 61)
      #expect(expectMessages(result) == ["the pager no-such-pager could not be started"])
    }
  }

  @Test func theBrowserOfTheUser() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let opened = program.home.directory.path("opened")
      let browser = try script("browser", "echo \"$1\" > \(opened)", program)
      let result = try await program.run(
        ["search", "match", "-p", "github", "-w"], adding: ["BROWSER": "/no/such/browser:\(browser)"])
      #expect(result.status == 0 && result.out == "")
      let address = try String(contentsOfFile: opened, encoding: .utf8)
      #expect(address.hasPrefix("https://github.com/search?q=match&type=repositories"))
      #expect(result.err == "forage: opened \(address)")
    }
  }
}
