/// The full name of a reference, such as `refs/heads/main`: bytes, which need not be UTF-8.
///
/// Names that differ only in their Unicode composition are different names, as in git.
package struct ReferenceName: Sendable, Hashable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) { self.bytes = bytes }

  package init(_ text: String) { bytes = Array(text.utf8) }

  package func hasPrefix(_ prefix: String) -> Bool { bytes.starts(with: prefix.utf8) }

  /// Returns what follows a prefix, for display: bytes that are not UTF-8 are replaced. Nil if the name has
  /// another prefix.
  package func text(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(decoding: bytes.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
  }
}

extension ReferenceName: Comparable {
  package static func < (left: ReferenceName, right: ReferenceName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension ReferenceName: CustomStringConvertible, ExpressibleByStringLiteral {
  /// The name for display: bytes that are not UTF-8 are replaced.
  package var description: String { String(decoding: bytes, as: UTF8.self) }

  package init(stringLiteral text: String) { self.init(text) }
}

package struct Reference: Sendable, Hashable {
  package let name: ReferenceName
  /// The object id; of a symbolic reference, that of its target.
  package let target: ObjectID
  /// The peeled object of an annotated tag, if `packed-refs` has it; nil if it must be read from the tag.
  package let peeled: ObjectID?
  /// Whether it is symbolic, such as `refs/remotes/origin/HEAD`.
  package let isSymbolic: Bool
}

package enum HeadState: Sendable, Hashable {
  /// A reference; the commit is nil if the branch is unborn.
  case symbolic(ref: ReferenceName, commit: ObjectID?)
  case detached(ObjectID)
  /// Neither a reference nor an id that can be read, with the reason; and the reference that it names, if any.
  case invalid(String, ref: ReferenceName? = nil)

  package var commit: ObjectID? {
    switch self {
    case .symbolic(_, let commit): commit
    case .detached(let commit): commit
    case .invalid: nil
    }
  }

  /// The short name of the branch, if `HEAD` is on one.
  package var branch: String? {
    switch self {
    case .symbolic(let ref, _), .invalid(_, let ref?): ref.text(after: "refs/heads/")
    case .detached, .invalid(_, nil): nil
    }
  }
}
