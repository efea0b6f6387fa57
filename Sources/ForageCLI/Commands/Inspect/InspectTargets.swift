import ForageGit
import ForageLocal

/// The clones that the paths of a command line mean.
struct InspectTargets: Sendable {
  /// What to inspect, in the order of the command line; below a folder in byte order.
  var paths: [String] = []
  /// Whether the answer is a list: several paths were given, or a folder of clones.
  var isList = false

  /// Takes the paths as they are, but for folders that are in no clone and have clones below them.
  ///
  /// The root of the file system is never searched: nobody means that.
  ///
  /// - Throws: `CancellationError`.
  static func find(_ given: [String], _ output: Output) async throws -> InspectTargets {
    var targets = InspectTargets(isList: given.count > 1)
    for path in given {
      guard let root = FileAccess.realPath(path), root != "/", FileAccess.isDirectory(root), !isInClone(root) else {
        targets.paths.append(path)
        continue
      }
      let findings = try await search(root, output)
      guard !findings.clones.isEmpty else {
        targets.paths.append(path)
        continue
      }
      targets.isList = true
      targets.paths += findings.clones
      for path in findings.unreadable {
        output.problem("\(path) cannot be listed", hint: "check the permissions of the folder")
      }
      if findings.isCut {
        output.problem("folders nested very deep in \(root) were left out", hint: "name them by themselves")
      }
    }
    return targets
  }

  private static func isInClone(_ path: String) -> Bool {
    var folder = path
    while !CloneProbe.isClone(folder) {
      guard folder != "/", !folder.isEmpty else { return false }
      folder = FileAccess.parent(of: folder)
    }
    return true
  }

  private static func search(_ root: String, _ output: Output) async throws -> CloneFinder.Findings {
    let line = ProgressLine(output)
    defer { line.clear() }
    do throws(GitError) {
      return try await BlockingGit.run { isCancelled throws(GitError) in
        let findings = CloneFinder.find(in: root, isCancelled: isCancelled) { found in
          line.show("looking for clones in \(root): \(found) found")
        }
        if isCancelled() { throw .cancelled }
        return findings
      }
    } catch {
      throw CancellationError()
    }
  }
}
