import Foundation
import Testing

/// No code outside `ForageSetup/Providers` decides anything by the name of one forge.
///
/// Comments may name one, and so may texts for people: help, hints, the manual. Other modules are not looked
/// at: `ForageGitHub` and `ForageManifest` are the forges, `ForageCore` has the public hosts whose addresses
/// it reads (`RepositoryIdentity`, `EntityReference`).
struct NamesOfForgesTests {
  private static var forges: Regex<Substring> { /(?i)github|gitlab|gitea|bitbucket|codeberg|forgejo/ }

  /// Where names may be in code, and why.
  private static let allowed: [String: Set<String>] = [
    // The hosts file of the program `gh`, which is asked for tokens.
    "ForageSetup/Credentials/TokenPrograms.swift": ["GitHubCLIHosts"]
  ]

  @Test func onlyProvidersNameForges() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources")
    var files = 0
    for module in ["ForageSetup", "ForageClones", "ForageEntities", "Forage", "ForageCLI"] {
      let folder = sources.appendingPathComponent(module)
      let names = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap {
        $0 as? String
      }
      for name in names
      where name.hasSuffix(".swift") && !"\(module)/\(name)".hasPrefix("ForageSetup/Providers/") {
        files += 1
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        guard text.contains(Self.forges) else { continue }
        let found = Self.names(in: text).subtracting(Self.allowed["\(module)/\(name)"] ?? [])
        #expect(found.isEmpty, "\(module)/\(name)")
      }
    }
    #expect(files > 100)
  }

  /// What the test finds, and what it leaves out.
  @Test(
    arguments: [
      ("let a = ForgeAddress.gitHub", ["gitHub"]), ("import ForageGitHub", ["ForageGitHub"]),
      (#"if host == "gitlab.com" { }"#, ["gitlab.com"]), (##"x(#"GITHUB_TOKEN"#)"##, ["GITHUB_TOKEN"]),
      (#""a \(of("bitbucket")) \(Gitea.id) b""#, ["bitbucket", "Gitea"]),
      ("/* gitlab */ let a = 1 // github", []), (#"hint: "for example: type: github""#, []),
      ("\"\"\"\n  a \"GitHub\"\n  \"\"\" + gitea", ["gitea"]), (#""\"" + github"#, ["github"]),
    ] as [(String, Set<String>)])
  func finds(_ source: String, _ names: Set<String>) { #expect(Self.names(in: source) == names) }

  /// The words of code with a forge's name, and the literals without a space, which are no texts for people.
  private static func names(in source: String) -> Set<String> {
    var parts = SourceParts(source)
    parts.read()
    let words = parts.code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    let literals = parts.literals.filter { !$0.contains(where: \.isWhitespace) }
    return Set((words + literals).filter { $0.contains(forges) })
  }
}

/// The code and the string literals of a file of Swift without regular expressions that have quotes.
private struct SourceParts {
  private let bytes: [UInt8]
  private var place = 0
  private var codeBytes: [UInt8] = []
  private(set) var literals: [String] = []
  var code: String { String(decoding: codeBytes, as: UTF8.self) }

  init(_ text: String) { bytes = Array(text.utf8) }

  private func isAt(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

  /// Reads code to its end, or to the parenthesis that ends an interpolation.
  mutating func read(isInterpolation: Bool = false) {
    var depth = 0
    while place < bytes.count {
      let hashes = bytes[place...].prefix { $0 == UInt8(ascii: "#") }.count
      if isAt("//") {
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
      } else if isAt("/*") {
        while place < bytes.count, !isAt("*/") { place += 1 }
        place = min(bytes.count, place + 2)
      } else if place + hashes < bytes.count, bytes[place + hashes] == UInt8(ascii: "\"") {
        readLiteral(String(repeating: "#", count: hashes))
      } else {
        if isInterpolation, isAt("(") { depth += 1 }
        if isInterpolation, isAt(")") { depth -= 1 }
        if depth < 0 {
          place += 1
          return
        }
        codeBytes.append(bytes[place])
        place += 1
      }
    }
  }

  private mutating func readLiteral(_ hashes: String) {
    place += hashes.utf8.count
    let quote = isAt("\"\"\"") ? "\"\"\"" : "\""
    place += quote.utf8.count
    let (end, escape) = (quote + hashes, "\\" + hashes)
    var literal: [UInt8] = []
    while place < bytes.count, !isAt(end) {
      if isAt(escape + "(") {
        place += escape.utf8.count + 1
        read(isInterpolation: true)
      } else {
        let count = isAt(escape) ? escape.utf8.count + 1 : 1
        literal += bytes[place..<min(bytes.count, place + count)]
        place = min(bytes.count, place + count)
      }
    }
    place = min(bytes.count, place + end.utf8.count)
    literals.append(String(decoding: literal, as: UTF8.self))
  }
}
