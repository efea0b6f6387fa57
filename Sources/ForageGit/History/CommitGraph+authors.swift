/// The statistics of an author.
package struct AuthorStatistics: Sendable, Hashable {
  /// The name after the mailmap is applied, in UTF-8.
  package let name: [UInt8]
  /// The e-mail after the mailmap is applied.
  package let email: [UInt8]
  /// The number of commits, merges included.
  package var commits: Int
  /// The earliest author date, in seconds since 1970.
  package var firstAt: Int64
  /// The latest author date, in seconds since 1970.
  package var lastAt: Int64
}

extension CommitTally {
  /// Returns the authors as `git shortlog -sne` counts them: most commits first, then by the bytes of
  /// `Name <email>`.
  package func authors(_ mailmap: Mailmap) -> [AuthorStatistics] {
    var byKey: [[UInt8]: Int] = [:]
    var authors: [(key: [UInt8], statistics: AuthorStatistics)] = []
    for (number, record) in records.enumerated() where record.commits > 0 {
      let (name, email) = proper(text(of: number), mailmap)
      let key = name + [UInt8(ascii: " "), UInt8(ascii: "<")] + email
      if let known = byKey[key] {
        authors[known].statistics.commits += record.commits
        authors[known].statistics.firstAt = min(authors[known].statistics.firstAt, record.firstAt)
        authors[known].statistics.lastAt = max(authors[known].statistics.lastAt, record.lastAt)
      } else {
        byKey[key] = authors.count
        let statistics = AuthorStatistics(
          name: name, email: email, commits: record.commits, firstAt: record.firstAt, lastAt: record.lastAt)
        // The `>` matters for the order if one text is a prefix of another.
        authors.append((key + [UInt8(ascii: ">")], statistics))
      }
    }
    authors.sort { left, right in
      if left.statistics.commits != right.statistics.commits {
        return left.statistics.commits > right.statistics.commits
      }
      return left.key.lexicographicallyPrecedes(right.key)
    }
    return authors.map(\.statistics)
  }

  private func proper(_ text: [UInt8], _ mailmap: Mailmap) -> (name: [UInt8], email: [UInt8]) {
    let pair: ([UInt8], [UInt8]) = text.withUnsafeBytes { raw in
      guard let ident = Ident(CheckedBytes(raw)) else { return ([UInt8](raw), []) }
      return ([UInt8](raw[ident.name]), [UInt8](raw[ident.email]))
    }
    return mailmap.resolve(name: pair.0, email: pair.1)
  }
}

extension CommitGraph {
  /// Returns the authors of all commits reachable from the first tip; empty if the graph has no tally.
  package func authors(_ mailmap: Mailmap) -> [AuthorStatistics] { tally?.authors(mailmap) ?? [] }

  /// Returns the root commit with the earliest author date among those reachable from the first tip; of
  /// several the one with the smallest id.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  package func first() throws(GitError) -> ObjectID? {
    // Older ones may be behind a commit that could not be read.
    if unread != nil { return nil }
    var best: (time: Int64, id: ObjectID)?
    for number in 0..<headCount where nodes[number].parentCount == 0 {
      let id = id(number)
      let time: Int64 = try repository.withCommit(id) { _, scan in scan.authoredAt }
      if let best, (best.time, best.id) < (time, id) { continue }
      best = (time, id)
    }
    return best?.id
  }

  /// Returns the newest commits reachable from the first tip by committer date; of equal dates those with
  /// smaller ids.
  package func newest(_ limit: Int) -> [ObjectID] {
    // The times alone determine the threshold, so ids are compared only for the few commits at or above it.
    let times = nodes[..<headCount].map(\.committedAt)
    let least = Self.greatest(limit, of: times)
    let candidates = (0..<headCount).filter { times[$0] >= least && times[$0] != Self.unreadDate }
    let sorted = candidates.sorted { left, right in
      times[left] != times[right] ? times[left] > times[right] : id(left) < id(right)
    }
    return sorted.prefix(limit).map { id($0) }
  }

  /// Returns the smallest of the `limit` greatest numbers.
  private static func greatest(_ limit: Int, of numbers: [Int64]) -> Int64 {
    var kept: [Int64] = []
    var least = Int64.min
    for number in numbers where number > least || kept.count < limit {
      kept.append(number)
      // Pruned only at twice the limit, which keeps the cost of each number low.
      guard kept.count >= 2 * limit else { continue }
      kept.sort(by: >)
      kept.removeLast(kept.count - limit)
      least = kept.last ?? least
    }
    kept.sort(by: >)
    return kept.prefix(limit).last ?? least
  }
}

extension GitRepository {
  /// Whether a commit has a signature; the signature is not verified.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  package func isSigned(_ id: ObjectID) throws(GitError) -> Bool {
    let object = try LoadedObject(id, in: self)
    return object.withBytes { bytes in
      var lines = HeaderLines(bytes)
      while let line = lines.next() {
        if line.hasKey("gpgsig") || line.hasKey("gpgsig-sha256") { return true }
      }
      return false
    }
  }
}
