import ForageCore
package import ForageYAML
package import Yams

/// The paths that `forage clones ignore` and `clones remove` have taken out of every search and list, in a
/// file of the program's own beside the settings: paths and patterns in their order.
package struct IgnoredClones: OwnSettingsFile {
  package static let fileName = "clones.ignored.yaml"
  package static let noun = "the list of ignored clones"
  package static let head = "# Written by forage clones ignore and forage clones remove.\n"
  package static let advice = "write - PATH, or delete the file and ignore the clones again"
  package static let empty: [String] = []

  package let path: String

  package init(path: String) { self.path = path }

  /// Adds or removes paths and patterns.
  ///
  /// - Returns: Those by which the file has changed.
  /// - Throws: `ForageError` when the file is not understood or cannot be written; it is then unchanged.
  package func set(_ isIgnored: Bool, for texts: [String]) throws(ForageError) -> [String] {
    var changed: [String] = []
    try change(creates: isIgnored) { known in
      changed = texts.filter { known.contains($0) != isIgnored }
      if isIgnored { known += changed } else { known.removeAll(where: changed.contains) }
      return !changed.isEmpty
    }
    return changed
  }

  package func content(of root: Node, _ problem: inout YAMLProblem?) throws(YAMLProblem) -> [String] {
    guard case .sequence(let sequence) = root else {
      throw StrictYAML.wrong(root, "the file must be a list")
    }
    var texts: [String] = []
    for node in sequence {
      guard let text = StrictYAML.text(node), !text.isEmpty else {
        throw StrictYAML.wrong(node, "a path or a pattern must be a text")
      }
      texts.append(text)
    }
    return texts
  }

  package static func lines(_ texts: [String]) -> [String] {
    // A text in JSON is one in YAML, too.
    texts.map { "- \(JSONTree.string($0).text())\n" }
  }
}
