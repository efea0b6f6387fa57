extension CommitGraph {
  /// Finds the largest blobs of the history, each with the oldest commit that has it.
  ///
  /// Reads every tree of the history: 80,000 commits of 5,000 files take some seconds on two threads and some
  /// 100 MB. Missing and invalid objects are counted.
  ///
  /// - Parameters:
  ///   - limit: the most blobs in the result.
  ///   - limits: the limits of the comparison; only tests use others than ``DifferenceLimits/standard``.
  ///   - isCancelled: polled every millisecond on the calling thread; true cancels.
  /// - Throws: `missingObject` and `corrupt` for the tip, `tooLarge`, `cancelled`.
  package mutating func largestBlobs(
    limit: Int = 10, limits: DifferenceLimits = .standard, isCancelled: () -> Bool = { false }
  ) throws(GitError) -> LargestBlobs {
    // More does not fit into a report, and sums cannot overflow.
    let limit = min(max(0, limit), 1 << 20)
    var walk = try LogWalk(&self)
    var order: [Int] = []
    while let step = try walk.next(&self) {
      if isCancelled() { throw .cancelled }
      order.append(step.number)
    }
    order.reverse()
    var placeOf = [Int](repeating: -1, count: nodes.count)
    for (place, number) in order.enumerated() { placeOf[number] = place }
    let commits = order.enumerated().map { place, number in
      let base = parents(of: number).first.map { placeOf[Int($0)] } ?? -1
      return BlobSearch.Commit(id: id(number), base: Int32(truncatingIfNeeded: base < place ? base : -1))
    }
    let search = BlobSearch(commits: commits, count: limit, limits: limits)
    let outcomes = try search.run(in: repository, isCancelled: isCancelled)
    var found: [ObjectID: BlobSearch.Candidate] = [:]
    for candidate in outcomes.flatMap(\.candidates) {
      if let known = found[candidate.id], known.commit <= candidate.commit { continue }
      found[candidate.id] = candidate
    }
    let sorted = found.values.sorted { $0.bytes != $1.bytes ? $0.bytes > $1.bytes : $0.id < $1.id }
    return LargestBlobs(
      blobs: sorted.prefix(limit).map {
        LargestBlobs.Blob(
          path: String(decoding: $0.path, as: UTF8.self), bytes: $0.bytes, id: $0.id,
          commit: commits[Int($0.commit)].id)
      },
      missing: Set(outcomes.flatMap(\.missing)).count, unreadable: outcomes.reduce(0) { $0 + $1.unreadable },
      lost: walk.lost)
  }
}
