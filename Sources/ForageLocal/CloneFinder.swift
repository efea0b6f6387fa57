import ForageGit

/// Finds the clones below a folder.
///
/// A clone's own contents are not searched (its submodules belong to it), symbolic links below the folder are not followed, and other file
/// systems are entered like any folder. Names are visited in byte order, so that two runs find the same.
package struct CloneFinder {
  /// Folders deeper than this below the registered one are not searched: `host/owner/group/…/name` needs six.
  package static let maximumDepth = 16
  /// Folders that hold thousands of files and never clones of anyone's interest.
  private static let skipped: Set<String> = ["node_modules", ".Trash", ".cache"]

  package struct Findings {
    /// Absolute paths of clones, in byte order of their components.
    package var clones: [String] = []
    /// Folders that could not be listed.
    package var unreadable: [String] = []
    /// Whether folders below the depth limit were left out.
    package var isCut = false
  }

  /// Searches a folder.
  ///
  /// - Parameters:
  ///   - root: An absolute path; when it is a clone itself, it is the only finding.
  ///   - progress: Called at each folder with the number of clones found so far.
  package static func find(
    in root: String, isCancelled: () -> Bool, progress: (Int) -> Void = { _ in }
  ) -> Findings {
    var findings = Findings()
    var pending: [(path: String, depth: Int)] = [(root, 0)]
    while let (path, depth) = pending.popLast(), !isCancelled() {
      if CloneProbe.isClone(path) {
        findings.clones.append(path)
        continue
      }
      guard FileAccess.canList(path) else {
        findings.unreadable.append(path)
        continue
      }
      progress(findings.clones.count)
      let names = FileAccess.names(in: path)
      // A name that is not UTF-8 cannot be represented as text; it is reported.
      findings.unreadable += names.filter {
        $0.contains("\u{FFFD}") && FileAccess.entry(FileAccess.join(path, $0), follow: false) == nil
      }
      .map { FileAccess.join(path, $0) }
      let folders = names.filter { !skipped.contains($0) && !UnfinishedClone.isName($0) }.map {
        FileAccess.join(path, $0)
      }
      .filter { FileAccess.entry($0, follow: false)?.kind == .directory }
      if depth >= maximumDepth {
        findings.isCut = findings.isCut || !folders.isEmpty
      } else {
        // The last is taken first, so the reverse keeps the order.
        pending += folders.reversed().map { ($0, depth + 1) }
      }
    }
    return findings
  }
}
