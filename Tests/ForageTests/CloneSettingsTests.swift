import Foundation
import TestSupport
import Testing

@testable import ForageSetup

/// The settings of `forage clone`.
struct CloneSettingsTests {
  private func read(_ text: String) throws -> Settings {
    let folder = try TemporaryDirectory()
    return try Settings.read(try folder.write("config.yaml", text).path, types: BuiltInProvider.types)
  }

  @Test func values() throws {
    #expect(try read("providers: {}\n").clones == .init(root: "~/src", transferProtocol: .https))
    #expect(
      try read("clones: {root: /srv/コード, protocol: ssh}\n").clones
        == .init(root: "/srv/コード", transferProtocol: .ssh))
    #expect(try read("clones:\n  root: ~/code\n").clones.root == "~/code")
    #expect(try read("clones: {root: ~}\nproviders:\n  github: {enabled: false}\n").clones.root == "~")
    #expect(try read("clones:\n").clones == Settings.Clones())
  }

  @Test func sets() throws {
    var first = Settings.Clones.Sync(owner: "git.acme.example/platform")
    (first.archived, first.topics, first.exclude) = (true, ["go", "swift"], ["*-mirror"])
    var second = Settings.Clones.Sync(owner: "acme")
    (second.provider, second.forks) = ("gitlab", true)
    let text = """
      clones:
        sync:
        - {owner: git.acme.example/platform, archived: true, topics: [go, swift], exclude: "*-mirror"}
        - {owner: acme, provider: gitlab, forks: true}
      """
    #expect(try read(text).clones.sync == [first, second])
    #expect(try read("clones: {sync: {owner: acme}}\n").clones.sync == [.init(owner: "acme")])
    for wrong in ["[x]", "[{forks: true}]", "[{owner: a b}]", "[{owner: acme, fork: true}]", "{owner: -x}"] {
      let settings = try read("clones: {sync: \(wrong)}\n")
      #expect(settings.problems.count == 1 && settings.problems.first?.section == .clones, "\(wrong)")
    }
  }
}
