import ForagePlatform
import Foundation
import TestSupport

/// The comparison of `forage grep --all` with rg over the same clones: random trees that change behind the
/// index, and random patterns and options. The output must be the same bytes.
struct GrepVerification {
  private static let git = URL(fileURLWithPath: "/usr/bin/git")
  /// After so many comparisons the clones change.
  private static let comparisons = 8
  /// From eight on, rg may be run several times at once.
  private static let cloneCount = 10
  /// The words of a clone; another clone has others, so that it can be left out.
  private static let wordsOfClone = 6

  private let forage: URL
  private let rg: URL
  private let home: TemporaryDirectory
  private let environment: [String: String]
  private var random: SeededGenerator
  private var cloneNumber = 0
  /// The names of the clones that were made.
  private var clones: [String] = []
  /// The words of the clones, by the beginning of the name.
  private var vocabulary: [String: [String]] = [:]
  /// The clones of the catalogue, from the folder of all.
  private var roots: [String] = []
  /// The changes since the last differing command, for a report.
  private var history: [String] = []
  /// Files that are removed before the next changes.
  private var removals: [String] = []
  /// The commands for which rg was not given every clone.
  private(set) var narrowed = 0

  private static let words = [
    "needle", "Needle", "NEEDLE", "haystack", "größe", "GRÖSSE", "straße", "日本語", "alpha", "alphabet", "beta",
    "gamma",
    "delta", "x", "ab", "foo_bar", "foo-bar", "init()", "a.b", "a+b", "C++", "\\d", "[x]", "tab\there",
    "K\u{212A}elvin", "ſharp",
    "naïve", "e\u{301}", "🎈balloon", "0x1F", "TODO:", "http://example.com/path", "ΣΊΣΥΦΟΣ", "σίσυφος",
  ]
  private static let folders = [
    "", "src/", "src/deep/", "build/", "docs/ü/", ".hidden/", "node_modules/pkg/", "vendor/",
  ]
  private static let names = [
    "a.c", "b.c", "main.swift", "README.md", "größe.txt", "with space.txt", "-dash.c", "x.log", "y.o", ".dot",
    "Makefile",
    "data.bin", "wide.txt", "e\u{301}.md", "a-b", "a",
  ]
  private static let rules = [
    "*.log", "*.o", "build/", "/build", "node_modules", "!x.log", "!build/", "docs/**", "!docs/ü/", "*.md",
    "!README.md", ".hidden/",
    "!.hidden/", "!.dot", "src/*", "!src/deep/", "vendor/*", "a", "# comment", "", "*", "!*.c", "**/deep",
    "\\#x", "b.c ",
  ]

  init(forage: URL, rg: URL, seed: UInt64) async throws {
    (self.forage, self.rg) = (forage, rg)
    random = SeededGenerator(seed: seed)
    home = try TemporaryDirectory(prefix: "forage-verify")
    environment = [
      "HOME": home.path("home"), "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a",
      "GIT_AUTHOR_EMAIL": "a@example.com",
      "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
      "FORAGE_GITHUB_URL": "http://127.0.0.1:9",
    ]
    try home.makeDirectory("home/.config/git")
    try home.makeDirectory("src")
    for _ in 0..<Self.cloneCount { try await addClone() }
    try await scan()
  }

  /// Compares commands.
  ///
  /// - Returns: Those that differ, with the changes before them.
  mutating func differences(_ count: Int) async throws -> [String] {
    var found: [String] = []
    for number in 0..<count {
      if number % Self.comparisons == 0, number > 0 { try await change() }
      if let difference = try await compare() { found.append(difference) }
    }
    return found
  }

  // MARK: Comparison

  private mutating func compare() async throws -> String? {
    let options = self.options()
    let patterns = self.patterns(options)
    let takesPaths = random.chance(0.1)
    let path = takesPaths ? random.pick(["src", "docs/ü", "a.c", "build", ".hidden", "vendor/"]) : nil
    let roots = roots.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    var places = roots
    if let path {
      places = roots.compactMap { root in
        let place = root + "/" + (path.hasSuffix("/") ? String(path.dropLast()) : path)
        return access(home.path("src/" + place), F_OK) == 0 ? place : nil
      }
    }
    guard !places.isEmpty else { return nil }
    let own = ["grep", "--all"] + options + patterns + (path.map { [$0] } ?? [])
    let other =
      ["--sort=path"] + options + patterns.prefix(patterns.first == "-e" ? patterns.count : 0) + ["--"]
      + patterns.dropFirst(patterns.first == "-e" ? patterns.count : 0) + places
    let mine = try await run(forage, ["--verbose"] + own)
    let theirs = try await run(rg, other)
    let lines = mine.err.split(separator: "\n", omittingEmptySubsequences: false)
    let trace = lines.first { $0.hasPrefix("forage: rg ") } ?? ""
    if places.contains(where: { !trace.contains($0) }) || trace.hasSuffix("/dev/null") { narrowed += 1 }
    let messages = lines.filter { !$0.hasPrefix("forage: ") }.joined(separator: "\n")
    if mine.out == theirs.out, mine.status == theirs.status, messages == theirs.err { return nil }
    let report = """
      \(own.map { $0.debugDescription }.joined(separator: " "))
        status \(mine.status), rg \(theirs.status)
        \(Self.firstDifference(mine.out, theirs.out))
        \(messages.prefix(300)) | \(theirs.err.prefix(300))
        after: \(history.suffix(12).joined(separator: "; "))
      """
    return report
  }

  private static func firstDifference(_ a: String, _ b: String) -> String {
    let (first, second) = (a.split(separator: "\n"), b.split(separator: "\n"))
    for place in 0..<max(first.count, second.count) {
      let (mine, theirs) = (
        place < first.count ? first[place] : "-", place < second.count ? second[place] : "-"
      )
      if mine != theirs { return "forage: \(mine)\n  rg: \(theirs)" }
    }
    return "the same lines"
  }

  private func run(_ program: URL, _ arguments: [String]) async throws -> ProcessResult {
    try await ProcessRunner.run(
      program, arguments, environment: environment, workingDirectory: home.url.appendingPathComponent("src"),
      timeout: .seconds(120))
  }

  private mutating func options() -> [String] {
    var options: [String] = []
    // Under half of all options everything is searched.
    let isPlain = random.chance(0.6)
    for _ in 0..<random.mostlySmall(0...4) {
      options +=
        isPlain
        ? random.pick([
          ["-i"], ["-S"], ["-s"], ["-w"], ["-x"], ["-F"], ["-n"], ["-c"], ["-l"], ["-o"], ["-A1"], ["-U"],
          ["-m1"], ["--vimgrep"], ["--column"], ["-N"], ["-I"], ["-H"], ["-g", "!*.md"], ["-t", "c"],
          ["-T", "md"], ["-P"], ["-0"], ["-r", "$0!"], ["--color", "always"], ["--heading"], ["-b"],
          ["--count-matches"], ["--crlf"], ["-M", "20"], ["--trim"],
        ])
        : random.pick([
          ["-i"], ["-S"], ["-s"], ["-w"], ["-x"], ["-F"], ["-n"], ["-c"], ["-l"], ["-o"], ["-A1"],
          ["-B", "1"],
          ["-C", "2"], ["-U"],
          ["--count-matches"], ["-m1"], ["--heading"], ["--no-heading"], ["--vimgrep"], ["--column"], ["-N"],
          ["-I"], ["-H"],
          ["-g", "*.c"], ["-g", "!*.md"], ["-g", "!src/"], ["--iglob", "*.LOG"], ["-t", "c"], ["-T", "md"],
          ["-tswift"], ["-u"],
          ["-uu"], ["--hidden"], ["--no-ignore"], ["--no-ignore-vcs"], ["-L"], ["-a"], ["-v"],
          ["--files-without-match"],
          ["--max-depth", "2"], ["--crlf"], ["--null-data"], ["-E", "utf-16le"], ["-P"], ["--pcre2"], ["-0"],
          ["-q"], ["--trim"],
          ["--passthru"], ["--binary"], ["--include-zero"], ["-M", "20"], ["-r", "$0!"], ["--no-messages"],
          ["--mmap"], ["--no-mmap"],
          ["--max-filesize", "1K"], ["--sort", "none"], ["--color", "always"], ["-j", "1"], ["--no-unicode"],
          ["--multiline-dotall"],
          ["--no-config"], ["-b"], ["--type-add", "x:*.txt"], ["--no-ignore-dot"], ["--no-require-git"],
          ["--ignore-file", "../rules"], ["--glob-case-insensitive"], ["-nie"], ["-d1"], ["--nosuch"],
        ])
    }
    // In any order of its threads two runs differ.
    if let place = options.firstIndex(of: "none") { options[place] = "path" }
    return options.filter { $0 != "-nie" }
  }

  private mutating func patterns(_ options: [String]) -> [String] {
    let count = random.mostlySmall(1...3)
    var patterns: [String] = []
    for _ in 0..<count { patterns.append(pattern()) }
    if count > 1 || random.chance(0.1) { return patterns.flatMap { ["-e", $0] } }
    let pattern = patterns[0]
    return pattern.hasPrefix("-") ? ["-e", pattern] : [pattern]
  }

  private mutating func pattern() -> String {
    let (a, b) = (random.pick(Self.words), random.pick(Self.words))
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return "\(a)|\(b)"
    case 1: return "\\b\(a)\\b"
    case 2: return "(?i)\(a)"
    case 3: return "\(a).*\(b)"
    case 4: return "[\(a.prefix(2))]\(a.dropFirst())"
    case 5: return "(\(a)|\(b))+"
    case 6: return "^\(a)"
    case 7: return "\(a)$"
    case 8: return String(a.prefix(3)) + "[a-z]+"
    case 9: return "\(a)\\s+\(b)"
    case 10: return "\(a)?\(b){1,2}"
    case 11: return "[[:alpha:]]{3}\(a.suffix(3))"
    case 12: return "(?:\(a)(?-i:\(b))?)"
    case 13: return "[a-z&&[^x]]\(a.dropFirst())"
    case 14: return a + "\\x20" + b
    default: return a
    }
  }

  // MARK: Trees

  private mutating func addClone() async throws {
    cloneNumber += 1
    let name = random.pick(["clone", "größe", "with space", "-dash", "Upper"]) + "\(cloneNumber)"
    clones.append(name)
    vocabulary[name] = (0..<Self.wordsOfClone).map { _ in random.pick(Self.words) }
    try home.makeDirectory("src/" + name)
    try await git(["init", "-q", "-b", "main"], name)
    for _ in 0..<Int.random(in: 3...12, using: &random) { try writeFile(name) }
    for _ in 0..<random.mostlySmall(0...3) { try writeRules(name) }
    if random.chance(0.3) {
      try write("*.c text eol=crlf\n*.txt ident\n", to: name + "/.gitattributes")
    }
    try await git(["add", "-A"], name)
    if random.chance(0.9) { try await git(["commit", "-qm", "x", "--allow-empty"], name) }
    history.append("new \(name)")
  }

  private mutating func scan() async throws {
    let result = try await run(forage, ["clones", "add", "."])
    guard result.status == 0 else {
      throw SupportError(code: .program, message: "clones add: \(result.err)", hint: "")
    }
    let list = try await run(forage, ["clones", "list", "--json", "path"])
    let clones = try JSONSerialization.jsonObject(with: Data(list.out.utf8)) as? [[String: String]] ?? []
    roots = clones.compactMap { $0["path"].map { String($0.dropFirst(home.path("src/").count)) } }
    history = ["scan"]
  }

  private mutating func change() async throws {
    for name in removals { try? FileManager.default.removeItem(atPath: home.path("src/" + name)) }
    // Its clones are in the catalogue.
    let lostClone = removals.contains { $0.hasSuffix("/nested") }
    removals = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let clone = random.pick(clones)
      let kind = Int.random(in: 0..<16, using: &random)
      history.append("\(kind) in \(clone)")
      switch kind {
      case 0, 1, 2: try writeFile(clone)
      case 3, 4: try writeRules(clone)
      case 5: try replaceKeepingTimes(clone)
      case 6: try await git(["clean", "-qfdx"], clone)
      case 7: try await git(["add", "-A"], clone)
      case 8:
        try await git(["add", "-A"], clone)
        try await git(["commit", "-qm", "y", "--allow-empty"], clone)
      case 9:
        // A repository in the clone, with rules of its own.
        try home.makeDirectory("src/\(clone)/nested")
        try await git(["init", "-q"], clone + "/nested")
        try writeFile(clone + "/nested")
        try writeRules(clone + "/nested")
        // Under a clone with rules for rg nothing is left out; most of them go before there is one in every
        // clone.
        if random.chance(0.8) { removals.append(clone + "/nested") }
      case 10:
        let folder = random.pick(Self.folders)
        symlink(random.pick(["..", "a.c", "/etc", "nowhere"]), home.path("src/\(clone)/\(folder)link"))
      case 11:
        let renamed = clone + "x"
        rename(home.path("src/" + clone), home.path("src/" + renamed))
        clones[clones.firstIndex(of: clone) ?? 0] = renamed
        vocabulary[renamed] = vocabulary[clone]
        try await scan()
      case 12:
        let name = "../home/.config/git/ignore"
        try write(random.pick(["*.swp", "*.log", "build/", "/b.c"]) + "\n", to: name)
        // Under rules with a slash nothing is left out.
        removals.append(name)
      case 13:
        // Rules above the clones, under which nothing is left out.
        let name = random.pick([".ignore", ".rgignore", ".gitignore"])
        try write(random.pick(Self.rules) + "\n", to: name)
        removals.append(name)
      case 14: try write(random.pick(Self.rules) + "\n", to: clone + "/.git/info/exclude")
      default:
        let folder = random.pick(Self.folders.dropFirst() + [])
        try? FileManager.default.removeItem(atPath: home.path("src/\(clone)/\(folder)"))
      }
    }
    if lostClone || random.chance(0.5) {
      // What was just changed may change again without a change of its times.
      if random.chance(0.7) { try await Task.sleep(for: .milliseconds(40)) }
      try await scan()
    }
  }

  /// Replaces a letter of a file, which keeps its size and the time of its last change.
  private mutating func replaceKeepingTimes(_ clone: String) throws {
    let path = home.path("src/\(clone)/") + random.pick(Self.folders) + random.pick(Self.names)
    var info = stat()
    guard stat(path, &info) == 0, let text = FileManager.default.contents(atPath: path), !text.isEmpty else {
      return
    }
    let word = Data(random.pick(Self.words).utf8)
    var changed = text
    let count = min(word.count, changed.count)
    changed.replaceSubrange(0..<count, with: word.prefix(count))
    let file = open(path, O_WRONLY)
    guard file >= 0 else { return }
    _ = changed.withUnsafeBytes { writeAll($0, to: file) }
    var times = [info.modified, info.modified]
    futimens(file, &times)
    close(file)
  }

  private mutating func writeRules(_ folder: String) throws {
    var text = ""
    for _ in 0..<Int.random(in: 1...3, using: &random) { text += random.pick(Self.rules) + "\n" }
    let place = random.pick(["", "", "src/", "docs/"])
    try write(
      text, to: folder + "/" + place + random.pick([".gitignore", ".gitignore", ".ignore", ".rgignore"]))
  }

  private mutating func writeFile(_ folder: String) throws {
    var bytes: [UInt8] = []
    let words = vocabulary[String(folder.prefix { $0 != "/" })] ?? Self.words
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      var line = (0..<Int.random(in: 0...4, using: &random)).map { _ in random.pick(words) }
        .joined(separator: " ")
      line += random.chance(0.2) ? "\r\n" : "\n"
      bytes += Array(line.utf8)
      if random.chance(0.05) { bytes += [0xFF, 0xFE, 0xE9, 0x0A] }
    }
    switch Int.random(in: 0..<16, using: &random) {
    case 0: bytes = [0x89, 0x50, 0x4E, 0x47, 0] + bytes
    case 1: bytes += [0] + bytes
    case 2:
      // A NUL behind the first buffer of rg. No line is longer than that: it makes the buffer larger for all
      // files behind it, in which rg then sees such a NUL earlier, so that its answer depends on the order.
      bytes +=
        (0..<1_000).flatMap { _ in Array(repeating: UInt8(ascii: "a"), count: 69) + [0x0A] } + [0] + bytes
    case 3: bytes = [0xEF, 0xBB, 0xBF] + bytes
    case 4:
      bytes =
        [0xFF, 0xFE]
        + String(decoding: bytes, as: UTF8.self).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    case 5:
      bytes = Array(
        "version https://git-lfs.github.com/spec/v1\noid sha256:\(random.pick(Self.words))\nsize 3\n".utf8)
    default: break
    }
    var name = Array((folder + "/" + random.pick(Self.folders) + random.pick(Self.names)).utf8)
    if random.chance(0.05) { name += [0xE9] }
    let path = Array(home.path("src/").utf8) + name
    let parent = String(decoding: path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)], as: UTF8.self)
    try? FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    let file = (path + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_WRONLY | O_CREAT | O_TRUNC, 0o644) }
    }
    guard file >= 0 else { return }
    _ = bytes.withUnsafeBytes { writeAll($0, to: file) }
    close(file)
  }

  private func write(_ text: String, to path: String) throws {
    let file = home.path("src/" + path)
    let parent = URL(fileURLWithPath: file).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try? Data(text.utf8).write(to: URL(fileURLWithPath: file))
  }

  private func git(_ arguments: [String], _ clone: String) async throws {
    _ = try await ProcessRunner.run(
      Self.git, arguments, environment: environment,
      workingDirectory: URL(fileURLWithPath: home.path("src/" + clone)), timeout: .seconds(60))
  }
}
