import ForageCore
import ForageHTTP
import Synchronization

/// The mapped paths that no row of an API's answers has, the fields whose values are never what the map says,
/// and the paths beside the rows that no answer has, which a validation reports as probable mistakes.
package final class MapCoverage: Sendable {
  /// The number of rows from which on a path counts as missing; fewer rows may all lack an optional member.
  private static let leastRows = 3

  private struct State {
    var rows = 0
    /// The path of each field that no row has had so far.
    var missing: [String: JSONPath] = [:]
    /// What is wrong with each field of which no value could be used so far.
    var unusable: [String: String] = [:]
    /// The fields of which a value could be used.
    var usable: Set<String> = []

    /// The faults of fields, in the order of their names.
    var faults: [Fault] {
      missing.mapValues { (text: "no row has \($0)", line: $0.line) }.merging(
        unusable.mapValues { (text: "no row has a usable value: it \($0)", line: nil) }
      ) { $1 }
      .map { Fault(field: $0.key, fault: $0.value.text, line: $0.value.line) }.sorted { $0.field < $1.field }
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

  /// What is wrong with a member of a manifest.
  package struct Fault: Hashable, Sendable {
    /// The name of the member.
    package var field: String
    package var fault: String
    /// The line of its path; `nil` where it is not known.
    package var line: Int?
    /// Whether it may be that only no answer needed the member.
    package var isDoubtful = false
  }

  /// What is known of a path to something beside the rows.
  private struct Place {
    var name: String
    /// What no answer has had so far, as a noun phrase; `nil` if one has had it.
    var missing: String?
    var line: Int?
    /// Whether there was an answer that should have had it.
    var wasDue = false
  }

  private let states = Mutex<[ManifestMap: State]>([:])
  /// By texts that are the same in every answer to the same list.
  private let places = Mutex<[String: Place]>([:])

  package init() {}

  /// Takes in an answer to a request for a page of a list.
  ///
  /// - Parameter isFull: Whether it has as many rows as a page, so that there is most likely another one.
  func add(_ answer: PageReader.Answer, _ list: ManifestList, isFull: Bool) {
    let tree = answer.tree
    func check(_ name: String, at path: JSONPath) {
      guard let isMissing = path.isMissing(in: tree) else { return }
      note(name, at: path, missing: isMissing ? "\(path)" : nil, isDue: isFull)
    }
    switch list.paging.style {
    case .cursor(_, let path), .link(let path?): check("next", at: path)
    case .single, .page, .offset, .link(nil): break
    }
    if let path = list.paging.more { check("more", at: path) }
    switch list.total?.place {
    case .path(let path):
      let isNumber = path.value(in: tree).map { $0 == .null || $0.count != nil }
      guard let isThere = isNumber ?? path.isMissing(in: tree).map({ !$0 }) else { break }
      note(
        "total", at: path, missing: isThere ? nil : "a whole number at \(path)", isDue: answer.rows > 0)
    case .header(let name):
      let isThere = answer.response.header(name) != nil
      note(
        "total", key: "total " + name, missing: isThere ? nil : "the header field \(name)",
        isDue: answer.rows > 0)
    case nil: break
    }
  }

  /// Takes in an answer that is an error of the API.
  func add(error tree: JSONTree, _ rules: Manifest.ErrorRules) {
    for (name, rule) in rules.named {
      let missing = rule.missingPath(in: tree)
      note(name, key: name, line: missing?.line, missing: missing.map { "\($0)" }, isDue: false)
    }
  }

  private func note(_ name: String, at path: JSONPath, missing: String?, isDue: Bool) {
    note(name, key: "\(name) \(path) \(path.line ?? 0)", line: path.line, missing: missing, isDue: isDue)
  }

  private func note(_ name: String, key: String, line: Int? = nil, missing: String?, isDue: Bool) {
    places.withLock { places in
      var place = places[key] ?? Place(name: name, missing: missing, line: line)
      if missing == nil { place.missing = nil }
      place.wasDue = place.wasDue || isDue
      places[key] = place
    }
  }

  /// What no answer had beside its rows, in the order of the lines.
  ///
  /// - Parameter rules: Where the manifest says that errors have their message.
  package func absences(_ rules: Manifest.ErrorRules) -> [Fault] {
    let places = places.withLock { $0 }
    let absent = places.values.compactMap { place in
      place.missing.map {
        Fault(field: place.name, fault: "no answer has \($0)", line: place.line, isDoubtful: !place.wasDue)
      }
    }
    let unseen = rules.named.filter { places[$0.name] == nil }.map {
      Fault(field: $0.name, fault: "not checked, because no answer was an error", isDoubtful: true)
    }
    return absent.sorted { ($0.line ?? 0, $0.field) < ($1.line ?? 0, $1.field) } + unseen
  }

  /// Takes in the rows of an answer.
  func add(_ rows: [JSONTree], _ map: ManifestMap) {
    states.withLock { states in
      var state = states[map] ?? State()
      for row in rows {
        for (field, rule) in map.rules where state.rows == 0 || state.missing[field] != nil {
          state.missing[field] = rule.missingPath(in: row)
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
  package var faults: [Fault]? {
    let seen = states.withLock { $0.values.filter { $0.rows >= Self.leastRows } }
    return seen.isEmpty ? nil : seen.flatMap(\.faults)
  }
}

extension Manifest.ErrorRules {
  /// The rules by the names that a manifest has for them.
  fileprivate var named: [(name: String, rule: ValueRule)] {
    [("errors: message", message), ("errors: code", code)].compactMap { name, rule in rule.map { (name, $0) }
    }
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
    case .path(let path): return path.isMissing(in: row) == true ? path : nil
    case .first(let rules):
      let missing = rules.compactMap { $0.missingPath(in: row) }
      return missing.count == rules.count ? missing.first : nil
    case .template(_, let rules): return rules.lazy.compactMap { $0.missingPath(in: row) }.first
    case .exists, .constant: return nil
    }
  }
}

extension JSONPath {
  /// Whether a value lacks the member that the path names; `nil` where null or an empty list stands in front of
  /// that, which shows nothing.
  fileprivate func isMissing(in tree: JSONTree) -> Bool? {
    var current = [tree]
    for step in steps {
      current.removeAll { $0 == .null || $0 == .array([]) }
      if current.isEmpty { return nil }
      current = JSONPath.values(of: current, step)
      if current.isEmpty { return true }
    }
    return false
  }
}
