import ForageFoundation

extension InspectionReport.License {
  /// The license of a project that has some license files.
  ///
  /// Several files are one expression where the manifest says which, and where their names name licenses of
  /// which one may choose one, as `LICENSE-MIT` and `LICENSE-APACHE` do. A file without a license of its own,
  /// which says which files have it, does not count beside them.
  ///
  /// - Parameters:
  ///   - licenses: The licenses of the files.
  ///   - declared: The license of the manifest.
  /// - Returns: `nil` where there is no license that is known, and where it is not known how several belong
  ///   together.
  static func expression(of licenses: [Self], declared: String?) -> String? {
    let root = licenses.filter { !$0.path.contains("/") }
    // What is only like a license is none, and what it permits is not known.
    let files = root.isEmpty ? licenses : root
    if files.contains(where: { $0.spdx == nil && $0.nearest != nil }) { return nil }
    var names: [String] = []
    for case let name? in files.map(\.spdx) where !names.contains(name) { names.append(name) }
    guard names.count > 1 else { return names.first }
    if let declared {
      let expression = declared.replacing("/", with: " OR ")
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let words = expression.split { " ()".contains($0) }.filter { !["OR", "AND"].contains($0) }
      if Set(words.map(identifier)) == Set(names.map { identifier($0[...]) }) { return expression }
    }
    // One file with several licenses has them for its parts.
    let known = files.filter { $0.spdx != nil }
    let isChoice =
      Set(known.map(\.path)).count == names.count
      && known.allSatisfy { file in
        let stem = file.path.lowercased().prefix { $0 != "." }
        return stem.contains("-") || stem.contains("_") || stem.hasPrefix("unlicen")
      }
    return isChoice ? names.joined(separator: " OR ") : nil
  }

  /// An identifier as older manifests write it.
  private static func identifier(_ name: Substring) -> String {
    name.hasSuffix("-only") ? String(name.dropLast(5)) : String(name)
  }
}
