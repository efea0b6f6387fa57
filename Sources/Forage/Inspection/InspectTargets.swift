import ForageGit
import ForageLocal

/// The clones at given paths.
package struct InspectTargets: Sendable {
  /// The paths to inspect, in the given order; below a folder in byte order.
  package var paths: [String] = []
  /// Whether the result is a list: of several paths, or of a folder of clones.
  package var isList = false

  /// Finds the clones: a folder that is in no clone stands for the clones below it, any other path for itself.
  ///
  /// The root of the file system is not searched; what is ignored is left out, unless it is given.
  ///
  /// - Throws: `CancellationError`.
  package static func find(_ given: [String], _ forage: Forage) async throws -> InspectTargets {
    let (reporter, ignored) = (forage.reporter, forage.ignored)
    var targets = InspectTargets(isList: given.count > 1)
    for path in given {
      guard let root = FileAccess.realPath(path), root != "/", FileAccess.isDirectory(root),
        CloneProbe.root(above: root) == nil
      else {
        targets.paths.append(path)
        continue
      }
      let findings = try await search(root, ignored.contains(root) ? nil : ignored, reporter)
      guard !findings.clones.isEmpty else {
        targets.paths.append(path)
        continue
      }
      targets.isList = true
      targets.paths += findings.clones
      for path in findings.unreadable {
        reporter.warning("\(path) cannot be listed", "check the permissions of the folder")
      }
      for path in findings.nonUTF8 {
        reporter.warning("\(path) was left out: its name is not UTF-8", "rename the folder")
      }
      if findings.isCut {
        reporter.warning(
          "deeply nested folders in \(root) were left out", "inspect them by their own paths")
      }
    }
    return targets
  }

  private static func search(
    _ root: String, _ ignored: IgnoredFolders?, _ reporter: Reporter
  ) async throws -> CloneFinder.Findings {
    reporter.progress("looking for clones in \(root)")
    defer { reporter.progress(nil) }
    let findings = try? await BlockingGit.run { isCancelled throws(GitError) in
      CloneFinder.find(
        in: root, isIgnored: { ignored?.contains($0) ?? false }, isCancelled: isCancelled
      ) { found in
        reporter.progress("looking for clones in \(root): \(found) found")
      }
    }
    try Task.checkCancellation()
    guard let findings else { throw CancellationError() }
    return findings
  }
}
