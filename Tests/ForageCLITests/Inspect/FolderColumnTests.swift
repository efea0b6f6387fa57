import ForageCore
import TestSupport
import Testing

@testable import ForageCLI
@testable import ForageInspector

/// Folders in tables of clones: short, but never two that look the same.
struct FolderColumnTests {
  @Test(
    arguments: [
      (["a/b", "a/c"], 10, ["a/b", "a/c"]),
      (["host/organization/name", "host/x"], 12, ["h/o/name", "host/x"]),
      (["host/org-one/name", "host/org-two/name"], 4, ["h/org-o/name", "h/org-t/name"]),
      (["swift/n", "swift-nio/n"], 1, ["swift/n", "swift-/n"]),
      (["~/.config/dir/検索", "~/.cache/dir/検索"], 2, ["~/.co/d/検索", "~/.ca/d/検索"]),
      (["/long-name/x", "long-name/x"], 1, ["/l/x", "l/x"]),
    ])
  func shortened(_ paths: [String], _ limit: Int, _ expected: [String]) {
    #expect(FolderColumn.shortened(paths, to: limit) == expected)
  }

  @Test(
    arguments: [
      (["/a/b/c", "/a/b/d"], "/a/b/"), (["/a/b", "/c/d"], ""), (["~/a", "~/b"], "~/"), (["/a"], ""),
    ])
  func common(_ paths: [String], _ expected: String) { #expect(FolderColumn.common(paths) == expected) }

  /// Whatever the folders are, different ones stay different.
  @Test func neverTheSame() {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let parts = ["a", "ab", "abc", "b", "bü", "検", "検索", "x-y", ".a", "~"]
    for _ in 0..<300 {
      let paths = Array(
        Set(
          (0..<Int.random(in: 1...12, using: &random)).map { _ in
            (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in parts.randomElement(using: &random)
            }
            .joined(separator: "/")
          }
        )
      ).sorted()
      let limit = Int.random(in: 1...12, using: &random)
      let short = FolderColumn.shortened(paths, to: limit)
      #expect(Set(short).count == paths.count, "seed \(seed): \(paths) to \(limit): \(short)")
      let width = FolderColumn.distinctWidth(short, from: limit)
      #expect(
        Set(short.map { TextWidth.truncatedInside($0, to: width) }).count == paths.count, "seed \(seed)")
    }
  }

  /// On terminals of the usual widths stashes are shown, and each folder can be told from the others.
  @Test(arguments: [60, 80, 100, 120, 200])
  func statusOfClones(_ width: Int) throws {
    let names = [
      "a-very-long-repository-name-beta", "very-long-repository-name-beta", "very-long-repository-name-alpha",
    ]
    let rows = names.map { name in
      var row = CloneRow(
        InspectionReport(path: "", gitDir: "", bare: false, worktree: false, shallow: false, empty: false),
        lastCommitAt: Capture.now)
      row.path = "/home/me/src/github.com/some-long-organization/" + name
      row.branch = "feature/some-long-branch-name"
      row.upstream = .init(name: "origin/x", ahead: 12, behind: 1300)
      row.status = .init(clean: false, staged: 2, unstaged: 1, untracked: 3, conflicted: 0)
      (row.stashes, row.sizeBytes) = (name.hasPrefix("a") ? 7 : 0, 1_400_000)
      return row
    }
    let other = CloneRow(unreadable: "/home/me/src/gitlab.com/x/y")
    let lines = CloneRow.table(
      rows + [other], width: width, home: "/home/me", now: Capture.now, isUnicode: true
    )
    .lines(width: width, isColored: false)
    try #require(lines.count == 5, "\(lines)")
    #expect(lines.allSatisfy { TextWidth.of($0) <= width })
    #expect(lines[0].contains("STASHES") && lines[0].contains("STATUS"), "\(lines[0])")
    #expect(lines[1].contains("7") && lines[1].contains("2 staged"), "\(lines[1])")
    #expect(Set(lines.map { $0.split(separator: "  ").first }).count == lines.count, "\(lines)")
    // Long names are whole from the usual width on.
    #expect(width < 80 || zip(lines.dropFirst(), names).allSatisfy { $0.contains($1 + " ") }, "\(lines)")
    #expect(lines[0].contains("FOLDER IN ~/src/") == (width < 200), "\(lines[0])")
  }
}
