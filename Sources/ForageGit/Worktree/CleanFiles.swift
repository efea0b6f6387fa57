/// The files of a work tree that are unchanged since they were added to the index.
///
/// If the size equals that of the blob, the file has the bytes of the blob, because conversion of line ends
/// changes the size.
package struct CleanFiles: Sendable {
  private let index: IndexFile
  /// Whether each entry is clean.
  private let isClean: [Bool]

  /// Creates an empty set, as for a bare repository.
  package init() {
    index = IndexFile()
    isClean = []
  }

  /// Creates a set of all files but `exceptions`: entries that are not clean, or not known to be.
  init(_ index: IndexFile, except exceptions: [Int32]) {
    self.index = index
    var isClean = index.withView { view in
      view.records.indices.map {
        view.stage($0) == 0 && view.mode($0) & IndexView.Mode.type == IndexView.Mode.file
      }
    }
    for entry in exceptions { isClean[Int(entry)] = false }
    self.isClean = isClean
  }

  /// Whether the file at a path from the root is unchanged, and has this id and this size, if given, in the index.
  package func contains(path: String, id: ObjectID, size: Int? = nil) -> Bool {
    var path = path
    return path.withUTF8 { text in
      index.withView { view in
        guard let entry = view.find(UnsafeRawBufferPointer(text)) else { return false }
        return isClean[entry] && view.id(entry) == id
          && size.map { UInt32(truncatingIfNeeded: $0) == view.size(entry) } ?? true
      }
    }
  }
}
