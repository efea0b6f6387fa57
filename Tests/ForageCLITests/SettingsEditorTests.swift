import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageCLI

/// Turning providers on and off changes one setting of the file and nothing else.
struct SettingsEditorTests {
  private static let types = Context.types
  private static let installed = InstalledIDs(manifests: ["codeberg", "1"], plugins: ["acme"])

  private static func settings(_ text: String) throws -> Settings {
    let folder = try TemporaryDirectory()
    return try Settings.read(folder.write("config.yaml", text).path, types: types) { installed }
  }

  private static func change(_ text: String?, _ id: String, _ flag: Bool) throws -> (
    changed: Bool, text: String
  ) {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/sub/config.yaml"
    if let text { _ = try folder.write("sub/config.yaml", text) }
    let editor = SettingsEditor(path: path, check: settings)
    let changed = try editor.set(enabled: flag, for: id)
    return (changed, (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
  }

  @Test(
    arguments: [
      (nil, "acme", "providers:\n  acme: {enabled: false}\n"),
      ("", "acme", "providers:\n  acme: {enabled: false}\n"),
      ("# mine", "acme", "# mine\nproviders:\n  acme: {enabled: false}\n"),
      ("providers:\n", "acme", "providers:\n  acme: {enabled: false}\n"),
      ("providers: {}\n", "acme", "providers:\n  acme: {enabled: false}\n"),
      ("", "1", "providers:\n  \"1\": {enabled: false}\n"),
      (
        "providers:\n    # GitHub\n    github: {weight: 2} # twice\n", "acme",
        "providers:\n    # GitHub\n    acme: {enabled: false}\n    github: {weight: 2} # twice\n"
      ),
      (
        "providers: {github: {weight: 2}}\n", "acme",
        "providers: {acme: {enabled: false}, github: {weight: 2}}\n"
      ),
      ("providers:\n  acme: {weight: 2}\n", "acme", "providers:\n  acme: {enabled: false, weight: 2}\n"),
      (
        "providers:\n  acme:\n    weight: 2\n", "acme",
        "providers:\n  acme:\n    enabled: false\n    weight: 2\n"
      ),
      (
        "providers:\n  acme:\n    weight: 2\n    enabled: true # for now\n", "acme",
        "providers:\n  acme:\n    weight: 2\n    enabled: false # for now\n"
      ),
      ("providers: {acme: {enabled: yes}}\n", "acme", "providers: {acme: {enabled: false}}\n"),
      ("providers:\n  acme:\n  local: {}\n", "acme", "providers:\n  acme: {enabled: false}\n  local: {}\n"),
    ] as [(String?, String, String)])
  func disabling(_ before: String?, _ id: String, _ after: String) throws {
    let (changed, text) = try Self.change(before, id, false)
    #expect(changed && text == after)
    #expect(try Self.change(text, id, false).changed == false)
    let back = try Self.change(text, id, true)
    #expect(try Self.settings(back.text).providers[id]?.isEnabled == true)
  }

  @Test func mistakesStay() throws {
    for text in ["providers: [1]\n", "provider: {}\n", "a: b: c\n"] {
      #expect(throws: CommandError.self) { try Self.change(text, "acme", true) }
    }
  }

  @Test func aLinkStaysALink() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("dotfiles/forage.yaml", "providers: {local: {weight: 2}}\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let link = folder.path + "/config.yaml"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
    #expect(try SettingsEditor(path: link, check: Self.settings).set(enabled: false, for: "local"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file.path)
    #expect(
      try String(contentsOf: file, encoding: .utf8) == "providers: {local: {enabled: false, weight: 2}}\n")
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
  }

  /// What is set for plugins and manifests.
  @Test func external() throws {
    let settings = try Self.settings(
      """
      providers:
        acme: {enabled: true, config: {url: "https://acme.internal", depth: 3, flags: [a, true]}, secrets: {token: {env: ACME_TOKEN}}}
        forgejo: {type: codeberg, config: {url: "https://git.example"}}

      """)
    #expect(
      settings.providers["acme"]?.config == [
        "url": .string("https://acme.internal"), "depth": .integer(3),
        "flags": .array([.string("a"), .bool(true)]),
      ])
    #expect(settings.providers["acme"]?.secrets == ["token": "ACME_TOKEN"])
    #expect(settings.secretVariables == ["ACME_TOKEN"])
    #expect(settings.providers["forgejo"]?.type == "codeberg" && settings.added == ["forgejo"])
    for (text, message) in [
      ("acme: {url: x}", "\"url\" is not a known setting"),
      ("akme: {weight: 2}", "\"akme\" is not a known setting"),
      ("acme: {secrets: {token: t0p}}", "a secret must be a list"),
      ("x: {type: acme}", "type takes github or local"),
    ] {
      let error = #expect(throws: CommandError.self) { try Self.settings("providers:\n  \(text)\n") }
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
  }
}
