/// A walk over a graph in the order of `git log`: of the known commits the newest by committer date, equal dates
/// in order of discovery (git's `commit_list_insert_by_date`).
struct LogWalk {
  private enum State: UInt8 { case unknown, read, lost }

  /// By the number of the commit.
  private var states: [State] = []
  private var queue = DateQueue<UInt64>()
  /// The number of commits that are missing or damaged; the walk does not go behind them.
  private(set) var lost = 0

  init(_ graph: inout CommitGraph) throws(GitError) {
    _ = try add(graph.head, &graph)
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
      // Git orders by an unsigned number, so that a date before 1970 is later than all others.
      queue.push(number, date: UInt64(bitPattern: graph.nodes[number].committedAt))
    } else {
      lost += 1
    }
    return isRead
  }
}
