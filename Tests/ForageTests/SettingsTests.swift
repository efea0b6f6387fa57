import Foundation
import TestSupport
import Testing

@testable import Forage

struct SettingsTests {
  private func read(_ text: String) throws -> Settings {
    let folder = try TemporaryDirectory()
    let file = try folder.write("config.yaml", text)
    return try Settings.read(file.path, types: BuiltInProvider.types)
  }

  @Test(arguments: ["", "\n", "# nothing\n", "null\n", "providers: {}\n"])
  func nothingIsSet(_ text: String) throws {
    #expect(try read(text).providers.isEmpty)
  }

  @Test func aMissingFileIsEmpty() throws {
    #expect(try Settings.read("/nonexistent/config.yaml", types: []).providers.isEmpty)
  }

  @Test func everySetting() throws {
    let settings = try read(
      "providers:\n  github:\n    enabled: false\n    weight: 2\n    timeout: 1.5\n  local: {weight: 0.5}\n")
    #expect(
      settings.providers == [
        "github": .init(isEnabled: false, weight: 2, timeout: .milliseconds(1500)),
        "local": .init(isEnabled: nil, weight: 0.5, timeout: nil),
      ])
  }

  /// The text, the line that is named, what is said, and the hint.
  @Test(
    arguments: [
      ("providrs: {}\n", 1, "\"providrs\" is not a known setting", "did you mean \"providers\"?"),
      ("a: 1\n", 1, "\"a\" is not a known setting", "known here: "),
      (
        "# one\nproviders:\n  githib: {}\n", 3, "\"githib\" is not a known setting",
        "did you mean \"github\"?"
      ),
      (
        "providers:\n  github:\n    enabled: true\n    wieght: 1\n", 4, "\"wieght\" is not a known setting",
        "did you mean \"weight\"?"
      ),
      ("providers:\n  github:\n    enabled: perhaps\n", 3, "enabled takes true or false", "fix"),
      (
        "providers:\n  github:\n    weight: heavy\n", 3, "weight takes a number above 0, at most 1000", "fix"
      ),
      ("providers:\n  github:\n    weight: 0\n", 3, "weight takes a number above 0, at most 1000", "fix"),
      ("providers:\n  github:\n    weight: -1\n", 3, "weight takes a number above 0, at most 1000", "fix"),
      ("providers:\n  github:\n    weight: 1001\n", 3, "weight takes a number above 0, at most 1000", "fix"),
      ("providers:\n  github:\n    weight: .nan\n", 3, "weight takes a number above 0, at most 1000", "fix"),
      (
        "providers:\n  github:\n    timeout: 3601\n", 3, "timeout takes seconds above 0, at most 3600", "fix"
      ),
      (
        "providers:\n  github:\n    timeout: .inf\n", 3, "timeout takes seconds above 0, at most 3600", "fix"
      ),
      (
        "providers:\n  - github\n", 2, "providers must be a mapping (name: value)",
        "for example: providers: {"
      ),
      (
        "providers:\n  github: yes\n", 2, "a provider must be a mapping (name: value)",
        "for example: github: {"
      ),
      (
        "providers:\n  acme:\n    secrets: {token: abc}\n", 3, "a secret must be a mapping (name: value)",
        "write secrets: {token: {env: NAME}}"
      ),
      ("just text\n", 1, "the settings must be a mapping (name: value)", "fix"),
      ("providers:\n  [a, b]: {}\n", 2, "a name must be plain text", "fix"),
    ] as [(String, Int, String, String)])
  func mistakes(_ text: String, _ line: Int, _ message: String, _ hint: String) {
    do {
      _ = try read(text)
      Issue.record("\(text) was accepted")
    } catch let error as ForageError {
      #expect(error.message.hasSuffix("/config.yaml:\(line): \(message)"), "\(error.message)")
      #expect(error.hint.hasPrefix(hint), "\(error.hint)")
      #expect(error.code == .usage)
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test(
    arguments: [
      ("providers: [\n", "2:1: this is not valid YAML: a value is missing"),
      ("\"", "1:2: this is not valid YAML: a quoted text has no end"),
      ("a: b: c\n", "1:5: this is not valid YAML: a colon cannot stand here"),
      ("\t\tx", "1:1: this is not valid YAML: no value can begin with this character"),
      ("*nothing\n", "1:1: this is not valid YAML"),
      ("numbers: true\nnumbers: false\n", "1: \"numbers\" occurs twice"),
    ])
  func notYAML(_ text: String, _ message: String) {
    #expect { try read(text) } throws: { error in
      (error as? ForageError)?.message.hasSuffix("/config.yaml:" + message) == true
    }
  }

  @Test func notUTF8() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("config.yaml", data: .init([0x61, 0xFF, 0xFE, 0x0A]))
    #expect { try Settings.read(file.path, types: []) } throws: { error in
      (error as? ForageError)?.message.hasSuffix("are not UTF-8 text") == true
    }
  }

  @Test(
    arguments: [
      (["HOME": "/h"], "/h/.config/forage/config.yaml", "/h/.local/share/forage/forage.db"),
      (
        ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d"], "/c/forage/config.yaml",
        "/d/forage/forage.db"
      ),
      (
        ["HOME": "/h", "XDG_CONFIG_HOME": "relative", "XDG_DATA_HOME": ""], "/h/.config/forage/config.yaml",
        "/h/.local/share/forage/forage.db"
      ),
    ] as [([String: String], String, String)])
  func paths(_ environment: [String: String], _ config: String, _ store: String) {
    let paths = Paths(environment: environment)
    #expect(paths.configFile == config)
    #expect(paths.storeFile == store)
  }

  /// Some services run without `HOME`; nothing of theirs belongs into the root of the file system.
  @Test(arguments: [[:], ["HOME": ""]])
  func aMissingHome(_ environment: [String: String]) throws {
    let entry = try #require(getpwuid(getuid()))
    let home = try #require(entry.pointee.pw_dir)
    let paths = Paths(environment: environment)
    #expect(paths.cacheFolder == String(cString: home) + "/.cache/forage")
  }
}
