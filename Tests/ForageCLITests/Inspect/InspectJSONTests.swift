import Forage
import ForageCore
import Foundation
import Testing

@testable import ForageCLI
@testable import ForageInspector

/// The JSON of a report, which is written by hand.
struct InspectJSONTests {
  /// Every key of a report, in the order in which scripts see them.
  private static let order = [
    "schema", "path", "gitDir", "bare", "worktree", "shallow", "empty", "operation", "head", "upstream",
    "branches",
    "defaultBranch", "tags", "remotes", "status", "stashes", "commits", "authorCount", "busFactor", "authors",
    "activity", "churn", "languages", "lines", "skipped", "files", "licenses", "size", "version",
    "largestFiles", "largestBlobs",
    "dependencies", "submodules", "worktrees", "lfs", "hooks", "alternates", "signedShare", "lastFetchAt",
    "commitGraph", "partial", "sparse", "notes",
  ]

  /// The sample with what only some clones have, or is only told on request.
  private func withEverything() -> InspectionReport {
    var report = sampleReport()
    report.operation = "rebase"
    report.skipped = .init(vendored: 1, generated: 2, binary: 3)
    report.files = [.init(path: "ä.c", language: "C", code: 1, comment: 2, blank: 3)]
    return report
  }

  private func object(_ text: String) throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
  }

  /// What the report itself encodes to: no member is forgotten or spelt otherwise.
  @Test func saysWhatTheReportSays() throws {
    var bare = sampleReport()
    bare.head = .init(branch: nil, ref: nil, detached: true, unborn: false, commit: "0")
    bare.upstream = .init(name: "x", ahead: nil, behind: nil)
    bare.size = .init(files: nil, bytes: nil, packs: 0, packBytes: 0, looseObjects: 0, looseBytes: 0)
    bare.commits = .init(count: 0, merges: 0, first: nil, last: nil)
    bare.signedShare = 1
    let all = withEverything()
    for report in [sampleReport(), smallReport(), hostileReport(), bare, all] {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .iso8601
      let expected = try object(String(decoding: encoder.encode(report), as: UTF8.self))
      for isPretty in [false, true] {
        #expect(try object(InspectJSON.document(report).text(isPretty: isPretty)) == expected)
      }
    }
  }

  @Test func orderOfKeys() throws {
    guard case .object(let members) = InspectJSON.document(withEverything()) else {
      throw CancellationError()
    }
    #expect(members.map(\.0) == Self.order)
    let sections = Set(InspectionSection.allCases.map(\.rawValue))
    #expect(sections.isSubset(of: Set(Self.order)))
    let text = InspectJSON.document(sampleReport()).text()
    for part in [
      #""head":{"branch":"main","ref":"refs/heads/main","detached":false,"unborn":false,"commit":"0123"#,
      #""upstream":{"name":"origin/main","ahead":2,"behind":13}"#,
      #""status":{"clean":false,"staged":2,"unstaged":1,"untracked":3,"conflicted":0},"stashes":1"#,
      #""lines":[{"language":"C","files":500,"code":300123,"comment":60024,"blank":42874},"#,
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func failures() {
    let error = InspectionError(.notARepository, "it is none", hint: "make one")
    #expect(
      InspectJSON.document("/x", error).text()
        == #"{"schema":1,"path":"/x","error":{"code":"notARepository","message":"it is none","hint":"make one"}}"#
    )
    #expect(InspectJSON.error(InspectionError(.corrupt, "m")).text() == #"{"code":"corrupt","message":"m"}"#)
  }
}
