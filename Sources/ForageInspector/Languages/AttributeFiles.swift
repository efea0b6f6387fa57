import ForageGit

/// The `.gitattributes` files of a tree.
struct AttributeFiles {
  /// The most files that are read; large repositories have some hundred.
  private static let countLimit = 10_000
  /// The most bytes of all files together (4 MiB); a blob that is in several folders counts in each. The
  /// largest known repositories have some 100 KB.
  private static let byteLimit = 4 << 20
  /// The note about files that were not read.
  static let cutMessage = "some .gitattributes files were ignored: too many or too large"

  /// In the order of the listing, the root's first.
  private(set) var files: [GitAttributesFile] = []
  /// Whether a limit excluded some files.
  private(set) var isCut = false
  private(set) var unread = 0

  /// Reads the files; one that cannot be read counts as empty.
  init(_ listing: TreeListing, _ repository: GitRepository) {
    let name = ".gitattributes"
    var texts: [ObjectID: String] = [:]
    var rest = Self.byteLimit
    for file in listing.files where file.kind != .symlink && file.path.hasSuffix(name) {
      guard FileAccess.name(of: file.path) == name else { continue }
      guard let size = file.size else {
        unread += 1
        continue
      }
      guard size > 0 else { continue }
      guard files.count < Self.countLimit, size <= rest else {
        isCut = true
        continue
      }
      let text = texts[file.id] ?? Self.text(of: file.id, repository)
      if text == nil { unread += 1 }
      texts[file.id] = text
      rest -= size
      let directory = file.path.dropLast(name.utf8.count + 1)
      files.append(GitAttributesFile(directory: String(directory), text: text ?? ""))
    }
  }

  private static func text(of id: ObjectID, _ repository: GitRepository) -> String? {
    guard let bytes = try? repository.blob(id, limit: byteLimit) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The text and location of a `.gitattributes` file.
package struct GitAttributesFile: Sendable, Equatable {
  /// The directory of the file relative to the root, with `/` between components; "" is the root.
  package let directory: String
  package let text: String

  /// Creates a file; slashes around `directory` are ignored.
  package init(directory: String, text: String) {
    self.directory = directory
    self.text = text
  }
}
