import ForageGit

/// The folders that are left out of every search and list, with everything in them.
package struct IgnoredFolders: Sendable {
  private struct Pattern: Sendable {
    var text: String
    /// `nil` for a path.
    var glob: PathGlob?

    func matches(_ folder: String) -> Bool { glob?.matches(String(folder.dropFirst())) ?? (folder == text) }
  }

  private let patterns: [Pattern]

  /// Reads the texts that name the folders.
  ///
  /// - Parameters:
  ///   - texts: Absolute paths, paths that begin with `~/`, and patterns with `*`, `?` or `**`. A text of any
  ///     other beginning matches the end of a path from the start of a name on.
  ///   - home: What `~` stands for.
  package init(_ texts: [String], home: String) {
    patterns = texts.map { text in
      var path = text.hasPrefix("~/") ? home + text.dropFirst() : text
      while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
      let glob = PathGlob(path.hasPrefix("/") ? path : "**/" + path)
      return Pattern(text: glob == nil ? FileAccess.realPath(path) ?? path : path, glob: glob)
    }
  }

  /// Whether a folder or one above it is ignored.
  ///
  /// - Parameter path: An absolute path.
  package func contains(_ path: String) -> Bool { pattern(for: path) != nil }

  /// The path or the pattern by which a folder or one above it is ignored.
  package func pattern(for path: String) -> String? {
    guard !patterns.isEmpty else { return nil }
    for folder in sequence(first: path, next: { $0 == "/" ? nil : FileAccess.parent(of: $0) }) {
      if let found = patterns.first(where: { $0.matches(folder) }) { return found.text }
    }
    return nil
  }
}
