import ForageCore
package import Yams

/// Reads YAML strictly: one document, bounded, without the parts of the language that settings have no use for.
///
/// Every problem says the line, and for an unknown key the nearest known one.
package enum StrictYAML {
  /// A settings file that a person writes has a few kilobytes; this bounds what one that somebody hands out can cost.
  package static let maximumBytes = 64 << 10

  /// A name with what stands behind it.
  package struct Member {
    /// The node of the name, for its line.
    package var key: Node
    /// The name.
    package var name: String
    /// What stands behind it.
    package var value: Node
  }

  /// Reads a file.
  ///
  /// Anchors, aliases and tags are refused: a few lines of aliases can stand for more text than any memory holds.
  ///
  /// - Parameter bytes: The whole file, in UTF-8.
  /// - Returns: The one document, `nil` when there is none.
  /// - Throws: `YAMLProblem` for what is no YAML, too large, too deep, or no UTF-8.
  package static func document(_ bytes: some Collection<UInt8>) throws(YAMLProblem) -> Node? {
    guard bytes.count <= maximumBytes else {
      throw YAMLProblem(
        line: nil, "the file has \(bytes.count) bytes, more than the \(maximumBytes) that are read",
        hint: "leave out what is not needed")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw YAMLProblem(line: nil, "the file is not UTF-8 text", hint: "save the file as UTF-8")
    }
    if let found = YAMLGuard.problem(in: Array(bytes)) { throw found }
    do {
      let root = try Yams.compose(yaml: text)
      if let root, let shared = sharedNode(root) {
        throw YAMLProblem(line: shared.mark?.line, YAMLGuard.noAnchors, hint: YAMLGuard.writeOut)
      }
      return root
    } catch let problem as YAMLProblem {
      throw problem
    } catch {
      throw problem(error, in: text)
    }
  }

  /// A node that others could refer to, or that refers to another.
  private static func sharedNode(_ node: Node) -> Node? {
    switch node {
    case .alias: return node
    case .scalar(let scalar): return scalar.anchor == nil ? nil : node
    case .sequence(let sequence):
      return sequence.anchor == nil ? sequence.lazy.compactMap(sharedNode).first : node
    case .mapping(let mapping):
      return mapping.anchor == nil
        ? mapping.lazy.compactMap { sharedNode($0.key) ?? sharedNode($0.value) }.first : node
    }
  }

  /// What to do about a line that is no YAML.
  private static func hint(_ line: Int, in text: String) -> String {
    let lines = text.split(separator: "\n", maxSplits: line, omittingEmptySubsequences: false)
    let found = line > 0 && line <= lines.count ? lines[line - 1] : ""
    if found.contains("$"), found.contains("["), found.contains("{") {
      return "put the path in quotes: within { } a [ begins a list"
    }
    return "mend the line: indentation, quotes and brackets are what it is mostly about"
  }

  private static func problem(_ error: any Error, in text: String) -> YAMLProblem {
    switch error as? YamlError {
    case .scanner(_, let what, let mark, _), .parser(_, let what, let mark, _),
      .composer(_, let what, let mark, _):
      return YAMLProblem(
        line: mark.line, "this is not valid YAML: \(what)", hint: hint(mark.line, in: text))
    case .duplicatedKeysInMapping(let names, let context):
      return YAMLProblem(
        line: context.mark.line == 0 ? nil : context.mark.line, "\"\(names.first ?? "")\" stands here twice",
        hint: "remove one of the two")
    case .reader(let what, _, _, _):
      return YAMLProblem(line: nil, "this is not valid YAML: \(what)", hint: hint(0, in: text))
    default: return YAMLProblem(line: nil, "this is not valid YAML", hint: hint(0, in: text))
    }
  }

  /// The names of a mapping with what stands behind them, in order.
  ///
  /// A key with nothing behind it, everything commented out perhaps, is empty.
  ///
  /// - Parameter what: What the mapping is, for the sentence.
  package static func members(_ node: Node, of what: String, hint: String? = nil) throws(YAMLProblem)
    -> [Member]
  {
    if isNothing(node) { return [] }
    guard case .mapping(let mapping) = node else {
      throw wrong(node, "\(what) must be a list of \"name: value\"", hint: hint)
    }
    var members: [Member] = []
    for (key, value) in mapping {
      guard case .scalar(let scalar) = key else { throw wrong(key, "a name must be plain text") }
      members.append(Member(key: key, name: scalar.string, value: value))
    }
    return members
  }

  /// Whether nothing stands there.
  package static func isNothing(_ node: Node) -> Bool {
    guard case .scalar(let scalar) = node, scalar.style == .plain else { return false }
    return ["", "null", "~"].contains(scalar.string)
  }

  /// The text of a scalar, `nil` for anything else.
  package static func text(_ node: Node) -> String? {
    if case .scalar(let scalar) = node { scalar.string } else { nil }
  }

  /// Whether a name is one of the known ones; otherwise the problem names the nearest.
  ///
  /// - Parameters:
  ///   - what: What such a name is called.
  ///   - hint: What to do where no known name is near.
  package static func check(
    _ member: Member, among known: [String], what: String = "key", hint: String? = nil
  ) throws(YAMLProblem) {
    guard !known.contains(member.name) else { return }
    throw unknown(member.key, member.name, among: known, what: what, hint: hint)
  }

  /// The problem of a name that is not known.
  package static func unknown(
    _ node: Node, _ name: String, among known: [String], what: String = "key", hint: String? = nil
  ) -> YAMLProblem {
    let nearest = NearestName.of(name, among: known)
    return wrong(
      node, "\"\(name)\" is not a known \(what)",
      hint: nearest.map { "did you mean \"\($0)\"?" } ?? hint
        ?? "known here: \(known.sorted().joined(separator: ", "))")
  }

  /// A problem at the line of a node.
  package static func wrong(_ node: Node, _ what: String, hint: String? = nil) -> YAMLProblem {
    YAMLProblem(line: node.mark?.line, what, hint: hint ?? "mend the line, or remove it")
  }
}
