import ForageCore
package import ForageInspector

extension InspectionSection {
  /// The sections that texts name, in any case; each text is one name or several with commas.
  ///
  /// - Parameter option: What has the names, for messages.
  /// - Throws: `ForageError` for a name that no section has, and for texts without a name.
  package static func named(_ texts: [String], by option: String) throws(ForageError) -> Set<
    InspectionSection
  > {
    guard !texts.isEmpty else { return [] }
    let names = texts.flatMap { $0.split(separator: ",").map { $0.trimmingWhitespace() } }.filter {
      !$0.isEmpty
    }
    guard !names.isEmpty else {
      throw ForageError("\(option) names no section", .listSections)
    }
    var sections: Set<InspectionSection> = []
    for name in names {
      guard let section = allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
        let message = "there is no section \"\(name)\""
        throw NearestName.hint(for: String(name), among: allCases.map(\.rawValue)).map {
          ForageError(message, hint: $0)
        } ?? ForageError(message, .listSections)
      }
      sections.insert(section)
    }
    return sections
  }
}
