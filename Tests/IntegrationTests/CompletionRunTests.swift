import Foundation
import TestSupport
import Testing

/// The completion scripts in the shells that are there, with keys as a person types them.
struct CompletionRunTests {
  private static func shell(_ name: String) -> URL? {
    // A newer shell stands before that of the system.
    ["/opt/homebrew/bin/", "/usr/local/bin/", "/bin/", "/usr/bin/"].map { URL(fileURLWithPath: $0 + name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Writes down the line that was typed and removes it from the shell.
  private static let noteKey = "\u{1D}"

  /// The beginning of a command line, and what it is after the key that completes it.
  private static let lines = [
    ("sea", "search"), ("search -k is", "search -k issue"), ("search -k repo,is", "search -k repo,issue"),
    ("search x -p lo", "search x -p local"), ("search x --format nd", "search x --format ndjson"),
    ("search x --json id,tit", "search x --json id,title"),
    ("search x --sort hel", "search x --sort help-wanted-issues"),
    ("search x --reviewe", "search x --reviewed-by"), ("stars -p g", "stars -p github"),
    ("show apple", "show apple/swift-nio"), ("clone acme", "clone acme/Tool"),
    ("favorite remove a", "favorite remove apple/swift-nio"), ("clones sc", "clones scan"),
    ("providers show loc", "providers show local"), ("inspect --only lang", "inspect --only languages"),
    ("clones remove /", "clones remove FOLDER"), ("completion z", "completion zsh"),
    ("shell-init zs", "shell-init zsh"),
    // The name of a clone, and a folder.
    ("show To", "show Tool"), ("clones delete To", "clones delete Tool"), ("grep -t rus", "grep -t rust"),
    ("inspect sr", "inspect src"),
    // A file, and the folders above it.
    ("show src/Tool/ma", "show src/Tool/main.swift"), ("open src/To", "open src/Tool"),
  ]

  /// Types the lines in a shell on a terminal.
  ///
  /// - Parameter start: The arguments of the shell, given the script of completion, a folder for its settings
  ///   and a file for the lines.
  private func complete(
    _ name: String,
    _ start: (_ script: String, _ folder: TemporaryDirectory, _ file: String) throws -> [String]
  ) async throws {
    let shell = try #require(Self.shell(name))
    let program = try Program()
    let directory = program.home.directory
    try await program.makeClone("acme/Tool")
    try await program.addClones()
    #expect(try await program.run(["favorite", "add", "apple/swift-nio"]).status == 0)
    let script = try await program.run(["completion", name])
    #expect(script.status == 0 && script.err == "")
    let generated = try await program.run(["--generate-completion-script", name])
    #expect(generated.out == script.out)
    try directory.write("shell/_forage", script.out)
    try directory.makeDirectory("bin")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("bin/forage"), withDestinationPath: try forageBinary.path)
    let file = directory.path("lines")
    let arguments = try start(directory.path("shell/_forage"), directory, file)
    let keys = Self.lines.map { "forage " + $0.0 + "\t" + Self.noteKey }.joined() + "exit\r"
    let environment = program.environment.merging([
      "PATH": directory.path("bin") + ":/usr/bin:/bin", "ZDOTDIR": directory.path("shell"), "TERM": "xterm",
    ]) { _, new in new }
    let result = try await Gate.shared.run {
      try await ProcessRunner.runInTerminal(
        shell, arguments, environment: environment, columns: 100, workingDirectory: program.home.home,
        stdin: Data(keys.utf8))
    }
    let typed = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map { line in
      // Some shells add a space, and a slash to a folder.
      var line = line[...]
      while line.hasSuffix(" ") || line.hasSuffix("/") { line.removeLast() }
      return String(line)
    }
    let expected = Self.lines.map { "forage " + $0.1.replacing("FOLDER", with: program.source) }
    #expect(typed == expected, "\(result.out.suffix(2000))")
  }

  @Test(.enabled(if: shell("bash") != nil))
  func bash() async throws {
    try await complete("bash") { script, directory, file in
      try directory.write(
        "shell/bashrc",
        """
        set -o posix
        source '\(script)'
        set +o posix
        note() { printf '%s\\n' "$READLINE_LINE" >> '\(file)'; READLINE_LINE=; READLINE_POINT=0; }
        bind -x '"\(Self.noteKey)": note'

        """)
      return ["--noprofile", "--rcfile", directory.path("shell/bashrc"), "-i"]
    }
  }

  @Test(.enabled(if: shell("zsh") != nil))
  func zsh() async throws {
    try await complete("zsh") { _, directory, file in
      try directory.write(
        "shell/.zshrc",
        """
        fpath=("$ZDOTDIR" $fpath)
        autoload -Uz compinit && compinit -u -D
        note() { print -r -- "$BUFFER" >> '\(file)'; BUFFER=; }
        zle -N note
        bindkey '^]' note

        """)
      return ["-d", "-i"]
    }
  }

  @Test(.enabled(if: shell("fish") != nil))
  func fish() async throws {
    try await complete("fish") { script, _, file in
      let note = "commandline >> '\(file)'; commandline ''"
      return ["--no-config", "-i", "-C", "source '\(script)'; bind \\c] \"\(note)\""]
    }
  }
}
