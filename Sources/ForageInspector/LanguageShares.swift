import ForageGit

/// The languages of a tree by bytes.
enum LanguageShares {
  /// Of a file whose name does not decide, this much is looked at (what the classifier asks for).
  private static let prefixLimit = 32 << 10
  /// Larger files with an undecided name are not read: libgit2 has to unpack them whole.
  private static let fileLimit = 8 << 20
  /// How many `.gitattributes` files are heeded: large repositories have some hundred.
  private static let attributesLimit = 10_000

  /// Bytes by language, most first; only what counts.
  static func compute(
    _ listing: TreeListing, _ repository: GitRepository, isCancelled: () -> Bool
  ) -> [InspectionReport.Language] {
    let classifier = LanguageClassifier(attributes: attributes(listing, repository))
    var bytes: [String: Int] = [:]
    for (position, file) in listing.files.enumerated() {
      // Each file costs some microseconds; asking every 256 of them is often enough.
      if position % 256 == 0, isCancelled() { break }
      guard file.kind != .symlink, let size = file.size, size > 0 else { continue }
      let verdict = classifier.classify(path: file.path) {
        size > fileLimit ? nil : try? repository.blob(file.id, limit: prefixLimit)
      }
      if let verdict, verdict.counts { bytes[verdict.name, default: 0] += size }
    }
    let total = bytes.values.reduce(0, +)
    return bytes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { .init(name: $0.key, bytes: $0.value, share: share($0.value, of: total)) }
  }

  /// The `.gitattributes` files of a tree.
  static func attributes(_ listing: TreeListing, _ repository: GitRepository) -> [GitAttributesFile] {
    let name = ".gitattributes"
    let found = listing.files.lazy.filter { file in
      file.kind != .symlink && file.path.hasSuffix(name) && Disk.name(of: file.path) == name
    }
    return found.prefix(attributesLimit).compactMap { file in
      guard let bytes = try? repository.blob(file.id) else { return nil }
      let directory = file.path.dropLast(name.count + 1)
      return GitAttributesFile(directory: String(directory), text: String(decoding: bytes, as: UTF8.self))
    }
  }
}

/// The licence files of a tree.
enum LicenseFiles {
  /// Longer texts are no licences: the longest known ones have 50 KB.
  private static let textLimit = 1 << 20
  /// How many files are read: a `LICENSES` folder after reuse.software has a few dozen.
  private static let countLimit = 200
  private static let folder = "LICENSES/"

  /// The licence files of the root and of `LICENSES/`, by path.
  static func find(_ listing: TreeListing, _ repository: GitRepository) -> [InspectionReport.License] {
    let found = listing.files.lazy.filter { file in
      guard file.kind != .symlink else { return false }
      if file.path.hasPrefix(folder) { return !file.path.dropFirst(folder.count).contains("/") }
      return !file.path.utf8.contains(UInt8(ascii: "/")) && LicenseDetector.isLicenseFile(file.path)
    }
    return found.prefix(countLimit).compactMap { file -> InspectionReport.License? in
      guard let bytes = try? repository.blob(file.id, limit: textLimit) else { return nil }
      var spdx = LicenseDetector.spdx(of: String(decoding: bytes, as: UTF8.self))
      if spdx == nil, file.path.hasPrefix(folder) {
        // Files there are named by the identifier.
        spdx = file.path.dropFirst(folder.count).split(separator: ".").dropLast().joined(separator: ".")
        if spdx?.isEmpty == true { spdx = nil }
      }
      return .init(spdx: spdx, path: file.path)
    }.sorted { $0.path < $1.path }
  }
}
