import ForageGit

/// Finds the license files of a tree.
enum LicenseFiles {
  /// Larger files are not licenses (1 MiB); the longest known ones have 50 KB.
  private static let textLimit = 1 << 20
  /// The most files that are read; a `LICENSES` folder as REUSE defines it has a few dozen.
  private static let countLimit = 200
  /// Folders of the root that hold licenses, in lowercase; `LICENSES` is that of REUSE.
  private static let folders: Set<String> = ["licenses", "licences", "license", "licence"]

  /// Returns the licenses of license files in the root and in a license folder, ordered by path; several
  /// licenses of one file keep the order of its text. Counts the files that cannot be read.
  static func find(
    _ listing: TreeListing, _ repository: GitRepository
  ) -> (licenses: [InspectionReport.License], unread: Int) {
    let found = listing.files.lazy.filter { $0.kind != .symlink && isCandidate($0.path) }
    var unread = 0
    let licenses = found.prefix(countLimit).flatMap { file -> [InspectionReport.License] in
      guard let bytes = try? repository.blob(file.id, limit: textLimit) else {
        unread += 1
        return []
      }
      if FilePointer.isPointer(bytes) { return [] }
      let (known, nearest) = LicenseDetector.verdict(on: bytes)
      if !known.isEmpty { return known.map { .init(spdx: $0, path: file.path) } }
      let spdx = nearest == nil && isReuse(file.path) ? identifier(named: file.path) : nil
      return [.init(spdx: spdx, path: file.path, nearest: nearest)]
    }.enumerated().sorted { ($0.element.path, $0.offset) < ($1.element.path, $1.offset) }.map(\.element)
    return (licenses, unread)
  }

  /// Whether a path is that of a license file: by its name in the root, or a text in a license folder.
  static func isCandidate(_ path: String) -> Bool {
    guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else {
      return LicenseDetector.isLicenseFile(path)
    }
    let name = path[path.utf8.index(after: slash)...]
    // The names of the folders have seven or eight bytes, which excludes most paths quickly.
    let length = path.utf8.distance(from: path.startIndex, to: slash)
    guard length == 7 || length == 8, !name.utf8.contains(UInt8(ascii: "/")) else { return false }
    guard folders.contains(path[..<slash].lowercased()) else { return false }
    // A folder `license` may be a module of a program, so names decide there; files in `LICENSES` may have
    // any name.
    return isReuse(path) || name.lowercased().hasSuffix(".txt") || LicenseDetector.isLicenseFile(name)
  }

  private static func isReuse(_ path: String) -> Bool { path.hasPrefix("LICENSES/") }

  /// Returns the identifier that names a file in `LICENSES`.
  private static func identifier(named path: String) -> String? {
    let name = path.dropFirst("LICENSES/".count)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    return String(name[..<dot])
  }
}
