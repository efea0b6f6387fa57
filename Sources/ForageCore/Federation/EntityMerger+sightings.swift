extension EntityMerger {
  /// The sightings of all entities in the lists, in the order in which they were added.
  struct Sightings {
    /// The start of each entity's sightings, by its root, and the end of the last.
    private var starts: [Int]
    private var nodes: [Int]

    fileprivate init(roots: [Int?]) {
      starts = [Int](repeating: 0, count: roots.count + 1)
      for case let root? in roots { starts[root + 1] += 1 }
      for root in roots.indices { starts[root + 1] += starts[root] }
      nodes = [Int](repeating: 0, count: starts[roots.count])
      var ends = starts
      for (node, root) in roots.enumerated() {
        guard let root else { continue }
        nodes[ends[root]] = node
        ends[root] += 1
      }
    }

    /// The nodes of the entity with a given root.
    subscript(root: Int) -> ArraySlice<Int> { nodes[starts[root]..<starts[root + 1]] }
  }

  /// Collects the sightings. Entities of earlier pages have only those that were added since.
  mutating func sightings() -> Sightings {
    Sightings(roots: nodes.indices.map { nodes[$0].list < 0 ? nil : root($0) })
  }
}
