/// The commit-graph of a repository: the parents and dates of its commits without their objects.
///
/// It is one file or a chain of layers. If it has a commit, it has all its ancestors. A commit's position is
/// a small number.
package struct CommitGraphFile: Sendable {
  /// The most layers; the header has one byte for the number of layers below.
  private static let layerLimit = 256

  /// Lowest first.
  private let layers: [CommitGraphLayer]
  /// The number of commits; positions are below it.
  package let count: Int

  /// Opens the commit-graph of an object database.
  ///
  /// - Returns: nil if there is none, its version is unknown, or it is damaged.
  init?(objects: String) {
    if let single = CommitGraphLayer(objects + "/info/commit-graph") {
      layers = [single]
      count = single.count
      return
    }
    let folder = objects + "/info/commit-graphs"
    let limit = Self.layerLimit * (ObjectID.hexCount + 1)
    guard let list = (try? FileAccess.read(folder + "/commit-graph-chain", limit: limit)) ?? nil else {
      return nil
    }
    var names: [ObjectID] = []
    var layers: [CommitGraphLayer] = []
    var total = 0
    for line in list.split(separator: UInt8(ascii: "\n")) {
      guard line.count == ObjectID.hexCount, names.count < Self.layerLimit,
        let name = line.withUnsafeBytes({ ObjectID(hex: $0) }),
        let layer = CommitGraphLayer("\(folder)/graph-\(name.hex).graph", below: names, base: total)
      else { return nil }
      names.append(name)
      layers.append(layer)
      total += layer.count
    }
    guard !layers.isEmpty else { return nil }
    self.layers = layers
    count = total
  }

  package func position(of id: ObjectID) -> Int? {
    for layer in layers.reversed() {
      if let index = layer.index(of: id) { return layer.base + index }
    }
    return nil
  }

  @inline(__always) package func id(_ position: Int) -> ObjectID {
    let (layer, index) = place(position)
    return layer.id(index)
  }

  /// Returns the committer date in seconds since 1970: its lower 34 bits, 1970 to 2514.
  @inline(__always) package func committedAt(_ position: Int) -> Int64 {
    let (layer, index) = place(position)
    return layer.committedAt(index)
  }

  @inline(__always) package func forEachParent(_ position: Int, _ body: (Int) -> Void) {
    let (layer, index) = place(position)
    layer.forEachParent(index, body)
  }

  @inline(__always) private func place(_ position: Int) -> (CommitGraphLayer, Int) {
    var number = layers.count - 1
    while number > 0, layers[number].base > position { number -= 1 }
    return (layers[number], position - layers[number].base)
  }
}

extension GitRepository {
  /// Returns the commit-graph if git would use it: not in shallow clones, with replaced objects, or if
  /// `core.commitGraph` is off.
  package func commitGraphFile() -> CommitGraphFile? {
    guard shallow.isEmpty, !hasGrafts, replacements().isEmpty, config.bool("core.commitgraph") != false else {
      return nil
    }
    for folder in objectFolders.paths {
      if let file = CommitGraphFile(objects: folder) { return file }
    }
    return nil
  }
}
