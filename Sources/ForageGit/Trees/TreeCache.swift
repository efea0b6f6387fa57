import CLibGit2

/// Tree objects in memory, found by id: neighbours in a history share most of their trees.
///
/// Each place holds one tree; two that fall on the same place replace each other.
final class TreeCache {
  /// How many trees are kept: the changed trees of some hundred commits, each needed again soon or never.
  private static let count = 4096
  /// Bytes that are kept (4 MiB for each thread): some hundred folders of a thousand entries. More would only
  /// cost fresh memory.
  private static let byteLimit = 4 << 20
  /// Larger trees are refused (256 MiB): the largest known folder has some hundred thousand entries, 10 MB.
  private static let sizeLimit = 256 << 20

  private struct Place {
    var id: ObjectID
    var object: OpaquePointer?
    /// The number of the tree that lies here, counted in the order of arrival.
    var arrival = 0
  }

  private let odb: OpaquePointer
  private var places: [Place]
  private var bytes = 0
  /// The place of each tree by its arrival, modulo the count: the oldest leave first.
  private var ring: [Int32]
  private var arrivals = 0
  private var departures = 0
  /// Whether an object was missing: libgit2 lists all packs again for each vain search, which is then avoided.
  private var someMissing = false

  /// Creates an empty cache.
  ///
  /// - Parameter odb: a database that stays open as long as the cache.
  init(odb: OpaquePointer) {
    self.odb = odb
    let zero = [UInt8](repeating: 0, count: ObjectID.byteCount).withUnsafeBytes { ObjectID($0) }
    places = [Place](repeating: Place(id: zero, object: nil), count: Self.count)
    ring = [Int32](repeating: 0, count: Self.count)
  }

  deinit {
    for place in places { git_odb_object_free(place.object) }
  }

  /// A tree's object, which the caller frees with `git_odb_object_free`.
  ///
  /// - Throws: `missingObject`, `corrupt` (also for what is no tree), `tooLarge`.
  func take(_ id: ObjectID) throws(GitError) -> OpaquePointer {
    let index = Int(truncatingIfNeeded: id.word0) & (Self.count - 1)
    if places[index].id == id, let object = places[index].object { return try share(object, id) }
    let object = try read(id)
    let size = git_odb_object_size(object)
    release(index)
    bytes += size
    if arrivals - departures == Self.count { releaseOldest() }
    ring[arrivals & (Self.count - 1)] = Int32(truncatingIfNeeded: index)
    places[index] = Place(id: id, object: object, arrival: arrivals)
    arrivals += 1
    // The one that just came stays, however large.
    while bytes > Self.byteLimit, arrivals - departures > 1 { releaseOldest() }
    return try share(object, id)
  }

  private func share(_ object: OpaquePointer, _ id: ObjectID) throws(GitError) -> OpaquePointer {
    var copy: OpaquePointer?
    guard git_odb_object_dup(&copy, object) == 0, let copy else {
      throw GitError(.other, "tree \(id.hex) cannot be shared")
    }
    return copy
  }

  /// Lets the tree go that came first, unless another has replaced it.
  private func releaseOldest() {
    let index = Int(ring[departures & (Self.count - 1)])
    if places[index].arrival == departures { release(index) }
    departures += 1
  }

  private func release(_ index: Int) {
    guard let object = places[index].object else { return }
    bytes -= git_odb_object_size(object)
    git_odb_object_free(object)
    places[index].object = nil
  }

  private func read(_ id: ObjectID) throws(GitError) -> OpaquePointer {
    if someMissing {
      let isThere =
        id.withOID { git_odb_exists_ext(odb, $0, UInt32(GIT_ODB_LOOKUP_NO_REFRESH.rawValue)) } == 1
      guard isThere else { throw .missing(id) }
    }
    var object: OpaquePointer?
    let status = id.withOID { git_odb_read(&object, odb, $0) }
    guard status == 0, let object else {
      guard status == GIT_ENOTFOUND.rawValue else { throw LibGit2.error(status, "reading tree \(id.hex)") }
      someMissing = true
      throw .missing(id)
    }
    guard git_odb_object_type(object) == GIT_OBJECT_TREE else {
      git_odb_object_free(object)
      throw .corruptObject(id, "it is not a tree")
    }
    guard git_odb_object_size(object) <= Self.sizeLimit else {
      git_odb_object_free(object)
      throw GitError(.tooLarge, "tree \(id.hex) has more than \(Self.sizeLimit) bytes")
    }
    return object
  }
}
