/// What Git LFS and git-annex commit in place of a file whose contents are elsewhere. It has no language, lines or
/// license.
package enum FilePointer {
  /// The longest pointer in bytes; that of Git LFS by its specification, and more than the key of git-annex, which is the
  /// name of a file.
  static let limit = 1024
  /// The first lines of Git LFS, also of its earlier names (github.com/git-lfs/git-lfs, docs/spec.md).
  private static let versions = ["https://git-lfs.github.com/spec/", "https://hawser.github.com/spec/"].map {
    "version " + $0
  }
  private static let annex = "/annex/objects/"

  /// Whether the bytes of a whole file are a pointer.
  package static func isPointer(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= limit else { return false }
    func contains(_ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }
    // The key is a backend and a name: `MD5E-s12--d41d8cd9.txt`.
    if bytes.starts(with: annex.utf8) { return contains("--") }
    return versions.contains { bytes.starts(with: $0.utf8) } && contains("\noid ") && contains("\nsize ")
  }

  static func isPointer(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { isPointer($0) } }
}
