import ForageCore
import Yams

/// Reading steps that all settings share.
extension SettingsReader {
  func members(_ node: Node, of what: String, hint: String? = nil) throws -> [(Node, Node)] {
    // A key without a value, with everything below commented out perhaps, is an empty list.
    if case .scalar(let scalar) = node,
      scalar.string.isEmpty || scalar.string == "null" || scalar.string == "~"
    {
      return []
    }
    guard case .mapping(let mapping) = node else {
      throw wrong(node, "\(what) must be a list of \"name: value\"", hint: hint)
    }
    return mapping.map { ($0.key, $0.value) }
  }

  func name(_ node: Node) throws -> String {
    guard case .scalar(let scalar) = node else { throw wrong(node, "a name must be plain text") }
    return scalar.string
  }

  /// - Parameter hint: What to do if no known name is near.
  func check(_ key: Node, among known: [String], hint: String? = nil) throws {
    let name = try name(key)
    guard !known.contains(name) else { return }
    let nearest = NearestName.of(name, among: known)
    throw wrong(
      key, "\"\(name)\" is not a known setting",
      hint: nearest.map { "did you mean \"\($0)\"?" } ?? hint
        ?? "known here: \(known.sorted().joined(separator: ", "))")
  }

  /// The file with the line of a node.
  func place(of node: Node) -> String { path + (node.mark.map { ":\($0.line)" } ?? "") }

  func wrong(_ node: Node, _ what: String, hint: String? = nil) -> ForageError {
    ForageError("\(place(of: node)): \(what)", hint: hint ?? "fix the line, or remove it")
  }
}
