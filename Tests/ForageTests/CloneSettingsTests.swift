import Foundation
import TestSupport
import Testing

@testable import Forage

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
}
