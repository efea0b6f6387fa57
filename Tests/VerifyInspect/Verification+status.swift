extension Verification {
  /// What differs between commit, index and work tree.
  mutating func status() async throws {
    let printed = try await git.bytes([
      "--no-optional-locks", "status", "--porcelain=v2", "--untracked-files=all", "--ignored=no", "-z",
    ])
    let counts = printed.map(StatusCounts.init)
    comparison.value("status.staged", told.status?.staged, counts?.staged, canTell: false)
    comparison.value("status.unstaged", told.status?.unstaged, counts?.unstaged, canTell: false)
    comparison.value("status.untracked", told.status?.untracked, counts?.untracked, canTell: false)
    comparison.value("status.conflicted", told.status?.conflicted, counts?.conflicted, canTell: false)
    comparison.value("status.clean", told.status?.clean, counts?.isClean, canTell: false)
  }
}

/// The paths of `git status --porcelain=v2 -z` by sort.
private struct StatusCounts {
  var staged = 0
  var unstaged = 0
  var untracked = 0
  var conflicted = 0

  var isClean: Bool { staged + unstaged + untracked + conflicted == 0 }

  init(_ bytes: [UInt8]) {
    var isOldPath = false
    for record in bytes.pieces(of: 0) {
      // What a renamed path was called before is a record of its own.
      if isOldPath {
        isOldPath = false
        continue
      }
      let start = record.prefix(4).map { Character(Unicode.Scalar($0)) }
      switch start.first {
      case "1", "2":
        if start.count == 4, start[2] != "." { staged += 1 }
        if start.count == 4, start[3] != "." { unstaged += 1 }
        isOldPath = start.first == "2"
      case "u": conflicted += 1
      case "?": untracked += 1
      default: break
      }
    }
  }
}
