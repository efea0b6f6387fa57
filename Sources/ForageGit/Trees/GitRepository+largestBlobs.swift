extension GitRepository {
  /// Finds the largest blobs of a history, each with the oldest commit that has it.
  ///
  /// Reads every tree of the history: 80,000 commits of 5,000 files take some seconds on two threads and some
  /// 100 MB. Missing and invalid objects are counted.
  ///
  /// - Parameters:
  ///   - tip: the commit whose history is searched.
  ///   - limit: the most blobs in the result.
  ///   - limits: the limits of the comparison; only tests use others than ``DifferenceLimits/standard``.
  ///   - isCancelled: polled every millisecond on the calling thread; true cancels.
  /// - Throws: `missingObject` and `corrupt` for the tip, `tooLarge`, `cancelled`.
  package func largestBlobs(
    from tip: ObjectID, limit: Int = 10, limits: DifferenceLimits = .standard,
    isCancelled: () -> Bool = { false }
  ) throws(GitError) -> LargestBlobs {
    // More does not fit into a report, and sums cannot overflow.
    let limit = min(max(0, limit), 1 << 20)
    var walk = try DateWalk(from: tip, in: self)
    var steps: [(number: Int32, parent: Int32)] = []
    while let step = try walk.next() {
      if isCancelled() { throw .cancelled }
      steps.append((Int32(truncatingIfNeeded: step.number), Int32(truncatingIfNeeded: step.parent ?? -1)))
    }
    steps.reverse()
    var placeOf = [Int32](repeating: -1, count: walk.count)
    for (place, step) in steps.enumerated() { placeOf[Int(step.number)] = Int32(truncatingIfNeeded: place) }
    let jobs = steps.enumerated().map { place, step in
      let base = step.parent < 0 ? -1 : placeOf[Int(step.parent)]
      return BlobSearch.Job(tree: walk.tree(Int(step.number)), base: base < place ? base : -1)
    }
    let search = BlobSearch(jobs, count: limit, limits: limits)
    let outcomes = try search.run(in: self, isCancelled: isCancelled)
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
          commit: walk.id(Int(steps[Int($0.commit)].number)))
      },
      missing: Set(outcomes.flatMap(\.missing)).count, unreadable: outcomes.reduce(0) { $0 + $1.unreadable },
      lost: walk.unread.count)
  }
}
