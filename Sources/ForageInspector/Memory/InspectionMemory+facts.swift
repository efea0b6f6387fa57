import ForageGit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension InspectionMemory {
  /// The form of what is kept; raised whenever a kept fact is told otherwise than before.
  private static let form = 1

  /// Gives facts that depend on nothing but what `identity` names: from the last run, or made now and kept.
  ///
  /// All standard sections of a part are kept together, so that a run that wants fewer finds them.
  ///
  /// - Parameters:
  ///   - part: the name of the facts.
  ///   - identity: everything that they depend on.
  ///   - sections: what is wanted of ``part``.
  ///   - all: what the part has by default.
  ///   - make: makes them; not kept when `isWhole` says that something is missing.
  static func facts<Facts: Codable>(
    _ memory: InspectionMemory?, part: String, identity: [String], sections: Set<InspectionSection>,
    all: Set<InspectionSection>, isWhole: (Facts) -> Bool, make: () throws(GitError) -> Facts
  ) throws(GitError) -> Facts {
    guard let memory else { return try make() }
    let own = key(part, identity, sections)
    var keys = [own]
    let usual = all.intersection(InspectionSection.standard)
    if sections.isSubset(of: usual), sections != usual { keys.insert(key(part, identity, usual), at: 0) }
    for key in keys {
      guard let bytes = memory.recall(key) else { continue }
      if let facts = try? JSONDecoder().decode(Facts.self, from: Data(bytes)) { return facts }
    }
    let facts = try make()
    if isWhole(facts), let data = try? JSONEncoder().encode(facts) { memory.keep(own, [UInt8](data)) }
    return facts
  }

  private static func key(
    _ part: String, _ identity: [String], _ sections: Set<InspectionSection>
  ) -> String {
    let names = sections.map(\.rawValue).sorted().joined(separator: ",")
    return (["\(part) \(form)", names] + identity).joined(separator: "\n")
  }
}
