import Foundation
import TestSupport
import Testing

/// Commands that share a home and servers, and whose transcript is the file `Golden/NAME.txt`.
struct GoldenScenario: Sendable, CustomTestStringConvertible {
  /// A command, or what happens between commands; a string literal is a command over pipes.
  enum Step: Sendable, ExpressibleByStringInterpolation {
    /// A command line without the program's name; single quotes hold a word together.
    case pipe(String)
    /// Command lines on one terminal of 80 columns, which both streams go to.
    case terminal([String])
    /// A change of the service or of the home.
    case change(@Sendable (GoldenRun) async throws -> Void)

    init(stringLiteral value: String) { self = .pipe(value) }
  }

  /// The name of the file without its extension.
  var name: String
  /// Variables beside those of every `Program`.
  var environment: [String: String] = [:]
  /// Makes the service that stands in for GitHub.
  var service: @Sendable () -> FakeGitHub = { GoldenWorld.service() }
  /// What other servers answer.
  var others: [LoopbackServer.Handler] = []
  /// Whether a command finds what those before it have cached.
  ///
  /// Otherwise each answer is new, and does not depend on how long a command waits for its turn.
  var keepsCache = false
  /// Whether each member of a JSON object stands on a line of its own.
  var breaksLines = false
  /// What happens before the first command.
  var setUp: @Sendable (GoldenRun) async throws -> Void = { _ in }
  /// The commands.
  var steps: [Step]

  var testDescription: String { name }
}

/// What a scenario may change while it runs.
struct GoldenRun: Sendable {
  let program: Program
  let github: FakeGitHub
  /// GitHub's server, then the others.
  let servers: [LoopbackServer]

  /// Runs a command that is no part of the transcript and must succeed.
  func prepare(_ line: String) async throws {
    let result = try await program.run(GoldenScenario.words(of: line))
    try #require(result.status == 0, "\(line): \(result.err)")
  }

  /// Makes clones with a commit of a fixed date, and adds them to the catalogue.
  func addClones(_ fullNames: [String], files: [String: String] = ["main.swift": "print(1)\n"]) async throws {
    for fullName in fullNames {
      let name = fullName.split(separator: "/").last.map(String.init) ?? fullName
      let clone = try await TemporaryRepository.make("home/src/\(name)", in: program.home.directory)
      try await clone.commit("first", files: files, date: GoldenWorld.cloneDate)
      try await clone.git(["remote", "add", "origin", "https://github.com/\(fullName).git"])
    }
    try await program.addClones()
  }

  /// Removes what the program has cached: answers, limits and failures.
  func forget() throws {
    guard FileManager.default.fileExists(atPath: program.cacheFolder.path) else { return }
    try FileManager.default.removeItem(at: program.cacheFolder)
  }
}

extension GoldenScenario {
  /// Runs the commands and returns their transcript.
  ///
  /// - Returns: For each command `$ forage ARGUMENTS`, `status N`, standard output, and the lines of standard
  ///   error after `! `. On a terminal the output comes before the status.
  func transcript() async throws -> String {
    let start = Date()
    let github = service()
    return try await withServers([github.handler] + others) { servers in
      let program = try Program(servers[0].baseURL, adding: environment)
      let run = GoldenRun(program: program, github: github, servers: servers)
      try await setUp(run)
      var text = ""
      for step in steps {
        if !keepsCache { try run.forget() }
        switch step {
        case .pipe(let line):
          let result = try await program.run(Self.words(of: line))
          let messages = Self.wholeLines(result.err).split(separator: "\n", omittingEmptySubsequences: false)
          text += "$ forage \(line)\nstatus \(result.status)\n" + Self.wholeLines(result.out)
          text += messages.dropLast().map { "! \($0)\n" }.joined()
        case .terminal(let lines): text += try await Self.session(lines, program)
        case .change(let change): try await change(run)
        }
      }
      let normalization = GoldenNormalization(
        ports: servers.map(\.port), directory: program.home.directory.path, start: start, end: Date())
      return normalization.normalized(breaksLines ? Self.broken(text) : text)
    }
  }

  /// The text with a line for each member of its JSON objects, which are on one line each.
  private static func broken(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.hasPrefix("{") else { return String(line) }
      var (broken, depth, isText, last) = ("", 0, false, Character(" "))
      for character in line {
        if character == "\"", last != "\\" { isText.toggle() }
        if !isText, "{[".contains(character) { depth += 1 }
        if !isText, "}]".contains(character) { depth -= 1 }
        broken.append(character)
        if character == ",", depth == 1, !isText { broken += "\n  " }
        last = character
      }
      return broken
    }.joined(separator: "\n")
  }

  /// The text, with a mark where the last line has no end.
  private static func wholeLines(_ text: String) -> String {
    text.isEmpty || text.hasSuffix("\n") ? text : text + "(no line end)\n"
  }

  /// Runs command lines in one shell, because a list belongs to a terminal and its session.
  private static func session(_ lines: [String], _ program: Program) async throws -> String {
    func quoted(_ word: String) -> String { "'" + word.replacing("'", with: "'\\''") + "'" }
    let script = lines.map { line in
      let command = program.patient(words(of: line)).map(quoted).joined(separator: " ")
      return "printf '%s\\n' \(quoted("$ forage " + line)); \"$forage\" \(command); echo \"status $?\""
    }.joined(separator: "\n")
    let environment = program.environment.merging(["forage": try forageBinary.path, "NO_COLOR": "1"]) {
      _, new in new
    }
    let result = try await Gate.shared.run {
      try await ProcessRunner.runInTerminal(
        URL(fileURLWithPath: "/bin/sh"), ["-c", script], environment: environment,
        workingDirectory: program.home.home)
    }
    #expect(result.status == 0 && !result.timedOut, "\(lines): \(result.out)")
    return wholeLines(screen(result.out))
  }

  /// The words of a command line.
  static func words(of line: String) -> [String] {
    var (words, word, isQuoted) = ([String](), String?.none, false)
    for character in line {
      switch character {
      case "'":
        isQuoted.toggle()
        word = word ?? ""
      case " " where !isQuoted:
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }

  /// What stays on a terminal after rows of status have been erased, which appear only on a slow machine.
  static func screen(_ text: String) -> String {
    var (shown, rest) = ("", text[...])
    while let erasure = rest.firstMatch(of: /\u{1B}\[([0-9]+)A\r\u{1B}\[J/) {
      shown += rest[..<erasure.range.lowerBound]
      for _ in 0..<(Int(erasure.1) ?? 0) {
        // The end of the row above, then the row.
        let row = shown.dropLast()
        shown = String(row.prefix(upTo: row.lastIndex(of: "\n").map(row.index(after:)) ?? row.startIndex))
      }
      rest = rest[erasure.range.upperBound...]
    }
    return shown + rest
  }
}

/// Replaces what differs from run to run by placeholders, and nothing else.
struct GoldenNormalization {
  /// The ports of the servers, GitHub's first.
  var ports: [Int]
  /// The folder in which the home is.
  var directory: String
  /// When the scenario began.
  var start: Date
  /// When it ended.
  var end: Date

  /// The folder of this package, whose manifests are bundled.
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// The transcript with placeholders.
  func normalized(_ text: String) -> String {
    var text = text
    for (index, port) in ports.enumerated() {
      text = text.replacing("127.0.0.1:\(port)", with: "127.0.0.1:PORT\(index == 0 ? "" : String(index + 1))")
    }
    text = text.replacing(directory + "/home", with: "HOME").replacing(directory, with: "DIR")
    text = text.replacing(Self.package + "/Plugins", with: "PLUGINS")
    text.replace(/"(elapsedMs|cacheAgeMs|retryAfterMs)":( ?)[0-9]+/) { "\"\($0.1)\":\($0.2)<ms>" }
    text.replace(/until [0-9]{2}:[0-9]{2}:[0-9]{2} UTC/, with: "until <time>")
    text.replace(/try again in [0-9]+ (?:s|min|h)/, with: "try again in <time>")
    // Weeks end today, and the sizes of packs depend on the library that compresses them.
    text.replace(/(\{"start":"[0-9-]+","commits":0\},?)+/, with: "<weeks without commits>")
    text.replace(/"(packBytes|looseBytes)":[1-9][0-9]*/) { "\"\($0.1)\":<bytes>" }
    text.replace(/(packs?|loose objects?) \([0-9.]+ [kM]?B\)/) { "\($0.1) (<bytes>)" }
    text.replace(/(weeks since|Last fetch +) ?[0-9]{4}-[0-9]{2}-[0-9]{2}/) { "\($0.1) <date>" }
    // All dates of the services are of the years 1996 to 2005, so the width of an age does not change.
    text.replace(/[0-9]{2}y ago/, with: "NNy ago")
    text.replace(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z/) { found in
      let date = try? Date(String(found.0), strategy: .iso8601)
      return date.map { isNow($0) } == true ? "<now>" : String(found.0)
    }
    return text.replacing("\u{1B}", with: "\\e")
  }

  /// Whether a time in whole seconds is of this run.
  private func isNow(_ date: Date) -> Bool {
    date >= start.addingTimeInterval(-1) && date <= end.addingTimeInterval(1)
  }
}
