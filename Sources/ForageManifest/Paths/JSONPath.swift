package import ForageCore

/// A way into a JSON value: the subset `$`, `.name`, `['name']`, `[n]` and `[*]` of JSONPath (RFC 9535).
///
/// A path never looks deeper than it says: where a step leads nowhere, there is nothing.
package struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// One step.
  package enum Step: Hashable, Sendable {
    /// The member of an object with a name.
    case member(String)
    /// The element of an array at a place from 0, or from -1 backwards from the end.
    case element(Int)
    /// Every element of an array, or every value of an object in the order of the bytes of their names.
    case all
  }

  /// Why a text is no path.
  package struct Failure: Error, Hashable, Sendable {
    /// What is wrong, a part of a sentence.
    package var reason: String
  }

  /// The most bytes of a path: deeper answers do not exist.
  package static let maximumLength = 500

  /// The path as it was written.
  package let description: String
  /// The steps from the whole value on.
  package let steps: [Step]

  /// Reads a path.
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

  /// Whether it leads to at most one value (a singular query of RFC 9535).
  package var isSingular: Bool { !steps.contains(.all) }

  /// The value that a singular path leads to; of any other path the first.
  package func value(in tree: JSONTree) -> JSONTree? {
    guard isSingular else { return values(in: tree).first }
    var current = tree
    for step in steps {
      guard let next = Self.follow(step, from: current) else { return nil }
      current = next
    }
    return current
  }

  /// Every value that the path leads to, in order.
  package func values(in tree: JSONTree) -> [JSONTree] {
    var current = [tree]
    for step in steps {
      switch step {
      case .all: current = current.flatMap(Self.children)
      case .member, .element: current = current.compactMap { Self.follow(step, from: $0) }
      }
    }
    return current
  }

  /// What the path leads to before its last `[*]`, with the steps that follow that; `nil` for a singular path.
  package var list: (parent: [Step], rest: [Step])? {
    guard let last = steps.lastIndex(of: .all) else { return nil }
    return (Array(steps[..<last]), Array(steps[(last + 1)...]))
  }

  private static func follow(_ step: Step, from tree: JSONTree) -> JSONTree? {
    switch step {
    case .member(let name): return tree[name]
    case .element(let place):
      guard let elements = tree.array else { return nil }
      let index = place < 0 ? elements.count + place : place
      return elements.indices.contains(index) ? elements[index] : nil
    case .all: return nil
    }
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
  /// The elements of the whole value: `$[*]`.
  static let everything = JSONPath(steps: [.all])

  private init(steps: [Step]) {
    self.steps = steps
    description = "$[*]"
  }
}

extension JSONPath {
  /// The way to what comes before a step.
  static func prefix(of path: JSONPath, upTo place: Int) -> JSONPath {
    JSONPath(steps: Array(path.steps[..<place]))
  }
}
