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

  /// The maximum length of a path in bytes.
  package static let maximumLength = 500

  /// The path as written.
  package let description: String
  /// The steps from the root.
  package let steps: [Step]

  /// Parses a path.
  ///
  /// - Throws: `Failure`.
  package init(_ text: String) throws(Failure) {
    guard text.utf8.count <= Self.maximumLength else {
      throw Failure(reason: "it is longer than \(Self.maximumLength) bytes")
    }
    var reader = PathReader(text)
    steps = try reader.read()
    description = text
  }

  /// Whether it selects at most one value (a singular query of RFC 9535).
  package var isSingular: Bool { !steps.contains(.all) }

  /// The first value that the path selects.
  package func value(in tree: JSONTree) -> JSONTree? { values(in: tree).first }

  /// All values that the path selects, in order.
  package func values(in tree: JSONTree) -> [JSONTree] {
    var current = [tree]
    for step in steps {
      switch step {
      case .all: current = current.flatMap(Self.children)
      case .member(let name): current = current.compactMap { $0[name] }
      case .element(let place): current = current.compactMap { Self.element(place, of: $0) }
      }
    }
    return current
  }

  private static func element(_ place: Int, of tree: JSONTree) -> JSONTree? {
    guard let elements = tree.array else { return nil }
    let index = place < 0 ? elements.count + place : place
    return elements.indices.contains(index) ? elements[index] : nil
  }

  private static func children(_ tree: JSONTree) -> [JSONTree] {
    switch tree {
    case .array(let elements): elements
    case .object(let members):
      members.sorted { $0.key.bytesPrecede($1.key) }.map(\.value)
    default: []
    }
  }
}

extension JSONPath {
  /// All elements of the root: `$[*]`.
  static let everything = JSONPath(steps: [.all])

  init(steps: [Step]) {
    self.steps = steps
    description = "$[*]"
  }
}
