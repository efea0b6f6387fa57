import ForageCore
import ForageGit
import ForageInspector
import ForageLocal

/// Reads what a user names a repository of a forge by, the path of a clone of it included.
enum RepositoryReference {
  /// The repository.
  ///
  /// - Parameter defaultHost: The host of a plain `owner/name`.
  /// - Throws: `CommandError` for what names no repository; `GitError` for a path at which there is no clone.
  static func entity(_ text: String, defaultHost: String) async throws -> EntityReference {
    guard let path = path(text) else {
      // The address of an issue or a file names its repository too.
      if let entity = EntityReference(text, defaultHost: defaultHost)?.repository { return entity }
      throw CommandError(
        "\"\(text)\" names no repository",
        hint: "write owner/name, host/owner/name, an address, or the path of a clone; nothing was changed")
    }
    let identity = try await BlockingGit.run { isCancelled throws(GitError) in
      let inspector = Inspector()
      return CloneIdentity.of(
        try inspector.summarize(path: path, isCancelled: isCancelled), inspector: inspector)
    }
    guard let id = identity?.id, let entity = EntityReference(id, defaultHost: defaultHost) else {
      throw CommandError(
        "the clone at \(path) belongs to no repository of a forge",
        hint: "write owner/name; nothing was changed")
    }
    return entity
  }

  /// The text as a path, when it is written as one.
  private static func path(_ text: String) -> String? {
    let mark = "file://"
    if text.hasPrefix(mark) { return String(text.dropFirst(mark.count)) }
    let isWritten =
      ["/", "./", "../", "~/"].contains { text.hasPrefix($0) } || [".", "..", "~"].contains(text)
    return isWritten ? text : nil
  }
}
