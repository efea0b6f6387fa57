import Forage
import ForageCore
import ForageGit
import ForageInspector

extension InspectedClone {
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
    let line = StatusLine(output)
    func showLeft(_ done: Int) {
      let left = "\(paths.count - done) of \(HumanFormat.plural(paths.count, "clone"))"
      line.show("waiting for " + (paths.count == 1 ? paths[0] : left))
    }
    showLeft(0)
    defer { line.show(nil) }
    try await inOrder(paths, width: BlockingGit.width) { path in
      await of(
        path, sections, memory: memory, findsLastCommit: findsLastCommit, findsIdentity: findsIdentity,
        findsUnsavedWork: findsUnsavedWork)
    } each: { index, clone in
      try each(clone)
      showLeft(index + 1)
    }
  }
}
