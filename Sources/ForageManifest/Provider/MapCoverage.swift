import ForageCore
import Synchronization

/// The mapped paths that no row of an API's answers has, and the fields whose values are never what the map
/// says, which a validation reports as probable mistakes.
package final class MapCoverage: Sendable {
  /// The number of rows from which on a path counts as missing; fewer rows may all lack an optional member.
  private static let leastRows = 3

  private struct State {
    var rows = 0
    /// The path of each field that no row has had so far.
    var missing: [String: String] = [:]
    /// What is wrong with each field of which no value could be used so far.
    var unusable: [String: String] = [:]
    /// The fields of which a value could be used.
    var usable: Set<String> = []

    /// The faults of fields, in the order of their names.
    var faults: [(field: String, fault: String)] {
      (missing.mapValues { "no row has \($0)" }).merging(
        unusable.mapValues { "no row has a usable value: it \($0)" }
      ) { $1 }
      .map { ($0.key, $0.value) }.sorted { $0 < $1 }
    }

    mutating func add(_ field: ManifestMap.Field, _ row: JSONTree) {
      let name = field.name.rawValue
      if let value = field.rule.value(in: row, base: "") {
        let isUsable = field.type.value(value, of: field.name, date: Instant.iso) != nil
        unusable[name] = isUsable ? nil : field.type.fault(value, of: field.name)
        if isUsable { usable.insert(name) }
      } else if let fault = field.rule.fault(in: row) {
        unusable[name] = fault
      }
    }
  }

  private let states = Mutex<[ManifestMap: State]>([:])

  package init() {}

  /// Takes in the rows of an answer.
  func add(_ rows: [JSONTree], _ map: ManifestMap) {
    states.withLock { states in
      var state = states[map] ?? State()
      for row in rows {
        for (field, rule) in map.rules where state.rows == 0 || state.missing[field] != nil {
          state.missing[field] = rule.missingPath(in: row)?.description
        }
        for field in map.fields where !state.usable.contains(field.name.rawValue) {
          state.add(field, row)
        }
        state.rows += 1
      }
      states[map] = state
    }
  }

  /// The fields that no row has a usable value for, with why; `nil` if too few rows were seen.
  package var faults: [(field: String, fault: String)]? {
    let seen = states.withLock { $0.values.filter { $0.rows >= Self.leastRows } }
    return seen.isEmpty ? nil : seen.flatMap(\.faults)
  }
}

extension ManifestMap {
  /// The rules by the names that a manifest has for them.
  fileprivate var rules: [(field: String, rule: ValueRule)] {
    let optional = [
      ("repository", repository), ("mirrorOf", mirrorOf), ("link", link),
      ("fragments", fragments.map { ValueRule(.path($0.each)) }),
    ]
    return [("id", id), ("url", url), ("title", title)] + fields.map { ($0.name.rawValue, $0.rule) }
      + optional.compactMap { name, rule in rule.map { (name, $0) } }
  }
}

extension ValueRule {
  /// The path for which a row has no member; `nil` if it has one, or if a default or an alternative takes its
  /// place.
  fileprivate func missingPath(in row: JSONTree) -> JSONPath? {
    guard fallback == nil else { return nil }
    switch source {
    case .path(let path): return path.isMissing(in: row) ? path : nil
    case .first(let rules):
      let missing = rules.compactMap { $0.missingPath(in: row) }
      return missing.count == rules.count ? missing.first : nil
    case .template(_, let rules): return rules.lazy.compactMap { $0.missingPath(in: row) }.first
    case .exists, .constant: return nil
    }
  }
}

extension JSONPath {
  /// Whether a value lacks the member that the path names; one that is null or an empty list shows nothing.
  fileprivate func isMissing(in tree: JSONTree) -> Bool {
    var current = [tree]
    for step in steps {
      current.removeAll { $0 == .null || $0 == .array([]) }
      if current.isEmpty { return false }
      current = JSONPath.values(of: current, step)
      if current.isEmpty { return true }
    }
    return false
  }
}
