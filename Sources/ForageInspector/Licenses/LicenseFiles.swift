import ForageGit

/// The licence files of a tree.
enum LicenseFiles {
  /// Longer texts are no licences: the longest known ones have 50 KB.
  private static let textLimit = 1 << 20
  /// How many files are read: a `LICENSES` folder after reuse.software has a few dozen.
  private static let countLimit = 200
  /// Folders of the root that hold licences, in lowercase; the first is that of reuse.software.
  private static let folders: Set<String> = ["licenses", "licences", "license", "licence"]

  /// The licences of the root's licence files and of those in a folder for them, by path; several of one file
  /// in the order of its text.
  static func find(_ listing: TreeListing, _ repository: GitRepository) -> [InspectionReport.License] {
    let found = listing.files.lazy.filter { $0.kind != .symlink && isCandidate($0.path) }
    return found.prefix(countLimit).flatMap { file -> [InspectionReport.License] in
      guard let bytes = try? repository.blob(file.id, limit: textLimit) else { return [] }
      let known = LicenseDetector.identifiers(in: bytes)
      if !known.isEmpty { return known.map { .init(spdx: $0, path: file.path) } }
      let spdx = isReuse(file.path) ? identifier(named: file.path) : nil
      return [.init(spdx: spdx, path: file.path)]
    }.enumerated().sorted { ($0.element.path, $0.offset) < ($1.element.path, $1.offset) }.map(\.element)
  }

  /// Whether a path is that of a licence: one of the root by its name, or any text in a folder for them.
  static func isCandidate(_ path: String) -> Bool {
    guard let slash = path.utf8.firstIndex(of: UInt8(ascii: "/")) else {
      return LicenseDetector.isLicenseFile(path)
    }
    let name = path[path.utf8.index(after: slash)...]
    // The folders' names have seven or eight bytes: most paths need no further look.
    let length = path.utf8.distance(from: path.startIndex, to: slash)
    guard length == 7 || length == 8, !name.utf8.contains(UInt8(ascii: "/")) else { return false }
    guard folders.contains(path[..<slash].lowercased()) else { return false }
    // A folder `license` may be a program's module: there, names decide. Files of `LICENSES` are named freely.
    return isReuse(path) || name.lowercased().hasSuffix(".txt") || LicenseDetector.isLicenseFile(name)
  }

  private static func isReuse(_ path: String) -> Bool { path.hasPrefix("LICENSES/") }

  /// Files in `LICENSES` are named by the identifier.
  private static func identifier(named path: String) -> String? {
    let name = path.dropFirst("LICENSES/".count)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    return String(name[..<dot])
  }
}
