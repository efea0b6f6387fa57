import ForageLocal
import Foundation
import TestSupport
import Testing

/// A folder is removed with everything in it, and nothing that is outside of it.
struct FolderRemovalTests {
  /// The path of a name that need not be UTF-8.
  private func path(_ folder: TemporaryDirectory, _ name: [UInt8]) -> [CChar] {
    (Array((folder.path + "/").utf8) + name).map { CChar(bitPattern: $0) } + [0]
  }

  @Test func removesAllAndFollowsNothing() throws {
    let folder = try TemporaryDirectory()
    try folder.write("kept/file", "x")
    try folder.write("gone/größe/.versteckt", "x")
    try folder.write("gone/module/cache/file", "x")
    let odd = path(folder, Array("gone/".utf8) + [0xFF, 0x0A])
    try #require(mkdir(odd, 0o755) == 0)
    try #require(symlink(folder.path("kept"), folder.path("gone/link")) == 0)
    try #require(mkfifo(folder.path("gone/pipe"), 0o600) == 0)
    try #require(chmod(folder.path("gone/module/cache/file"), 0o444) == 0)
    try #require(chmod(folder.path("gone/module/cache"), 0o555) == 0)
    try #require(chmod(folder.path("gone/module"), 0o555) == 0)
    let survey = try FolderRemoval.survey(folder.path("gone")) { false }
    #expect(survey.obstacle == nil && survey.bytes > 0)
    #expect(FolderRemoval.remove(folder.path("gone")) == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path("gone")))
    #expect(FileManager.default.fileExists(atPath: folder.path("kept/file")))
    #expect(FolderRemoval.remove(folder.path("gone")) == nil)
  }

  /// A mount is one of its own folder, and not of one whose name it begins with.
  @Test func findsMounts() {
    #expect(FolderRemoval.mounts(in: "/no/such/folder").isEmpty)
    #if os(Linux)
      #expect(FolderRemoval.mounts(in: "/proc").contains(Array("/proc".utf8)))
      #expect(FolderRemoval.mounts(in: "/").contains(Array("/proc".utf8)))
      #expect(FolderRemoval.mounts(in: "/pro").isEmpty)
    #endif
  }
}
