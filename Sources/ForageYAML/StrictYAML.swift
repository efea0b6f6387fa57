package import ForageCore
package import Yams

/// Parses YAML strictly: a single document of limited size, without anchors, aliases and tags.
///
/// Every problem has its line, and for an unknown key the nearest known one. JSON is a part of YAML, except
/// for escape sequences of surrogates (`\ud83d\ude00`), U+007F in a text, tabs before and after the value,
/// and keys that are longer than 1024 characters or that a line break separates from their colon.
package enum StrictYAML {
  /// The maximum size of a file in bytes (256 KiB), well above that of hand-written configuration.
  package static let maximumBytes = 256 << 10

  package struct Member {
    /// The node of the key, for its line.
    package var key: Node
    package var name: String
    package var value: Node

    package init(key: Node, name: String, value: Node) {
      (self.key, self.name, self.value) = (key, name, value)
    }
  }

  /// Parses a file.
  ///
  /// Anchors, aliases and tags are rejected, because a few lines of aliases can expand to more memory than
  /// available.
  ///
  /// - Parameter bytes: The complete file in UTF-8.
  /// - Returns: The document; `nil` if the file is empty.
  /// - Throws: `YAMLProblem` if the file is not YAML, not UTF-8, too large or nested too deeply.
  package static func document(_ bytes: some Collection<UInt8>) throws(YAMLProblem) -> Node? {
    // The parser takes a millisecond to start.
    if bytes.isEmpty { return nil }
    guard bytes.count <= maximumBytes else {
      throw YAMLProblem(
        line: nil, "the file has \(bytes.count) bytes, more than the maximum of \(maximumBytes)",
        hint: "remove what is not needed")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw YAMLProblem(line: nil, "the file is not UTF-8 text", hint: "save the file as UTF-8")
    }
    // JSON has nothing that the guard looks for, but texts in which it would find it.
    let isJSON = (try? JSONTree(parsing: bytes)) != nil
    if !isJSON, let found = YAMLGuard.problem(in: Array(bytes)) { throw found }
    do {
      let root = try Yams.compose(yaml: text.limitingMarks)
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

  private static func sharedNode(_ node: Node) -> Node? {
    switch node {
    case .alias: return node
    case .scalar(let scalar): return scalar.anchor == nil ? nil : node
    case .sequence(let sequence):
      return sequence.anchor == nil ? firstShared(sequence) : node
    case .mapping(let mapping):
      return mapping.anchor == nil ? firstShared(mapping.flatMap { [$0.key, $0.value] }) : node
    }
  }

  /// The first node with an anchor; a lazy sequence would look at each more than once, at every level.
  private static func firstShared(_ nodes: some Sequence<Node>) -> Node? {
    for node in nodes {
      if let found = sharedNode(node) { return found }
    }
    return nil
  }

  /// The hint for a line that is not valid YAML.
  private static func hint(_ line: Int, in text: String) -> String {
    let lines = text.split(separator: "\n", maxSplits: line, omittingEmptySubsequences: false)
    let found = line > 0 && line <= lines.count ? lines[line - 1] : ""
    if found.contains("$"), found.contains("["), found.contains("{") {
      return "quote the path, because [ begins a list within { }"
    }
    return "fix the line; check indentation, quotes and brackets"
  }

  /// The problem for an error of the parser.
  package static func problem(_ error: any Error, in text: String) -> YAMLProblem {
    switch error as? YamlError {
    case .scanner(_, let what, let mark, _), .parser(_, let what, let mark, _),
      .composer(_, let what, let mark, _):
      let reason = words[what].map { ": " + $0 } ?? ""
      return YAMLProblem(
        line: mark.line, column: mark.column, "this is not valid YAML" + reason,
        hint: hint(mark.line, in: text))
    case .reader(let what, _, _, _):
      let reason = words[what].map { ": " + $0 } ?? ""
      return YAMLProblem(
        line: nil, "this is not valid YAML" + reason, hint: "remove the character, or escape it")
    case .duplicatedKeysInMapping(let names, let context):
      return YAMLProblem(
        line: context.mark.line == 0 ? nil : context.mark.line, "\"\(names.min() ?? "")\" occurs twice",
        hint: "remove one of the two")
    default: return YAMLProblem(line: nil, "this is not valid YAML", hint: hint(0, in: text))
    }
  }

  /// What is wrong, by the message of libyaml.
  private static let words = [
    "but found another document": "the file has more than one document",
    "could not find expected ':'": "a key must be followed by a colon",
    "did not find expected ',' or ']'": "a comma or ] is missing",
    "did not find expected ',' or '}'": "a comma or } is missing",
    "did not find expected '-' indicator": "an entry that begins with - is missing",
    "did not find expected key": "a key is missing, or its indentation is wrong",
    "did not find expected node content": "a value is missing",
    "did not find expected <document start>": "the text continues after its end",
    "found a tab character that violates indentation": "a tab cannot indent a line",
    "found a tab character where an indentation space is expected": "a tab cannot indent a line",
    "found character that cannot start any token": "no value can begin with this character",
    "control characters are not allowed": "it has a control character",
    "found invalid Unicode character escape code":
      "a quoted text has the escape sequence of a surrogate; write the character itself",
    "found unexpected end of stream": "a quoted text has no end",
    "found unknown escape character": "a quoted text has an unknown escape sequence",
    "block sequence entries are not allowed in this context": "- cannot begin an entry here",
    "mapping keys are not allowed in this context": "a key cannot stand here",
    "mapping values are not allowed in this context": "a colon cannot stand here",
  ]

  /// The keys of a mapping with their values, in order.
  ///
  /// A key without a value (for example because everything below it is commented out) is an empty mapping.
  ///
  /// - Parameters:
  ///   - node: The mapping.
  ///   - what: What the mapping is, for the message.
  ///   - hint: The hint if it is not a mapping.
  package static func members(_ node: Node, of what: String, hint: String? = nil) throws(YAMLProblem)
    -> [Member]
  {
    if isNothing(node) { return [] }
    guard case .mapping(let mapping) = node else {
      throw wrong(node, "\(what) must be a mapping (name: value)", hint: hint)
    }
    var members: [Member] = []
    for (key, value) in mapping {
      guard case .scalar(let scalar) = key else { throw wrong(key, "a name must be plain text") }
      members.append(Member(key: key, name: scalar.string, value: value))
    }
    return members
  }

  package static func isNothing(_ node: Node) -> Bool {
    guard case .scalar(let scalar) = node, scalar.style == .plain else { return false }
    return ["", "null", "~"].contains(scalar.string)
  }

  /// The value of a scalar as JSON has it: `no`, `12:30` and `0x10`, which older YAML takes for other values,
  /// are texts.
  package static func value(_ scalar: Node.Scalar) -> JSONTree {
    guard scalar.style == .plain else { return .string(scalar.string) }
    let text = scalar.string
    switch text {
    case "", "null", "~": return .null
    case "true", "false": return .bool(text == "true")
    default:
      if let number = Int(text) { return .integer(number) }
      let isNumber = text.utf8.allSatisfy {
        ("0"..."9").contains(Character(Unicode.Scalar($0))) || ".eE+-".utf8.contains($0)
      }
      if isNumber, let number = Double(text), number.isFinite { return .double(number) }
      return .string(text)
    }
  }

  /// The text of a scalar; `nil` for other nodes.
  package static func text(_ node: Node) -> String? {
    if case .scalar(let scalar) = node { scalar.string } else { nil }
  }

  /// Checks that a key is known; otherwise the problem names the nearest known one.
  ///
  /// - Parameters:
  ///   - what: What the key names, for the message.
  ///   - hint: The hint if no known key is near.
  package static func check(
    _ member: Member, among known: [String], what: String = "key", hint: String? = nil
  ) throws(YAMLProblem) {
    guard !known.contains(member.name) else { return }
    throw unknown(member.key, member.name, among: known, what: what, hint: hint)
  }

  package static func unknown(
    _ node: Node, _ name: String, among known: [String], what: String = "key", hint: String? = nil
  ) -> YAMLProblem {
    return wrong(
      node, "\"\(name)\" is not a known \(what)",
      hint: NearestName.hint(for: name, among: known, written: { "\"\($0)\"" }) ?? hint
        ?? "known: \(known.sorted().joined(separator: ", "))")
  }

  package static func wrong(_ node: Node, _ what: String, hint: String? = nil) -> YAMLProblem {
    YAMLProblem(line: node.mark?.line, what, hint: hint ?? "fix the line, or remove it")
  }
}
