import Forage
import ForageCore

/// Writes a document as rows for programs.
extension JSONValue {
  /// The fields of lists some of whose members may be absent, so that each field keeps its place.
  private static let listFields: [String: [String]] = [
    "licenses": ["spdx", "path"], "submodules": ["path", "url", "commit", "state"],
    "worktrees": ["path", "branch"], "contributors": ["login", "commits", "name"],
    "fragments": ["text", "line", "matches"],
    "matches": ["line", "column", "text", "ranges", "before", "after"],
    "places": ["repository", "path", "ref", "commit", "file"],
    "providers": ["id", "kind", "state", "returned"],
  ]

  /// The document as rows: for each scalar its key and its value, for each item of a list the list's key and the fields of the item.
  ///
  /// The keys of nested objects are joined with dots: `head.branch`. A field that is a list or an object itself is JSON.
  func rows(_ key: String = "") -> [[String]] {
    switch self {
    case .null: return []
    case .object(let members):
      return members.flatMap { name, value in value.rows(key.isEmpty ? name : key + "." + name) }
    case .array(let items):
      let name = key.split(separator: ".").last.map(String.init) ?? key
      return items.map { [key] + $0.fields(Self.listFields[name]) }
    default: return [[key, field]]
    }
  }

  /// An item of a list as fields: of an object the values of these members, or of all.
  private func fields(_ names: [String]?) -> [String] {
    guard case .object(let members) = self else { return [field] }
    guard let names else { return members.map(\.1.field) }
    return names.map { name in members.first { $0.0 == name }?.1.field ?? "" }
  }

  /// The value on one line: of `null` nothing.
  private var field: String {
    switch self {
    case .null: ""
    case .string(let value): value
    case .date(let value): HumanFormat.timestamp(value)
    case .bool, .int, .double, .array, .object: text()
    }
  }
}
