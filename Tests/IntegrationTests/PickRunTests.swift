import Foundation
import TestSupport
import Testing

/// `forage pick` and `forage shell-init` of the built program.
struct PickRunTests {
  private func withClones(_ body: (Program) async throws -> Void) async throws {
    let program = try Program()
    for name in ["o/alpha", "o/beta", "größe/übung"] { try await program.makeClone(name) }
    try await program.addClones()
    try await body(program)
  }

  /// Runs a script on a terminal, in which `$forage` is the program, and which waits for keys.
  private func start(_ program: Program, _ script: String, columns: Int = 80) throws -> RunningProcess {
    var launch = ProcessRunner.Launch(
      URL(fileURLWithPath: "/bin/sh"), ["-c", script],
      environment: program.environment.merging([
        "NO_COLOR": "1", "TERM": "xterm-256color", "forage": try forageBinary.path, "PATH": "/usr/bin:/bin",
      ]) { _, new in new })
    launch.workingDirectory = program.home.home
    launch.terminal = (columns, 10, .outputAndError)
    launch.keepsInputOpen = true
    return try ProcessRunner.start(launch)
  }

  /// What is drawn goes to the terminal, what is picked to standard output; the next time it comes first.
  @Test func picking() async throws {
    try await withClones { program in
      let running = try start(program, "x=$($forage pick); echo \"got $x, status $?\"")
      defer { running.kill() }
      try await running.waitForOutput(containing: "3/3")
      running.send("übu")
      try await running.waitForOutput(containing: "1/3")
      running.send("\r")
      let result = await running.wait()
      #expect(result.out.contains("got \(program.source)/übung, status 0"), "\(result.out)")
      #expect(result.out.contains("\u{1B}[?1049l"))
      let again = try start(program, "x=$($forage pick); echo \"got $x\"")
      defer { again.kill() }
      try await again.waitForOutput(containing: "3/3")
      again.send("\r")
      #expect(await again.wait().out.contains("got \(program.source)/übung"))
    }
  }

  /// On a wide terminal the branch, the state and the last commits of the selected clone stand beside the
  /// list.
  @Test func preview() async throws {
    try await withClones { program in
      try program.home.directory.write("home/src/alpha/new", "x")
      let running = try start(program, "x=$($forage pick alpha); echo \"got $x\"", columns: 120)
      defer { running.kill() }
      try await running.waitForOutput(containing: "1 untracked")
      try await running.waitForOutput(containing: "first")
      running.send("\u{1B}")
      #expect(await running.wait().out.contains("main"))
    }
  }

  @Test(arguments: [("\u{1B}", 1), ("\u{03}", 130)]) func leaving(_ key: String, _ status: Int) async throws {
    try await withClones { program in
      let running = try start(program, "x=$($forage pick nothing-fits); echo \"got '$x', status $?\"")
      defer { running.kill() }
      try await running.waitForOutput(containing: "0/3")
      running.send(key)
      #expect(await running.wait().out.contains("got '', status \(status)"))
    }
  }

  /// A single match needs no terminal.
  @Test func withoutATerminal() async throws {
    try await withClones { program in
      let one = try await program.run(["pick", "beta", "--select-1"])
      #expect(one.status == 0 && one.out == program.source + "/beta\n")
    }
    let none = try await Program().run(["pick"])
    #expect(none.status == 1 && expectMessages(none) == ["there is nothing to pick"])
  }

  /// A favorite without a clone is its address.
  @Test func others() async throws {
    try await withClones { program in
      _ = try await program.run(["favorite", "add", "apple/swift-nio", "o/alpha"])
      let found = try await program.run(["pick", "--all", "nio", "--select-1"])
      #expect(found.out == "https://github.com/apple/swift-nio\n", "\(found)")
      // A favorite that is cloned is offered once.
      let clone = try await program.run(["pick", "--all", "alpha", "--select-1"])
      #expect(clone.out == program.source + "/alpha\n")
    }
  }

  @Test func unknownShellsAndKeys() async throws {
    for arguments in [["shell-init"], ["shell-init", "csh"], ["shell-init", "bash", "--key", "f1"]] {
      let wrong = try await Program().run(arguments)
      #expect(wrong.status == 2 && wrong.err.contains("\nhint: "), "\(wrong)")
    }
  }

  /// The function changes the folder of the shell.
  @Test(arguments: Shell.names) func jumping(_ name: String) async throws {
    guard let shell = Shell(name) else { return }
    try await withClones { program in
      let result = try await shell.run(
        [shell.load, "fcd beta --select-1 && pwd", "fcd --bad", "echo status \(shell.status)"], program)
      #expect(result.outLines == [program.source + "/beta", "status 2"], "\(result)")
    }
  }

  /// It is defined and works whatever the user's files make of its name and of those that it calls.
  @Test(arguments: Shell.names) func jumpingAmongAliases(_ name: String) async throws {
    guard let shell = Shell(name) else { return }
    let options = [
      "bash": "shopt -s expand_aliases; set -eu", "zsh": "set -eu; setopt ksh_arrays sh_word_split",
    ]
    let function = name == "fish" ? "function cd --wraps z; return 3; end" : "function cd { return 3; }"
    let lines = [
      options[name] ?? "", "alias fcd='cd /nowhere; echo'", "alias cd='false'", "alias forage='false'",
      shell.load, shell.load, "alias cd='echo'", function,
      "fcd beta --select-1", "pwd", "fcd alpha --select-1", "pwd", "fcd - >/dev/null", "pwd",
    ]
    try await withClones { program in
      let result = try await shell.run(lines, program)
      let visited = ["beta", "alpha", "beta"].map { "\(program.source)/\($0)" }
      #expect(result.outLines == visited && result.err.isEmpty, "\(result)")
    }
  }

  /// The shell stays where it is when the clone was removed since.
  @Test(arguments: Shell.names) func jumpingToNowhere(_ name: String) async throws {
    guard let shell = Shell(name) else { return }
    try await withClones { program in
      let beta = program.source + "/beta"
      try FileManager.default.removeItem(atPath: beta)
      let result = try await shell.run(
        [
          shell.load, "fcd alpha --select-1", "fcd beta --select-1", "echo status \(shell.status)", "pwd",
        ], program)
      #expect(result.outLines == ["status 1", program.source + "/alpha"], "\(result)")
      #expect(result.err.hasPrefix("forage: beta matches nothing"), "\(result.err)")
    }
  }
}

/// A shell that is installed.
private struct Shell {
  static let names = ["bash", "zsh", "fish"]

  let name: String
  let path: String

  init?(_ name: String) {
    guard
      let path = ["/usr/bin/", "/bin/"].map({ $0 + name }).first(where: FileManager.default.isExecutableFile)
    else { return nil }
    self.name = name
    self.path = path
  }

  /// The line that defines the function.
  var load: String {
    name == "fish"
      ? "command forage shell-init fish --key alt-c | source"
      : "eval \"$(command forage shell-init \(name) --key ctrl-g)\""
  }

  /// The status of the command before.
  var status: String { name == "fish" ? "$status" : "$?" }

  /// Runs lines with the program in the path; from a file, since an alias counts from the next line on.
  func run(_ lines: [String], _ program: Program) async throws -> ProcessResult {
    let bin = try program.home.directory.makeDirectory("bin")
    try FileManager.default.createSymbolicLink(
      atPath: bin.path + "/forage", withDestinationPath: try forageBinary.path)
    let file = try program.home.directory.write("lines", lines.map { $0 + "\n" }.joined())
    return try await ProcessRunner.run(
      URL(fileURLWithPath: path), [file.path],
      environment: program.environment.merging(["PATH": bin.path + ":/usr/bin:/bin"]) { _, new in new },
      workingDirectory: program.home.home)
  }
}
