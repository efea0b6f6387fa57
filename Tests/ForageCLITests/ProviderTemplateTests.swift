import Forage
import ForageCLI
import ForageCore
import Foundation
import TestSupport
import Testing

/// The templates of `forage plugin new`.
struct ProviderTemplateTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let template = ProviderTemplate(id: "acme", sdk: "/src/forage \"x\"")

  private static func files(_ kind: ProviderTemplate.Kind, _ template: ProviderTemplate = template)
    -> [ProviderTemplate.File]
  {
    template.files(in: root.path + "/Plugins/templates/" + kind.rawValue)
  }

  @Test(arguments: ["acme", "a.b-c_1", "9", String(repeating: "a", count: ProviderInfo.longestID)])
  func goodNamesAreTaken(_ name: String) {
    #expect(ProviderTemplate.fault(in: name, taken: ["github"]) == nil)
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
    let fault = try #require(ProviderTemplate.fault(in: name, taken: ["github"]))
    #expect(fault.message.contains(message) && fault.hint.contains(hint), "\(fault)")
  }

  @Test(arguments: ProviderTemplate.Kind.allCases)
  func everyPlaceholderIsReplaced(_ kind: ProviderTemplate.Kind) throws {
    let files = Self.files(kind)
    let readme = try #require(files.first { $0.path == "README.md" })
    #expect(readme.text.hasPrefix("# Acme\n") && readme.text.contains("forage plugin validate"))
    #expect(Self.template.nextStep(kind).contains("forage plugin validate acme"))
    for file in files {
      #expect(file.text.hasSuffix("\n") && !file.text.hasSuffix("\n\n"), "\(file.path)")
      #expect(!(file.path + file.text).contains(/\{\{[a-z]+\}\}/), "\(file.path)")
    }
  }

  @Test(arguments: [ProviderTemplate.Kind.python, .swift])
  func theDescriptionNamesFilesThatAreThere(_ kind: ProviderTemplate.Kind) throws {
    let files = Self.files(kind)
    let text = try #require(files.first { $0.path == "plugin.json" }).text
    let description = try JSONTree(parsing: Array(text.utf8))
    #expect(description["id"]?.string == "acme" && description["forage"]?.integer == 1)
    let named = (description["files"]?.array ?? []).compactMap(\.string)
    #expect(!named.isEmpty)
    // What is built is not there yet.
    for name in named where !name.hasPrefix(".build/") { #expect(files.contains { $0.path == name }) }
  }

  @Test func aPackageNamesItsSDK() throws {
    let files = Self.files(.swift)
    #expect(
      files.map(\.path).contains("Sources/acme/Plugin.swift") && files.map(\.path).contains(".gitignore"))
    let manifest = try #require(files.first { $0.path == "Package.swift" }).text
    // The path of this machine is in a file that is not published.
    #expect(!manifest.contains("/src/forage") && manifest.contains(#"Context.environment["FORAGE_PACKAGE"]"#))
    let package = try #require(files.first { $0.path == ".forage-package" }).text
    #expect(package == "/src/forage \"x\"\n")
    let ignored = try #require(files.first { $0.path == ".gitignore" }).text.split(separator: "\n")
    #expect(ignored.contains(".forage-package") && ignored.contains(".build/"))
    #expect(manifest.contains(#".package(name: "forage", path: forage)"#))
  }

  @Test func aFolderThatIsNotThereHasNoFiles() {
    #expect(Self.template.files(in: "/nonexistent/templates/python").isEmpty)
  }

  @Test(arguments: ["acme", "a.b-c_1", "json", "test_plugin"])
  func thePythonPluginPassesItsOwnTest(_ id: String) async throws {
    let folder = try TemporaryDirectory()
    for file in Self.files(.python, ProviderTemplate(id: id)) { try folder.write(file.path, file.text) }
    let environment = ProcessInfo.processInfo.environment.filter { ["PATH", "HOME"].contains($0.key) }
    let result = try await ProcessRunner.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["python3", "test_plugin.py"], environment: environment,
      workingDirectory: folder.url)
    #expect(result.status == 0, "\(result.err)")
    #expect(result.err.contains("Ran 4 tests"))
  }
}
