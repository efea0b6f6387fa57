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
}
