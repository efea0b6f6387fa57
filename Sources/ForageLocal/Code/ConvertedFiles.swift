import ForageGit
import ForageInspector

/// The files of a tree that an attribute converts when they are checked out, such as those of Git LFS and
/// git-crypt. What people see, and search, is their form on disk.
struct ConvertedFiles {
  /// The attributes that give a file other text, and not only other line ends.
  private static let names = ["filter", "working-tree-encoding"]

  /// The form of a file on disk.
  struct Form {
    var bytes: [UInt8]
    var id: ObjectID
    var stamp: FileStamp
  }

  private let attributes: TreeAttributes
  private let files: ClonedFiles

  /// - Returns: `nil` if no file is converted, or if there is no work tree.
  init?(_ head: CloneHead, _ listing: TreeListing) {
    guard let files = head.repository.clonedFiles() else { return nil }
    let found = listing.files.filter { file in
      guard FileAccess.name(of: file.path) == AttributeFiles.name, file.kind.isFile,
        let bytes = try? head.repository.blob(file.id)
      else { return false }
      let text = String(decoding: bytes, as: UTF8.self)
      return Self.names.contains { text.contains($0) }
    }
    guard !found.isEmpty,
      let attributes = try? head.repository.attributes(
        Self.names,
        in: listing.files.filter { FileAccess.name(of: $0.path) == AttributeFiles.name }.map {
          (path: $0.path, id: $0.id)
        })
    else { return nil }
    (self.attributes, self.files) = (attributes, files)
  }

  /// Whether a file is converted and on disk.
  func contains(_ path: String) -> Bool { isConverted(path) && files.isFile(Array(path.utf8)) }

  private func isConverted(_ path: String) -> Bool {
    attributes.values(of: path)?.contains { $0 != .unspecified && $0 != .unset } ?? false
  }

  /// The form of a file on disk; `nil` if it is not converted, not there, or too long.
  func form(of path: String, limit: Int) -> Form? {
    guard isConverted(path), let file = (try? files.read(Array(path.utf8), limit: limit)) ?? nil
    else { return nil }
    return Form(
      bytes: file.bytes, id: file.bytes.withUnsafeBytes { ObjectID(hashing: $0) }, stamp: file.stamp)
  }
}
