/// A tree object whose entries are read in place.
struct LoadedTree: ~Copyable {
  /// An entry; its name is borrowed from the object.
  struct Item {
    let name: UnsafeRawBufferPointer
    /// As in an index: of a file's permissions only whether it is executable.
    let mode: UInt32
    let id: ObjectID
  }

  private let object: LoadedObject
  private let id: ObjectID

  /// - Throws: `missingObject`, `corrupt`.
  init(_ id: ObjectID, in repository: GitRepository) throws(GitError) {
    let object = try LoadedObject(id, in: repository)
    guard object.kind == .tree else { throw .corruptObject(id, "it is not a tree") }
    self.object = object
    self.id = id
  }

  /// Calls a closure with each entry in the tree's order.
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
    if !valid { throw .corruptObject(id, "an entry is cut short or has no mode") }
  }
}
