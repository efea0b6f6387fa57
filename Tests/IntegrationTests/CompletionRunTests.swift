import Foundation
import TestSupport
import Testing

/// The completion scripts in the shells that are there.
struct CompletionRunTests {
  private static func shell(_ name: String) -> URL? {
    ["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { URL(fileURLWithPath: $0 + name) }
      .first {
        FileManager.default.isExecutableFile(atPath: $0.path)
      }
  }

  /// A program with a favorite, which is found in `PATH`, and the script of a shell in a file.
  private func prepared(_ shell: String) async throws -> (program: Program, script: String, path: String) {
    let program = try Program()
    let added = try await program.run(["favorite", "add", "apple/swift-nio"])
    #expect(added.status == 0)
    let script = try await program.run(["completion", shell])
    #expect(script.status == 0 && script.err == "")
    let file = try program.home.directory.write("completion." + shell, script.out)
    try program.home.directory.makeDirectory("bin")
    try FileManager.default.createSymbolicLink(
      atPath: program.home.directory.path("bin/forage"), withDestinationPath: try forageBinary.path)
    return (program, file.path, program.home.directory.path("bin") + ":/usr/bin:/bin")
  }

  private func run(_ name: String, _ arguments: [String], _ program: Program, path: String) async throws
    -> ProcessResult
  {
    let shell = try #require(Self.shell(name))
    return try await Gate.shared.run {
      try await ProcessRunner.run(
        shell, arguments, environment: program.environment.merging(["PATH": path]) { _, new in new },
        workingDirectory: program.home.home)
    }
  }

  /// Calls the function of the script as bash does, for each command line, and prints what it offers.
  private static let bashDriver = """
    source "$1"; shift
    for line in "$@"; do
      COMP_LINE="$line"; COMP_POINT=${#COMP_LINE}; read -ra COMP_WORDS <<< "$line"
      [[ "$line" == *" " ]] && COMP_WORDS+=("")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
      _forage forage "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[*]}"
    done
    """

  @Test(.enabled(if: shell("bash") != nil))
  func bash() async throws {
    let (program, script, path) = try await prepared("bash")
    let expected = [
      ("forage sea", "search"), ("forage search -k is", "issue"), ("forage search -k repo,is", "repo,issue"),
      ("forage search x --format nd", "ndjson"), ("forage search x --json id,tit", "id,title"),
      ("forage search x --sort hel", "help-wanted-issues"), ("forage show app", "apple/swift-nio"),
      ("forage favorite remove ", "apple/swift-nio"), ("forage providers show loc", "local"),
      ("forage completion z", "zsh"), ("forage search --colo", "--color"),
    ]
    let result = try await run(
      "bash", ["--norc", "--noprofile", "-c", Self.bashDriver, "driver", script] + expected.map(\.0), program,
      path: path)
    #expect(result.status == 0 && result.err == "", "\(result.err)")
    let offered = result.out.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
      String.init)
    // bash before version 4 has no such scripts.
    #expect(offered == expected.map(\.1))
  }

  @Test(.enabled(if: shell("fish") != nil))
  func fish() async throws {
    let (program, script, path) = try await prepared("fish")
    let result = try await run(
      "fish",
      [
        "--no-config", "-c",
        "source $argv[1]; complete -C 'forage clones sc'; complete -C 'forage completion z'", script,
      ],
      program, path: path)
    #expect(result.out.contains("scan") && result.out.contains("zsh"), "\(result.err)")
  }

  @Test(.enabled(if: shell("zsh") != nil))
  func zsh() async throws {
    let (program, script, path) = try await prepared("zsh")
    let result = try await run("zsh", ["-f", "-n", script], program, path: path)
    #expect(result.status == 0 && result.err == "", "\(result.err)")
  }
}
