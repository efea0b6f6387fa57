/// What one author has in a history.
package struct AuthorStatistics: Sendable, Hashable {
  /// The proper name, in UTF-8 bytes as recorded or mapped.
  package let name: [UInt8]
  /// The proper e-mail.
  package let email: [UInt8]
  /// The number of commits, merges counted.
  package var commits: Int
  /// The earliest author time, seconds since 1970.
  package var firstAt: Int64
  /// The latest author time, seconds since 1970.
  package var lastAt: Int64
}

extension CommitGraph {
  /// The authors of all commits reachable from the first tip, as `git shortlog -sne` counts them: most
  /// commits
  /// first, then by the bytes of name and e-mail.
  package func authors(_ mailmap: Mailmap) -> [AuthorStatistics] {
    var byKey: [[UInt8]: Int] = [:]
    var authors: [AuthorStatistics] = []
    var authorOf = [Int](repeating: -1, count: identities.count)
    for number in 0..<headCount {
      let node = nodes[number]
      guard node.author >= 0 else { continue }
      let identity = Int(node.author)
      if authorOf[identity] < 0 {
        let (name, email) = proper(identities.text(identity), mailmap)
        let key = name + [0] + email
        let author = byKey[key] ?? authors.count
        if author == authors.count {
          byKey[key] = author
          authors.append(
            AuthorStatistics(
              name: name, email: email, commits: 0, firstAt: node.authoredAt, lastAt: node.authoredAt))
        }
        authorOf[identity] = author
      }
      let author = authorOf[identity]
      authors[author].commits += 1
      if node.authoredAt < authors[author].firstAt { authors[author].firstAt = node.authoredAt }
      if node.authoredAt > authors[author].lastAt { authors[author].lastAt = node.authoredAt }
    }
    return authors.sorted { left, right in
      if left.commits != right.commits { return left.commits > right.commits }
      if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
      return left.email.lexicographicallyPrecedes(right.email)
    }
  }

  /// The commit without parents that has the earliest author time, of those that the first tip reaches; of
  /// several
  /// the one with the smallest id.
  package var first: ObjectID? {
    var best: Int?
    for number in 0..<headCount where nodes[number].parentCount == 0 {
      guard let current = best else {
        best = number
        continue
      }
      let (new, old) = (nodes[number].authoredAt, nodes[current].authoredAt)
      if new < old || new == old && id(number) < id(current) { best = number }
    }
    return best.map { id($0) }
  }

  private func proper(_ text: [UInt8], _ mailmap: Mailmap) -> (name: [UInt8], email: [UInt8]) {
    let pair: ([UInt8], [UInt8]) = text.withUnsafeBytes { raw in
      guard let ident = Ident(raw) else { return ([UInt8](raw), []) }
      return ([UInt8](raw[ident.name]), [UInt8](raw[ident.email]))
    }
    return mailmap.resolve(name: pair.0, email: pair.1)
  }
}
