import ForageCore
import ForageGit
import ForageInspector
import ForageLocal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The outcome of the inspection of one clone.
struct InspectedClone: Sendable {
  /// The path that was given, or found.
  var path: String
  var outcome: Result<InspectionReport, GitError>
  /// The time of the last commit, where it was requested.
  var lastCommitAt: Date?
  /// The repository on its forge, where it was requested.
  var identity: CloneIdentity?
  /// Whether deleting the clone may lose work, where it was requested.
  var hasUnsavedWork: Bool?

  /// The report, where there is one.
  var report: InspectionReport? { try? outcome.get() }

  /// The error, where there is no report.
  var failure: GitError? {
    if case .failure(let error) = outcome { error } else { nil }
  }

  /// The sections of a row for people: none of them walks the history of a clone that is even with its upstream.
  static let rowSections: Set<InspectionSection> = [.head, .upstream, .status, .stashes, .size]
  /// The sections of a row for programs.
  static let fieldSections = rowSections.union([.languages])

  /// Inspects one clone on a thread of its own.
  ///
  /// - Parameters:
  ///   - findsLastCommit: Whether to read the time of the last commit.
  ///   - findsIdentity: Whether to read which repository on a forge it is a clone of.
  ///   - findsUnsavedWork: Whether to check if deleting the clone may lose work.
  static func of(
    _ path: String, _ sections: Set<InspectionSection>, memory: InspectionMemory?,
    findsLastCommit: Bool = false, findsIdentity: Bool = false, findsUnsavedWork: Bool = false
  ) async -> InspectedClone {
    do throws(GitError) {
      return try await BlockingGit.run { isCancelled throws(GitError) in
        let inspector = Inspector()
        let report = try inspector.inspect(
          path: path, sections: sections, memory: memory, isCancelled: isCancelled)
        var clone = InspectedClone(path: path, outcome: .success(report))
        // Where these fail, sections of the report failed too, with a note.
        if findsIdentity, let remotes = try? inspector.remotes(path: report.path) {
          clone.identity = CloneIdentity.of(remotes, at: report.path, inspector: inspector)
        }
        if findsLastCommit { clone.lastCommitAt = (try? inspector.lastCommitAt(path: path)) ?? nil }
        if findsUnsavedWork {
          clone.hasUnsavedWork = try inspector.unsavedWork(path: path, isCancelled: isCancelled) != nil
        }
        return clone
      }
    } catch {
      return InspectedClone(path: path, outcome: .failure(error))
    }
  }

  /// Inspects clones concurrently, with a line on the terminal that counts those that are left.
  ///
  /// - Parameter each: Receives the clones in the order of the paths, each as soon as those before it are done.
  /// - Throws: What `each` throws; `CancellationError`.
  static func all(
    _ paths: [String], _ sections: Set<InspectionSection>, memory: InspectionMemory?,
    findsLastCommit: Bool = false, findsIdentity: Bool = false, findsUnsavedWork: Bool = false,
    output: Output,
    each: (InspectedClone) throws -> Void
  ) async throws {
    func left(_ done: Int) -> String {
      paths.count == 1 ? paths[0] : "\(paths.count - done) of \(HumanFormat.plural(paths.count, "clone"))"
    }
    let waits = WaitLine(output)
    let wait = waits.begin(left(0))
    defer { waits.end(wait) }
    try await inOrder(paths, width: BlockingGit.width) { path in
      await of(
        path, sections, memory: memory, findsLastCommit: findsLastCommit, findsIdentity: findsIdentity,
        findsUnsavedWork: findsUnsavedWork)
    } each: { index, clone in
      try each(clone)
      waits.update(wait, left(index + 1))
    }
  }
}
