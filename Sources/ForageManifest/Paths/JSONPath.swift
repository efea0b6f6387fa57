package import ForageCore

/// A path into a JSON value: the subset `$`, `.name`, `['name']`, `[n]` and `[*]` of JSONPath (RFC 9535).
///
/// A step that does not match selects nothing.
package struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  package enum Step: Hashable, Sendable {
    case member(String)
    /// The element of an array, from 0, or from -1 backwards.
    case element(Int)
    /// All elements of an array, or all values of an object in the byte order of their names.
    case all
  }

  package struct Failure: Error, Hashable, Sendable {
    /// The reason, as a clause.
    package var reason: String
  }

  /// The path as written.
  package let description: String
  /// The steps from the root.
  package let steps: [Step]
  /// The line of the manifest that it is on; `nil` where it is in no manifest.
  package var line: Int?

  /// Whether it selects at most one value (a singular query of RFC 9535).
  package var isSingular: Bool { !steps.contains(.all) }

  /// The first value that the path selects.
  package func value(in tree: JSONTree) -> JSONTree? { values(in: tree).first }

  /// All values that the path selects, in order.
  package func values(in tree: JSONTree) -> [JSONTree] { steps.reduce([tree], Self.values) }

  /// The value that contains the outermost list of the path, before its first `[*]`.
  func outermostList(in tree: JSONTree) -> JSONTree? {
    steps.prefix { $0 != .all }.reduce([tree], Self.values).first
  }

  /// The values that a step selects.
  static func values(of trees: [JSONTree], _ step: Step) -> [JSONTree] {
    switch step {
    case .all: trees.flatMap(children)
    case .member(let name): trees.compactMap { $0[name] }
    case .element(let place): trees.compactMap { element(place, of: $0) }
    }
  }

  private static func element(_ place: Int, of tree: JSONTree) -> JSONTree? {
    guard let elements = tree.array else { return nil }
    let index = place < 0 ? elements.count + place : place
    return elements.indices.contains(index) ? elements[index] : nil
  }

  private static func children(_ tree: JSONTree) -> [JSONTree] {
    switch tree {
    case .array(let elements): elements
    case .object: (tree.object ?? [:]).sorted { $0.key.bytesPrecede($1.key) }.map(\.value)
    default: []
    }
  }
}

extension JSONPath {
  /// Whether two paths are written alike, on whatever lines.
  package static func == (first: JSONPath, second: JSONPath) -> Bool {
    first.description == second.description
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension JSONPath {
  private typealias Scalars = Substring.UnicodeScalarView

  /// Parses a path.
  ///
  /// - Throws: `Failure`.
  package init(_ text: String) throws(Failure) {
    var rest = text[...].unicodeScalars
    guard rest.popFirst() == "$" else { throw Failure(reason: "it does not begin with $") }
    var steps: [Step] = []
    while let scalar = rest.popFirst() {
      switch scalar {
      case ".": steps.append(.member(try Self.name(&rest)))
      case "[": steps.append(try Self.selector(&rest))
      default: throw Failure(reason: "\"\(scalar)\" is not allowed here; expected . or [")
      }
    }
    (self.steps, description) = (steps, text)
  }

  /// Reads a name after a dot: letters, digits and `_`, not beginning with a digit.
  private static func name(_ rest: inout Scalars) throws(Failure) -> String {
    if rest.first == "." { throw Failure(reason: "descendants (..) are not supported") }
    if rest.first == "*" { throw Failure(reason: ".* is not supported; use [*]") }
    let name = rest.prefix { $0.value >= 0x80 || $0 == "_" || $0.isLetterOrDigit }
    rest = rest[name.endIndex...]
    guard let first = name.first, !("0"..."9").contains(first) else {
      throw Failure(reason: "a name is missing after a dot; write other names as ['like-this']")
    }
    if let next = rest.first, next != ".", next != "[" {
      throw Failure(
        reason: "\"\(next)\" is not allowed in a name after a dot; write such a name as ['like-this']")
    }
    return String(name)
  }

  /// Reads a selector after a bracket.
  private static func selector(_ rest: inout Scalars) throws(Failure) -> Step {
    let step: Step
    guard let first = rest.first else { throw Failure(reason: "a [ is not closed by ]") }
    switch first {
    case "*":
      rest.removeFirst()
      step = .all
    case "'", "\"": step = .member(try quoted(&rest))
    case "-", "0"..."9":
      let digits = String(rest.prefix { $0 == "-" || $0.isLetterOrDigit })
      // A number has one form: no leading zeros, and no -0.
      guard let number = Int(digits), String(number) == digits else {
        throw Failure(reason: "\"\(digits)\" is not a valid index")
      }
      rest.removeFirst(digits.unicodeScalars.count)
      step = .element(number)
    case "?": throw Failure(reason: "filters [?...] are not supported")
    default: throw Failure(reason: "[ must be followed by a number, * or a quoted name")
    }
    guard rest.popFirst() == "]" else { throw Failure(reason: "a [ is not closed by ] after its selector") }
    return step
  }

  /// Reads a quoted name, in which a backslash precedes a literal quote or backslash.
  private static func quoted(_ rest: inout Scalars) throws(Failure) -> String {
    let quote = rest.removeFirst()
    var name = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      if scalar == quote { return String(name) }
      if scalar.value < 0x20 { throw Failure(reason: "a name contains a control character") }
      guard scalar == "\\" else {
        name.append(scalar)
        continue
      }
      guard let escaped = rest.popFirst(), escaped == quote || escaped == "\\" else {
        throw Failure(reason: "a backslash must precede a quote or another backslash")
      }
      name.append(escaped)
    }
    throw Failure(reason: "a quoted name is not closed")
  }
}

extension Unicode.Scalar {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }
}
