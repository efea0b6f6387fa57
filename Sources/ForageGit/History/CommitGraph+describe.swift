struct DescribeName: Sendable {
  let name: String
  /// The object of an annotated tag; nil for a lightweight one.
  let tag: ObjectID?
}

extension CommitGraph {
  /// Git's default for `git describe --candidates`.
  private static let candidateLimit = 10

  /// A tag, and the number of visited commits that it does not reach.
  private struct Candidate {
    let name: DescribeName
    var depth: Int
    let mark: UInt32
  }

  /// Finds the nearest tag and its distance from the first tip, as `git describe --tags` does (git's
  /// builtin/describe.c): visits commits by date, collects at most ten candidates, and counts the commits that
  /// each does not reach.
  ///
  /// - Parameter tags: tag names by the number of the commit that they point to.
  /// - Returns: nil if no tag is reachable.
  mutating func describe(_ tags: [Int: DescribeName], isCancelled: () -> Bool) throws(GitError) -> (
    name: DescribeName, distance: Int
  )? {
    if tags.isEmpty { return nil }
    if let exact = tags[head] { return (exact, 0) }
    var candidates: [Candidate] = []
    var best: Candidate? { candidates.min { $0.depth < $1.depth } }
    var isFull = false
    var walk = MarkedWalk()
    try walk.add(1, to: head, &self)
    var seen = 0
    while let number = walk.pop() {
      seen += 1
      if seen % Self.cancellationStride == 0, isCancelled() { throw .cancelled }
      if !isFull, let name = tags[number] {
        if let best, candidates.count == Self.candidateLimit {
          // Git counts the other commits, with this one, for the best candidate only.
          (isFull, candidates) = (true, [best])
          walk.putBack(number, self)
          continue
        }
        let mark: UInt32 = 2 << UInt32(candidates.count)
        candidates.append(Candidate(name: name, depth: seen - 1, mark: mark))
        walk.mark(number, mark)
      }
      for index in candidates.indices where walk.marks[number] & candidates[index].mark == 0 {
        candidates[index].depth += 1
      }
      // What the best candidate reaches, as far as it has been visited.
      let reached = best.flatMap { walk.marks[number] & $0.mark != 0 ? $0.mark : nil }
      // If that is all of the queue, its depth no longer grows, and later candidates have at least as many.
      if let reached, walk.isEmpty || seen % MarkedWalk.stride == 0, walk.isQueueMarked(reached) { break }
      // What is behind a candidate does not count for it.
      try walk.passOn(number, &self) { _ in reached != nil }
    }
    return best.map { ($0.name, $0.depth) }
  }
}
