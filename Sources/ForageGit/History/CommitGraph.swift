/// A commit graph of integers in memory, fully walked or loaded lazily.
///
/// Commits that a commit-graph file has are loaded from it; the objects of others are read once. Commits are
/// numbered in the order in which they are found.
package struct CommitGraph {
  /// The commits between two polls of `isCancelled`: some 5 ms.
  static let cancellationStride = 4096
  /// The most commits, which are numbered by 32 bits; the largest known history has some 10 million.
  static let commitLimit = Int(Int32.max) / 2
  /// The most parents, whose positions have 32 bits. One batch adds at most 1,025 times
  /// ``CommitScan/parentLimit``, far less than the other half of the range.
  static let edgeLimit = Int(Int32.max) / 2

  struct Node: Sendable {
    var committedAt: Int64 = 0
    /// The index of the first parent; -1 if the commit is not loaded.
    var parentStart: Int32 = -1
    var parentCount: Int32 = 0
  }

  private(set) var table = IDTable()
  private(set) var nodes: [Node] = []
  private(set) var parents: [Int32] = []
  private(set) var head = 0
  /// The number of commits reachable from the first tip once all are walked; their numbers are below it.
  package private(set) var headCount = 0
  /// The number of those with several parents.
  package private(set) var mergeCount = 0
  /// The tally of the authors of those commits; nil if it was not requested.
  package internal(set) var tally: CommitTally?

  let file: CommitGraphFile?
  let repository: GitRepository
  /// The shallow boundary: commits whose parents are absent.
  let shallow: Set<ObjectID>
  /// The number by position in the file, or -1.
  private var numberOfPosition: [Int32]
  /// The position in the file by number, or -1; empty without a file.
  private(set) var positionOfNumber: [Int32] = []

  /// Whether the history ends at a commit that is missing or damaged; otherwise a walk fails there.
  let skipsDamage: Bool
  /// The number of such commits, and why the first of them could not be read; nil if there is none.
  package private(set) var unread: (count: Int, reason: GitError)?
  /// The date of such commits.
  static let unreadDate = Int64.min
  /// The number of commits reachable from the first tip that could be read, once all are walked.
  package var commitCount: Int { headCount - (unread?.count ?? 0) }

  /// Creates a graph with a tip; commits are loaded when a search reaches them.
  package init(lazilyFrom tip: ObjectID, in repository: GitRepository, usesFile: Bool = true) {
    self.init(tip, repository, usesFile: usesFile, skipsDamage: false)
  }

  private init(_ tip: ObjectID, _ repository: GitRepository, usesFile: Bool, skipsDamage: Bool) {
    self.repository = repository
    self.skipsDamage = skipsDamage
    file = usesFile ? repository.commitGraphFile() : nil
    shallow = repository.shallow
    numberOfPosition = [Int32](repeating: -1, count: file?.count ?? 0)
    head = Int(insert(tip).number)
  }

  /// Creates a graph and walks everything reachable from a commit.
  ///
  /// - Parameters:
  ///   - tallies: whether to read the authors, too; without, a commit-graph file makes it unnecessary to read
  ///     objects.
  ///   - lastMonday: the Monday of the last week of the tally, in days since 1970.
  ///   - skipsDamage: whether the history ends at commits that are missing or damaged, which ``unread`` counts.
  package init(
    from tip: ObjectID, in repository: GitRepository, tallies: Bool = true, lastMonday: Int64 = 0,
    skipsDamage: Bool = false, isCancelled: () -> Bool
  ) throws(GitError) {
    var graph = CommitGraph(lazilyFrom: tip, in: repository)
    do throws(GitError) {
      try graph.walkAll(tallies ? lastMonday : nil, isCancelled)
    } catch {
      guard error.code != .cancelled, graph.file != nil || skipsDamage && error.isDamage else { throw error }
      // The file and the objects may disagree; the objects have precedence.
      graph = CommitGraph(tip, repository, usesFile: false, skipsDamage: skipsDamage)
      try graph.walkAll(tallies ? lastMonday : nil, isCancelled)
    }
    self = graph
  }

  private mutating func walkAll(_ lastMonday: Int64?, _ isCancelled: () -> Bool) throws(GitError) {
    tally = lastMonday.map { CommitTally(lastMonday: $0) }
    try walk(isCancelled)
    headCount = nodes.count
    mergeCount = nodes.count { $0.parentCount > 1 }
    try tallyFile(isCancelled)
  }

  func number(of id: ObjectID) -> Int? {
    if let position = file?.position(of: id) {
      let number = numberOfPosition[position]
      return number < 0 ? nil : Int(number)
    }
    return table.number(of: id).map { Int($0) }
  }

  /// Returns the number of a tag's target, which a lazy graph assigns now; nil if `HEAD` does not reach it.
  mutating func insertTagTarget(_ id: ObjectID) -> Int? {
    if headCount == 0 { return Int(insert(id).number) }
    return number(of: id).flatMap { $0 < headCount ? $0 : nil }
  }

  @inline(__always) func id(_ number: Int) -> ObjectID { table.ids[number] }

  @inline(__always) func parents(of number: Int) -> ArraySlice<Int32> {
    let node = nodes[number]
    guard node.parentCount > 0 else { return [] }
    return parents[Int(node.parentStart)..<Int(node.parentStart + node.parentCount)]
  }

  /// Assigns a number to a commit; commits of the file are found through the file only.
  @inline(__always) mutating func insert(_ id: ObjectID) -> (number: Int32, isNew: Bool) {
    if let file, let position = file.position(of: id) { return insert(position: position, file) }
    let (number, isNew) = table.insert(id)
    if isNew {
      nodes.append(Node())
      if file != nil { positionOfNumber.append(-1) }
    }
    return (number, isNew)
  }

  @inline(__always)
  private mutating func insert(position: Int, _ file: CommitGraphFile) -> (number: Int32, isNew: Bool) {
    let known = numberOfPosition[position]
    if known >= 0 { return (known, false) }
    let number = table.append(file.id(position))
    numberOfPosition[position] = number
    positionOfNumber.append(Int32(truncatingIfNeeded: position))
    nodes.append(Node())
    return (number, true)
  }

  /// Loads a commit unless it is loaded: numbers its parents and sets its date.
  ///
  /// - Parameter found: called with each parent that is new to the graph.
  @inline(__always) mutating func load(_ number: Int, _ found: (Int32) -> Void = { _ in }) throws(GitError) {
    guard nodes[number].parentStart < 0 else { return }
    try checkLimits()
    if let file, positionOfNumber[number] >= 0 {
      loadFromFile(number, file, found)
    } else {
      do throws(GitError) {
        try loadObject(number, found)
      } catch {
        guard skipsDamage, error.isDamage, number != head else { throw error }
        nodes[number] = begin(Self.unreadDate)
        unread = ((unread?.count ?? 0) + 1, unread?.reason ?? error)
      }
    }
  }

  /// Loads a commit unless it is missing or damaged; returns whether it could be read.
  ///
  /// - Throws: `missingObject` and `corrupt` for the first tip only, `tooLarge`.
  mutating func canLoad(_ number: Int) throws(GitError) -> Bool {
    do throws(GitError) {
      try load(number)
    } catch {
      guard error.isDamage, number != head else { throw error }
      return false
    }
    return nodes[number].committedAt != Self.unreadDate
  }

  @inline(__always)
  private mutating func loadFromFile(_ number: Int, _ file: CommitGraphFile, _ found: (Int32) -> Void) {
    let position = Int(positionOfNumber[number])
    var node = begin(file.committedAt(position))
    file.forEachParent(position) { parent in
      let (parentNumber, isNew) = insert(position: parent, file)
      parents.append(parentNumber)
      node.parentCount += 1
      if isNew { found(parentNumber) }
    }
    nodes[number] = node
  }

  @inline(__always)
  private mutating func loadObject(_ number: Int, _ found: (Int32) -> Void) throws(GitError) {
    let id = table.ids[number]
    let isShallow = isShallow(id)
    try repository.withCommit(id) { bytes, scan in
      addObject(number, bytes, scan, isShallow: isShallow, found) ? () : nil
    }
  }

  /// Adds a commit object; false if the id of a parent is invalid.
  @inline(__always) private mutating func addObject(
    _ number: Int, _ bytes: CheckedBytes, _ scan: CommitScan, isShallow: Bool,
    _ found: (Int32) -> Void
  ) -> Bool {
    var node = begin(scan.committedAt)
    if !isShallow {
      for index in 0..<scan.parentCount {
        guard let parent = CommitScan.parent(index, bytes) else { return false }
        link(parent, &node, found)
      }
    }
    nodes[number] = node
    tally?.add(bytes, scan)
    return true
  }

  @inline(__always)
  mutating func add(_ number: Int, committedAt: Int64, _ ids: ArraySlice<ObjectID>, _ found: (Int32) -> Void)
  {
    var node = begin(committedAt)
    for parent in ids { link(parent, &node, found) }
    nodes[number] = node
  }

  @inline(__always) private func begin(_ committedAt: Int64) -> Node {
    Node(committedAt: committedAt, parentStart: Int32(truncatingIfNeeded: parents.count))
  }

  @inline(__always)
  private mutating func link(_ parent: ObjectID, _ node: inout Node, _ found: (Int32) -> Void) {
    let (number, isNew) = insert(parent)
    parents.append(number)
    node.parentCount += 1
    if isNew { found(number) }
  }

  @inline(__always) func isShallow(_ id: ObjectID) -> Bool { !shallow.isEmpty && shallow.contains(id) }

  @inline(__always) func checkLimits() throws(GitError) {
    guard nodes.count < Self.commitLimit else {
      throw GitError(.tooLarge, "the history has more than \(Self.commitLimit) commits")
    }
    guard parents.count < Self.edgeLimit else {
      throw GitError(.tooLarge, "the commits have more than \(Self.edgeLimit) parents together")
    }
  }
}
