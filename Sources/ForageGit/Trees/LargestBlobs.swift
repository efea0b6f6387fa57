/// The largest files that a history has ever had.
package struct LargestBlobs: Sendable, Hashable {
  /// A file's content.
  package struct Blob: Sendable, Hashable {
    /// Where it lies in the commit, from the tree's root; of several places the first in tree order.
    package let path: String
    package let bytes: Int
    package let id: ObjectID
    /// The oldest commit that has it: the last of those that `git log` would show.
    package let commit: ObjectID
  }

  /// The largest first, then by id; each content once.
  package var blobs: [Blob] = []
  /// How many different contents are named and are not there, as in a partial clone, or have no valid size.
  package var missing = 0
  /// How many commits could not be read wholly, because trees are missing or damaged.
  package var unreadable = 0
}

/// The different blobs of commits, each where it was found first, for one thread.
struct BlobCollector: TreeVisitor, Sendable {
  static let seesRemoved = false
  /// Trees and blobs of one thread (some 300 MB): the largest histories that are in wide use have 4 million.
  static let objectLimit = 5_000_000

  struct Place: Sendable {
    let path: Int32
    /// The commit, counted from the oldest.
    let commit: Int32
  }

  private let limits: DifferenceLimits
  private var trees = IDTable()
  private(set) var blobs = IDTable()
  /// By the blob's number.
  private(set) var places: [Place] = []
  private(set) var paths = PathTable()
  /// The commit that is being read, counted from the oldest.
  var commit: Int32 = 0

  init(limits: DifferenceLimits) {
    self.limits = limits
  }

  mutating func folder(_ name: UnsafeRawBufferPointer, below parent: Int32) throws(GitError) -> Int32 {
    let number = paths.insert(name, below: parent)
    guard paths.count <= limits.paths, paths.nameBytes <= limits.nameBytes else {
      throw DifferenceLimits.exceeded("too many different paths")
    }
    return number
  }

  mutating func enters(_ tree: ObjectID) -> Bool { trees.insert(tree).isNew }

  mutating func found(
    _ name: UnsafeRawBufferPointer, below parent: Int32, id: ObjectID, isSubmodule: Bool
  ) throws(GitError) {
    guard !isSubmodule, blobs.insert(id).isNew else { return }
    guard blobs.ids.count + trees.ids.count < Self.objectLimit else {
      throw DifferenceLimits.exceeded("more objects than can be counted")
    }
    places.append(Place(path: try folder(name, below: parent), commit: commit))
  }
}
