extension CommitGraph {
  /// The size of the frontier from which a second thread is used; on a linear history it would not help.
  private static let sharedFrontier = 64
  /// The most commits in a batch for the second thread: a millisecond of work, far more than waking it costs.
  private static let batchSize = 1024

  /// Loads everything reachable from the first tip, with a second thread if there is enough work.
  mutating func walk(_ isCancelled: () -> Bool) throws(GitError) {
    var frontier = Frontier(pending: [Int32(truncatingIfNeeded: head)])
    var reader: CommitReader?
    var handed: [Int32] = []
    defer { reader?.stop() }
    var visited = 0
    while true {
      if let reader, !handed.isEmpty, frontier.pending.isEmpty || reader.isReady {
        try add(reader.take(), handed, &frontier)
        handed = []
      }
      guard let number = frontier.pending.popLast() else {
        if handed.isEmpty { break }
        continue
      }
      visited += 1
      if visited % Self.cancellationStride == 0, isCancelled() { throw .cancelled }
      // With a commit-graph file there is nothing to share, because parents are known without reading
      // objects. The other thread stops at a damaged commit.
      if handed.isEmpty, file == nil, !skipsDamage, frontier.pending.count >= Self.sharedFrontier {
        let active = reader ?? CommitReader(repository.reopening, shallow: shallow, tally?.lastMonday)
        reader = active
        handed = frontier.takeOldest(Self.batchSize)
        try checkLimits()
        active.submit(handed.map { id(Int($0)) })
      }
      let first = frontier.pending.count
      try load(Int(number)) { frontier.pending.append($0) }
      frontier.reverse(from: first)
    }
    if let counted = reader?.finish() { tally?.add(counted) }
  }

  private mutating func add(
    _ batch: CommitBatch, _ numbers: [Int32], _ frontier: inout Frontier
  ) throws(GitError) {
    var parent = 0
    for (record, number) in zip(batch.records, numbers) {
      let first = frontier.pending.count
      let ids = batch.parents[parent..<(parent + record.parentCount)]
      add(Int(number), committedAt: record.committedAt, ids) { frontier.pending.append($0) }
      frontier.reverse(from: first)
      parent += record.parentCount
    }
    if let error = batch.error { throw error }
  }

  private struct Frontier {
    /// A stack: depth first, because neighbours are close to each other in a pack.
    var pending: [Int32]

    /// Moves the first of the parents that were just added to the top.
    @inline(__always) mutating func reverse(from start: Int) {
      if pending.count - start > 1 { pending[start...].reverse() }
    }

    /// Removes up to half of the entries, from the bottom.
    mutating func takeOldest(_ limit: Int) -> [Int32] {
      let count = min(limit, pending.count / 2)
      let taken = Array(pending.prefix(count))
      pending.removeFirst(count)
      return taken
    }
  }
}

extension CommitGraph {
  /// The commits that a thread takes at a time; neighbours are close to each other in a pack.
  private static let portion = 1024
  /// The number of commits from which a second thread pays off.
  private static let sharedCount = 2048

  /// Counts the authors of the commits that were loaded from a commit-graph file, on two threads.
  ///
  /// - Throws: the errors of a walk; `corrupt` also if the file and the objects name different parents.
  mutating func tallyFile(_ isCancelled: () -> Bool) throws(GitError) {
    guard file != nil, let lastMonday = tally?.lastMonday else { return }
    let numbers = (0..<headCount).filter { positionOfNumber[$0] >= 0 }
    let (ids, nodes, parents) = (table.ids, nodes, parents)
    let parts = try SharedWork.run(
      numbers.count, by: Self.portion, from: Self.sharedCount, in: repository, isCancelled: isCancelled
    ) { (repository, next, isCancelled) throws(GitError) in
      var tally = CommitTally(lastMonday: lastMonday)
      while let range = next() {
        if isCancelled() { throw .cancelled }
        for number in numbers[range] {
          try repository.withCommit(ids[number]) { bytes, scan -> Void? in
            let (start, count) = (Int(nodes[number].parentStart), Int(nodes[number].parentCount))
            guard scan.parentCount == count,
              (0..<count).allSatisfy({ CommitScan.parent($0, bytes) == ids[Int(parents[start + $0])] })
            else { return nil }
            return tally.add(bytes, scan)
          }
        }
      }
      return tally
    }
    for part in parts { tally?.add(part) }
  }
}
