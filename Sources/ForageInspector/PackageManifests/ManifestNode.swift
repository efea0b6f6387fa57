/// A value of a JSON or TOML document: text, a list or a table.
final class ManifestNode {
  /// The depth limit of a document; deeper values are empty. Manifests nest a handful of levels.
  static let depthLimit = 32

  /// The text of a string, number or literal; nil for lists and tables.
  var text: String?
  /// The elements of a list.
  var items: [ManifestNode] = []
  /// The members of a table; of several with the same name the last one wins.
  var members: [String: ManifestNode] = [:]

  init(text: String? = nil) {
    self.text = text
  }

  /// Returns the value at a path of names; nil if there is none.
  subscript(_ path: String...) -> ManifestNode? {
    var node = self
    for name in path {
      guard let next = node.members[name] else { return nil }
      node = next
    }
    return node
  }

  /// Returns the names of the members at a path.
  func names(_ path: String...) -> Set<String> {
    var node = self
    for name in path {
      guard let next = node.members[name] else { return [] }
      node = next
    }
    return Set(node.members.keys)
  }

  /// Returns the member of a name, which is created if it does not exist.
  func member(_ name: String) -> ManifestNode {
    if let there = members[name] { return there }
    let made = ManifestNode()
    members[name] = made
    return made
  }
}
