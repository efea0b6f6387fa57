extension CommitGraph {
  /// The commits that a thread compares at a time, some milliseconds of work; the tree of one is mostly the
  /// parent tree of the next.
  private static let churnPortion = 32

  /// Counts how often the newest commits changed each file, like
  /// `git log --no-merges --name-only --no-renames --format= -1000`.
  ///
  /// Merges are omitted. A root commit, and one at the shallow boundary, changes all its files. Changes of
  /// type and mode count, and those of submodules. Authors are those of `--format=%aN`.
  ///
  /// - Parameters:
  ///   - limit: the most commits; `.max` for all, which takes 35 times as long as 1,000 on a long history.
  ///   - files: the most files in the result.
  /// - Throws: `missingObject` and `corrupt` for the tip (others, and trees, are only counted), `tooLarge`,
  ///   `cancelled`.
  package mutating func churn(
    commits limit: Int = 1000, files: Int = 20, limits: DifferenceLimits = .standard,
    isCancelled: () -> Bool = { false }
  ) throws(GitError) -> Churn {
    var walk = try LogWalk(&self)
    var churn = Churn()
    var found: [(old: ObjectID?, new: ObjectID)] = []
    while churn.commits < limit, let step = try walk.next(&self) {
      if isCancelled() { throw .cancelled }
      let parents = parents(of: step.number)
      if parents.count > 1 { continue }
      churn.commits += 1
      if step.isCut {
        churn.unreadable += 1
      } else {
        found.append((parents.first.map { id(Int($0)) }, id(step.number)))
      }
    }
    churn.lost = walk.lost
    let jobs = found
    var parts = try SharedWork.run(
      jobs.count, by: Self.churnPortion, from: 2 * Self.churnPortion, in: repository,
      isCancelled: isCancelled
    ) { (repository, next, isCancelled) throws(GitError) in
      var counts = ChurnCounts(limits: limits)
      let difference = TreeDifference(in: repository, limits: limits)
      while let range = next() {
        for number in range {
          try counts.count(
            number, jobs[number].old, jobs[number].new, difference, isCancelled: isCancelled)
        }
      }
      return counts
    }
    for other in parts.dropFirst() { parts[0].add(other) }
    churn.unreadable += parts[0].unreadable
    let (repository, mailmap) = (repository, repository.mailmap())
    churn.files = parts[0].top(files) { number in
      // It was read before, for its tree.
      guard let commit = try? repository.commit(jobs[number].new) else { return nil }
      return mailmap.resolve(name: commit.authorName, email: commit.authorEmail).name
    }
    return churn
  }
}
