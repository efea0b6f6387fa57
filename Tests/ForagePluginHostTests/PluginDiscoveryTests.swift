import ForageCore
import ForagePlatform
import Foundation
import TestSupport
import Testing

@testable import ForagePluginHost

struct PluginDiscoveryTests {
  private let root: TemporaryDirectory
  private let searchPath: PluginSearchPath

  init() throws {
    root = try TemporaryDirectory()
    try root.write("prefix/bin/forage", "", mode: 0o755)
    try root.makeDirectory("bin")
    symlink(root.path("prefix/bin/forage"), root.path("bin/forage"))
    searchPath = PluginSearchPath(
      environment: [
        "HOME": root.path("home"), "XDG_DATA_HOME": root.path("data"),
        "XDG_DATA_DIRS": root.path("one") + "::relative:" + root.path("two"),
      ], executable: root.path("bin/forage"))
  }

  private func write(_ folder: String, id: String, name: String = "A") throws {
    try root.write(
      folder + "/plugin.json",
      #"{"forage":1,"id":"\#(id)","name":"\#(name)","version":"1","kinds":["repo"],"command":["true"]}"#)
  }

  @Test func searchedFolders() {
    #expect(
      searchPath.entries.map(\.folder) == [
        root.path("data/forage/plugins"), root.path("one/forage/plugins"), root.path("two/forage/plugins"),
        root.path("prefix/libexec/forage/plugins"),
      ])
    #expect(searchPath.entries.map(\.origin) == [.user, .machine, .machine, .installation])
    #expect(searchPath.trustFile == root.path("data/forage/trust.json"))
  }

  @Test func usualPlaces() {
    let searchPath = PluginSearchPath(
      environment: ["HOME": "/home/a", "XDG_DATA_HOME": "b", "XDG_DATA_DIRS": ""], executable: nil)
    #expect(
      searchPath.entries.map(\.folder) == [
        "/home/a/.local/share/forage/plugins", "/usr/local/share/forage/plugins", "/usr/share/forage/plugins",
      ])
    #expect(PluginSearchPath.executable.flatMap(realPath)?.hasPrefix("/") == true)
  }

  /// The package in which the program was built; a program of tests is none.
  @Test(arguments: [
    ("kit/.build/debug/forage", "kit"), ("a/.build/b/.build/x/release/forage", "a/.build/b"),
    ("kit/.build/debug/tests.xctest", nil), ("prefix/bin/forage", nil),
  ])
  func checkout(_ program: String, _ folder: String?) throws {
    try root.write(program, "", mode: 0o755)
    let searchPath = PluginSearchPath(environment: [:], executable: root.path(program))
    #expect(searchPath.checkout == (try folder.map { try #require(realPath(root.path($0))) }))
  }

  @Test func nothingThere() {
    let found = PluginDiscovery(searchPath)
    #expect(found.plugins.isEmpty && found.problems.isEmpty)
  }

  /// The first of an id wins, the others are told of, and one that is broken hides nothing.
  @Test func theFirstWins() throws {
    try write("data/forage/plugins/b", id: "b", name: "mine")
    try write("one/forage/plugins/b", id: "b", name: "theirs")
    try root.write("one/forage/plugins/a/plugin.json", "{")
    try write("two/forage/plugins/a", id: "a")
    try write("prefix/libexec/forage/plugins/c", id: "c")
    try write("two/forage/plugins/d", id: "other")
    try root.makeDirectory("two/forage/plugins/e")
    try root.makeDirectory("two/forage/plugins/.hidden")
    try root.write("two/forage/plugins/README", "")
    symlink("nowhere", root.path("two/forage/plugins/f"))
    let found = PluginDiscovery(searchPath)
    #expect(found.plugins.map(\.id) == ["a", "b", "c"])
    #expect(
      found["b"]?.manifest.name == "mine" && found["a"]?.origin == .machine
        && found["c"]?.origin == .installation)
    let told = found.problems.map {
      ($0.folder.replacing(root.path, with: ""), $0.error.message.replacing(root.path, with: ""))
    }
    try #require(
      told.map(\.0) == [
        "/one/forage/plugins/a", "/one/forage/plugins/b", "/two/forage/plugins/d", "/two/forage/plugins/e",
        "/two/forage/plugins/f",
      ])
    #expect(told[0].1.contains("plugin.json:2:1: this is not valid YAML"))
    #expect(
      told[1].1 == "the plugin b in /one/forage/plugins/b is hidden by the one in /data/forage/plugins/b")
    #expect(told[2].1 == "the folder /two/forage/plugins/d contains the plugin other")
    #expect(told[3].1.contains("plugin.json cannot be read"))
    #expect(told[4].1.contains("cannot be opened"))
  }

  /// A plugin that is worked on elsewhere.
  @Test func aLinkedFolder() throws {
    try write("work/x", id: "x")
    try root.makeDirectory("data/forage/plugins")
    symlink(root.path("work/x"), root.path("data/forage/plugins/x"))
    #expect(PluginDiscovery(searchPath)["x"]?.folder == root.path("work/x"))
  }

  @Test func aFileThatLeadsOut() throws {
    try write("data/forage/plugins/x", id: "x")
    try root.write("secret", "")
    symlink(root.path("secret"), root.path("data/forage/plugins/x/link"))
    symlink("plugin.json", root.path("data/forage/plugins/x/inner"))
    let plugin = try FoundPlugin(at: root.path("data/forage/plugins/x"))
    #expect(throws: SearchError.self) { try plugin.path(ofFile: "link") }
    #expect(throws: SearchError.self) { try plugin.path(ofFile: "missing") }
    #expect(try plugin.path(ofFile: "inner") == plugin.folder + "/plugin.json")
  }
}
