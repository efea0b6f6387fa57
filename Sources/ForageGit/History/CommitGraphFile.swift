/// The commit-graph of a repository: parents and times of its commits without reading them.
///
/// Either one file or a chain of them, each adding to those below. A commit that is in it has all its ancestors in it,
/// and its position is a small number.
package struct CommitGraphFile: Sendable {
  /// The header has a byte for the number of layers below.
  private static let layerLimit = 256

  /// Lowest first.
  private let layers: [CommitGraphLayer]
  /// How many commits there are; positions are below it.
  package let count: Int

  /// Opens the commit-graph of an object database.
  ///
  /// - Parameter objects: the folder of the object database.
  /// - Returns: nil when there is none, or it is of an unknown version or damaged.
  init?(objects: String) {
    if let single = CommitGraphLayer(objects + "/info/commit-graph") {
      layers = [single]
      count = single.count
      return
    }
    let folder = objects + "/info/commit-graphs"
    let limit = Self.layerLimit * (ObjectID.hexCount + 1)
    guard let list = (try? FileAccess.read(folder + "/commit-graph-chain", limit: limit)) ?? nil else { return nil }
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

  /// The position of a commit; nil when it is not there.
  package func position(of id: ObjectID) -> Int? {
    for layer in layers.reversed() {
      if let index = layer.index(of: id) { return layer.base + index }
    }
    return nil
  }

  /// The id of a commit.
  @inline(__always)
  package func id(_ position: Int) -> ObjectID {
    let (layer, index) = place(position)
    return layer.id(index)
  }

  /// The tree of a commit.
  package func tree(_ position: Int) -> ObjectID {
    let (layer, index) = place(position)
    return layer.tree(index)
  }

  /// The committer's time, in seconds since 1970: the lower 34 bits of it, 0 to the year 2514.
  @inline(__always)
  package func committedAt(_ position: Int) -> Int64 {
    let (layer, index) = place(position)
    return layer.committedAt(index)
  }

  /// Calls a body with the position of each parent, in order.
  @inline(__always)
  package func forEachParent(_ position: Int, _ body: (Int) -> Void) {
    let (layer, index) = place(position)
    layer.forEachParent(index, body)
  }

  /// The layer that has a position, which is below ``count``, and the index there.
  @inline(__always)
  private func place(_ position: Int) -> (CommitGraphLayer, Int) {
    var number = layers.count - 1
    while number > 0, layers[number].base > position { number -= 1 }
    return (layers[number], position - layers[number].base)
  }
}

extension GitRepository {
  /// The commit-graph, when there is one that git would use: not where the history is cut or replaced, nor when
  /// `core.commitGraph` is off.
  package func commitGraphFile() -> CommitGraphFile? {
    guard shallow.isEmpty, !hasReplacements, config.bool("core.commitgraph") != false else { return nil }
    for folder in PackStore.folders(objectsFolder) {
      if let file = CommitGraphFile(objects: folder) { return file }
    }
    return nil
  }
}
