import ForageCLI
import ForageCore
import Foundation

@testable import ForageInspector

/// A report in which every section is there, by the clock of `Capture`.
func sampleReport() -> InspectionReport {
  let day: Double = 86_400
  func ago(_ days: Double) -> Date { Capture.now.addingTimeInterval(-days * day) }
  func week(_ index: Int) -> InspectionReport.Activity.Week {
    let monday = Date(timeIntervalSince1970: 1_735_516_800 + Double(index) * 7 * day)
    return .init(start: HumanFormat.day(monday), commits: index % 13 == 0 ? 0 : index * 7 % 31)
  }
  var report = InspectionReport(
    path: "/home/me/src/tool", gitDir: "/home/me/src/tool/.git", bare: false, worktree: false, shallow: true,
    empty: false)
  report.head = .init(
    branch: "main", ref: "refs/heads/main", detached: false, unborn: false,
    commit: "0123456789abcdef0123456789abcdef01234567")
  report.upstream = .init(name: "origin/main", ahead: 2, behind: 13)
  report.branches = .init(local: 3, remote: 15)
  report.defaultBranch = "main"
  report.tags = .init(count: 12, nearest: .init(name: "v1.2.0", distance: 14), highest: "v1.3.0-rc.1")
  report.remotes = [
    .init(name: "origin", url: "https://github.com/acme/tool.git"),
    .init(name: "fork", url: "git@host:me/tool"),
  ]
  report.status = .init(clean: false, staged: 2, unstaged: 1, untracked: 3, conflicted: 0)
  report.stashes = 1
  report.commits = .init(
    count: 81_966, merges: 21_000,
    first: .init(
      commit: "1" + String(repeating: "0", count: 39), author: "Kana", authoredAt: ago(7000), subject: nil),
    last: .init(
      commit: "0123456789abcdef0123456789abcdef01234567", author: "Bao", authoredAt: ago(3),
      subject: "Finds things in folders that are nested very deep, and says which it left out"))
  report.authorCount = 2477
  report.busFactor = 5
  report.authors = [("Kana", 25_000), ("Bao", 9000), ("Ünal 山田", 7000), ("d", 800), ("e", 70), ("f", 6)].map {
    .init(
      name: $0.0, email: "\($0.0)@example.com", commits: $0.1, share: share($0.1, of: 81_966),
      firstAt: ago(900),
      lastAt: ago(3))
  }
  report.activity = .init(
    weeks: (0..<52).map(week), weekdays: [120, 340, 300, 280, 260, 40, 30],
    hours: (0..<24).map { $0 < 7 ? 2 : 60 - abs(11 - $0) * 4 })
  report.signedShare = 0.41
  report.churn = .init(
    commits: 1000,
    files: [
      ("Sources/Tool/Finder.swift", 41, "Kana", 30),
      ("Documentation/RelNotes/of/a/long/path/2.50.0.txt", 22, "Bao", 22), ("README.md", 9, "Ünal 山田", 4),
    ]
    .map { .init(path: $0.0, commits: $0.1, author: .init(name: $0.2, commits: $0.3)) })
  report.languages = [
    ("C", 0.5125), ("Shell", 0.3), ("Perl", 0.1), ("Swift", 0.05), ("Python", 0.02), ("Tcl", 0.01),
    ("Makefile", 0.005), ("Ruby", 0.0025),
  ].map { .init(name: $0.0, bytes: Int($0.1 * 9_000_000), share: $0.1) }
  report.lines = [
    ("C", 500, 300_123), ("Shell", 420, 99_000), ("Perl", 31, 8100), ("Swift", 20, 950), ("Python", 4, 90),
    ("Tcl", 2, 10), ("Ruby", 1, 2),
  ].map { .init(language: $0.0, files: $0.1, code: $0.2, comment: $0.2 / 5, blank: $0.2 / 7) }
  report.licenses = [.init(spdx: "GPL-2.0-only", path: "COPYING"), .init(spdx: nil, path: "LICENSE.other")]
  report.size = .init(
    files: 4847, bytes: 48_000_000, packs: 1, packBytes: 307_000_000, looseObjects: 12, looseBytes: 40_000)
  report.version = .init(name: "1.2.0", source: "tag", path: nil)
  report.largestFiles = [("po/a-file.po", 900_000), ("t/data.bin", 65_000)].map {
    .init(path: $0.0, bytes: $0.1)
  }
  report.largestBlobs = [
    .init(path: "old/movie.mp4", bytes: 61_000_000, commit: String(repeating: "a", count: 40))
  ]
  report.dependencies = [
    .init(manifest: "Package.swift", count: 12), .init(manifest: "web/package.json", count: 140),
  ]
  report.submodules = [
    .init(
      path: "lib/sha1", url: "https://example.com/sha1", commit: String(repeating: "b", count: 40),
      state: "current")
  ]
  report.worktrees = [.init(path: "/home/me/src/tool-fix", branch: "fix")]
  report.lfs = true
  report.hooks = ["commit-msg", "pre-commit"]
  report.alternates = ["/srv/git/shared/objects"]
  report.lastFetchAt = ago(0.5)
  report.commitGraph = true
  report.partial = false
  report.sparse = true
  report.notes = [.init(section: "tags", message: "2 tags point to objects that are not there")]
  return report
}

/// A report in which every text from outside tries to be something else.
func hostileReport() -> InspectionReport {
  let text = "</style><script>alert(\"1\")</script>'&\u{202E}\u{1B}[31m\u{FFFF}|`*\n# x"
  var report = sampleReport()
  report.path = "/src/" + text
  report.head?.branch = text
  report.upstream?.name = text
  report.defaultBranch = text
  report.tags?.nearest?.name = text
  report.tags?.highest = text
  report.remotes?[0] = .init(name: text, url: "javascript:" + text)
  report.commits?.last?.author = text
  report.commits?.last?.subject = text
  report.authors?[0].name = text
  report.activity?.weeks[0].start = text
  report.churn?.files[0].path = text
  report.churn?.files[0].author?.name = text
  report.languages?[0].name = text
  report.lines?[0].language = text
  report.licenses?[0] = .init(spdx: text, path: text)
  report.version = .init(name: text, source: "manifest", path: text)
  report.largestFiles?[0].path = text
  report.largestBlobs?[0].path = text
  report.dependencies?[0].manifest = text
  report.submodules?[0] = .init(path: text, url: text, commit: nil, state: text)
  report.worktrees?[0] = .init(path: text, branch: text)
  report.hooks = [text]
  report.alternates = [text]
  report.notes = [.init(section: text, message: text)]
  return report
}

/// A report with what is drawn, and little else.
func smallReport() -> InspectionReport {
  let whole = sampleReport()
  var report = InspectionReport(
    path: "/src/tool", gitDir: "/src/tool/.git", bare: false, worktree: false, shallow: false, empty: false)
  report.head = whole.head
  report.activity = whole.activity
  report.languages = whole.languages
  return report
}
