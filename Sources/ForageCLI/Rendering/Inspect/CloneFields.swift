import Forage
import ForageCore
import ForageInspector
import ForageLocal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A clone as a row for programs, as `clones list --status` writes it.
struct CloneFields {
  var path: String
  /// `host/owner/name`.
  var entityID: String?
  var branch: String?
  var lastCommitAt: Date?
  /// The language with the most bytes.
  var language: String?
  /// Bytes of the files of the current commit.
  var sizeBytes: Int?
  var error: String?
  var upstream: InspectionReport.Upstream?
  var status: InspectionReport.Status?
  var stashes: Int?

  /// A clone that could not be inspected.
  init(path: String, error: String) {
    self.path = path
    self.error = error
  }

  /// A clone with its report.
  init(_ clone: InspectedClone, _ report: InspectionReport, error: String?) {
    path = report.path
    entityID = clone.identity?.id
    branch = report.head?.branch
    lastCommitAt = clone.lastCommitAt
    language = report.languages?.first?.name
    sizeBytes = report.size?.bytes
    self.error = error
    (upstream, status, stashes) = (report.upstream, report.status, report.stashes)
  }

  /// Path, id, branch, time of the last commit, language, bytes, error, upstream, commits ahead and behind, paths that are staged, unstaged,
  /// untracked and conflicted, stashes.
  var fields: [String] {
    let texts = [
      path, entityID, branch, lastCommitAt.map(HumanFormat.timestamp), language, number(sizeBytes), error,
    ]
    let state = [
      upstream?.name, number(upstream?.ahead), number(upstream?.behind), number(status?.staged),
      number(status?.unstaged), number(status?.untracked), number(status?.conflicted), number(stashes),
    ]
    return (texts + state).map { $0 ?? "" }
  }

  private func number(_ number: Int?) -> String? { number.map(String.init) }
}
