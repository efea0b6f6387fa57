import ForageCore
package import ForageFoundation
package import ForageGit
package import ForageInspector
package import ForageStore

/// Conditions on clones; a clone is listed when it meets all that are set.
package struct CloneFilter: Sendable {
  /// It has uncommitted changes or untracked files.
  package var isDirty = false
  /// It has commits that the upstream lacks.
  package var isAhead = false
  /// It lacks commits of the upstream.
  package var isBehind = false
  package var isStashed = false
  package var lacksUpstream = false
  /// All of its work is on a remote.
  package var isSafeToDelete = false
  /// Its last commit is older than this; `nil` for any.
  package var staleBefore: Date?

  /// Creates a filter that every clone passes.
  package init() {}

  /// Whether a clone meets all conditions.
  ///
  /// - Throws: `GitError` where a fact that a condition is about could not be read.
  func matches(_ clone: InspectedClone) throws(GitError) -> Bool {
    let report = try clone.outcome.get()
    guard let head = report.head else { throw Self.unknown(.head, report) }
    if isDirty {
      if let status = report.status {
        if status.clean { return false }
      } else if report.bare {
        return false
      } else {
        throw Self.unknown(.status, report)
      }
    }
    if isAhead, (report.upstream?.ahead ?? 0) == 0 { return false }
    if isBehind, (report.upstream?.behind ?? 0) == 0 { return false }
    if isStashed {
      guard let stashes = report.stashes else { throw Self.unknown(.stashes, report) }
      if stashes == 0 { return false }
    }
    if lacksUpstream, head.branch == nil || report.upstream != nil { return false }
    if let staleBefore {
      guard let last = clone.lastCommitAt else {
        if head.unborn { return false }
        throw Self.unknown(.commits, report)
      }
      if last >= staleBefore { return false }
    }
    return !isSafeToDelete || clone.hasUnsavedWork == false
  }

  /// The reason that a report gives for a missing section.
  private static func unknown(_ section: InspectionSection, _ report: InspectionReport) -> GitError {
    let note = report.notes.first { $0.section == section.rawValue }?.message
    return GitError(
      .other, note ?? "its \(section.rawValue) could not be read",
      hint: "run git fsck in it, or clone it again")
  }
}

/// A clone of the catalogue with what an inspection found in it.
package struct CloneState: Sendable {
  /// The sections that are read; everything else is in the catalogue.
  package static let sections: Set<InspectionSection> = [.head, .upstream, .status, .stashes]

  /// The clone as the catalogue has it, with the time of its last commit now.
  package private(set) var clone: CloneRecord
  package let report: InspectionReport?
  package private(set) var error: GitError?
  /// Whether it meets the conditions; without any, every clone does.
  package private(set) var isListed: Bool

  /// - Parameters:
  ///   - inspected: The clone with `sections`, its last commit and, for a filter that asks for it, whether it has unsaved work.
  ///   - filter: The conditions, `nil` for none.
  package init(_ clone: CloneRecord, _ inspected: InspectedClone, _ filter: CloneFilter?) {
    self.clone = clone
    report = inspected.report
    isListed = filter == nil
    do throws(GitError) {
      let report = try inspected.outcome.get()
      isListed = try filter?.matches(inspected) ?? true
      if isListed { try Self.check(report) }
    } catch {
      self.error = error
      isListed = filter == nil
      self.clone.error = error.message
    }
    self.clone.lastCommitAt = inspected.lastCommitAt ?? clone.lastCommitAt
  }

  /// - Throws: `GitError` for a damaged clone, of which there is no more than a part.
  private static func check(_ report: InspectionReport) throws(GitError) {
    guard report.head == nil, let missing = report.damagedSections.first else { return }
    let note = report.notes.first { $0.section == missing }?.message ?? "its \(missing) cannot be read"
    throw GitError(.corrupt, note, hint: "run git fsck in it, or clone it again")
  }

  package var document: JSONValue {
    .members(
      clone.members + [
        ("upstream", report?.upstream?.json), ("status", report?.status?.json),
        ("stashes", report?.stashes?.json),
      ])
  }
}

extension CloneRecord {
  /// Whether it is a clone of `owner/name`, `host/owner/name` or the repository at a web or clone address.
  package func isClone(of repository: String) -> Bool {
    guard let id = entityID?.lowercased(), repository.contains("/") else { return false }
    let address = repository.contains("://") ? RepositoryIdentity.canonical(repository) : repository
    guard let name = address?.lowercased() else { return false }
    return id == name || id.hasSuffix("/" + name)
  }

  package var members: [(String, JSONValue?)] {
    [
      ("path", path.json), ("id", entityID?.json), ("url", remoteURL?.json), ("branch", branch?.json),
      ("commit", commit?.json), ("lastCommitAt", lastCommitAt?.json), ("language", language?.json),
      ("sizeBytes", sizeBytes?.json), ("error", error?.json),
    ]
  }
}
