import Forage
import ForageCore
import ForagePlatform
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageCLI
@testable import ForageInspector

/// Several clones at once: folders of clones, rows, failures among them, the catalogue with the state of each
/// clone.
struct InspectListTests {
  private func neutral(_ outcome: Outcome, _ folder: TemporaryDirectory) -> Outcome {
    func hide(_ text: String) -> String { text.replacing(folder.path, with: "DIR") }
    return Outcome(status: outcome.status, out: hide(outcome.out), err: hide(outcome.err))
  }

  /// Two clones, one of which differs from its upstream in every way, and one that is broken.
  private func clones() async throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let first = try await TemporaryRepository.make("src/a/one", in: folder)
    try await first.commit("one", files: ["a.txt": "a\n", "b.txt": "b\n"], date: 1_767_000_000)
    let second = try await first.clone("src/two")
    try await second.commit("more", files: ["c.txt": "c\n"], date: 1_767_225_000)
    try second.write("a.txt", "changed\n")
    try await second.git("stash --quiet")
    try second.write("a.txt", "staged\n")
    try await second.git("add a.txt")
    try second.write("b.txt", "unstaged\n")
    try second.write("new.txt", "new\n")
    try folder.write("src/broken/.git", "garbage")
    return folder
  }

  @Test func severalClonesAreCompared() async throws {
    let folder = try await clones()
    let second = try TemporaryRepository(at: folder.path("src/two"), in: folder)
    try await second.commit(
      "code", files: ["LICENSE": "SPDX-License-Identifier: MIT\n", "größe.swift": "let a = 1\nlet b = 2\n"])
    try await second.git("tag v1.2.0")
    let wide = neutral(try await forage(["inspect", folder.path("src")], columns: 400), folder)
    #expect(wide.status == .partial)
    let lines = wide.out.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    try #require(lines.count == 4, "\(wide.out)\(wide.err)")
    #expect(lines[0].prefix(4) == ["REPOSITORY", "COMMITS", "AUTHORS", "RELEASE"], "\(wide.out)")
    #expect(lines[0].suffix(5) == ["LINES", "LICENSE", "LANGUAGE", "SIZE", "NOTE"], "\(wide.out)")
    #expect(lines[1].prefix(3) == ["DIR/src/a/one", "1", "1"], "\(wide.out)")
    #expect(lines[2].first == "DIR/src/broken" && lines[2].count > 1, "the row gives no reason")
    #expect(lines[3].prefix(4) == ["DIR/src/two", "3", "1", "v1.2.0"], "\(wide.out)")
    #expect(lines[3].contains("MIT") && lines[3].contains("Swift"), "\(wide.out)")
    #expect(wide.err.contains("DIR/src/broken"))
    #expect(wide.err.split(separator: "\n").count == 2 && wide.err.hasPrefix("forage: "))
    let narrow = neutral(try await forage(["inspect", folder.path("src")], columns: 40), folder)
    #expect(narrow.out.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 40 })
    #expect(narrow.out.contains("/one ") && narrow.out.contains("COMMITS"), "\(narrow.out)")
    let paths = [folder.path("src/a/one"), folder.path("src/two")]
    let some = try await forage(["inspect", "--only", "languages,status"] + paths, columns: 200)
    let titles = some.out.split(separator: "\n").first.map { $0.split(separator: " ") }
    #expect(titles == ["REPOSITORY", "STATUS", "LANGUAGE"], "\(some.out)")
    let upstream = CloneRow.table(
      [CloneRow(headless(), name: "acme/tool")], CloneRow.comparison([.upstream]), CloneRow.Form())
    #expect(upstream.rows[0].contains("↑2 ↓13"))
    let fewer = try await forage(["inspect", "--without", "lines,size"] + paths, columns: 200)
    #expect(!fewer.out.contains("LINES") && !fewer.out.contains("SIZE") && fewer.out.contains("AUTHORS"))
  }

  /// A report without the section of the head.
  private func headless() -> InspectionReport {
    var report = sampleReport()
    report.head = nil
    return report
  }

  @Test func columnsOfAComparison() {
    let columns = CloneRow.comparison(CloneRow.comparedSections.union([.busFactor, .upstream]))
    let table = CloneRow.table([CloneRow(sampleReport(), name: "acme/tool")], columns, CloneRow.Form())
    let cells = zip(table.columns.map(\.title), table.rows[0]).map { [$0, $1] }
    #expect(
      cells == [
        ["REPOSITORY", "acme/tool"], ["UPSTREAM", "↑2 ↓13"], ["COMMITS", "81,966"], ["AUTHORS", "2,477"],
        ["BUS FACTOR", "5"], ["RELEASE", "v1.3.0-rc.1"], ["LINES", "408,275"],
        ["LICENSE", "GPL-2.0-only, unknown"], ["LANGUAGE", "C"], ["SIZE", "48 MB"], ["NOTE", "shallow"],
      ])
  }

  @Test func failuresHaveAPlaceInTheList() async throws {
    let folder = try await clones()
    let lines = neutral(try await forage(["inspect", folder.path("src"), "--format", "ndjson"]), folder)
    #expect(lines.status == .partial)
    let rows = lines.out.split(separator: "\n")
    try #require(rows.count == 3, "\(lines.out)\(lines.err)")
    #expect(rows[0].hasPrefix(#"{"schema":1,"path":"DIR/src/a/one","gitDir":"#))
    #expect(rows[1].hasPrefix(#"{"schema":1,"path":"DIR/src/broken","error":{"code":""#))
    #expect(rows[2].hasPrefix(#"{"schema":1,"path":"DIR/src/two","gitDir":"#))
    let array = neutral(try await forage(["inspect", folder.path("src"), "--format", "json"]), folder)
    #expect(array.out == "[" + rows.joined(separator: ",") + "]\n" && array.status == .partial)
    let page = neutral(try await forage(["inspect", folder.path("src"), "--format", "html"]), folder)
    #expect(page.out.contains("<title>3 clones</title>") && page.out.contains("Could not be inspected"))
    let text = neutral(try await forage(["inspect", folder.path("src"), "--format", "markdown"]), folder)
    #expect(text.out.hasPrefix("| Repository | Commits | Authors | "), "\(text.out)")
    #expect(text.out.contains("\n| DIR/src/broken | "), "\(text.out)")
    let pages = ["inspect", folder.path("src"), "--format", "markdown", "--only", "head,churn"]
    #expect(neutral(try await forage(pages), folder).out.contains("## DIR/src/broken\n\n- **Error:** "))
  }

  @Test func oneCloneIsNoList() async throws {
    let folder = try await clones()
    let one = try await forage(["inspect", folder.path("src/two"), "--format", "json"])
    #expect(one.status == .success && one.out.hasPrefix(#"{"schema":1,"#) && one.err == "")
    try folder.makeDirectory("src/two/deep")
    let inner = try await forage(["inspect", folder.path("src/two/deep"), "--format", "json"])
    #expect(inner.out == one.out)
    #expect(
      neutral(inner, folder).err
        == "forage: DIR/src/two/deep is in the repository DIR/src/two, which is reported as a whole\n")
    let list = try await forage(["inspect", folder.path("src/a"), "--format", "json"])
    #expect(list.status == .success && list.out.hasPrefix(#"[{"schema":1,"#))
    for format in InspectFormat.allCases where format != .auto {
      let broken = try await forage(["inspect", folder.path("src/broken"), "--format", format.rawValue])
      #expect(broken.out == "" && broken.status != .success, "\(format)")
    }
    let none = try await forage(["inspect", folder.path("none"), folder.path("nor"), "--format", "markdown"])
    #expect(none.status == .usage && none.err.split(separator: "\n").count == 4)
  }

  /// In a pipe several clones are a row each, as the catalogue writes them with their state.
  @Test func aFolderOfClonesInAPipe() async throws {
    let folder = try await clones()
    try await withIsolatedHome { home in
      let environment = variables(home)
      let pipe = neutral(await forage(["inspect", folder.path("src")], in: environment), folder)
      #expect(pipe.status == .partial)
      let named = await forage(
        ["inspect", folder.path("src"), "--format", "tsv"], in: environment, columns: 60)
      #expect(neutral(named, folder).out == pipe.out)
      let rows = pipe.out.split(separator: "\n")
      #expect(
        rows.map { $0.prefix { $0 != "\t" } } == ["DIR/src/a/one", "DIR/src/broken", "DIR/src/two"])
      #expect(
        rows.allSatisfy { $0.split(separator: "\t", omittingEmptySubsequences: false).count == 15 })
      #expect(rows.last?.hasSuffix("\torigin/main\t1\t0\t1\t1\t1\t0\t1") == true)
      _ = await forage(["clones", "add", folder.path("src")], in: environment)
      let known = neutral(await forage(["clones", "list", "--status"], in: environment), folder)
      let readable = known.out.split(separator: "\n").filter { !$0.hasPrefix("DIR/src/broken\t") }
      #expect(readable == rows.filter { !$0.hasPrefix("DIR/src/broken\t") })
    }
  }

  @Test func sortedClones() async throws {
    try await withIsolatedHome { home in
      let environment = variables(home)
      for (name, size, date) in [
        ("a", 5000, 1_768_000_000), ("b", 90_000, 1_767_000_000), ("c", 10, 1_766_000_000),
      ] {
        let clone = try await TemporaryRepository.make("home/src/\(name)", in: home.directory)
        try await clone.commit("one", files: ["x": String(repeating: "x", count: size)], date: date)
      }
      _ = await forage(["clones", "add", home.directory.path("home/src"), "--no-index"], in: environment)
      func names(_ options: [String]) async -> String {
        let list = await forage(["clones", "list"] + options, in: environment)
        return list.out.split(separator: "\n").map { row in
          String(row.prefix { $0 != "\t" }.suffix(1))
        }.joined()
      }
      for (options, expected) in [
        (["name"], "abc"), (["name", "--order", "desc"], "cba"), (["size"], "bac"),
        (["size", "--order", "asc"], "cab"), (["age"], "cba"), (["age", "--order", "asc"], "abc"),
        (["age", "--status"], "cba"), (["path"], "abc"), (["path", "--order", "desc"], "cba"),
      ] {
        #expect(await names(["--sort"] + options) == expected, "\(options)")
      }
      for wrong in [["--sort", "stars"], ["--order", "asc"], ["--sort", "name", "--order", "up"]] {
        #expect(await forage(["clones", "list"] + wrong, in: environment).status == .usage)
      }
    }
  }

  /// One clone in a pipe is the page for people; keys and values are for `--format tsv`.
  @Test func oneCloneInAPipe() async throws {
    let folder = try await clones()
    let path = folder.path("src/two")
    let page = neutral(try await forage(["inspect", path]), folder)
    #expect(page.status == .success && page.err == "")
    #expect(page.out.hasPrefix("DIR/src/two\n\nCHECKOUT\n  Head "))
    #expect(page.out.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 80 })
    #expect(page.out.contains("  2025-12-31 by A U Thor: more\n"))
    #expect(!page.out.contains(" ago") && !page.out.contains("\u{1B}"))
    let facts = neutral(try await forage(["inspect", path, "--format", "tsv"], columns: 60), folder)
    let rows = facts.out.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let author = ["authors", "A U Thor", "author@example.com", "2", "1"]
    #expect(
      rows.contains { $0.starts(with: author) && $0.count == 7 }, "\(rows.filter { $0[0] == "authors" })")
    for row in [
      ["path", "DIR/src/two"], ["head.branch", "main"], ["status.staged", "1"], ["stashes", "1"],
    ] {
      #expect(rows.contains(row), "\(row)")
    }
    #expect(rows.count { $0[0] == "activity.weeks" && $0.count == 3 } == 52)
    #expect(rows.count { $0[0] == "activity.hours" && $0.count == 2 } == 24)
    #expect(rows.allSatisfy { $0.count > 1 && !$0[0].contains(where: \.isNumber) })
  }

  /// What names a repository and no path: the commands for repositories are at hand.
  @Test(arguments: ["swift-server/async-http-client", "https://github.com/apple/swift-nio"])
  func repositoriesOfAForge(_ name: String) async throws {
    let outcome = try await forage(["inspect", name])
    #expect(outcome.status == .usage && outcome.out == "")
    #expect(outcome.err.contains("forage show \(name)") && outcome.err.contains("forage clone \(name)"))
    #expect(outcome.err.contains("check the path"))
    let path = try await forage(["inspect", "./" + name])
    #expect(path.status == .usage && !path.err.contains("forage show"))
  }

  /// Sections without a column are written whole: a row has no room for them.
  @Test func chosenSectionsAreNotCutToARow() async throws {
    let folder = try await clones()
    let paths = [folder.path("src/a/one"), folder.path("src/two")]
    let outcome = neutral(
      try await forage(["inspect", "--only", "head,remotes"] + paths, columns: 80), folder)
    #expect(outcome.out.contains("CHECKOUT\n  ") && !outcome.out.contains("REPOSITORY  "))
    #expect(outcome.out.contains("\n\nDIR/src/two\n"))
  }

  @Test func catalogueWithStatus() async throws {
    let folder = try await clones()
    try await withIsolatedHome { home in
      let environment = variables(home)
      _ = await forage(["clones", "add", folder.path("src")], in: environment)
      func list(_ arguments: [String], columns: Int? = nil) async -> Outcome {
        neutral(await forage(["clones", "list"] + arguments, in: environment, columns: columns), folder)
      }
      let lines = await list(["--status", "--format", "ndjson"]).out.split(separator: "\n")
      #expect(lines.count == 3)
      #expect(
        lines.last?.hasSuffix(
          #""upstream":{"name":"origin/main","ahead":1,"behind":0},"status":{"clean":false,"staged":1,"unstaged":1,"untracked":1,"conflicted":0},"stashes":1}"#
        ) == true)
      let document = await list(["--status", "--format", "json"])
      #expect(document.out == #"{"schema":1,"clones":["# + lines.joined(separator: ",") + "]}\n")
      #expect(document.status == .partial)
      let plain = await list(["--format", "tsv"]).out.split(separator: "\n")
      let fields = await list(["--status", "--format", "tsv"]).out.split(separator: "\n")
      #expect(plain.count == 3 && zip(plain, fields).allSatisfy { $1.hasPrefix($0 + "\t") })
      #expect(fields.last?.hasSuffix("\torigin/main\t1\t0\t1\t1\t1\t0\t1") == true)
      let table = await list(["--status"], columns: 100)
      #expect(
        table.out.hasPrefix("#  FOLDER ") && table.out.contains("↑1") && !table.out.contains("REPOSITORY"))
      // What is read later has dates.
      for options in [["--status"], []] {
        let text = await list(options + ["--format", "markdown"], columns: 100).out
        #expect(text.hasPrefix("| Folder | ") && text.contains(" 2025-12-31 ") && !text.contains(" ago"))
      }
    }
  }

  @Test func operationInARow() {
    var report = InspectionReport(
      path: "/a", gitDir: "", bare: false, worktree: false, shallow: false, empty: false)
    report.operation = "merge"
    report.status = .init(clean: true, staged: 0, unstaged: 0, untracked: 0, conflicted: 0)
    let table = CloneRow.table([CloneRow(report)], CloneRow.state, CloneRow.Form())
    #expect(table.rows.first?[4] == "merge, clean")
  }

  @Test func rows() {
    var report = InspectionReport(
      path: "/src/one", gitDir: "", bare: false, worktree: false, shallow: false, empty: false)
    report.head = .init(branch: "main", ref: nil, detached: false, unborn: false, commit: "c0ffee")
    report.upstream = .init(name: "origin/main", ahead: 2, behind: 1300)
    report.status = .init(clean: false, staged: 2, unstaged: 1, untracked: 3, conflicted: 1)
    report.stashes = 2
    var one = CloneRow(report)
    one.sizeBytes = 1_400_000
    one.lastCommitAt = Capture.now.addingTimeInterval(-3 * 86_400)
    (report.path, report.stashes) = ("/src/two", 0)
    report.head?.branch = nil
    report.status = .init(clean: true, staged: 0, unstaged: 0, untracked: 0, conflicted: 0)
    report.upstream = .init(name: "origin/x", ahead: nil, behind: nil)
    let two = CloneRow(report)
    let bad = CloneRow(unreadable: "/src/\u{1B}[2J", InspectionError(.notOwned, "m"))
    func lines(_ width: Int, isUnicode: Bool = true) -> String {
      var form = CloneRow.Form()
      (form.dates, form.isUnicode) = (.ages(Capture.now), isUnicode)
      return CloneRow.table([one, two, bad], CloneRow.state, form).lines(width: width, isColored: false)
        .joined(separator: "\n")
    }
    #expect(
      lines(120) == """
        FOLDER     BRANCH  UPSTREAM  STATUS                                        STASHES  LAST COMMIT    SIZE
        /src/one   main    ↑2 ↓1.3k  1 conflicted 2 staged 1 unstaged 3 untracked        2       3d ago  1.4 MB
        /src/two           gone      clean
        /src/␛[2J                    owned by another user
        """)
    #expect(
      lines(80) == """
        FOLDER     BRANCH  UPSTREAM  STATUS                                      STASHES
        /src/one   main    ↑2 ↓1.3k  1 conflicted 2 staged 1 unstaged 3 untrac…        2
        /src/two           gone      clean
        /src/␛[2J                    owned by another user
        """)
    #expect(lines(120, isUnicode: false).contains("+2 -1.3k"))
    let dated = CloneRow.table([one], CloneRow.state, CloneRow.Form()).lines(width: 120, isColored: false)
    #expect(dated.last?.contains("  2025-12-29  ") == true)
  }

  /// Paths give way before any other column, and the folder itself is the last part of a path that is cut.
  @Test(arguments: [60, 80, 120, 200]) func pathsGiveWay(_ width: Int) {
    let names = ["very-long-repository-name-alpha", "very-long-repository-größe", "検索"]
    var form = CloneRow.Form()
    form.paths = PathText(home: "/home/me")
    let rows = names.map { name in
      var report = sampleReport()
      report.path = "/home/me/src/github.com/some-long-organization/" + name
      (report.stashes, report.size) = (7, nil)
      return CloneRow(report)
    }
    let lines = CloneRow.table(rows, CloneRow.state, form).lines(width: width, isColored: false)
    #expect(lines.allSatisfy { TextWidth.of($0) <= width }, "\(lines)")
    #expect(lines[0].contains("STASHES") && lines[0].contains("STATUS"), "\(lines)")
    #expect(lines.dropFirst().allSatisfy { $0.contains("2 staged 1 unstaged") }, "\(lines)")
    #expect(lines[3].contains("/検索 "), "\(lines)")
    #expect((width == 200) == lines[1].hasPrefix("~/src/github.com/some-long-organization/very"), "\(lines)")
  }

  /// In the list of the catalogue the size is left out before names are cut short.
  @Test func sizesGiveWayToNames() {
    var row = CloneRow(
      InspectionReport(
        path: "/srv/git/swift-collections", gitDir: "", bare: false, worktree: false, shallow: false,
        empty: false))
    (row.name, row.branch) = ("swift-server/swift-collections", "main")
    (row.sizeBytes, row.lastCommitAt) = (1_400_000, Capture.now)
    let table = CloneRow.table([row], CloneRow.catalogue, CloneRow.Form())
    let lines = table.lines(width: 80, isColored: false)
    #expect(!lines[0].contains("SIZE") && lines[0].contains("LAST COMMIT"), "\(lines)")
    #expect(
      lines[1].hasPrefix("/srv/git/swift-collections  swift-server/swift-collections  main"), "\(lines)")
  }

  /// Damage is said in the row, also where it leaves the status; a branch that was not compared is not called
  /// gone.
  @Test func rowsOfDamagedClones() throws {
    var report = InspectionReport(
      path: "/src/one", gitDir: "", bare: false, worktree: false, shallow: false, empty: false)
    report.head = .init(branch: "main", ref: nil, detached: false, unborn: false, commit: "c0ffee")
    report.upstream = .init(name: "origin/x", ahead: nil, behind: nil)
    report.notes = [.init(section: "upstream", message: "m", isDamage: true)]
    var clean = report
    (clean.path, clean.upstream) = ("/src/two", .init(name: "origin/x", ahead: 0, behind: 0))
    clean.status = .init(clean: true, staged: 0, unstaged: 0, untracked: 0, conflicted: 0)
    clean.notes = [.init(section: "size", message: "m", isDamage: true)]
    let rows = [report, clean].map { CloneRow($0) }
    let lines = CloneRow.table(rows, CloneRow.state, CloneRow.Form()).lines(width: 120, isColored: false)
    #expect(
      lines.dropFirst().map { $0.split(separator: " ").joined(separator: " ") } == [
        "/src/one main damaged", "/src/two main up to date damaged, clean",
      ])
  }

  /// Results come in the order of the elements, whichever is done first, a few at a time.
  @Test func inOrderHandsOnInOrder() async throws {
    let running = Mutex((now: 0, most: 0))
    var got: [Int] = []
    try await inOrder(Array(0..<20), width: 3) { number in
      running.withLock { ($0.now, $0.most) = ($0.now + 1, max($0.most, $0.now + 1)) }
      for _ in 0..<(number % 4 == 0 ? 50 : 1) { await Task.yield() }
      running.withLock { $0.now -= 1 }
      return number * 2
    } each: { index, value in
      #expect(value == index * 2)
      got.append(index)
    }
    #expect(got == Array(0..<20))
    #expect(running.withLock { $0.most } <= 3)
    await #expect(throws: CancellationError.self) {
      try await inOrder([1, 2, 3], width: 2) {
        $0
      } each: { index, _ in
        if index == 1 { throw CancellationError() }
      }
    }
  }

  @Test func storedFacts() throws {
    let folder = try TemporaryDirectory()
    let cache = InspectionCache.stored(in: folder.path("cache"))
    #expect(cache.load("/a", "id") == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path("cache")))
    // What an older version of the program has left.
    try folder.write("cache/inspections.db", "x")
    cache.store("/a", "id", [1, 2])
    #expect(!FileManager.default.fileExists(atPath: folder.path("cache/inspections.db")))
    #expect(cache.load("/a", "id") == [1, 2] && cache.load("/a", "other") == nil)
    #expect(InspectionCache.stored(in: folder.path("cache")).load("/a", "id") == [1, 2])
    // Facts of another version of the program.
    let files = folder.path("cache/inspections")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: files).first)
    let text = try String(contentsOfFile: "\(files)/\(name)", encoding: .utf8)
    #expect(text.hasPrefix(Forage.version + " ") && text.contains(" id "))
    try folder.write("cache/inspections/" + name, "0.0.9" + text.dropFirst(Forage.version.count))
    #expect(cache.load("/a", "id") == nil)
  }
}
