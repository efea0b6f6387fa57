package import ForageGit

/// The versions and dependency counts in the manifests of a tree.
package struct ManifestFacts: Sendable {
  /// The depth in folders up to which manifests are searched; parts of a project are rarely deeper than four.
  private static let depthLimit = 5
  /// The most manifests that are read; large monorepos have some hundred.
  private static let countLimit = 500
  /// The most bytes of all manifests together (16 MiB).
  private static let byteLimit = 16 << 20

  /// The manifests that list dependencies: the root's first, then by depth and path.
  package let dependencies: [InspectionReport.Dependencies]
  /// The version in a manifest of the root: the first in the order of the formats, then by path.
  package let version: (name: String, path: String)?
  /// Whether manifests were not read: too many, too large or not valid.
  package let isCut: Bool
  /// The number of manifests that are missing or could not be read.
  package let unread: Int

  /// Reads the manifests, except those that are too deep or vendored.
  ///
  /// - Parameters:
  ///   - read: returns the bytes of a file; nil if it cannot be read.
  ///   - isCancelled: polled before each manifest; after it returns true the result is incomplete.
  package init(_ listing: TreeListing, read: (TreeFile) -> [UInt8]?, isCancelled: () -> Bool) {
    var found: [(depth: Int, format: Int, file: TreeFile)] = []
    for file in listing.files where file.kind != .symlink {
      guard let format = PackageManifestReader.format(path: file.path) else { continue }
      let depth = file.path.utf8.count { $0 == UInt8(ascii: "/") }
      guard depth <= Self.depthLimit, !PackageManifestReader.formats[format].isRootOnly || depth == 0,
        !FileTraits.of(file.path).contains(.vendored)
      else { continue }
      found.append((depth, format, file))
    }
    found.sort { ($0.depth, $0.file.path) < ($1.depth, $1.file.path) }
    var isCut = found.count > Self.countLimit
    var unread = 0
    var rest = Self.byteLimit
    var dependencies: [InspectionReport.Dependencies] = []
    var versions: [(order: Int, name: String, path: String)] = []
    for (depth, format, file) in found.prefix(Self.countLimit) {
      if isCancelled() { break }
      let size = file.size ?? 0
      guard size <= min(PackageManifestReader.byteLimit, rest) else {
        isCut = true
        continue
      }
      guard file.size != nil, let bytes = read(file) else {
        unread += 1
        continue
      }
      if FilePointer.isPointer(bytes) { continue }
      guard let facts = PackageManifestReader.read(path: file.path, bytes: bytes) else {
        isCut = true
        continue
      }
      rest -= size
      if let count = facts.dependencies { dependencies.append(.init(manifest: file.path, count: count)) }
      if depth == 0, let name = facts.version { versions.append((format, name, file.path)) }
    }
    self.dependencies = dependencies
    version = versions.min { ($0.order, $0.path) < ($1.order, $1.path) }.map { ($0.name, $0.path) }
    self.isCut = isCut
    self.unread = unread
  }
}
