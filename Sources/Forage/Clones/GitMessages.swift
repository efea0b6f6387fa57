import ForageCore
import ForageGit
import SystemPackage

/// The messages of a run of `git clone`, in the file to which git writes them.
package struct GitMessages: Sendable {
  private let path: String

  /// Bytes at the end of the messages that hold the last line about the progress.
  private static let progressLimit = 512

  init(path: String) { self.path = path }

  /// What git said last, which is how far it is; `nil` for nothing.
  package var lastLine: String? {
    tail(Self.progressLimit).split(whereSeparator: \.isNewline).last.map(String.init)
  }

  /// Why git could not clone.
  var failure: GitCloneFailure { GitCloneFailure(text: tail(GitCloneFailure.limit)) }

  /// The end of the file; nothing where it cannot be read.
  private func tail(_ limit: Int) -> String {
    guard let file = try? FileDescriptor.open(FilePath(path), .readOnly) else { return "" }
    let bytes = try? file.closeAfter { () throws -> [UInt8] in
      let size = try file.seek(offset: 0, from: .end)
      return try [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
        count = try file.read(
          fromAbsoluteOffset: max(0, size - Int64(limit)), into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
    return String(decoding: bytes ?? [], as: UTF8.self)
  }
}

/// Why git could not clone, from its messages.
struct GitCloneFailure {
  private let lines: [String]

  /// Bytes at the end of the messages that are read: the reason is among the last lines.
  static let limit = 64 << 10
  /// What git says last when ssh or the server has said the reason before.
  private static let generic = "Could not read from remote repository"

  init(text: String) {
    lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingWhitespace() }.filter {
      !$0.isEmpty && !$0.hasPrefix("Cloning into ")
    }
  }

  /// The error for a repository.
  func error(_ source: CloneSource) -> ForageError {
    let reason = reason
    return ForageError(
      "\(source.title) could not be cloned: \(reason ?? "git failed without a reason")",
      hint: hint(reason ?? "", source), code: .noAnswer)
  }

  /// The first line of git that says what went wrong, without credentials.
  private var reason: String? {
    let faults = lines.indices.filter { index in
      ["fatal: ", "error: "].contains(where: lines[index].hasPrefix)
    }
    var index = faults.first
    if let first = index, lines[first].contains(Self.generic) {
      index = first > 0 ? first - 1 : first
    }
    guard let line = index.map({ lines[$0] }) ?? lines.last else { return nil }
    var text = line[...]
    for prefix in ["fatal: ", "error: ", "remote: ", "ERROR: "] where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.contains("://") && word.contains("@") ? Self.withoutCredentials(word) : String(word)
    }
    return words.joined(separator: " ")
  }

  /// A word that holds an address, perhaps in quotes.
  private static func withoutCredentials(_ word: Substring) -> String {
    let quotes = word.prefix { "'\"".contains($0) }
    return quotes + RemoteURL.withoutCredentials(String(word.dropFirst(quotes.count)))
  }

  private func hint(_ reason: String, _ source: CloneSource) -> String {
    func says(_ texts: String...) -> Bool {
      let lower = reason.lowercased()
      return texts.contains { lower.contains($0) }
    }
    if says(
      "could not read username", "could not read password", "authentication failed", "permission denied")
    {
      return
        "check the name; for a private repository let git log in, for example with: gh auth setup-git"
    }
    if says("not found", "does not exist", "does not appear to be") {
      return "check the name; a private repository needs a login for git, for example with: gh auth setup-git"
    }
    if says("could not resolve", "failed to connect", "timed out", "connection refused", "unreachable") {
      return "check the network, then run the command again"
    }
    if says("no space left", "disk quota") { return "free some space, then run the command again" }
    return "see all messages with: git clone \(source.url)"
  }
}
