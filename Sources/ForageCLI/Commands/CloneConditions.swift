import ArgumentParser
import Forage
import ForageGit
import ForageInspector

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The conditions of `clones list`; a clone is listed when it meets all that are given.
struct CloneConditions: ParsableArguments {
  @Flag(help: "Show only clones with uncommitted changes or untracked files.")
  var dirty = false

  @Flag(help: "Show only clones with commits that the upstream lacks.")
  var ahead = false

  @Flag(help: "Show only clones that lack commits of the upstream.")
  var behind = false

  @Flag(help: "Show only clones with stashes.")
  var stashed = false

  @Flag(help: "Show only clones whose branch has no upstream.")
  var noUpstream = false

  @Option(
    help: ArgumentHelp(
      "Show only clones whose last commit is older (90d, 8w, 6mo, 2y).", valueName: "age"))
  var stale: String?

  @Flag(help: "Show only clones whose work is all on a remote.")
  var safeToDelete = false

  /// The conditions as options, as given.
  var names: [String] {
    let flags = [
      ("--dirty", dirty), ("--ahead", ahead), ("--behind", behind), ("--stashed", stashed),
      ("--no-upstream", noUpstream), ("--safe-to-delete", safeToDelete),
    ]
    return flags.filter(\.1).map(\.0) + (stale.map { ["--stale \($0)"] } ?? [])
  }

  /// The filter for these conditions, `nil` where none is given.
  ///
  /// - Throws: `ForageError` for an age that cannot be read.
  func filter(now: Date) throws -> CloneFilter? {
    let limit = try stale.map { now.addingTimeInterval(-Double(try Self.seconds($0))) }
    return names.isEmpty ? nil : CloneFilter(conditions: self, staleBefore: limit)
  }

  /// Seconds of the units; months and years have the mean length of the Gregorian calendar's.
  private static let units = ["d": 86_400, "w": 604_800, "mo": 2_629_746, "y": 31_556_952]
  /// More days than any commit can be old.
  private static let maximumCount = 100_000

  /// The seconds in a text such as `90d`.
  private static func seconds(_ text: String) throws -> Int {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(digits), (1...maximumCount).contains(count),
      let unit = units[text.dropFirst(digits.count).lowercased()]
    else {
      throw ForageError(
        "--stale takes a number with d, w, mo or y, not \"\(text)\"", hint: "for example: --stale 90d")
    }
    return count * unit
  }
}

/// Decides which inspected clones are listed.
struct CloneFilter {
  let conditions: CloneConditions
  /// The last commit must be older than this, `nil` for any.
  let staleBefore: Date?

  /// Whether a clone meets all conditions.
  ///
  /// - Throws: `GitError` where a fact that a condition is about could not be read.
  func matches(_ clone: InspectedClone) throws(GitError) -> Bool {
    let report = try clone.outcome.get()
    guard let head = report.head else { throw Self.unknown(.head, report) }
    if conditions.dirty {
      if let status = report.status {
        if status.clean { return false }
      } else if report.bare {
        return false
      } else {
        throw Self.unknown(.status, report)
      }
    }
    if conditions.ahead, (report.upstream?.ahead ?? 0) == 0 { return false }
    if conditions.behind, (report.upstream?.behind ?? 0) == 0 { return false }
    if conditions.stashed {
      guard let stashes = report.stashes else { throw Self.unknown(.stashes, report) }
      if stashes == 0 { return false }
    }
    if conditions.noUpstream, head.branch == nil || report.upstream != nil { return false }
    if let staleBefore {
      guard let last = clone.lastCommitAt else {
        if head.unborn { return false }
        throw Self.unknown(.commits, report)
      }
      if last >= staleBefore { return false }
    }
    return !conditions.safeToDelete || clone.hasUnsavedWork == false
  }

  /// The reason that a report gives for a missing section.
  private static func unknown(_ section: InspectionSection, _ report: InspectionReport) -> GitError {
    let note = report.notes.first { $0.section == section.rawValue }?.message
    return GitError(
      .other, note ?? "its \(section.rawValue) could not be read",
      hint: "run git fsck in it, or clone it again")
  }
}
