/// Every commit that `HEAD` reaches, as `git log` tells.
struct History {
  /// A commit.
  struct Commit {
    var id: String
    var parents: Int
    /// `Name <email>`, mailmap applied.
    var author: String
    /// Seconds since 1970; nil when git cannot read the time.
    var authoredAt: Int?
    /// `2026-01-05 17:04:05 +0100`, the author's own time.
    var ownTime: String
  }

  let commits: [Commit]

  /// Reads the log; nil when git fails.
  init?(_ git: Git) async throws {
    let format = "%H%x00%P%x00%aN <%aE>%x00%at%x00%ai"
    guard let bytes = try await git.bytes(["log", "--use-mailmap", "--format=\(format)", "HEAD"]) else {
      return nil
    }
    commits = bytes.pieces(of: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: 0, omittingEmptySubsequences: false)
      guard fields.count == 5 else { return nil }
      return Commit(
        id: fields[0].text, parents: fields[1].split(separator: UInt8(ascii: " ")).count,
        author: fields[2].text,
        authoredAt: fields[3].number, ownTime: fields[4].text)
    }
  }
}
