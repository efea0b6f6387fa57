/// A tree object whose entries are parsed in place.
struct LoadedTree: ~Copyable {
  /// An entry; its name is borrowed from the object.
  struct Item {
    let name: UnsafeRawBufferPointer
    /// The mode as in an index: of the permissions only the executable bit.
    let mode: UInt32
    let id: ObjectID
  }

  private let object: LoadedObject
  private let id: ObjectID

  /// Reads a tree.
  ///
  /// - Throws: `missingObject`, `corrupt`.
  init(_ id: ObjectID, in repository: GitRepository) throws(GitError) {
    let object = try LoadedObject(id, in: repository)
    guard object.kind == .tree else { throw .corruptObject(id, "it is not a tree") }
    self.object = object
    self.id = id
  }

  /// Calls `body` with each entry in the order of the tree.
  ///
  /// - Throws: `corrupt`.
  func visit(_ body: (Item) -> Void) throws(GitError) {
    let valid = object.withBytes { bytes in
      var cursor = TreeCursor(bytes)
      while !cursor.isAtEnd {
        guard let entry = cursor.entry() else { return false }
        body(Item(name: cursor.name(entry), mode: entry.mode, id: cursor.id(entry)))
        cursor.position = entry.end
      }
      return true
    }
    if !valid { throw .corruptObject(id, "an entry is truncated or has no mode") }
  }
}
