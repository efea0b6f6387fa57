import Foundation
import TestSupport
import Testing

/// What the guide to adding providers shows works: its files are written, its commands run, in the order in
/// which they stand there.
struct GuideTests {
  /// A piece of the guide between fences.
  private struct Block {
    /// The language behind the fence.
    var language: String
    /// The file that it becomes, `nil` for none.
    var path: String?
    var lines: [String]

    var text: String { lines.map { $0 + "\n" }.joined() }
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func blocks() throws -> [Block] {
    let text = try String(contentsOf: root.appendingPathComponent("Plugins/README.md"), encoding: .utf8)
    var (found, open) = ([Block](), Block?.none)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      guard line.hasPrefix("```") else {
        open?.lines.append(line)
        continue
      }
      if let block = open {
        found.append(block)
        open = nil
      } else {
        let words = line.dropFirst(3).split(separator: " ").map(String.init)
        open = Block(language: words.first ?? "", path: words.dropFirst().first, lines: [])
      }
    }
    #expect(open == nil, "a block of Plugins/README.md has no end")
    return found
  }

  private static func block(_ path: String) throws -> Block {
    try #require(try blocks().first { $0.path == path }, "Plugins/README.md shows no \(path)")
  }

  /// A Packagist of a few packages, as its documentation describes it.
  private static func packagist(_ request: RecordedRequest) -> ScriptedResponse {
    guard request.path == "/search.json", let query = request.query("q") else { return .status(404) }
    let words = query.lowercased().split(separator: " ").map { $0.filter { $0 != "\"" } }
    let all = (1...12).map { number in
      (
        name: "acme/http-client-\(number)", description: "An HTTP client, the \(number)th",
        tag: number == 7 ? "psr-18" : "other"
      )
    }
    let found = all.filter { package in
      let text = (package.name + " " + package.description).lowercased()
      return words.allSatisfy { text.contains($0) }
        && (request.query("tags").map { $0 == package.tag } ?? true)
    }
    let size = request.query("per_page").flatMap(Int.init) ?? 15
    let start = (max(1, request.query("page").flatMap(Int.init) ?? 1) - 1) * size
    let rows = found.dropFirst(start).prefix(size).map { package in
      """
      {"name":"\(package.name)","description":"\(package.description)","url":"https://packagist.org/packages/\(package.name)",\
      "repository":"https://github.com/\(package.name)","downloads":1,"favers":1}
      """
    }
    let next = start + size < found.count ? ",\"next\":\"https://packagist.org/search.json?page=next\"" : ""
    return .json(body: "{\"results\":[\(rows.joined(separator: ","))],\"total\":\(found.count)\(next)}")
  }

  @Test func theSwiftExampleIsTheOneThatIsBuilt() throws {
    let shown = try Self.block("programs/Sources/programs/Programs.swift").text
    let built = try String(
      contentsOf: Self.root.appendingPathComponent("Tests/GuidePlugin/Programs.swift"), encoding: .utf8)
    #expect(shown == built)
  }

  /// Its description says what the program says of itself.
  @Test func theSwiftExampleDeclaresWhatItCan() async throws {
    let declared = try await ProcessRunner.run(guidePluginBinary, ["--declare"], environment: [:])
    let members = try JSON(declared.out)
    let description = try JSON(Self.block("programs/plugin.json").text)
    for key in ["kinds", "concurrency"] {
      #expect(members[key] != nil && members[key] == description[key], "\(declared.out)")
    }
  }

  /// What the program does not say of its fields stays in `plugin.json`.
  @Test func rewritingKeepsTheRest() async throws {
    let program = try Program()
    let text = try Self.block("programs/plugin.json").text.replacing(
      #""concurrency": 4,"#,
      with: #""concurrency": 9, "fields": {"weight": {"type": "number", "title": "W", "unit": "kg"}},"#)
    let file = try program.home.directory.write("home/programs/plugin.json", text)
    let folder = try program.home.directory.makeDirectory("home/programs/.build/release")
    try FileManager.default.copyItem(
      at: try guidePluginBinary, to: folder.appendingPathComponent("programs"))
    let result = try await program.run(
      ["plugin", "validate", program.home.directory.path("home/programs"), "--word", "sh", "--rewrite"])
    #expect(result.err.contains("what the program declares: concurrency"), "\(result.err)")
    let written = try JSON(try String(contentsOf: file, encoding: .utf8))
    #expect(written["concurrency"]?.int == 4 && written["fields"]?["weight"]?["unit"]?.string == "kg")
  }

  @Test func everyLinkLeadsSomewhere() throws {
    let guide = Self.root.appendingPathComponent("Plugins/README.md")
    let text = try String(contentsOf: guide, encoding: .utf8)
    let targets = text.matches(of: /\]\(([^)#]+)\)/).map { String($0.1) }
    #expect(!targets.isEmpty)
    for target in targets where !target.hasPrefix("https://") {
      let place = guide.deletingLastPathComponent().appendingPathComponent(target)
      #expect(FileManager.default.fileExists(atPath: place.path), "\(target)")
    }
  }

  /// Writes the guide's files: settings and manifests where Forage looks, all else into the folder of the
  /// commands.
  private func prepare(_ program: Program, _ server: LoopbackServer) throws {
    for block in try Self.blocks() {
      guard let path = block.path else { continue }
      if path == "config.yaml" {
        try program.home.writeConfig(
          "forage/config.yaml", block.text.replacing("https://packagist.org", with: server.baseURL))
      } else if path.hasPrefix("providers.d/") {
        // The server here need not be spared.
        let text = block.text.replacing("perSecond: 2}", with: "perSecond: 1000}")
        try program.home.writeConfig("forage/" + path, text)
      } else {
        try program.home.directory.write("work/" + path, block.text)
      }
    }
    let folder = try program.home.directory.makeDirectory("work/programs/.build/release")
    try FileManager.default.copyItem(
      at: try guidePluginBinary, to: folder.appendingPathComponent("programs"))
  }

  @Test func everyCommandWorks() async throws {
    // The commands themselves come from a folder of their own, the programs that plugins are made of from the
    // tests' own path.
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    try await withServer(handler: Self.packagist) { server in
      let program = try Program()
      try prepare(program, server)
      try FileManager.default.createDirectory(
        atPath: program.home.directory.path("bin"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: program.home.directory.path("bin/forage"), withDestinationPath: try forageBinary.path)
      let environment = program.environment.merging(["PATH": program.home.directory.path("bin") + ":" + path])
      {
        _, new in new
      }
      let commands = try Self.blocks().filter { $0.language == "console" }.flatMap(\.lines)
        .filter { $0.hasPrefix("$ forage ") }.map { String($0.dropFirst(2)) }
      #expect(!commands.isEmpty, "Plugins/README.md has no command in a console block")
      for command in commands {
        let result = try await Gate.shared.run {
          try await ProcessRunner.run(
            URL(fileURLWithPath: "/bin/sh"), ["-c", command], environment: environment,
            workingDirectory: URL(fileURLWithPath: program.home.directory.path("work")))
        }
        // The doctor also finds that there is no network here.
        let good: ClosedRange<Int32> = command == "forage doctor" ? 0...4 : 0...0
        #expect(good.contains(result.status), "\(command): \(result.status) \(result.out) \(result.err)")
        #expect(!result.timedOut, "\(command)")
        if command.hasPrefix("forage search") { #expect(!result.outLines.isEmpty, "\(command)") }
      }
      // The manifest has asked the server that the settings name, and no other.
      #expect(server.requests.contains { $0.query("tags") == "psr-18" })
    }
  }
}
