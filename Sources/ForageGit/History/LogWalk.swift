/// A walk over a graph in the order of `git log`: of the known commits the newest by committer date, equal
/// dates in order of discovery (git's `commit_list_insert_by_date`).
struct LogWalk {
  private enum State: UInt8 { case unknown, read, lost }

  /// By the number of the commit.
  private var states: [State] = []
  private var queue = DateQueue()
  /// The number of commits that are missing or damaged; the walk does not go behind them.
  private(set) var lost = 0

  init(_ graph: inout CommitGraph) throws(GitError) {
    _ = try add(graph.head, &graph)
  }

  /// Adds another commit to begin at.
  mutating func begin(at commit: ObjectID, _ graph: inout CommitGraph) throws(GitError) {
    _ = try add(Int(graph.insert(commit).number), &graph)
  }

  /// Returns the next commit, and whether its first parent is missing or damaged; nil at the end.
  mutating func next(_ graph: inout CommitGraph) throws(GitError) -> (number: Int, isCut: Bool)? {
    guard let number = queue.pop() else { return nil }
    let places = graph.parents(of: number).indices
    var isCut = false
    for place in places {
      let isRead = try add(Int(graph.parents[place]), &graph)
      if place == places.lowerBound { isCut = !isRead }
    }
    return (number, isCut)
  }

  /// Loads a commit and queues it if it is new; returns whether it could be read.
  private mutating func add(_ number: Int, _ graph: inout CommitGraph) throws(GitError) -> Bool {
    if number < states.count, states[number] != .unknown { return states[number] == .read }
    let isRead = try graph.canLoad(number)
    if states.count < graph.nodes.count {
      states += repeatElement(.unknown, count: graph.nodes.count - states.count)
    }
    states[number] = isRead ? .read : .lost
    if isRead {
      queue.push(number, date: graph.nodes[number].committedAt)
    } else {
      lost += 1
    }
    return isRead
  }
}

extension CommitGraph {
  /// Returns the root commit with the earliest author date among those reachable from the first tip; of
  /// several the one with the smallest id.
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

  /// Returns the newest commits in the order of `git log`, and whether all on the way to them could be read.
  ///
  /// - Throws: `missingObject` and `corrupt` for the first tip only, `tooLarge`.
  package mutating func newest(_ limit: Int) throws(GitError) -> (ids: [ObjectID], isWhole: Bool) {
    var walk = try LogWalk(&self)
    var (ids, lost): ([ObjectID], Int) = ([], 0)
    while ids.count < limit {
      // The parents of the last one are not among the newest.
      lost = walk.lost
      guard let step = try walk.next(&self) else { break }
      ids.append(id(step.number))
    }
    return (ids, lost == 0)
  }
}
