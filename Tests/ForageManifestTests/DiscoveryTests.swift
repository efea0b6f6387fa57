import ForageCore
import ForageManifest
import ForageYAML
import Foundation
import TestSupport
import Testing

struct DiscoveryTests {
  private static func named(_ id: String, _ name: String = "Acme") -> String {
    sample().replacing("id: acme", with: "id: \(id)").replacing("name: Acme", with: "name: \(name)")
  }

  @Test func withoutFoldersThereIsNothing() {
    let found = ManifestDiscovery.find(
      configHome: "/nonexistent", bundled: ["/nonexistent/x", "/nonexistent"])
    #expect(found.found.isEmpty && found.broken.isEmpty)
    #expect(ManifestDiscovery.find(configHome: nil).found.isEmpty)
  }

  /// The user's own go before bundled ones of the same id; of two of one's own the second is a mistake.
  @Test func orderAndFaults() throws {
    let folder = try TemporaryDirectory()
    try folder.write("config/forage/providers.d/b.yaml", Self.named("b", "Mine"))
    try folder.write("config/forage/providers.d/c.yaml", Self.named("b", "Second"))
    try folder.write(
      "config/forage/providers.d/a.yaml", Self.named("a").replacing("name: Acme", with: "nam: Acme"))
    try folder.write("config/forage/providers.d/.hidden.yaml", "x")
    try folder.write("config/forage/providers.d/notes.txt", "x")
    try FileManager.default.createDirectory(
      atPath: folder.url.path + "/config/forage/providers.d/folder.yaml", withIntermediateDirectories: true)
    try folder.write("share/b.yaml", Self.named("b", "Bundled"))
    try folder.write("share/d.yaml", Self.named("d"))
    try folder.write("data/forage/providers/e.yaml", Self.named("e"))
    let root = folder.url.path
    let found = ManifestDiscovery.find(
      configHome: root + "/config", bundled: [root + "/share", root + "/data/forage/providers"])
    #expect(found.found.map(\.manifest.id) == ["b", "d", "e"])
    #expect(found.found.map(\.manifest.name) == ["Mine", "Acme", "Acme"])
    #expect(found.found.map(\.isBundled) == [false, true, true])
    #expect(
      found.broken.map { $0.path.split(separator: "/").last ?? "" } == ["a.yaml", "c.yaml", "folder.yaml"])
    #expect(
      found.broken.map { $0.problems.first?.message } == [
        "\"nam\" is not a known key", "\(root)/config/forage/providers.d/b.yaml already has the id b",
        "this is not a regular file",
      ])
    #expect(found.broken.first?.problems.first?.line == 3)
  }

  @Test func bothEndingsAndABrokenLink() throws {
    let folder = try TemporaryDirectory()
    try folder.write("config/forage/providers.d/a.yml", Self.named("a"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("share"), withDestinationPath: folder.path("gone"))
    let found = ManifestDiscovery.find(configHome: folder.path("config"), bundled: [folder.path("share")])
    #expect(found.found.map(\.manifest.id) == ["a"])
    #expect(
      found.broken.map { $0.problems[0].message } == ["\(folder.path("share")) is a link that leads nowhere"])
  }

  @Test func filesThatCannotBeRead() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("large.yaml", String(repeating: "# x\n", count: 80_000))
    for (path, message) in [
      (file.path, "more than the"), (folder.url.path, "this is not a regular file"),
      (folder.url.path + "/none.yaml", "cannot be read"),
      ("/dev/zero", "this is not a regular file"),
    ] {
      let error = #expect(throws: ManifestProblems.self) { try ManifestDiscovery.manifest(at: path) }
      #expect(error?.lines.first?.contains(message) == true, "\(error?.lines ?? [])")
    }
  }

  @Test func everyBundledManifestIsRead() throws {
    let found = ManifestDiscovery.find(configHome: nil, bundled: [bundledFolder])
    #expect(found.broken.isEmpty, "\(found.broken)")
    #expect(
      found.found.map(\.manifest.id) == [
        "bitbucket-server", "bitbucket", "codeberg", "crates", "gitlab", "npm", "pagure", "sourcegraph",
        "stackoverflow", "zoekt",
      ])
  }
}
