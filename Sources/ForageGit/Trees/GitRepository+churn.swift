extension GitRepository {
  /// Counts how often the newest commits changed each file, like
  /// `git log --no-merges --name-only --no-renames --format= -1000`.
  ///
  /// Merges are omitted. A root commit, and one at the shallow boundary, changes all its files. Changes of
  /// type and mode count, and those of submodules.
  ///
  /// - Parameters:
  ///   - tip: the commit to start from.
  ///   - limit: the most commits; `.max` for all, which takes 35 times as long as 1,000 on a long history and
  ///     needs some 100 bytes of memory for each commit.
  ///   - files: the most files in the result.
  ///   - limits: the limits of the comparison; only tests use others than ``DifferenceLimits/standard``.
  ///   - isCancelled: polled every millisecond on the calling thread; true cancels.
  /// - Throws: `missingObject` and `corrupt` for the tip (others, and trees, are only counted), `tooLarge`,
  ///   `cancelled`.
  package func churn(
    from tip: ObjectID, commits limit: Int = 1000, files: Int = 20,
    limits: DifferenceLimits = .standard, isCancelled: () -> Bool = { false }
  ) throws(GitError) -> Churn {
    var walk = try DateWalk(from: tip, in: self)
    let difference = TreeDifference(in: self, limits: limits)
    var counts = ChurnCounts(limits: limits)
    let jobs = ChurnJobs()
    var isShared = false
    var looked = 0
    var cut = 0
    var batch: [ChurnJob] = []
    do throws(GitError) {
      while looked < limit, let step = try walk.next() {
        if isCancelled() { throw .cancelled }
        if step.isMerge { continue }
        looked += 1
        if step.isCut {
          cut += 1
          continue
        }
        batch.append(ChurnJob(old: step.parent.map { walk.tree($0) }, new: walk.tree(step.number)))
        guard batch.count == ChurnJobs.batchSize else { continue }
        let waiting = jobs.add(batch)
        batch = []
        // Starting a second thread costs some hundred microseconds, too much for a handful of commits.
        if !isShared, waiting > 1 {
          jobs.start(reopening, limits: limits)
          isShared = true
        }
        guard !jobs.hasFailed else { break }
        guard waiting > ChurnJobs.waitingLimit, let oldest = jobs.take() else { continue }
        for job in oldest { try counts.count(job, difference, isCancelled: isCancelled) }
      }
      if !batch.isEmpty { _ = jobs.add(batch) }
      while !jobs.hasFailed, let next = jobs.take() {
        for job in next { try counts.count(job, difference, isCancelled: isCancelled) }
      }
    } catch {
      jobs.stop()
      if isShared { _ = try? jobs.finish { false } }
      throw error
    }
    jobs.close()
    if isShared, let others = try jobs.finish(isCancelled: isCancelled) { counts.add(others) }
    return Churn(
      commits: looked, unreadable: counts.unreadable + cut, lost: walk.unread.count, files: counts.top(files))
  }
}
