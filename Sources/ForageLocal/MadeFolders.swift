import ForageGit
import ForagePlatform

/// Folders that a command makes for clones, which are removed again where they stay empty.
package struct MadeFolders: Sendable {
  private var paths: Set<String> = []

  package init() {}

  /// Notes a folder that is to be made, and those above it that do not exist either.
  ///
  /// - Parameter path: An absolute path.
  package mutating func willMake(_ path: String) {
    var path = path
    while path.utf8.count > 1, FileAccess.entry(path, follow: false) == nil, paths.insert(path).inserted {
      path = FileAccess.parent(of: path)
    }
  }

  /// Removes the folders that are empty.
  package func removeEmpty() {
    for path in paths.sorted(by: { $0.utf8.count > $1.utf8.count }) { rmdir(path) }
  }
}
