import ForageCore
import ForageFoundation
import ForageGit

/// Why a command of git failed, from its messages.
package struct GitFailure {
  private let lines: [String]

  /// Bytes at the end of the messages that are read: the reason is among the last lines.
  static let limit = 64 << 10
  /// What git says last when ssh or the server has said the reason before.
  private static let generic = "Could not read from remote repository"

  package init(text: String) {
    lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingWhitespace() }.filter {
      !$0.isEmpty && !$0.hasPrefix("Cloning into ")
    }
  }

  /// Whether git has cloned, and could not check out the files.
  package var isOfCheckout: Bool { lines.contains { $0.contains("Clone succeeded, but checkout failed") } }

  /// The lines of git that say what went wrong, else the last one, without credentials.
  package var reasons: [String] {
    let words = lines.filter { line in ["fatal: ", "error: "].contains { line.hasPrefix($0) } }
    return (words.isEmpty ? lines.suffix(1) : words).map(Self.withoutPrefix)
  }

  /// The first line of git that says what went wrong, without credentials.
  package var reason: String? {
    let faults = lines.indices.filter { index in
      ["fatal: ", "error: "].contains(where: lines[index].hasPrefix)
    }
    var index = faults.first
    if let first = index, lines[first].contains(Self.generic) {
      index = first > 0 ? first - 1 : first
    }
    return (index.map { lines[$0] } ?? lines.last).map(Self.withoutPrefix)
  }

  /// A line without what git puts before it, and without credentials.
  private static func withoutPrefix(_ line: String) -> String {
    var text = line[...]
    for prefix in ["fatal: ", "error: ", "remote: ", "ERROR: "] where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.contains("://") && word.contains("@") ? withoutCredentials(word) : String(word)
    }
    return words.joined(separator: " ")
  }

  /// A word that holds an address, perhaps in quotes.
  private static func withoutCredentials(_ word: Substring) -> String {
    let quotes = word.prefix { "'\"".contains($0) }
    return quotes + RemoteURL.withoutCredentials(String(word.dropFirst(quotes.count)))
  }

  /// Whether a branch cannot be written while one that its remote has no more is in its way: `a` and `a/b`.
  package var isBlockedByRemovedBranch: Bool {
    lines.contains { $0.contains("cannot lock ref 'refs/remotes/") && $0.contains("exists; cannot create") }
      || lines.contains {
        $0.contains("cannot lock ref 'refs/remotes/") && $0.contains("there is a non-empty directory")
      }
  }

  /// Whether a tag is not taken that has moved on the remote.
  package var isBlockedByMovedTag: Bool { lines.contains { $0.contains("would clobber existing tag") } }

  /// What to do about the reason; `nil` where git's own words are all that is known.
  package func hint(for host: String) -> String? {
    let login = host == BuiltInProvider.usualHost ? ", for example with: gh auth setup-git" : ""
    func says(_ texts: String...) -> Bool {
      let lower = (reason ?? "").lowercased()
      return texts.contains { lower.contains($0) }
    }
    if says(
      "could not read username", "could not read password", "authentication failed", "permission denied")
    {
      return
        "check the name; for a private repository let git log in" + login
    }
    if let reason, reason.hasPrefix("'/"), says("does not exist", "does not appear to be") {
      return "the folder that the remote names is gone; see it with: git remote -v"
    }
    if says("not found", "does not exist", "does not appear to be") {
      return "check the name; a private repository needs a login for git" + login
    }
    if says("could not resolve", "failed to connect", "timed out", "connection refused", "unreachable") {
      return "check the network, then run the command again"
    }
    if says("no space left", "disk quota") { return "free some space, then run the command again" }
    return nil
  }
}
