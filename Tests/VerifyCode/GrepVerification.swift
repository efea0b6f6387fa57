import Foundation
import TestSupport

/// The comparison of `forage grep` with rg in a copy of a clone, with a home of its own.
struct GrepVerification {
  /// The time for one command: a large clone is indexed well within it.
  private static let patience: Duration = .seconds(1800)
  /// The differing lines that are shown of a case.
  private static let shown = 4
  private static let rg = URL(fileURLWithPath: "/usr/bin/rg")
  private static let git = URL(fileURLWithPath: "/usr/bin/git")

  private let forage: URL
  private let home: TemporaryDirectory
  private let copy: String
  private let environment: [String: String]
  /// Files of the work tree that are text.
  private var files: [String] = []

  init(forage: URL, clone: String, _ random: inout SeededGenerator) async throws {
    self.forage = forage
    home = try TemporaryDirectory(prefix: "forage-verify")
    copy = home.path("copy")
    environment = [
      "HOME": home.path("home"), "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
      "FORAGE_GITHUB_URL": "http://127.0.0.1:9",
    ]
    try home.makeDirectory("home")
    let source = URL(fileURLWithPath: clone).resolvingSymlinksInPath().path
    _ = try await run(
      Self.git, ["-c", "safe.directory=*", "clone", "--quiet", "--shared", "--no-checkout", source, copy],
      in: home.path("home"))
    // Line ends and encodings are those of the repository.
    try Data("* -text !eol !working-tree-encoding\n".utf8).write(
      to: URL(fileURLWithPath: copy + "/.git/info/attributes"))
    _ = try await run(Self.git, ["checkout", "--quiet"], in: copy)
    try await prepare(&random)
    _ = try await run(forage, ["clones", "add", copy], in: home.path("home"))
  }

  /// Removes what the two programs are known to treat differently, and changes some files.
  private mutating func prepare(_ random: inout SeededGenerator) async throws {
    let tracked = try await names(["ls-files", "-z"])
    let ignored = Set(try await names(["ls-files", "-z", "-c", "-i", "--exclude-standard"]))
    for name in tracked {
      let file = copy + "/" + name
      guard let text = FileManager.default.contents(atPath: file) else { continue }
      // UTF-16 begins with a byte order mark; pointers of Git LFS are no text of their own.
      let isText =
        !text.contains(0) && text.count < 1 << 20 && !text.starts(with: [0xFE, 0xFF])
        && !text.starts(with: [0xFF, 0xFE]) && !text.starts(with: Data("version https://git-lfs".utf8))
      guard isText, !ignored.contains(name) else {
        try FileManager.default.removeItem(atPath: file)
        continue
      }
      if !text.isEmpty { files.append(name) }
    }
    guard !files.isEmpty else { return }
    for _ in 0..<10 {
      let file = copy + "/" + random.pick(files)
      guard let text = FileManager.default.contents(atPath: file) else { continue }
      try (text + Data("\nForageVerifyChanged \u{E9}\n".utf8)).write(to: URL(fileURLWithPath: file))
    }
    try Data("x\n ForageVerifyChanged\n".utf8).write(to: URL(fileURLWithPath: copy + "/untracked \u{FC}"))
  }

  private func names(_ arguments: [String]) async throws -> [String] {
    try await run(Self.git, arguments, in: copy).split(separator: 0).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private func run(_ program: URL, _ arguments: [String], in folder: String) async throws -> Data {
    let result = try await result(program, arguments, in: folder)
    guard result.status == 0 else {
      throw SupportError(
        code: .program,
        message: "\(program.lastPathComponent) \(arguments.joined(separator: " ")): \(result.err)",
        hint: "run it by hand")
    }
    return result.stdout
  }

  private func result(_ program: URL, _ arguments: [String], in folder: String) async throws -> ProcessResult
  {
    try await ProcessRunner.run(
      program, arguments, environment: environment,
      workingDirectory: URL(fileURLWithPath: folder, isDirectory: true), timeout: Self.patience)
  }

  /// A random pattern with options that both programs have, from the text of the files.
  private func arguments(_ random: inout SeededGenerator) -> [String]? {
    let file = copy + "/" + random.pick(files)
    guard let data = FileManager.default.contents(atPath: file),
      let text = String(data: data, encoding: .utf8)
    else { return nil }
    let lines = text.split(separator: "\n").filter { !$0.contains("\r") }
    guard !lines.isEmpty else { return nil }
    let line = Array(random.pick(lines).unicodeScalars.prefix(400))
    guard line.contains(where: { !$0.properties.isWhitespace }) else { return nil }
    let length = Int.random(in: 1...min(20, line.count), using: &random)
    let start = Int.random(in: 0...(line.count - length), using: &random)
    let part = Array(line[start..<start + length])
    var arguments: [String] = [random.pick(["-S", "-S", "-i", "-s"])]
    let isLiteral = random.chance(0.3)
    if isLiteral { arguments.append("-F") }
    let matchesWords = random.chance(0.2)
    if matchesWords { arguments.append("-w") }
    let crossesLines = !isLiteral && random.chance(0.1)
    if crossesLines {
      arguments.append("-U")
    } else {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: arguments.append("-l")
      case 1: arguments.append("-c")
      case 2 where !matchesWords: arguments += random.pick([["-o"], ["-o", "-C1"]])
      case 3 where !matchesWords: arguments += random.pick([["--vimgrep"], ["--vimgrep", "-A1"]])
      case 4: arguments += ["-C", String(Int.random(in: 0...4, using: &random))]
      case 5: arguments += ["-A\(Int.random(in: 0...4, using: &random))", "-B2"]
      case 6: arguments += ["-m", String(Int.random(in: 1...3, using: &random))]
      case 7: arguments.append("--files-without-match")
      default: break
      }
    }
    if random.chance(0.2) { arguments.append("--hidden") }
    if random.chance(0.2) {
      let name = random.pick(files)
      let folder = name.split(separator: "/").first.map(String.init) ?? name
      let suffix = name.split(separator: ".").last.map(String.init) ?? name
      let plain = (folder + suffix).allSatisfy {
        $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0))
      }
      if plain {
        arguments += [
          "-g",
          random.pick(["*.\(suffix)", "!*.\(suffix)", "!\(folder)", "\(folder)/**", "*.{\(suffix),c}"]),
        ]
      }
    }
    let text2 = String(String.UnicodeScalarView(part))
    arguments += ["-e", isLiteral ? text2 : Self.expression(part, crossesLines, &random)]
    if random.chance(0.1) { arguments += ["-e", random.pick(["return", "int", "ForageVerifyChanged"])] }
    return arguments
  }

  /// An expression that matches a text, with some of its characters generalised, in the syntax of both programs.
  private static func expression(
    _ text: [Unicode.Scalar], _ crossesLines: Bool, _ random: inout SeededGenerator
  ) -> String {
    var result = random.chance(0.05) ? "^" : ""
    for scalar in text {
      let isWord = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      switch Int.random(in: 0..<14, using: &random) {
      case 0: result += "."
      case 1 where isWord && !result.hasSuffix("+"): result += "\\w+"
      case 2 where isWord: result += "[\(scalar)xyz]"
      case 3 where isWord: result += "(?:\(scalar)|qq)"
      case 4 where scalar == " ": result += "\\s+"
      case 5: result += "\\b"
      default:
        if "\\.+*?()|[]{}^$#&-~".unicodeScalars.contains(scalar) { result += "\\" }
        result.unicodeScalars.append(scalar)
      }
    }
    return result + (crossesLines ? random.pick(["\\s+\\w", "\\n", ""]) : "")
  }

  /// The differences of random cases.
  ///
  /// - Returns: The number of cases that were compared, and the differences.
  func differences(_ count: Int, _ random: inout SeededGenerator) async throws -> (
    cases: Int, found: [String]
  ) {
    var (cases, tries, found) = (0, 0, [String]())
    while cases < count, tries < 10 * count, !files.isEmpty {
      tries += 1
      guard let arguments = arguments(&random) else { continue }
      let expected = try await result(
        Self.rg,
        [
          "--no-config", "--no-ignore-dot", "--no-ignore-global", "--no-ignore-parent", "--no-messages",
          "--sort",
          "path", "-n", "--column", "--no-heading", "--color", "never",
        ] + arguments + ["-g", "!.git", "./"], in: copy)
      // What Rust's expressions do not have is no case.
      guard [0, 1].contains(expected.status) else { continue }
      cases += 1
      let given = try await result(forage, ["grep"] + arguments, in: copy)
      let hasOtherColumns = arguments.contains("-U") || arguments.contains("-w")
      let difference = Self.difference(
        Self.lines(given.stdout, hasOtherColumns), Self.lines(expected.stdout, hasOtherColumns))
      if given.status != expected.status {
        found.append("\(arguments): status \(given.status), not \(expected.status): \(given.err)")
      } else if let difference {
        found.append("\(arguments): \(difference)")
      }
    }
    return (cases, found)
  }

  /// The lines of an output, without the folder that rg puts before paths.
  ///
  /// - Parameter hasOtherColumns: Whether columns are left out: of matches over several lines rg repeats that of the first one, and rg 13 counts
  ///   those of words from the second character if the first one is none of a word.
  private static func lines(_ output: Data, _ hasOtherColumns: Bool) -> [String] {
    output.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      var text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix("./") { text.removeFirst(2) }
      guard hasOtherColumns else { return text }
      let parts = text.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
      return parts.count == 4 ? "\(parts[0]):\(parts[1]):\(parts[3])" : text
    }
  }

  private static func difference(_ given: [String], _ expected: [String]) -> String? {
    guard given != expected else { return nil }
    let (fewer, more) = (Set(expected).subtracting(given).sorted(), Set(given).subtracting(expected).sorted())
    if fewer.isEmpty, more.isEmpty { return "the order or the number of equal lines differs" }
    func text(_ lines: [String]) -> String {
      lines.prefix(shown).map { "\n      \($0.prefix(200))" }.joined()
        + (lines.count > shown ? "\n      …" : "")
    }
    return "\(fewer.count) are missing:\(text(fewer))\n    \(more.count) are too many:\(text(more))"
  }
}
