import ForageCore
import ForagePluginHost
import Foundation
import Synchronization
import TestSupport
import Testing

/// An installed plugin is replaced in one step.
@Suite struct FolderReplacementTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func source(_ name: String, files: [String: String]) throws -> String {
    for (file, text) in files { try folder.write("\(name)/\(file)", text) }
    return folder.path(name)
  }

  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: folder.path(path)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func installsAndReplaces() throws {
    let one = try source("one", files: ["plugin.json": "1", "only-in-one": "", ".git/config": "x"])
    let two = try source("two", files: ["plugin.json": "2", "sub/file": "two"])
    try FolderReplacement.replace(folder.path("plugins/acme"), with: one, files: [])
    #expect(text("plugins/acme/plugin.json") == "1" && text("plugins/acme/.git/config") == nil)
    try FolderReplacement.replace(folder.path("plugins/acme"), with: two, files: [])
    #expect(text("plugins/acme/plugin.json") == "2" && text("plugins/acme/sub/file") == "two")
    #expect(text("plugins/acme/only-in-one") == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("plugins")) == ["acme"])
  }

  /// Of what is hidden only the files that the plugin runs are copied, also behind a link.
  @Test func productsOfABuildStay() throws {
    let one = try source(
      "one",
      files: [
        "plugin.json": "1", "list.tsv": "data", ".env": "secret", ".build/debug.yaml": "",
        ".build/x86_64/release/acme": "program", ".build/x86_64/release/acme.o": "object",
      ])
    try FileManager.default.createSymbolicLink(
      atPath: one + "/.build/release", withDestinationPath: "x86_64/release")
    try FolderReplacement.replace(folder.path("plugins/acme"), with: one, files: [".build/release/acme"])
    let copied = try FileManager.default.subpathsOfDirectory(atPath: folder.path("plugins/acme"))
    let built = [".build", ".build/release", ".build/release/acme"]
    #expect(Set(copied) == Set(built + ["plugin.json", "list.tsv"]), "\(copied)")
    #expect(text("plugins/acme/.build/release/acme") == "program")
  }

  /// Whoever looks while it is replaced finds a folder, the old or the new.
  @Test func thePathAlwaysResolves() throws {
    let sources = try ["one", "two"].map { try source($0, files: ["plugin.json": $0]) }
    let target = folder.path("plugins/acme")
    try FolderReplacement.replace(target, with: sources[0], files: [])
    let isDone = Mutex(false)
    let misses = Mutex(0)
    let readers = DispatchGroup()
    for _ in 0..<2 {
      readers.enter()
      let thread = Thread {
        defer { readers.leave() }
        repeat {
          if !FileManager.default.fileExists(atPath: target) { misses.withLock { $0 += 1 } }
        } while !isDone.withLock { $0 }
      }
      thread.start()
    }
    for round in 1...100 {
      try FolderReplacement.replace(target, with: sources[round % 2], files: [])
      #expect(text("plugins/acme/plugin.json") == ["one", "two"][round % 2])
    }
    isDone.withLock { $0 = true }
    readers.wait()
    #expect(misses.withLock { $0 } == 0)
  }

  /// What a process left behind that was killed in the middle is removed, and neither version is lost by it.
  @Test func aKilledInstallationLosesNothing() throws {
    let two = try source("two", files: ["plugin.json": "2"])
    try folder.write("plugins/acme/plugin.json", "1")
    // No process has this number: it is beyond what Linux and macOS give.
    try folder.write("plugins/.new-2147483000-X/plugin.json", "2")
    let alive = ".new-\(getpid())-Y"
    try folder.write("plugins/\(alive)/plugin.json", "2")
    #expect(text("plugins/acme/plugin.json") == "1")
    try FolderReplacement.replace(folder.path("plugins/acme"), with: two, files: [])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("plugins"))
    #expect(Set(names) == ["acme", alive] && text("plugins/acme/plugin.json") == "2")
  }

  /// The copies are one's own, and nobody else may change them.
  @Test func filesOfOthers() throws {
    let one = try source("one", files: ["plugin.json": "1", "sub/file": "2"])
    try folder.write("one/run", "#!/bin/sh\n", mode: 0o4777)
    try FileManager.default.createSymbolicLink(atPath: one + "/link", withDestinationPath: "run")
    if geteuid() == 0 {
      for name in ["", "/plugin.json", "/sub", "/sub/file", "/run"] { chown(one + name, 12_345, 12_345) }
    }
    try FolderReplacement.replace(folder.path("plugins/acme"), with: one, files: [])
    let modes = try ["plugin.json", "sub", "sub/file", "run"].map { name -> Int in
      let facts = try FileManager.default.attributesOfItem(atPath: folder.path("plugins/acme/" + name))
      #expect((facts[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid(), "\(name)")
      return (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }
    #expect(modes[0] == 0o644 && modes[1] & 0o022 == 0 && modes[2] == 0o644 && modes[3] == 0o755, "\(modes)")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("plugins/acme/link")) == "run")
  }

  @Test func aFileThatCannotBeCopied() throws {
    let one = try source("one", files: ["plugin.json": "1"])
    try #require(mkfifo(one + "/pipe", 0o600) == 0)
    let target = folder.path("plugins/acme")
    let error = #expect(throws: SearchError.self) {
      try FolderReplacement.replace(target, with: one, files: [])
    }
    #expect(
      error?.message == "\(one) could not be copied to \(target): \(one)/pipe: it is not a regular file")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("plugins")).isEmpty)
  }

  /// Only the copy itself is left out, where it is in what is copied.
  @Test func theFolderAbove() throws {
    let root = try source("root", files: ["plugin.json": "1", ".new-x": "2", "sub/.new-1-y/file": "3"])
    try FolderReplacement.replace(root + "/plugins/acme", with: root, files: [".new-x", "sub/.new-1-y/file"])
    #expect(text("root/plugins/acme/.new-x") == "2" && text("root/plugins/acme/sub/.new-1-y/file") == "3")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: root + "/plugins/acme/plugins").isEmpty)
  }

  @Test func aFailureLeavesTheOld() throws {
    try folder.write("plugins/acme/plugin.json", "1")
    #expect(throws: SearchError.self) {
      try FolderReplacement.replace(folder.path("plugins/acme"), with: folder.path("nowhere"), files: [])
    }
    #expect(text("plugins/acme/plugin.json") == "1")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("plugins")) == ["acme"])
  }
}
