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
    /// Folders that were left out because their names are not UTF-8.
    package var nonUTF8: [String] = []
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
      var folders: [String] = []
      for bytes in FileAccess.names(bytes: Array(path.utf8)) {
        let name = String(decoding: bytes, as: UTF8.self)
        guard !skipped.contains(name), !UnfinishedClone.isName(name),
          FileAccess.kind(path, bytes) == .directory
        else { continue }
        let folder = FileAccess.join(path, name)
        // Other names cannot be represented as text.
        if name.utf8.elementsEqual(bytes) { folders.append(folder) } else { findings.nonUTF8.append(folder) }
      }
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
