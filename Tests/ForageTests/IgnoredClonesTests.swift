import Forage
import Foundation
import TestSupport
import Testing

/// What `clones ignore` writes, and `clones.ignore` of the settings.
struct IgnoredClonesTests {
  private func settings(_ folder: TemporaryDirectory) throws -> Settings {
    try Settings.read(folder.path("config.yaml"), types: BuiltInProvider.types)
  }

  @Test func addedAndRemoved() throws {
    let folder = try TemporaryDirectory()
    let file = IgnoredClones(beside: folder.path("sub/config.yaml"))
    #expect(try file.set(false, for: ["/a"]) == [])
    #expect(!FileManager.default.fileExists(atPath: folder.path("sub")))
    #expect(try file.set(true, for: ["/a \"b\"", "*-x"]) == ["/a \"b\"", "*-x"])
    #expect(try file.set(true, for: ["*-x", "true"]) == ["true"])
    #expect(file.read().content == ["/a \"b\"", "*-x", "true"] && file.read().problem == nil)
    #expect(try file.set(false, for: ["*-x", "/c"]) == ["*-x"])
    #expect(file.read().content == ["/a \"b\"", "true"])
  }

  @Test func ofTheSettings() throws {
    let folder = try TemporaryDirectory()
    try folder.write("config.yaml", "clones:\n  root: ~/code\n  ignore: [~/src/old, '*-x']\n")
    let clones = try settings(folder).clones
    #expect(clones.ignored.map(\.text) == ["~/src/old", "*-x"])
    #expect(clones.ignored.allSatisfy { $0.place == folder.path("config.yaml:3") })
    try folder.write("config.yaml", "clones: {ignore: ~/src/old}\n")
    #expect(try settings(folder).clones.ignored.map(\.text) == ["~/src/old"])
    try folder.write("config.yaml", "clones: {ignore: [/, {a: b}, fine]}\n")
    let broken = try settings(folder)
    #expect(broken.problems.map(\.section) == [.clones, .clones])
    #expect(broken.clones.ignored.map(\.text) == ["fine"])
  }

  /// A file that is not understood is a problem of the settings, and is not written over.
  @Test(arguments: ["a: b\n", "- {a: b}\n", "- [x\n"])
  func broken(_ text: String) throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(IgnoredClones.fileName, text)
    let problem = try #require(try settings(folder).problems.first?.error)
    #expect(problem.message.contains(IgnoredClones.fileName) && problem.hint.contains("delete the file"))
    let error = #expect(throws: ForageError.self) {
      try IgnoredClones(beside: folder.path("config.yaml")).set(true, for: ["/a"])
    }
    #expect(error == problem)
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }
}
