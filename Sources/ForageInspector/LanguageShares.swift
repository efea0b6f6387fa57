import ForageGit

/// The languages of a tree by bytes.
struct LanguageShares {
  /// Of a file whose name does not decide, this much is looked at (what the classifier asks for).
  private static let prefixLimit = 32 << 10
  /// Larger files with an undecided name are not read: libgit2 has to unpack them whole.
  private static let fileLimit = 8 << 20

  /// Bytes by language, most first; only what counts.
  let languages: [InspectionReport.Language]
  /// Whether some attributes were not heeded.
  let isCut: Bool

  /// Classifies the files; what is told after a cancellation is incomplete.
  init(
    _ listing: TreeListing, _ attributes: AttributeFiles, _ repository: GitRepository, isCancelled: () -> Bool
  ) {
    let classifier = LanguageClassifier(attributes: attributes.files)
    var bytes: [String: Int] = [:]
    var total = 0
    for (position, file) in listing.files.enumerated() {
      // Each file costs some microseconds; asking every 256 of them is often enough.
      if position % 256 == 0, isCancelled() { break }
      guard file.kind != .symlink, let size = file.size, size > 0 else { continue }
      let verdict = classifier.classify(path: file.path) {
        size > Self.fileLimit ? nil : try? repository.blob(file.id, limit: Self.prefixLimit)
      }
      guard let verdict, verdict.counts else { continue }
      // A listing is refused when its sizes add up to more than an Int; no part of the sum is larger.
      let (sum, overflow) = total.addingReportingOverflow(size)
      if overflow { break }
      total = sum
      bytes[verdict.name, default: 0] += size
    }
    languages = bytes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { .init(name: $0.key, bytes: $0.value, share: share($0.value, of: total)) }
    isCut = attributes.isCut || classifier.isCut
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
