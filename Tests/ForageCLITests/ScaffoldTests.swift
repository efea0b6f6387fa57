import Forage
import ForageCLI
import ForageCore
import Foundation
import TestSupport
import Testing

/// What `forage plugin new` writes.
struct ScaffoldTests {
  private static let sdk = "/src/forage \"x\""

  /// Writes the files of a scaffold into a folder.
  private func write(_ scaffold: Scaffold, _ kind: Scaffold.Kind, into folder: TemporaryDirectory) throws {
    for file in scaffold.files(kind) {
      try folder.write(file.path, file.contents, mode: file.isExecutable ? 0o755 : 0o644)
    }
  }

  @Test(arguments: ["acme", "a.b-c_1", "9", String(repeating: "a", count: ProviderInfo.longestID)])
  func goodNamesAreTaken(_ name: String) {
    #expect(Scaffold.fault(in: name, taken: ["github"]) == nil)
  }

  @Test(arguments: [
    ("", "a plugin needs a name", "forage plugin new acme"),
    ("Acme Tools", "\"Acme Tools\" cannot be the name of a plugin", "for example: acme-tools"),
    ("-acme", "\"-acme\" cannot be", "for example: acme"),
    ("../acme", "\"../acme\" cannot be", "for example: acme"),
    ("a/b", "\"a/b\" cannot be", "for example: a-b"), ("é", "\"é\" cannot be", "lower-case letters"),
    (String(repeating: "a", count: 65), "has 65 characters, more than 64", "shorter"),
    ("github", "there is a provider \"github\" already", "forage providers"),
  ])
  func badNamesAreExplained(_ name: String, _ message: String, _ hint: String) throws {
    let fault = try #require(Scaffold.fault(in: name, taken: ["github"]))
    #expect(fault.message.contains(message) && fault.hint.contains(hint), "\(fault)")
  }

  @Test(arguments: Scaffold.Kind.allCases)
  func aReadmeTellsTheNextStep(_ kind: Scaffold.Kind) throws {
    let files = Scaffold(name: "acme", sdk: Self.sdk).files(kind)
    let readme = try #require(files.first { $0.path == "README.md" })
    #expect(readme.contents.contains("forage plugin validate"))
    #expect(
      Scaffold(name: "acme", sdk: Self.sdk).nextStep(kind).contains("forage plugin validate acme"))
    #expect(Set(files.map(\.path)).count == files.count)
    for file in files {
      #expect(file.contents.hasSuffix("\n") && !file.contents.hasSuffix("\n\n"), "\(file.path)")
      #expect(!file.contents.contains("\\#("), "\(file.path)")
    }
  }

  @Test(arguments: [Scaffold.Kind.python, .swift])
  func theDescriptionNamesFilesThatAreThere(_ kind: Scaffold.Kind) throws {
    let files = Scaffold(name: "acme", sdk: Self.sdk).files(kind)
    let text = try #require(files.first { $0.path == "plugin.json" }).contents
    let description = try JSONTree(parsing: Array(text.utf8))
    #expect(description["id"]?.string == "acme" && description["forage"]?.integer == 1)
    let named = (description["files"]?.array ?? []).compactMap(\.string)
    #expect(!named.isEmpty)
    // What is built is not there yet.
    for name in named where !name.hasPrefix(".build/") { #expect(files.contains { $0.path == name }) }
  }

  /// The README names the package that `Package.swift` names.
  @Test func thePackageIsWhereItIsSaidToBe() throws {
    func contents(_ path: String, _ scaffold: Scaffold) throws -> String {
      try #require(scaffold.files(.swift).first { $0.path == path }).contents
    }
    let scaffold = Scaffold(name: "acme", sdk: Self.sdk)
    let readme = try contents("README.md", scaffold)
    #expect(readme.contains("`\(Self.sdk)`") && readme.contains("FORAGE_PACKAGE"))
    let manifest = try contents("Package.swift", scaffold)
    #expect(manifest.contains(#"["FORAGE_PACKAGE"] ?? "/src/forage \"x\"""#))
    #expect(manifest.contains(#".package(name: "forage", path: forage)"#))
    #expect(try contents("Package.swift", Scaffold(name: "acme")).contains(#"?? "../forage""#))
  }

  @Test(arguments: ["acme", "a.b-c_1", "json", "test_plugin"])
  func thePythonPluginPassesItsOwnTest(_ name: String) async throws {
    let folder = try TemporaryDirectory()
    try write(Scaffold(name: name, sdk: Self.sdk), .python, into: folder)
    let environment = ProcessInfo.processInfo.environment.filter { ["PATH", "HOME"].contains($0.key) }
    let result = try await ProcessRunner.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["python3", "test_plugin.py"], environment: environment,
      workingDirectory: folder.url)
    #expect(result.status == 0, "\(result.err)")
    #expect(result.err.contains("Ran 5 tests"))
  }
}
