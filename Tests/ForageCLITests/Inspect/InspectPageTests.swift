import Forage
import ForageCore
import Foundation
import Testing

@testable import ForageCLI
@testable import ForageInspector

/// The page of `inspect` to exact bytes, at several widths and with every kind of terminal.
struct InspectPageTests {
  private func page(
    _ report: InspectionReport, columns: Int, color: Bool = false, _ environment: [String: String] = [:]
  ) throws -> String {
    let capture = Capture()
    let output = capture.output(columns: columns, color: color)
    let style = PageStyle(output, ["LANG": "C.UTF-8"].merging(environment) { _, new in new })
    try FactSheet(report, dates: .ages(Capture.now)).write(to: output, style)
    return capture.results
  }

  /// Each kind of file that is left out has its own number.
  @Test func oneFileLeftOut() throws {
    var report = sampleReport()
    report.skipped = .init(vendored: 1294, generated: 0, binary: 1)
    #expect(try page(report, columns: 120).contains("1,294 vendored files, 1 binary file\n"))
  }

  /// On a narrow terminal values stand below their labels, and no line is too wide.
  @Test(arguments: [24, 30, 36, 40])
  func narrow(_ columns: Int) throws {
    let lines = try page(sampleReport(), columns: columns).split(separator: "\n").map(String.init)
    #expect(lines.filter { TextWidth.of($0) > columns } == [])
    #expect(columns > 30 || lines.contains("  Head"))
    var sheet = FactSheet(title: "a/b")
    sheet.add("Latest release", "v1 of everything that a/b has released")
    let capture = Capture()
    try sheet.write(to: capture.output(columns: columns))
    #expect(capture.results.split(separator: "\n").allSatisfy { TextWidth.of($0) <= columns })
  }

  @Test func columns60() throws {
    #expect(
      try page(sampleReport(), columns: 60) == """
        /home/me/src/tool

        CHECKOUT
          Kind           shallow, sparse, LFS
          Head           main at 0123456789
          Upstream       origin/main, 2 ahead, 13 behind
          Status         2 staged, 1 unstaged, 3 untracked
          Stashes        1
          Work trees     /home/me/src/tool-fix (fix)
          Submodules     lib/sha1 (current)

        HISTORY
          Commits        81,966 (21,000 merges) since 2006-11-02
          Last commit    3d ago (2025-12-29) by Bao: Finds things in
                         folders that are nested very deep, and says
                         which it left out
          Activity       ▂▆▆▆▅▅▅▄█▃▇▇▆▂▅▅▄█▄▄▃▇▆▆▅▅
                         676 commits in 52 weeks since 2024-12-30;
                         busiest of all time: Tuesday, 10–12\u{A0}h
          Tags           12, nearest v1.2.0 (14 commits since),
                         highest v1.3.0-rc.1
          Version        1.2.0 (tag)
          Signed         41.0 % of the last 100 commits
          Changed most   in the last 1,000 commits
                         Sources/Tool/Finder.swift                41
                         …/RelNotes/of/a/long/path/2.50.0.txt     22
                         README.md                                 9

        PEOPLE
          Authors        2,477 (bus factor 5)
                         Kana       30.5 %  25,000
                         Bao        11.0 %   9,000
                         Ünal 山田   8.5 %   7,000
                         d           1.0 %     800
                         e           0.1 %      70
                         and 1 more

        CODE
          Languages      C 51.3 %, Shell 30.0 %, Perl 10.0 %,
                         Swift 5.0 %, Python 2.0 %, Tcl 1.0 %,
                         2 more 0.8 %
          Lines                  files  code  comment  blank
                         C         500  300k      60k    43k
                         Shell     420   99k      20k    14k
                         Perl       31  8.1k     1.6k   1.2k
                         Swift      20   950      190    135
                         Python      4    90       18     12
                         2 more      3    12        2      1
                         Total     978  408k      82k    58k
          License        GPL-2.0-only (COPYING), unknown
                         (LICENSE.other)
          Dependencies   Package.swift      12
                         web/package.json  140
          Largest files  po/a-file.po  900 kB
                         t/data.bin     65 kB

        REPOSITORY
          Branches       3 local, 15 remote, default main
          Remotes        origin https://github.com/acme/tool.git
                         fork git@host:me/tool
          Last fetch     12h ago (2025-12-31)
          Hooks          commit-msg, pre-commit

        STORAGE
          Files          4,847 files, 48 MB
          Objects        1 pack (307 MB), 12 loose objects (40 kB)
          Commit graph   yes
          Alternates     /srv/git/shared/objects
          Largest blobs  old/movie.mp4  61 MB

        NOTES
          tags           2 tags point to objects that are not there

        """)
  }

  /// Authors are beside files that are complete, and nowhere else.
  @Test func authorsOfFiles() throws {
    var report = smallReport()
    report.churn = sampleReport().churn
    #expect(
      try page(report, columns: 100).contains(
        """
          Changed most  in the last 1,000 commits
                        Sources/Tool/Finder.swift                         41  Kana (30)
                        Documentation/RelNotes/of/a/long/path/2.50.0.txt  22  Bao (22)
                        README.md                                          9  Ünal 山田 (4)

        """))
    #expect(try !page(report, columns: 80).contains("Kana"))
  }

  /// Files whose names differ in the middle do not look the same.
  @Test func namesThatDifferInTheMiddle() throws {
    var report = smallReport()
    let names = ["PackageCommandLineToolTests", "BuildCommandLineToolTests", "ÄrgerCommandLineToolTests"]
    report.churn = .init(
      commits: 9, files: names.map { .init(path: "Tests/CommandsTestsOfEveryKind/\($0).swift", commits: 3) })
    let lines = try page(report, columns: 60).split(separator: "\n")
    for name in names { #expect(lines.contains { $0.contains("…/\(name).swift") }, "\(name)") }
    let wide = try page(report, columns: 100)
    #expect(wide.contains("Tests/CommandsTestsOfEveryKind/BuildCommandLineToolTests.swift"))
  }

  /// Files are ordered by a number that is shown.
  @Test func filesWithTheMostLines() throws {
    var report = smallReport()
    report.files = [
      .init(path: "jv.c", language: "C", code: 1733, comment: 300, blank: 200),
      .init(path: "builtin.c", language: "C", code: 1900, comment: 1, blank: 2),
    ]
    let words = try page(report, columns: 80).split(separator: "\n").map { $0.split(separator: " ") }
    let rows = words.filter { $0.contains("jv.c") || $0.contains("builtin.c") }
    #expect(rows.map { $0.suffix(2) } == [["2,233", "1,733"], ["1,903", "1,900"]])
    #expect(words.contains { $0.suffix(2) == ["lines", "code"] })
  }

  /// With more room there are fewer line breaks and shorter forms, and nothing else differs.
  @Test func columns80() throws {
    let narrow = try page(sampleReport(), columns: 60).split(separator: "\n")
    let lines = try page(sampleReport(), columns: 80).split(separator: "\n")
    #expect(
      lines.filter { !narrow.contains($0) }.joined(separator: "\n") == """
          Last commit    3d ago (2025-12-29) by Bao: Finds things in folders that are
                         nested very deep, and says which it left out
          Activity       ▁▃▅▆█▂▄▆▇▂▃▅▇▁▃▄▆█▂▄▅▇█▃▅▆▁▂▄▅▇▁▃▅▆█▂▄▆▁▂▃▅▇█▃▄▆█▂▄▅
                         676 commits in 52 weeks since 2024-12-30; busiest of all time:
                         Tuesday, 10–12\u{A0}h
          Tags           12, nearest v1.2.0 (14 commits since), highest v1.3.0-rc.1
                         Sources/Tool/Finder.swift                         41
                         Documentation/RelNotes/of/a/long/path/2.50.0.txt  22
                         README.md                                          9
          Languages      C 51.3 %, Shell 30.0 %, Perl 10.0 %, Swift 5.0 %, Python 2.0 %,
                         Tcl 1.0 %, 2 more 0.8 %
          License        GPL-2.0-only (COPYING), unknown (LICENSE.other)
        """)
    #expect(lines.count == narrow.count - 4)
  }

  /// Running text that is wider than a hundred columns is harder to read.
  @Test func wideTerminals() throws {
    #expect(try page(sampleReport(), columns: 240) == page(sampleReport(), columns: 100))
  }

  /// Authors of the same name have their addresses beside them.
  @Test func authorsOfOneName() throws {
    var report = smallReport()
    report.authors = Array(sampleReport().authors?.prefix(3) ?? [])
    for index in 0..<2 {
      report.authors?[index].name = "Niels"
      report.authors?[index].email = "n\(index)@example.com\u{1B}[31m"
    }
    let text = try page(report, columns: 80)
    #expect(text.contains("Niels <n0@example.com") && text.contains("Niels <n1@example.com"), "\(text)")
    #expect(text.contains("Ünal 山田 ") && !text.contains("\u{1B}"), "\(text)")
  }

  /// A repository on a forge is named as there, with the path below it.
  @Test func titleOfARepository() throws {
    for columns in [60, 140] {
      let style = PageStyle(Capture().output(columns: columns), ["LANG": "C.UTF-8"])
      let page = FactSheet(sampleReport(), repository: "acme/tool", dates: .days)
      #expect(
        page.terminalLines(style).prefix(3) == ["acme/tool", "/home/me/src/tool", ""])
      #expect(page.markdownLines().prefix(3) == ["## acme/tool", "", "/home/me/src/tool"])
    }
  }

  @Test func allColors() throws {
    #expect(
      try page(smallReport(), columns: 60, color: true, ["COLORTERM": "truecolor", "TERM": "xterm"]) == """
        \u{1B}[1m/src/tool\u{1B}[0m

        \u{1B}[2mCHECKOUT\u{1B}[0m
          \u{1B}[2mHead\u{1B}[0m       main at 0123456789

        \u{1B}[2mHISTORY\u{1B}[0m
          \u{1B}[2mActivity\u{1B}[0m   \u{1B}[32m▂▆▆▆▅▅▅▄█▃▇▇▆▂▅▅▄█▄▄▃▇▆▆▅▅\u{1B}[0m
                     676 commits in 52 weeks since 2024-12-30;
                     busiest of all time: Tuesday, 10–12\u{A0}h

        \u{1B}[2mCODE\u{1B}[0m
          \u{1B}[2mLanguages\u{1B}[0m  \u{1B}[48;2;85;85;85m                       \u{1B}[0m\u{1B}[48;2;137;224;81m              \u{1B}[0m\u{1B}[48;2;2;152;195m     \u{1B}[0m\u{1B}[48;2;240;81;56m  \u{1B}[0m\u{1B}[48;2;53;114;165m \u{1B}[0m\u{1B}[48;2;228;204;152m \u{1B}[0m\u{1B}[48;2;139;148;158m \u{1B}[0m
                     \u{1B}[38;2;85;85;85m●\u{1B}[0m C 51.3 %  \u{1B}[38;2;137;224;81m●\u{1B}[0m Shell 30.0 %  \u{1B}[38;2;2;152;195m●\u{1B}[0m Perl 10.0 %
                     \u{1B}[38;2;240;81;56m●\u{1B}[0m Swift 5.0 %  \u{1B}[38;2;53;114;165m●\u{1B}[0m Python 2.0 %  \u{1B}[38;2;228;204;152m●\u{1B}[0m Tcl 1.0 %
                     \u{1B}[38;2;139;148;158m●\u{1B}[0m 2 more 0.8 %

        """)
  }

  @Test func paletteOnly() throws {
    #expect(
      try page(smallReport(), columns: 60, color: true, ["TERM": "xterm-256color"]).hasSuffix(
        """
        \u{1B}[2mCODE\u{1B}[0m
          \u{1B}[2mLanguages\u{1B}[0m  \u{1B}[48;5;240m                       \u{1B}[0m\u{1B}[48;5;113m              \u{1B}[0m\u{1B}[48;5;31m     \u{1B}[0m\u{1B}[48;5;203m  \u{1B}[0m\u{1B}[48;5;61m \u{1B}[0m\u{1B}[48;5;186m \u{1B}[0m\u{1B}[48;5;246m \u{1B}[0m
                     \u{1B}[38;5;240m●\u{1B}[0m C 51.3 %  \u{1B}[38;5;113m●\u{1B}[0m Shell 30.0 %  \u{1B}[38;5;31m●\u{1B}[0m Perl 10.0 %
                     \u{1B}[38;5;203m●\u{1B}[0m Swift 5.0 %  \u{1B}[38;5;61m●\u{1B}[0m Python 2.0 %  \u{1B}[38;5;186m●\u{1B}[0m Tcl 1.0 %
                     \u{1B}[38;5;246m●\u{1B}[0m 2 more 0.8 %

        """))
  }

  @Test func fewColors() throws {
    #expect(
      try page(smallReport(), columns: 60, color: true, ["TERM": "xterm"]).hasSuffix(
        """
        \u{1B}[2mCODE\u{1B}[0m
          \u{1B}[2mLanguages\u{1B}[0m  C 51.3 %, Shell 30.0 %, Perl 10.0 %,
                     Swift 5.0 %, Python 2.0 %, Tcl 1.0 %,
                     2 more 0.8 %

        """))
  }

  @Test func noColors() throws {
    #expect(
      try page(
        smallReport(), columns: 60, color: false, ["COLORTERM": "truecolor", "TERM": "xterm-256color"]) == """
          /src/tool

          CHECKOUT
            Head       main at 0123456789

          HISTORY
            Activity   ▂▆▆▆▅▅▅▄█▃▇▇▆▂▅▅▄█▄▄▃▇▆▆▅▅
                       676 commits in 52 weeks since 2024-12-30;
                       busiest of all time: Tuesday, 10–12\u{A0}h

          CODE
            Languages  C 51.3 %, Shell 30.0 %, Perl 10.0 %,
                       Swift 5.0 %, Python 2.0 %, Tcl 1.0 %,
                       2 more 0.8 %

          """)
  }

  @Test func plainLocale() throws {
    #expect(
      try page(smallReport(), columns: 60, color: false, ["LC_ALL": "C"]) == """
        /src/tool

        CHECKOUT
          Head       main at 0123456789

        HISTORY
          Activity   :*+++===#-***:+==#-=-**+++
                     676 commits in 52 weeks since 2024-12-30;
                     busiest of all time: Tuesday, 10-12 h

        CODE
          Languages  C 51.3 %, Shell 30.0 %, Perl 10.0 %,
                     Swift 5.0 %, Python 2.0 %, Tcl 1.0 %,
                     2 more 0.8 %

        """)
  }

  /// What was not computed leaves no heading, no label and no empty line.
  @Test func absentSectionsLeaveNoTrace() throws {
    let report = InspectionReport(
      path: "/src/tool", gitDir: "/src/tool/.git", bare: false, worktree: false, shallow: false, empty: false)
    #expect(try page(report, columns: 80) == "/src/tool\n")
    var unborn = report
    unborn.head = .init(branch: "main", ref: "refs/heads/main", detached: false, unborn: true, commit: nil)
    unborn.commits = .init(count: 0, merges: 0, first: nil, last: nil)
    (unborn.authors, unborn.authorCount, unborn.busFactor, unborn.signedShare) = ([], 0, 0, 0)
    (unborn.languages, unborn.lines, unborn.licenses, unborn.hooks) = ([], [], [], [])
    (unborn.remotes, unborn.worktrees, unborn.submodules, unborn.alternates) = ([], [], [], [])
    unborn.activity = .init(
      weeks: [], weekdays: Array(repeating: 0, count: 7), hours: Array(repeating: 0, count: 24))
    #expect(
      try page(unborn, columns: 80) == """
        /src/tool

        CHECKOUT
          Head      main, no commits yet

        HISTORY
          Commits   0
          Activity  0 commits

        """)
  }

  /// A commit that cannot be read, such as one with a SHA-256 id, exists.
  @Test func headThatCannotBeRead() throws {
    var report = InspectionReport(
      path: "/src/tool", gitDir: "/src/tool/.git", bare: false, worktree: false, shallow: false, empty: false)
    report.head = .init(branch: "main", ref: "refs/heads/main", detached: false, unborn: false, commit: nil)
    let page = try page(report, columns: 80)
    #expect(page.contains("main") && page.contains("not readable") && !page.contains("no commit"))
  }

  @Test(arguments: [20, 40, 60, 80, 120, 300])
  func noLineIsTooWideAndNothingObeys(columns: Int) throws {
    for report in [sampleReport(), hostileReport()] {
      let text = try page(report, columns: columns)
      for line in text.split(separator: "\n") {
        #expect(TextWidth.of(String(line)) <= max(36, columns), "\(line)")
      }
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 && !SafeText.isDangerous($0) })
    }
  }
}
