import ForageFoundation
import ForageGit

/// A cache for facts that depend only on `HEAD`'s commit and on which objects a clone has.
///
/// The inspector chooses keys and values, and validates what the cache returns.
package struct InspectionCache: Sendable {
  /// Returns the value for a key; nil if there is none.
  package var load: @Sendable (_ key: String) -> [UInt8]?
  /// Stores a value; a failure only means that the next inspection computes it again.
  package var store: @Sendable (_ key: String, _ facts: [UInt8]) -> Void

  /// Creates a cache from two functions, which may be called from several threads.
  package init(
    load: @escaping @Sendable (_ key: String) -> [UInt8]?,
    store: @escaping @Sendable (_ key: String, _ facts: [UInt8]) -> Void
  ) {
    self.load = load
    self.store = store
  }
}

extension InspectionCache {
  /// Part of the cache key; increases when cached facts change their form or meaning.
  private static let form = 2

  /// Returns facts that depend only on `identity`, from the cache or computed and then cached.
  ///
  /// The standard sections of a part are cached together, so that an inspection of fewer sections finds them.
  ///
  /// - Parameters:
  ///   - identity: everything that they depend on; read only with a cache, because that is slow.
  ///   - sections: the requested sections of the part.
  ///   - all: all sections of the part.
  ///   - isWhole: whether the facts are complete; incomplete ones are not cached.
  static func facts<Facts: Codable>(
    _ cache: InspectionCache?, part: String, identity: @autoclosure () -> [String],
    sections: Set<InspectionSection>, all: Set<InspectionSection>, isWhole: (Facts) -> Bool,
    make: () throws(GitError) -> Facts
  ) throws(GitError) -> Facts {
    guard let cache else { return try make() }
    let identity = identity()
    let own = key(part, identity, sections)
    var keys = [own]
    let usual = all.intersection(InspectionSection.standard)
    if sections.isSubset(of: usual), sections != usual { keys.insert(key(part, identity, usual), at: 0) }
    for key in keys {
      guard let bytes = cache.load(key) else { continue }
      if let facts = try? JSONDecoder().decode(Facts.self, from: Data(bytes)) { return facts }
    }
    let facts = try make()
    if isWhole(facts), let data = try? JSONEncoder().encode(facts) { cache.store(own, [UInt8](data)) }
    return facts
  }

  private static func key(
    _ part: String, _ identity: [String], _ sections: Set<InspectionSection>
  ) -> String {
    let names = sections.map(\.rawValue).sorted().joined(separator: ",")
    return (["\(part) \(form)", names] + identity).joined(separator: "\n")
  }
}
