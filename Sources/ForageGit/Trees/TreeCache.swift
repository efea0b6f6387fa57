/// A cache of tree objects by id; neighbours in a history share most of their trees.
final class TreeCache {
  /// A shared tree.
  final class Tree {
    private let object: LoadedObject

    fileprivate init(_ object: consuming LoadedObject) { self.object = object }

    /// A cursor at the first entry; valid as long as this object.
    var cursor: TreeCursor { TreeCursor(object.bytes) }
  }

  /// The size of the cache (2 MiB for each thread): some dozen folders of a thousand entries, each of which
  /// is needed again soon or never.
  private static let byteLimit = 2 << 20
  /// The size limit of a tree (256 MiB); the largest known folder, with some hundred thousand entries, has 10
  /// MB.
  private static let sizeLimit = 256 << 20

  private let repository: GitRepository
  private var trees = RecentCache<ObjectID, Tree>(byteLimit: byteLimit)

  /// Creates an empty cache.
  init(_ repository: GitRepository) {
    self.repository = repository
  }

  /// Returns a tree.
  ///
  /// - Throws: `missingObject`, `corrupt` (also for other objects), `tooLarge`.
  func tree(_ id: ObjectID) throws(GitError) -> Tree {
    if let known = trees[id] { return known }
    let object = try repository.treeObject(id)
    let size = object.size
    guard size <= Self.sizeLimit else {
      throw GitError(.tooLarge, "tree \(id.hex) has more than \(Self.sizeLimit) bytes")
    }
    let tree = Tree(object)
    trees.insert(tree, for: id, bytes: size)
    return tree
  }
}

/// A cache with a byte limit that evicts the oldest values first.
struct RecentCache<Key: Hashable, Value> {
  /// The approximate size of a value besides its bytes.
  private static var overhead: Int { 128 }
  /// The number of evicted keys after which the list of arrivals is compacted.
  private static var slack: Int { 1024 }

  private let byteLimit: Int
  private var values: [Key: (value: Value, bytes: Int)] = [:]
  private var bytes = 0
  /// The keys in the order of insertion; those before `oldest` are evicted.
  private var arrivals: [Key] = []
  private var oldest = 0

  /// Creates an empty cache.
  ///
  /// - Parameter byteLimit: the limit in bytes; the newest value stays even if it is larger.
  init(byteLimit: Int) {
    self.byteLimit = byteLimit
  }

  subscript(key: Key) -> Value? { values[key]?.value }

  /// Inserts a value; an existing one stays.
  mutating func insert(_ value: Value, for key: Key, bytes size: Int) {
    guard values[key] == nil else { return }
    values[key] = (value, size + Self.overhead)
    arrivals.append(key)
    bytes += size + Self.overhead
    while bytes > byteLimit, oldest < arrivals.count - 1 {
      bytes -= values.removeValue(forKey: arrivals[oldest])?.bytes ?? 0
      oldest += 1
    }
    guard oldest >= Self.slack else { return }
    arrivals.removeFirst(oldest)
    oldest = 0
  }
}
