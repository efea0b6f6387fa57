/// Tree objects in memory, found by id: neighbours in a history share most of their trees.
final class TreeCache {
  /// A tree that is shared by who uses it.
  final class Tree {
    private let object: LoadedObject

    fileprivate init(_ object: consuming LoadedObject) { self.object = object }

    /// Its entries; they are there as long as this object.
    var cursor: TreeCursor { TreeCursor(object.bytes) }
  }

  /// Bytes that are kept (2 MiB for each thread): some dozen folders of a thousand entries, each needed again soon or
  /// never. What comes from packs is kept there too, and shared.
  private static let byteLimit = 2 << 20
  /// Larger trees are refused (256 MiB): the largest known folder has some hundred thousand entries, 10 MB.
  private static let sizeLimit = 256 << 20

  private let repository: GitRepository
  private var trees = RecentCache<ObjectID, Tree>(byteLimit: byteLimit)
  /// Whether an object was missing: libgit2 lists all packs again for each vain search, which is then avoided.
  private var someMissing = false

  /// Creates an empty cache.
  init(_ repository: GitRepository) {
    self.repository = repository
  }

  /// A tree.
  ///
  /// - Throws: `missingObject`, `corrupt` (also for what is no tree), `tooLarge`.
  func tree(_ id: ObjectID) throws(GitError) -> Tree {
    if let known = trees[id] { return known }
    let object = try load(id)
    guard object.kind == .tree else { throw .corruptObject(id, "it is not a tree") }
    let size = object.size
    guard size <= Self.sizeLimit else {
      throw GitError(.tooLarge, "tree \(id.hex) has more than \(Self.sizeLimit) bytes")
    }
    let tree = Tree(object)
    trees.insert(tree, for: id, bytes: size)
    return tree
  }

  private func load(_ id: ObjectID) throws(GitError) -> LoadedObject {
    if someMissing, !repository.has(id) { throw .missing(id) }
    do throws(GitError) {
      return try LoadedObject(id, in: repository)
    } catch {
      if error.code == .missingObject { someMissing = true }
      throw error
    }
  }
}
