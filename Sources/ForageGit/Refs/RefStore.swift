import Synchronization

/// The references of a repository. `HEAD` is read at once, the other references on first use.
package final class RefStore: Sendable {
  /// The most references; the largest known repositories have about a million.
  static let referenceLimit = 5_000_000

  package let head: HeadState
  private let gitDir: String
  private let commonDir: String
  private let limit: Int
  private let problem: GitError?
  /// The references, sorted by the bytes of their names, each name once.
  private let loaded = Mutex<Result<[Reference], GitError>?>(nil)

  /// Reads `HEAD`.
  ///
  /// - Parameters:
  ///   - limit: the most references; only tests use another than the default.
  ///   - problem: why ids cannot be read here; nil if they can.
  init(
    gitDir: String, commonDir: String, limit: Int = RefStore.referenceLimit, problem: GitError? = nil
  ) throws(GitError) {
    (self.gitDir, self.commonDir, self.limit, self.problem) = (gitDir, commonDir, limit, problem)
    let head = try RefReader(gitDir: gitDir, commonDir: commonDir).head()
    if let problem {
      let ref: ReferenceName? =
        switch head {
        case .symbolic(let ref, _), .invalid(_, let ref?): ref
        case .detached, .invalid(_, nil): nil
        }
      self.head = .invalid(problem.message, ref: ref)
    } else {
      self.head = head
    }
  }

  /// Reads all references, unless they are loaded.
  ///
  /// - Throws: `corrupt` for a damaged `packed-refs`, or a link to a folder among the references; `tooLarge`
  ///   for too many references or too deep folders. A damaged loose file is skipped; git skips it with a
  ///   warning.
  package func load() throws(GitError) { _ = try result().get() }

  private func result() -> Result<[Reference], GitError> {
    loaded.withLock { loaded in
      if let loaded { return loaded }
      let result = Result { () throws(GitError) in
        if let problem { throw problem }
        return try RefReader(gitDir: gitDir, commonDir: commonDir).all(limit: limit)
      }
      loaded = result
      return result
    }
  }

  /// All references, sorted by the bytes of their names; empty if they cannot be read, in which case
  /// ``load()`` throws.
  package var all: [Reference] { (try? result().get()) ?? [] }

  /// Returns the names of all references and whether they are symbolic, also where ids cannot be read.
  package func names() throws(GitError) -> [(name: ReferenceName, isSymbolic: Bool)] {
    guard problem != nil else { return try result().get().map { ($0.name, $0.isSymbolic) } }
    return try RefReader(gitDir: gitDir, commonDir: commonDir).names(limit: limit)
  }

  package subscript(name name: ReferenceName) -> Reference? { all.reference(name) }

  /// The reference with a full name from a configuration, in whose texts bytes that are not UTF-8 are replaced;
  /// nil also if several names look the same.
  package func reference(shownAs text: String) -> Reference? {
    if let found = self[name: ReferenceName(text)] { return found }
    guard text.unicodeScalars.contains("\u{FFFD}") else { return nil }
    let found = all.filter { $0.name.description == text }
    return found.count == 1 ? found[0] : nil
  }

  package func with(prefix: String) -> [Reference] {
    let all = all
    return Array(all[all.place(of: ReferenceName(prefix))...].prefix { $0.name.hasPrefix(prefix) })
  }
}

extension [Reference] {
  /// Returns the reference with a name; the references must be sorted.
  func reference(_ name: ReferenceName) -> Reference? {
    let place = place(of: name)
    return place < count && self[place].name == name ? self[place] : nil
  }

  /// Returns the index of the first name that does not precede another.
  func place(of name: ReferenceName) -> Int { indices.search { self[$0].name < name } }
}

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
