/// Commits as one graph of integers in memory: all that `HEAD` reaches, or only those that were looked at.
///
/// What a commit-graph file knows is taken from there; of other commits the object is read once. Numbers are given in
/// the order in which commits are found.
package struct CommitGraph {
  /// How often a walk asks whether to stop, in commits: some 5 ms apart.
  static let cancellationStride = 4096
  /// Commits are numbered by 32 bits; the largest known history has some 10 million.
  static let commitLimit = Int(Int32.max) / 2
  /// Positions of parents have 32 bits too; one batch adds at most 1,025 times ``CommitScan/parentLimit``, far
  /// less than the other half.
  static let edgeLimit = Int(Int32.max) / 2

  struct Node: Sendable {
    var committedAt: Int64 = 0
    /// Where its parents begin; -1 when the commit was not looked at yet.
    var parentStart: Int32 = -1
    var parentCount: Int32 = 0
  }

  private(set) var table = IDTable()
  private(set) var nodes: [Node] = []
  private(set) var parents: [Int32] = []
  /// The number of the first tip.
  private(set) var head = 0
  /// How many commits are reachable from the first tip, when all were walked; their numbers are those below it.
  package private(set) var headCount = 0
  /// How many of those have more than one parent.
  package private(set) var mergeCount = 0
  /// What the authors of those add up to; nil when that was not asked for.
  package internal(set) var tally: CommitTally?

  private(set) var file: CommitGraphFile?
  private(set) var source: CommitSource
  private(set) var packs: PackStore
  /// Commits of a shallow clone whose parents are not there.
  private(set) var shallow: Set<ObjectID>
  /// By the position in the file: the number, or -1.
  private var numberOfPosition: [Int32]
  /// By number: the position in the file, or -1; empty without a file.
  private(set) var positionOfNumber: [Int32] = []

  /// Begins with a tip and looks at nothing yet: what a search comes to, it looks at.
  ///
  /// - Parameter usesFile: whether to use the commit-graph file, when there is one.
  package init(lazilyFrom tip: ObjectID, in repository: GitRepository, usesFile: Bool = true) {
    let packs = repository.packs
    self.packs = packs
    source = CommitSource(packs) { () throws(GitError) in repository }
    file = usesFile ? repository.commitGraphFile() : nil
    shallow = repository.shallow
    numberOfPosition = [Int32](repeating: -1, count: file?.count ?? 0)
    head = Int(insert(tip).number)
  }

  /// Walks everything reachable from a commit.
  ///
  /// - Parameters:
  ///   - tallies: whether to read the authors too; without, a commit-graph file spares reading any object.
  ///   - lastMonday: the Monday of the last week of the tally, in days since 1970.
  ///   - isCancelled: asked now and then.
  /// - Throws: `missingObject`, `corrupt`, `tooLarge`, `cancelled`.
  package init(
    from tip: ObjectID, in repository: GitRepository, tallies: Bool = true, lastMonday: Int64 = 0,
    isCancelled: () -> Bool
  ) throws(GitError) {
    let lazy = CommitGraph(lazilyFrom: tip, in: repository)
    do throws(GitError) {
      self = lazy
      try walkAll(repository, tallies ? lastMonday : nil, isCancelled)
    } catch {
      guard error.code != .cancelled, lazy.file != nil else { throw error }
      // The file and the objects do not agree: what the objects say holds.
      self = CommitGraph(lazilyFrom: tip, in: repository, usesFile: false)
      try walkAll(repository, tallies ? lastMonday : nil, isCancelled)
    }
  }

  private mutating func walkAll(
    _ repository: GitRepository, _ lastMonday: Int64?, _ isCancelled: () -> Bool
  ) throws(GitError) {
    tally = lastMonday.map { CommitTally(lastMonday: $0) }
    try walk(from: head, repository, isCancelled)
    headCount = nodes.count
    mergeCount = nodes.count { $0.parentCount > 1 }
    try tallyFile(repository, isCancelled)
  }

  /// Walks what is reachable from another commit and not in the graph yet.
  ///
  /// - Returns: the number of the commit.
  /// - Throws: as ``init(from:in:tallies:lastMonday:isCancelled:)``.
  @discardableResult
  package mutating func extend(
    from tip: ObjectID, in repository: GitRepository, isCancelled: () -> Bool
  ) throws(GitError) -> Int {
    let (start, isNew) = insert(tip)
    guard isNew else { return Int(start) }
    // Only what the first tip reaches is counted.
    let counted = tally
    tally = nil
    defer { tally = counted }
    try walk(from: Int(start), repository, isCancelled)
    return Int(start)
  }

  /// The number of a commit; nil when it is not in the graph.
  func number(of id: ObjectID) -> Int? {
    if let position = file?.position(of: id) {
      let number = numberOfPosition[position]
      return number < 0 ? nil : Int(number)
    }
    return table.number(of: id).map { Int($0) }
  }

  /// The number that a tag's target has or will have when a search comes to it; nil when none will.
  mutating func insertTagTarget(_ id: ObjectID) -> Int? {
    if headCount == 0 { return Int(insert(id).number) }
    return number(of: id).flatMap { $0 < headCount ? $0 : nil }
  }

  /// The id of a number.
  @inline(__always)
  func id(_ number: Int) -> ObjectID { table.ids[number] }

  /// The parents of a number that was looked at.
  @inline(__always)
  func parents(of number: Int) -> ArraySlice<Int32> {
    let node = nodes[number]
    guard node.parentCount > 0 else { return [] }
    return parents[Int(node.parentStart)..<Int(node.parentStart + node.parentCount)]
  }

  /// Numbers a commit; what the file has is found there and nowhere else.
  @inline(__always)
  mutating func insert(_ id: ObjectID) -> (number: Int32, isNew: Bool) {
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

  /// Looks at a commit unless that was done: its parents get numbers, and its time is known.
  ///
  /// - Parameter found: is called with each parent that is new to the graph.
  /// - Throws: `missingObject`, `corrupt`, `tooLarge`.
  @inline(__always)
  mutating func load(_ number: Int, _ found: (Int32) -> Void = { _ in }) throws(GitError) {
    guard nodes[number].parentStart < 0 else { return }
    try checkLimits()
    if let file, positionOfNumber[number] >= 0 {
      loadFromFile(number, file, found)
    } else {
      try loadObject(number, found)
    }
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
    let isCut = isCut(id)
    try source.withCommit(id) { bytes, scan in
      addObject(number, bytes, scan, isCut: isCut, found) ? () : nil
    }
  }

  /// Takes up a commit's bytes; false when a parent's id is none.
  @inline(__always)
  private mutating func addObject(
    _ number: Int, _ bytes: UnsafeRawBufferPointer, _ scan: CommitScan, isCut: Bool, _ found: (Int32) -> Void
  ) -> Bool {
    var node = begin(scan.committedAt)
    if !isCut {
      for index in 0..<scan.parentCount {
        guard let parent = CommitScan.parent(index, bytes) else { return false }
        link(parent, &node, found)
      }
    }
    nodes[number] = node
    tally?.add(bytes, scan)
    return true
  }

  /// Takes up a commit that another thread read.
  @inline(__always)
  mutating func add(_ number: Int, committedAt: Int64, _ ids: ArraySlice<ObjectID>, _ found: (Int32) -> Void)
  {
    var node = begin(committedAt)
    for parent in ids { link(parent, &node, found) }
    nodes[number] = node
  }

  @inline(__always)
  private func begin(_ committedAt: Int64) -> Node {
    Node(committedAt: committedAt, parentStart: Int32(truncatingIfNeeded: parents.count))
  }

  @inline(__always)
  private mutating func link(_ parent: ObjectID, _ node: inout Node, _ found: (Int32) -> Void) {
    let (number, isNew) = insert(parent)
    parents.append(number)
    node.parentCount += 1
    if isNew { found(number) }
  }

  /// Whether a shallow clone ends at a commit.
  @inline(__always)
  func isCut(_ id: ObjectID) -> Bool { !shallow.isEmpty && shallow.contains(id) }

  @inline(__always)
  func checkLimits() throws(GitError) {
    guard nodes.count < Self.commitLimit else {
      throw GitError(.tooLarge, "the history has more than \(Self.commitLimit) commits")
    }
    guard parents.count < Self.edgeLimit else {
      throw GitError(.tooLarge, "the commits have more than \(Self.edgeLimit) parents together")
    }
  }
}
