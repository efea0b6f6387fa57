import Foundation
import TestSupport
import Testing

/// The built program with a home of its own, and the server that stands in for GitHub.
final class Program: Sendable {
  let home: IsolatedHome
  let environment: [String: String]

  /// Port 9 is that of the discard service, which no machine runs any more: a connection is refused.
  static let nobody = "http://127.0.0.1:9"

  /// Prepares a home. A crash ends at once, without the minutes that a debugger's report takes.
  ///
  /// - Parameters:
  ///   - api: Where GitHub is; by default nowhere.
  ///   - extra: More variables. Unless `PATH` is among them no helper program is found.
  init(_ api: String = Program.nobody, adding extra: [String: String] = [:]) throws {
    home = try IsolatedHome()
    environment = home.environment(
      adding: [
        "PATH": home.directory.path("no-programs"), "FORAGE_GITHUB_URL": api, "SWIFT_BACKTRACE": "enable=no",
      ].merging(extra) {
        _, new in new
      })
  }

  /// Runs the program over pipes and checks what holds for every run.
  func run(
    _ arguments: [String], adding extra: [String: String] = [:], in folder: URL? = nil, stdin: Data? = nil,
    timeout: Duration = .seconds(60), closeOutputAfter: Int? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) async throws -> ProcessResult {
    let result = try await Gate.shared.run {
      try await ProcessRunner.run(
        forageBinary, patient(arguments), environment: environment.merging(extra) { _, new in new },
        workingDirectory: folder ?? home.home, stdin: stdin, timeout: timeout,
        closeOutputAfter: closeOutputAfter)
    }
    expectSane(result, arguments, location)
    return result
  }

  /// Runs the program with its output, or output and messages, on a terminal.
  func runInTerminal(
    _ arguments: [String], columns: Int = 80, streams: ProcessRunner.TerminalStreams = .outputOnly,
    adding extra: [String: String] = [:]
  ) async throws -> ProcessResult {
    try await Gate.shared.run {
      try await ProcessRunner.runInTerminal(
        forageBinary, patient(arguments), environment: environment.merging(extra) { _, new in new },
        columns: columns, streams: streams, workingDirectory: home.home)
    }
  }

  /// Starts the program and leaves it running.
  ///
  /// - Parameter columns: The width of the terminal that its output and messages go to; nil: pipes.
  func start(_ arguments: [String], columns: Int? = nil) throws -> RunningProcess {
    var launch = ProcessRunner.Launch(try forageBinary, arguments, environment: environment)
    launch.workingDirectory = home.home
    if let columns { launch.terminal = (columns, 24, .outputAndError) }
    return try ProcessRunner.start(launch)
  }

  /// The same command with a time limit that a busy machine does not reach, unless it has one.
  func patient(_ arguments: [String]) -> [String] {
    let isTimed =
      ["search", "show", "star", "unstar", "stars", "feed"].contains(arguments.first ?? "")
      && !arguments.contains("--timeout")
    return isTimed && !arguments.contains("--help")
      ? [arguments[0], "--timeout", "50"] + arguments.dropFirst() : arguments
  }

  /// Makes a clone of `owner/name` on github.com in `src` of the home.
  @discardableResult
  func makeClone(
    _ fullName: String, files: [String: String] = ["main.swift": "print(1)\n"], remote: String? = nil
  ) async throws -> TemporaryRepository {
    let name = fullName.split(separator: "/").last.map(String.init) ?? fullName
    let repository = try await TemporaryRepository.make("home/src/\(name)", in: home.directory)
    try await repository.commit("first", files: files)
    try await repository.git(["remote", "add", "origin", remote ?? "https://github.com/\(fullName).git"])
    return repository
  }

  /// Makes `gh` and git look as if they knew a token for a server.
  func letHelpersKnow(_ server: LoopbackServer) throws {
    try home.writeConfig("gh/hosts.yml", "127.0.0.1:\(server.port):\n    user: me\n")
    try home.directory.write("home/.gitconfig", "[credential]\n\thelper = store\n")
  }

  /// Writes a plugin for repositories that is a Python program, `ID.py`, into a folder of the home.
  ///
  /// - Parameters:
  ///   - folder: The name of the folder; by default the id.
  ///   - kinds: Its kinds in JSON; empty where `members` has `providers`.
  ///   - members: Members of `plugin.json` beside the usual ones, in JSON.
  /// - Returns: The path of the folder.
  @discardableResult
  func writePlugin(
    _ id: String, _ script: String, in folder: String? = nil, kinds: String = #"{"repo": {"text": "exact"}}"#,
    adding members: String = ""
  ) throws -> String {
    let folder = "home/" + (folder ?? id)
    try home.directory.write(folder + "/\(id).py", script)
    try home.directory.write(
      folder + "/plugin.json",
      """
      {"forage": 1, "id": "\(id)", "name": "\(id.capitalized)", "version": "1", "command": ["python3", "\(id).py"],
       "files": ["\(id).py"]\(kinds.isEmpty ? "" : ", \"kinds\": " + kinds)\(members.isEmpty ? "" : ", " + members)}
      """)
    return home.directory.path(folder)
  }

  /// Where `makeClone` puts clones.
  var source: String { home.home.path.trimmingSuffix("/") + "/src" }

  /// Adds the folder of clones to the catalogue.
  func addClones() async throws {
    let added = try await run(["clones", "add", source])
    try #require(added.status == 0, "\(added.err)")
  }
}

/// No signal, no hang, and on standard error only lines of the agreed form.
func expectSane(_ result: ProcessResult, _ arguments: [String], _ location: SourceLocation = #_sourceLocation)
{
  let told = "\(arguments): \(result.status) \(result.err.prefix(2000))"
  #expect(result.signal == nil, "\(told)", sourceLocation: location)
  #expect(!result.timedOut, "\(told)", sourceLocation: location)
  #expect([0, 1, 2, 3, 4, 130].contains(result.status), "\(told)", sourceLocation: location)
  #expect(!result.err.contains("\u{1B}"), "\(told)", sourceLocation: location)
}

/// The messages on standard error; each problem has its hint on the next line.
func expectMessages(_ result: ProcessResult, _ location: SourceLocation = #_sourceLocation) -> [String] {
  let lines = result.err.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  #expect(result.err.isEmpty || result.err.hasSuffix("\n"), sourceLocation: location)
  for (index, line) in lines.enumerated() {
    let isHint = line.hasPrefix("hint: ") && index > 0 && lines[index - 1].hasPrefix("forage: ")
    let isProblem =
      line.hasPrefix("forage: ") && index + 1 < lines.count && lines[index + 1].hasPrefix("hint: ")
    #expect(isHint || isProblem, "\(result.err)", sourceLocation: location)
  }
  return lines.filter { $0.hasPrefix("forage: ") }.map { String($0.dropFirst("forage: ".count)) }
}

extension String {
  /// The text without this ending.
  func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}

/// Runs a body with a program that talks to a service; the home goes away afterwards.
func withProgram<Result>(
  _ github: FakeGitHub, adding extra: [String: String] = [:],
  _ body: (Program, LoopbackServer) async throws -> Result
) async throws -> Result {
  try await withGitHub(github) { server in
    try await body(try Program(server.baseURL, adding: extra), server)
  }
}

/// Repositories that all are found with the word `match`.
func matching(_ count: Int, seed: UInt64 = 1) -> [FakeRepository] {
  FakeRepository.sample(count: count, seed: seed).map { repository in
    repository.with {
      $0.description = "match " + ($0.description ?? "")
      $0.fork = false
    }
  }
}
