import Foundation
import TestSupport
import Testing

/// A program that was built and not installed.
@Suite struct BuiltProgramTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Plugins/manifests")

  @Test(.enabled(if: (try? forageBinary)?.resolvingSymlinksInPath().path.contains("/.build/") == true))
  func findsTheBundledManifests() async throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let ids = Set(names.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) })
    #expect(ids.contains("gitlab"))
    let program = try Program()
    let list = try await program.run(["providers", "--format", "json"]).json()
    for id in ids {
      let row = list.provider(id)
      #expect(row?["origin"]?.string == "manifest" && row?["enabled"]?.bool == false, "\(id)")
    }
    let valid = try await program.run(["plugin", "validate", "gitlab", "--offline"])
    #expect(valid.status == 0, "\(valid.err)")
    // A search without -p asks none of them.
    let plain = try await program.run(["search", "kit", "--format", "json"]).json()
    #expect(plain["providers"]?.array.compactMap { $0["id"]?.string } == ["github", "local"])
  }
}
