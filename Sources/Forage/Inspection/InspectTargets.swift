import Forage
import ForageCore
import ForageGit
import ForageLocal

/// The clones at the paths of a command line.
struct InspectTargets: Sendable {
  /// The paths to inspect, in the order of the command line; below a folder in byte order.
  var paths: [String] = []
  /// Whether the result is a list: of several paths, or of a folder of clones.
  var isList = false

  /// Finds the clones: a folder that is in no clone stands for the clones below it, any other path for itself.
  ///
  /// The root of the file system is not searched.
  ///
  /// - Throws: `CancellationError`.
  static func find(_ given: [String], _ output: Output) async throws -> InspectTargets {
    var targets = InspectTargets(isList: given.count > 1)
    for path in given {
      guard let root = FileAccess.realPath(path), root != "/", FileAccess.isDirectory(root),
        CloneProbe.root(above: root) == nil
      else {
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
        output.warning("\(path) cannot be listed", hint: "check the permissions of the folder")
      }
      if findings.isCut {
        output.warning(
          "deeply nested folders in \(root) were left out", hint: "inspect them by their own paths")
      }
    }
    return targets
  }

  /// What to do about a path that cannot be inspected.
  static func hint(for path: String, _ error: GitError, _ references: ReferenceReader) -> String {
    guard [.notFound, .notARepository].contains(error.code), FileAccess.entry(path) == nil else {
      return error.hint
    }
    if references.isCatalogued(path) { return Remedy.scanClones.advice }
    if let name = references.suggestion(for: path) { return "did you mean \(name)?" }
    guard path.contains("/"), !["/", ".", "~"].contains(path.prefix(1)),
      EntityReference(path, defaultHost: GitHubInstance.dotCom)?.repository != nil
    else { return error.hint }
    return "to show a repository of a forge run: forage show \(path), to clone it: forage clone \(path)"
  }

  private static func search(_ root: String, _ output: Output) async throws -> CloneFinder.Findings {
    let line = StatusLine(output)
    line.show("looking for clones in \(root)")
    defer { line.show(nil) }
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
