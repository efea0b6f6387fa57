import Foundation
import TestSupport

/// The comparison for one clone, with a home of its own.
struct CodeVerification {
  /// The time for one command: a large clone is indexed well within it.
  private static let patience: Duration = .seconds(1800)
  /// The differing places that are named for a query.
  private static let named = 5
  /// Files above this size are not searched by default.
  private static let maximumFileSize = 16 << 20

  private let forage: URL
  private let clone: String
  private let home: TemporaryDirectory
  private let environment: [String: String]
  /// The files that are not searched because of their size.
  private var large: Set<String> = []
  /// The files with a byte order mark, of which git counts the columns of the first line from the mark.
  private var marked: Set<String> = []

  init(forage: URL, clone: String) async throws {
    self.forage = forage
    self.clone = URL(fileURLWithPath: clone).resolvingSymlinksInPath().path
    home = try TemporaryDirectory(prefix: "forage-verify")
    environment = [
      "HOME": home.path("home"), "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_PAGER": "cat",
      "FORAGE_GITHUB_URL": "http://127.0.0.1:9",
    ]
    try home.makeDirectory("home")
    _ = try await run(forage, ["clones", "add", self.clone], in: home.path("home"))
    for record in try await git(["ls-tree", "-r", "-l", "-z", "HEAD"]).split(separator: 0) {
      let parts = record.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
      let size = parts[0].split(separator: UInt8(ascii: " ")).last.map { String(decoding: $0, as: UTF8.self) }
      if let size = size.flatMap({ Int($0) }), size > Self.maximumFileSize, parts.count == 2 {
        large.insert(String(decoding: parts[1], as: UTF8.self))
      }
    }
    for name in try await git(["grep", "-l", "-I", "-z", "-F", "-e", "\u{FEFF}", "HEAD"]).split(separator: 0)
    {
      marked.insert(String(decoding: name.dropFirst("HEAD:".utf8.count), as: UTF8.self))
    }
  }

  private func run(
    _ program: URL, _ arguments: [String], in folder: String, accepting: Set<Int32> = [0, 1]
  ) async throws -> Data {
    let result = try await ProcessRunner.run(
      program, arguments, environment: environment,
      workingDirectory: URL(fileURLWithPath: folder, isDirectory: true), timeout: Self.patience)
    guard accepting.contains(result.status), !result.timedOut else {
      throw SupportError(
        code: .program,
        message: "\(program.lastPathComponent) \(arguments.joined(separator: " ")): \(result.err)",
        hint: "run it by hand")
    }
    return result.stdout
  }

  private func git(_ arguments: [String], in folder: String? = nil) async throws -> Data {
    try await run(
      URL(fileURLWithPath: "/usr/bin/git"),
      ["-c", "safe.directory=*", "-c", "core.quotePath=off"] + arguments,
      in: folder ?? clone)
  }

  /// Random words, phrases and expressions, taken from the text of the clone.
  func queries(_ count: Int, _ random: inout SeededGenerator) async throws -> [CodeCase] {
    let lines = try await git(["grep", "-I", "-h", "-e", "[^ ]", "HEAD"]).split(separator: UInt8(ascii: "\n"))
    guard !lines.isEmpty else { return [] }
    var cases: [CodeCase] = []
    while cases.count < 3 * count {
      let line = Array(String(decoding: random.pick(lines), as: UTF8.self).unicodeScalars.prefix(400))
      guard line.count >= 3, !line.contains("\u{FFFD}"), !line.contains("\r") else { continue }
      let length = Int.random(in: 3...min(24, line.count), using: &random)
      let start = Int.random(in: 0...(line.count - length), using: &random)
      let part = Array(line[start..<start + length])
      let text = String(String.UnicodeScalarView(part))
      guard part.contains(where: { !$0.properties.isWhitespace }) else { continue }
      // `git grep -F` puts a text between `\Q` and `\E` for PCRE2, and finds nothing if it holds `\E` itself.
      guard !text.contains("\\E") else { continue }
      let isExact = random.chance(0.5)
      let ending = isExact ? " case:yes" : ""
      let fold = isExact ? [] : ["-i"]
      switch cases.count % 3 {
      case 0:
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_") }
        guard let word = words.max(by: { $0.count < $1.count }), word.count >= 2,
          !["AND", "OR", "NOT"].contains(word)
        else { continue }
        cases.append(CodeCase(query: word + ending, arguments: fold + ["-F", "-e", String(word)]))
      case 1:
        let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        cases.append(CodeCase(query: "\"\(quoted)\"" + ending, arguments: fold + ["-F", "-e", text]))
      default:
        let expression = Self.expression(part, &random)
        cases.append(CodeCase(query: "/\(expression)/" + ending, arguments: fold + ["-P", "-e", expression]))
      }
    }
    return cases
  }

  /// An expression that matches a text, with some of its characters generalised.
  private static func expression(_ text: [Unicode.Scalar], _ random: inout SeededGenerator) -> String {
    var result = ""
    for scalar in text {
      let isWord = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      switch Int.random(in: 0..<12, using: &random) {
      case 0: result += "."
      // Two of these in a row exceed PCRE2's limit on matching in `git grep -P`, which then fails.
      case 1 where isWord && !result.hasSuffix("+"): result += "\\w+"
      case 2 where isWord: result += "[\(scalar)xyz]"
      case 3 where isWord: result += "(?:\(scalar)|qq)"
      case 4 where scalar == " ": result += "\\s+"
      default:
        if !isWord, scalar.isASCII, scalar != " ", scalar != "\t" { result += "\\" }
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The differences of all queries.
  func run(_ cases: [CodeCase]) async throws -> [String] {
    var differences: [String] = []
    for item in cases {
      let expected = try await grepped(item.arguments + ["HEAD"], hasRevision: true)
      let found = try await found(item.query, in: home.path("home"))
      if let difference = try await difference(found, expected) {
        differences.append("\(item.query): \(difference)")
      }
    }
    return differences
  }

  /// The places that `git grep` finds.
  private func grepped(
    _ arguments: [String], hasRevision: Bool, in folder: String? = nil
  ) async throws -> Set<CodePlace> {
    let output = try await git(["grep", "-n", "--column", "-I", "-z"] + arguments, in: folder)
    var places: Set<CodePlace> = []
    for line in output.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, let number = Int(String(decoding: parts[1], as: UTF8.self)),
        let column = Int(String(decoding: parts[2], as: UTF8.self))
      else { continue }
      var path = String(decoding: parts[0], as: UTF8.self)
      if hasRevision { path = String(path.dropFirst("HEAD:".count)) }
      if !large.contains(path), isCompared(path, number) {
        places.insert(CodePlace(path: path, line: number, column: column))
      }
    }
    return places
  }

  private func isCompared(_ path: String, _ line: Int) -> Bool { line > 1 || !marked.contains(path) }

  private struct Answer: Decodable {
    struct Item: Decodable {
      struct Match: Decodable {
        var line: Int
        var column: Int
      }
      struct Place: Decodable {
        var path: String
        var repository: String
      }
      var path: String
      var repository: String
      var matches: [Match]?
      var matchCount: Int?
      var places: [Place]?
      /// Only of UTF-16, which is binary for git.
      var encoding: String?
    }
    struct Provider: Decodable {
      var state: String
    }
    var items: [Item]
    var providers: [Provider]
    var next: String?
  }

  /// The places that the program finds.
  private func found(_ query: String, in folder: String) async throws -> Set<CodePlace> {
    let output = try await run(
      forage,
      [
        "search", "-p", "local", "-k", "code", "-L", "10000", "--matches", "1000000", "--timeout", "600",
        "--format",
        "json", "--", query,
      ], in: folder)
    let answer = try JSONDecoder().decode(Answer.self, from: output)
    // Files that are too long are told.
    let states = large.isEmpty ? ["ok"] : ["ok", "partial"]
    guard answer.providers.allSatisfy({ states.contains($0.state) }), answer.next == nil else {
      throw SupportError(
        code: .program, message: "\(query): the answer is not complete", hint: "run it by hand")
    }
    var places: Set<CodePlace> = []
    for item in answer.items where item.encoding == nil {
      let paths = [item.path] + (item.places ?? []).filter { $0.repository == item.repository }.map(\.path)
      for path in paths {
        for match in item.matches ?? [] where isCompared(path, match.line) {
          places.insert(CodePlace(path: path, line: match.line, column: match.column))
        }
      }
      guard item.matchCount == item.matches?.count else {
        throw SupportError(code: .program, message: "\(query): matchCount is wrong", hint: "run it by hand")
      }
    }
    return places
  }

  private func difference(_ found: Set<CodePlace>, _ expected: Set<CodePlace>) async throws -> String? {
    var more = found.subtracting(expected)
    // Files that attributes declare as binary are text for a search.
    for path in Set(more.map(\.path)) {
      let output = try await git(["check-attr", "diff", "--", path])
      if String(decoding: output, as: UTF8.self).hasSuffix(": unset\n") {
        more = more.filter { $0.path != path }
      }
    }
    let fewer = expected.subtracting(found)
    guard !more.isEmpty || !fewer.isEmpty else { return nil }
    func text(_ places: Set<CodePlace>) -> String {
      places.sorted().prefix(Self.named).map(\.description).joined(separator: " ")
        + (places.count > Self.named ? " …" : "")
    }
    return "\(fewer.count) are missing: \(text(fewer)); \(more.count) are too many: \(text(more))"
  }

  /// Compares what is found in changed and untracked files of a copy.
  func verifyChanges(_ random: inout SeededGenerator) async throws -> [String] {
    let copy = home.path("copy")
    _ = try await git(["clone", "--quiet", "--no-hardlinks", clone, copy])
    let files = try await git(["ls-files", "-z"], in: copy).split(separator: 0).map {
      String(decoding: $0, as: UTF8.self)
    }
    for _ in 0..<min(10, files.count) {
      let file = copy + "/" + random.pick(files)
      guard let text = FileManager.default.contents(atPath: file), text.count < Self.maximumFileSize / 2
      else {
        continue
      }
      try (text + Data("\nForageVerifyChanged é\n".utf8)).write(to: URL(fileURLWithPath: file))
    }
    try Data("x\n ForageVerifyChanged\n".utf8).write(to: URL(fileURLWithPath: copy + "/untracked ü"))
    let expected = try await grepped(
      ["--untracked", "-F", "-e", "ForageVerifyChanged"], hasRevision: false, in: copy)
    let found = try await found("ForageVerifyChanged case:yes", in: copy)
    return try await difference(found, expected).map { ["changed files: \($0)"] } ?? []
  }
}
