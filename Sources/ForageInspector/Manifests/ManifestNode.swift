/// A value of a JSON or TOML document, as far as manifests need it: text, a list, or named members.
final class ManifestNode {
  /// Documents nest a handful of levels; deeper values are taken as empty.
  static let depthLimit = 32

  /// What a string, number or word says; nil for lists and tables.
  var text: String?
  /// The elements of a list.
  var items: [ManifestNode] = []
  /// The members of a table; of several with one name the last.
  var members: [String: ManifestNode] = [:]

  init(text: String? = nil) {
    self.text = text
  }

  /// The value at a path of names; nil if there is none.
  subscript(_ path: String...) -> ManifestNode? {
    var node = self
    for name in path {
      guard let next = node.members[name] else { return nil }
      node = next
    }
    return node
  }

  /// The names of the members at a path.
  func names(_ path: String...) -> Set<String> {
    var node = self
    for name in path {
      guard let next = node.members[name] else { return [] }
      node = next
    }
    return Set(node.members.keys)
  }

  /// The member of a name, made if it is not there.
  func member(_ name: String) -> ManifestNode {
    if let there = members[name] { return there }
    let made = ManifestNode()
    members[name] = made
    return made
  }
}
