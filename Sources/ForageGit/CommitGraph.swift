import CLibGit2

/// The commits reachable from `HEAD`, and later from other tips, as one graph of integers in memory.
///
/// Each commit object is read once; parents, author and times are taken from its bytes. Numbers below
/// ``headCount`` are the commits reachable from the first tip.
package struct CommitGraph: Sendable {
  /// How often a walk asks whether to stop, in commits: about 5 ms apart.
  static let cancellationStride = 4096
  /// Commits are numbered by 32 bits; the largest known history has some 10 million.
  static let commitLimit = Int(Int32.max) / 2
  /// Positions of parents have 32 bits too; one batch adds at most 257 times ``CommitScan/parentLimit``, far
  /// less than the other half.
  static let edgeLimit = Int(Int32.max) / 2

  /// From this many open ends on, a second thread helps; on a linear history it would only cost.
  private static let sharedFrontier = 64
  /// What the second thread is given at once: some milliseconds of work, far more than waking it costs.
  private static let batchSize = 256

  struct Node: Sendable {
    var committedAt: Int64 = 0
    var authoredAt: Int64 = 0
    var parentStart: Int32 = 0
    var parentCount: Int32 = 0
    /// Number in `identities`; -1 when the commit names no author.
    var author: Int32 = -1
  }

  private(set) var table = IDTable()
  private(set) var nodes: [Node] = []
  private(set) var parents: [Int32] = []
  private(set) var identities = IdentityTable()
  /// How many commits are reachable from the first tip.
  package private(set) var headCount = 0
  /// How many of those have more than one parent.
  package private(set) var mergeCount = 0

  /// Walks everything reachable from a commit.
  ///
  /// - Throws: `missingObject`, `corrupt`, `tooLarge`, `cancelled`.
  package init(
    from tip: ObjectID, in repository: GitRepository, isCancelled: () -> Bool
  ) throws(GitError) {
    try extend(from: tip, in: repository, isCancelled: isCancelled)
    headCount = nodes.count
    mergeCount = nodes.count { $0.parentCount > 1 }
  }

  /// Walks what is reachable from another commit and not in the graph yet.
  ///
  /// - Returns: the number of the commit.
  /// - Throws: as ``init(from:in:isCancelled:)``.
  @discardableResult
  package mutating func extend(
    from tip: ObjectID, in repository: GitRepository, isCancelled: () -> Bool
  ) throws(GitError) -> Int {
    let (start, isNew) = table.insert(tip)
    guard isNew else { return Int(start) }
    nodes.append(Node())
    var walk = Walk(pending: [start], shallow: repository.shallow)
    var reader: CommitReader?
    var handed: [Int32] = []
    defer { reader?.stop() }
    var visited = 0
    while true {
      if let reader, !handed.isEmpty, walk.pending.isEmpty || reader.isReady {
        try add(reader.take(), handed, &walk)
        handed = []
      }
      guard let number = walk.pending.popLast() else {
        if handed.isEmpty { break }
        continue
      }
      visited += 1
      if visited % Self.cancellationStride == 0, isCancelled() { throw .cancelled }
      guard nodes.count < Self.commitLimit else {
        throw GitError(.tooLarge, "the history has more than \(Self.commitLimit) commits")
      }
      guard parents.count < Self.edgeLimit else {
        throw GitError(.tooLarge, "the commits have more than \(Self.edgeLimit) parents together")
      }
      if handed.isEmpty, walk.pending.count >= Self.sharedFrontier {
        let active = reader ?? CommitReader(repository.reopening)
        reader = active
        handed = walk.takeOldest(Self.batchSize)
        active.submit(handed.map { table.ids[Int($0)] })
      }
      let id = table.ids[Int(number)]
      let object = try LoadedObject(id, in: repository.odb)
      let valid = object.type == GIT_OBJECT_COMMIT && object.withBytes { add($0, Int(number), &walk) }
      guard valid else { throw .corruptObject(id, "it is not a valid commit, or has too many parents") }
    }
    return Int(start)
  }

  /// The number of a commit; nil when it is not in the graph.
  func number(of id: ObjectID) -> Int? {
    table.number(of: id).map { Int($0) }
  }

  /// The id of a number.
  func id(_ number: Int) -> ObjectID { table.ids[number] }

  /// The parents of a number.
  func parents(of number: Int) -> ArraySlice<Int32> {
    let node = nodes[number]
    return parents[Int(node.parentStart)..<Int(node.parentStart + node.parentCount)]
  }

  /// Adds a commit from its bytes; false when they are damaged.
  private mutating func add(_ bytes: UnsafeRawBufferPointer, _ number: Int, _ walk: inout Walk) -> Bool {
    guard let scan = CommitScan(bytes) else { return false }
    var node = begin(scan.committedAt, scan.authoredAt)
    let firstPending = walk.pending.count
    if !walk.isCut(table.ids[number]) {
      for index in 0..<scan.parentCount {
        guard let parent = CommitScan.parent(index, bytes) else { return false }
        link(parent, &node, &walk)
      }
    }
    walk.reverse(from: firstPending)
    if !scan.author.isEmpty {
      node.author = identities.insert(
        UnsafeRawBufferPointer(rebasing: bytes[scan.author]),
        encoding: UnsafeRawBufferPointer(rebasing: bytes[scan.encoding]))
    }
    nodes[number] = node
    return true
  }

  /// Adds the commits that the other thread read.
  private mutating func add(_ batch: CommitBatch, _ numbers: [Int32], _ walk: inout Walk) throws(GitError) {
    var parent = 0
    var text = 0
    for (record, number) in zip(batch.records, numbers) {
      var node = begin(record.committedAt, record.authoredAt)
      let firstPending = walk.pending.count
      if !walk.isCut(table.ids[Int(number)]) {
        for index in 0..<record.parentCount { link(batch.parents[parent + index], &node, &walk) }
      }
      parent += record.parentCount
      walk.reverse(from: firstPending)
      let authorEnd = text + record.authorCount
      let end = authorEnd + record.encodingCount
      if record.authorCount > 0 {
        node.author = batch.text.withUnsafeBytes { raw in
          identities.insert(
            UnsafeRawBufferPointer(rebasing: raw[text..<authorEnd]),
            encoding: UnsafeRawBufferPointer(rebasing: raw[authorEnd..<end]))
        }
      }
      text = end
      nodes[Int(number)] = node
    }
    if let error = batch.error { throw error }
  }

  @inline(__always)
  private func begin(_ committedAt: Int64, _ authoredAt: Int64) -> Node {
    Node(
      committedAt: committedAt, authoredAt: authoredAt,
      parentStart: Int32(truncatingIfNeeded: parents.count))
  }

  /// Numbers a parent and notes it for reading when it is new.
  @inline(__always)
  private mutating func link(_ parent: ObjectID, _ node: inout Node, _ walk: inout Walk) {
    let (number, isNew) = table.insert(parent)
    parents.append(number)
    node.parentCount += 1
    guard isNew else { return }
    nodes.append(Node())
    walk.pending.append(number)
  }

  /// The commits still to be read.
  private struct Walk {
    /// A stack: depth first, so that neighbours in a pack are read after each other.
    var pending: [Int32]
    let shallow: Set<ObjectID>

    /// Whether a shallow clone ends at a commit.
    @inline(__always)
    func isCut(_ id: ObjectID) -> Bool { !shallow.isEmpty && shallow.contains(id) }

    /// Puts the first of the parents just added on top.
    @inline(__always)
    mutating func reverse(from start: Int) {
      if pending.count - start > 1 { pending[start...].reverse() }
    }

    /// Takes up to half of the entries from the bottom.
    mutating func takeOldest(_ limit: Int) -> [Int32] {
      let count = min(limit, pending.count / 2)
      let taken = Array(pending.prefix(count))
      pending.removeFirst(count)
      return taken
    }
  }
}
