/// The largest blobs of a history.
package struct LargestBlobs: Sendable, Hashable {
  /// A blob.
  package struct Blob: Sendable, Hashable {
    /// The path in the commit; of several the first in tree order.
    package let path: String
    package let bytes: Int
    package let id: ObjectID
    /// The oldest commit that has the blob: the last one that `git log` shows.
    package let commit: ObjectID
  }

  /// Largest first, then by id; without repetition.
  package var blobs: [Blob] = []
  /// The number of different blobs that are missing, as in a partial clone, or have an invalid size.
  package var missing = 0
  /// The number of commits that could not be read completely, because trees are missing or damaged.
  package var unreadable = 0
  /// The number of commits that are missing or damaged; those behind them are not known.
  package var lost = 0
}

/// The distinct blobs of commits, each with its first location; each thread has its own.
struct BlobCollector: TreeVisitor, Sendable {
  static let seesRemoved = false
  /// The most trees and blobs of a thread (some 300 MB); the largest histories in wide use have 4 million.
  static let objectLimit = 5_000_000

  struct Place: Sendable {
    let path: Int32
    /// The position of the commit from the oldest.
    let commit: Int32
  }

  private let limits: DifferenceLimits
  private var trees = IDTable()
  private(set) var blobs = IDTable()
  /// By the number of the blob.
  private(set) var places: [Place] = []
  private(set) var paths = PathTable()
  /// The position of the current commit from the oldest.
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
      throw DifferenceLimits.exceeded("too many objects")
    }
    places.append(Place(path: try folder(name, below: parent), commit: commit))
  }
}
