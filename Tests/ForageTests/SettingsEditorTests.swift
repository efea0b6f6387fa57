import Forage
import ForageCore
import Foundation
import TestSupport
import Testing

/// Turning providers on and off changes one setting of the file and nothing else.
struct SettingsEditorTests {
  private static let types = BuiltInProvider.types
  private static let installed = InstalledIDs(
    manifests: ["codeberg", "1"], plugins: ["acme": ["acme"], "pair": ["one", "two"]])

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
      ("providers: {}\n", "acme", "providers: {acme: {enabled: false}}\n"),
      ("providers: null # none\n", "acme", "providers: {acme: {enabled: false}} # none\n"),
      ("{}\n", "acme", "{providers: {acme: {enabled: false}}}\n"),
      ("providers:\n  acme: # later\n", "acme", "providers:\n  acme: {enabled: false} # later\n"),
      ("providers:\n  acme: {} # later\n", "acme", "providers:\n  acme: {enabled: false} # later\n"),
      ("# mine\r\n", "acme", "# mine\r\nproviders:\r\n  acme: {enabled: false}\r\n"),
      ("providers:\r\n", "acme", "providers:\r\n  acme: {enabled: false}\r\n"),
      (
        "providers:\r\n  github: {weight: 2}\r\n", "acme",
        "providers:\r\n  acme: {enabled: false}\r\n  github: {weight: 2}\r\n"
      ),
      (
        "providers:\r\n  acme:\r\n    enabled: true # on\r\n    weight: 2\r\n", "acme",
        "providers:\r\n  acme:\r\n    enabled: false # on\r\n    weight: 2\r\n"
      ),
      ("providers:\r  acme: {weight: 2}", "acme", "providers:\r  acme: {enabled: false, weight: 2}"),
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

  /// A file in one of the odd forms that YAML allows.
  private static func oddFile(_ random: inout SeededGenerator) -> String {
    let lineBreak = random.pick(["\n", "\n", "\r\n", "\r\n", "\r"])
    var lines: [String] = []
    func blanks(_ random: inout SeededGenerator) -> String {
      random.pick(["", "", " ", "   ", " # é ✓ 検索", " #"])
    }
    func comment(_ random: inout SeededGenerator) {
      if random.chance(0.3) { lines.append(random.pick(["", "  ", "# über", "      # x: {enabled: true}"])) }
    }
    func name(_ id: String, _ random: inout SeededGenerator) -> String {
      random.pick([id, id, id, "\"\(id)\"", "'\(id)'"])
    }
    func member(_ random: inout SeededGenerator) -> String {
      random.pick([
        "weight: 2", "weight: 0.5", "timeout: 3", "\"weight\": 1.5", "enabled: true", "enabled: yes",
        "enabled:   no",
        "enabled: false", "'enabled': on",
      ])
    }
    /// Members of different names.
    func members(_ random: inout SeededGenerator) -> [String] {
      var names: Set<Substring> = []
      return (0..<Int.random(in: 1...3, using: &random)).map { _ in member(&random) }.filter {
        names.insert($0.filter { $0.isLetter || $0 == ":" }.prefix { $0 != ":" }).inserted
      }
    }
    func flow(_ random: inout SeededGenerator) -> String {
      "{" + random.pick(["", " "]) + members(&random).joined(separator: random.pick([", ", " ,  "]))
        + random.pick(["", " "])
        + "}"
    }
    comment(&random)
    if random.chance(0.2) { lines.append("---") }
    comment(&random)
    let ids = ["github", "local", "codeberg", "acme", "1"].shuffled(using: &random)
      .prefix(Int.random(in: 0...4, using: &random))
    let key = random.pick(["providers:", "providers:", "\"providers\":", "'providers' :"])
    if ids.isEmpty {
      lines.append(
        random.pick([key, key + " {}", key + " null", key + " ~", key + " { }", "{}", "", key + " &a {}"])
          + blanks(&random))
    } else if random.chance(0.25) {
      let entries = ids.map { "\(name($0, &random)): \(random.chance(0.2) ? "{}" : flow(&random))" }
      lines.append("\(key) {\(entries.joined(separator: ", "))}\(blanks(&random))")
    } else {
      lines.append(key + blanks(&random))
      let indent = String(repeating: " ", count: random.pick([1, 2, 4]))
      for id in ids {
        comment(&random)
        let start = indent + name(id, &random) + random.pick([":", ":", " :"])
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          lines.append(start + random.pick(["", " {}", " null", " ~", " &x", " {  }"]) + blanks(&random))
        case 1: lines.append(start + " " + flow(&random) + blanks(&random))
        default:
          lines.append(start + blanks(&random))
          let deeper = indent + random.pick([" ", "  ", "    "])
          for member in members(&random) {
            comment(&random)
            lines.append(deeper + member + blanks(&random))
          }
        }
      }
    }
    comment(&random)
    return lines.joined(separator: lineBreak) + (random.chance(0.7) ? lineBreak : "")
  }

  /// An edited file has the setting and is otherwise the same to the byte; a file that cannot be edited stays.
  @Test func nothingElseChanges() throws {
    var random = SeededGenerator(seed: propertySeed())
    var edits = 0
    for _ in 0..<2000 {
      let text = Self.oddFile(&random)
      let (id, flag) = (random.pick(["github", "acme", "codeberg", "1"]), random.chance(0.5))
      let before = try Self.read(text)
      guard before.providers[id]?.isEnabled != flag else { continue }
      guard let edited = try SettingsEditor.edited(text, enabled: flag, id: id),
        let after = try? Self.read(edited), after.providers[id]?.isEnabled == flag
      else { continue }
      edits += 1
      for other in ["github", "local", "codeberg", "acme", "1"] where other != id {
        #expect(after.providers[other] == before.providers[other], "\(text.debugDescription)")
      }
      let (old, new) = (Array(text.utf8), Array(edited.utf8))
      let start = zip(old, new).prefix { $0 == $1 }.count
      let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed()).prefix { $0 == $1 }
        .count
      let removed = String(decoding: old[start..<old.count - end], as: UTF8.self)
      let replaced = ["true", "false", "yes", "no", "on", "null", "~"]
      #expect(removed.isEmpty || replaced.contains { $0.contains(removed) }, "\(text.debugDescription)")
      let breaks = Set(edited.unicodeScalars.filter { $0 == "\r" || $0 == "\n" })
      let known = Set(text.unicodeScalars.filter { $0 == "\r" || $0 == "\n" })
      #expect(known.isEmpty || breaks == known, "\(text.debugDescription)")
    }
    // The odd forms must not be so odd that nothing is tested.
    #expect(edits > 1000)
  }

  private static func read(_ text: String) throws -> Settings {
    try Settings.parse(text, path: "config.yaml", types: types) { installed }
  }

  /// A program that leaves the line ends alone takes its own entry out again.
  @Test func aFlagIsRemoved() throws {
    let folder = try TemporaryDirectory()
    for lineBreak in ["\n", "\r\n"] {
      let text = ["providers:", "  acme: {enabled: false}", "  local: {weight: 2}", ""].joined(
        separator: lineBreak)
      let path = try folder.write("config.yaml", text).path
      let editor = SettingsEditor(path: path, check: Self.settings)
      #expect(try editor.removeFlag(of: "acme"))
      let left = ["providers:", "  local: {weight: 2}", ""].joined(separator: lineBreak)
      #expect(FileManager.default.contents(atPath: path) == Data(left.utf8))
      #expect(try !editor.removeFlag(of: "acme"))
    }
  }

  /// What would change another provider, or cannot be understood, is refused, and the file stays.
  @Test(arguments: [
    "providers:\n  local: &d {weight: 2}\n  acme: *d\n", "providers:\n  acme: {enabled: !!bool true}\n",
    "providers:\n  ? acme\n  : {enabled: true}\n", "providers: {}\n...\n",
  ])
  func whatCannotBeEditedStays(_ text: String) throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("config.yaml", text).path
    let editor = SettingsEditor(path: path, check: Self.settings)
    let hasChanged = try? editor.set(enabled: false, for: "acme")
    let after = try String(contentsOfFile: path, encoding: .utf8)
    let settings = try Self.settings(after)
    #expect(hasChanged == true ? settings.providers["acme"]?.isEnabled == false : after == text)
    #expect(settings.providers["local"]?.isEnabled == nil)
  }

  @Test func mistakesStay() throws {
    for text in ["providers: [1]\n", "provider: {}\n", "a: b: c\n"] {
      #expect(throws: ForageError.self) { try Self.change(text, "acme", true) }
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

  /// A link that leads nowhere is an error that names it, and stays as it was; a new file is for its owner alone.
  @Test(arguments: ["gone.yaml", "config.yaml", "folder/gone.yaml"])
  func brokenLinks(_ target: String) throws {
    let folder = try TemporaryDirectory()
    let link = folder.path + "/config.yaml"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    let editor = SettingsEditor(path: link, check: Self.settings)
    let error = #expect(throws: ForageError.self) { try editor.set(enabled: false, for: "local") }
    #expect(error?.message.contains("\(link) is a link that leads nowhere") == true, "\(error as Any)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["config.yaml"])
  }

  @Test func aFolderBehindABrokenLink() throws {
    let folder = try TemporaryDirectory()
    let link = folder.path + "/forage"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "gone")
    let editor = SettingsEditor(path: link + "/config.yaml", check: Self.settings)
    let error = #expect(throws: ForageError.self) { try editor.set(enabled: false, for: "local") }
    #expect(error?.message.contains("\(link) is a link that leads nowhere") == true, "\(error as Any)")
  }

  @Test(arguments: [0o640, 0o600, 0o644, 0o444, nil])
  func permissions(_ old: Int?) throws {
    let folder = try TemporaryDirectory()
    let path = folder.path + "/new/config.yaml"
    if let old {
      _ = try folder.write("new/config.yaml", "providers: {}\n")
      try FileManager.default.setAttributes([.posixPermissions: old], ofItemAtPath: path)
    }
    #expect(try SettingsEditor(path: path, check: Self.settings).set(enabled: false, for: "local"))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == old ?? 0o600)
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
      ("acme: {secrets: {token: t0p}}", "a secret must be a mapping"),
      ("x: {type: acme}", ", not \"acme\""),
    ] {
      let error = #expect(throws: ForageError.self) { try Self.settings("providers:\n  \(text)\n") }
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }
  }
}
