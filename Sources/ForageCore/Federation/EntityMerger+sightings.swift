extension EntityMerger {
  /// The sightings of every entity that has any in the lists, in the order in which they were added.
  struct Sightings {
    /// By the root of the entity, where its sightings begin; one more for the end of the last.
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

    /// The nodes of the entity with a root.
    subscript(root: Int) -> ArraySlice<Int> { nodes[starts[root]..<starts[root + 1]] }
  }

  /// Gathers the sightings; entities of earlier pages have none but those that were added since.
  mutating func sightings() -> Sightings {
    Sightings(roots: nodes.indices.map { nodes[$0].list < 0 ? nil : root($0) })
  }
}
