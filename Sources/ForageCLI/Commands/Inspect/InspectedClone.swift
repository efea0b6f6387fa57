import ForageGit
import ForageInspector

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What came of inspecting one clone.
struct InspectedClone: Sendable {
  /// As it was given, or found.
  var path: String
  var outcome: Result<InspectionReport, GitError>
  /// When the last commit was made; only told where it was asked for.
  var lastCommitAt: Date?

  /// Whether deleting the clone may lose work; only told where it was asked for.
  var hasUnsavedWork: Bool?

  /// The report, where there is one.
  var report: InspectionReport? { try? outcome.get() }

  /// Why there is none.
  var failure: GitError? {
    if case .failure(let error) = outcome { error } else { nil }
  }

  /// What the row of a list needs of a report: nothing here walks the history of a clone that is even with its upstream.
  static let rowSections: Set<InspectionSection> = [.head, .upstream, .status, .stashes, .size]

  /// Inspects one clone on a thread of its own.
  ///
  /// - Parameters:
  ///   - tellsLastCommit: Whether to tell when the last commit was made.
  ///   - findsUnsavedWork: Whether to tell if deleting the clone may lose work.
  static func of(
    _ path: String, _ sections: Set<InspectionSection>, memory: InspectionMemory?,
    tellsLastCommit: Bool = false, findsUnsavedWork: Bool = false
  ) async -> InspectedClone {
    do throws(GitError) {
      return try await BlockingGit.run { isCancelled throws(GitError) in
        let inspector = Inspector()
        let report = try inspector.inspect(
          path: path, sections: sections, memory: memory, isCancelled: isCancelled)
        var clone = InspectedClone(path: path, outcome: .success(report))
        // Where this fails, so did the report's sections, and its notes say why.
        if tellsLastCommit { clone.lastCommitAt = (try? inspector.lastCommitAt(path: path)) ?? nil }
        if findsUnsavedWork {
          clone.hasUnsavedWork = try inspector.unsavedWork(path: path, isCancelled: isCancelled) != nil
        }
        return clone
      }
    } catch {
      return InspectedClone(path: path, outcome: .failure(error))
    }
  }

  /// Inspects clones side by side, with a line on the terminal that counts them.
  ///
  /// - Parameter each: Gets the clones in the order of the paths, each as soon as those before it are done.
  /// - Throws: What `each` throws; `CancellationError`.
  static func all(
    _ paths: [String], _ sections: Set<InspectionSection>, memory: InspectionMemory?,
    tellsLastCommit: Bool = false, findsUnsavedWork: Bool = false, output: Output,
    each: (InspectedClone) throws -> Void
  ) async throws {
    let line = ProgressLine(output)
    defer { line.clear() }
    try await inOrder(paths, width: BlockingGit.width) { path in
      await of(
        path, sections, memory: memory, tellsLastCommit: tellsLastCommit, findsUnsavedWork: findsUnsavedWork)
    } each: { index, clone in
      line.clear()
      try each(clone)
      let done = index + 1
      if done < paths.count { line.show("inspecting: \(done) of \(paths.count) clones") }
    }
  }
}

extension InspectionReport {
  /// The sections that could not be read of a repository that has them, although they were asked for; empty when all is well.
  func damage(_ sections: Set<InspectionSection>) -> [String] {
    let isDamaged =
      if let head {
        head.commit != nil
          && (sections.contains(.commits) && commits == nil || sections.contains(.size) && size?.files == nil)
      } else {
        sections.contains(.head)
      }
    guard isDamaged else { return [] }
    var told: [String] = []
    for note in notes where !told.contains(note.section) { told.append(note.section) }
    return told
  }
}
