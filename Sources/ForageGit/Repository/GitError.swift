/// A failure of a Git operation: a code to decide by, what happened, and what to do about it.
package struct GitError: Error, Sendable, Hashable {
  /// What kind of failure it was. The set is open: unknown codes are to be treated like ``other``.
  package struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The stable name of the code, in camel case.
    package let name: String

    /// Creates a code by its stable name.
    package init(_ name: String) {
      self.name = name
    }

    package var description: String { name }

    /// There is no repository at the path or above it.
    package static let notARepository = Code("notARepository")
    /// The repository belongs to another user and `safe.directory` does not allow it.
    package static let notOwned = Code("notOwned")
    /// The repository's format is one that cannot be read here (SHA-256, reftable, an unknown extension).
    package static let unsupportedExtension = Code("unsupportedExtension")
    /// A file of the repository does not hold what its format demands.
    package static let corrupt = Code("corrupt")
    /// The operating system denied access.
    package static let permission = Code("permission")
    /// A path, reference or configuration value does not exist.
    package static let notFound = Code("notFound")
    /// An object that something refers to is not in the object database.
    package static let missingObject = Code("missingObject")
    /// `HEAD` holds neither a commit id nor the name of a reference.
    package static let invalidHead = Code("invalidHead")
    /// The index has a version, an extension or flags that are not known here.
    package static let unsupportedIndex = Code("unsupportedIndex")
    /// The caller asked to stop.
    package static let cancelled = Code("cancelled")
    /// A limit that protects this process was reached.
    package static let tooLarge = Code("tooLarge")
    /// Anything else.
    package static let other = Code("other")
  }

  /// The kind of failure.
  package var code: Code
  /// What happened, one sentence without a full stop.
  package var message: String
  /// What the user can do, one sentence without a full stop; empty when there is nothing to advise.
  package var hint: String

  /// Creates an error.
  package init(_ code: Code, _ message: String, hint: String = "") {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// The error that a cancelled operation throws.
  package static let cancelled = GitError(.cancelled, "the operation was cancelled")

  static func missing(_ id: ObjectID) -> GitError {
    GitError(
      .missingObject, "object \(id.hex) is missing from the repository",
      hint: "run `git fsck` there; in a partial clone, `git fetch` gets what is missing")
  }

  static func corruptObject(_ id: ObjectID, _ why: String) -> GitError {
    GitError(.corrupt, "object \(id.hex) is damaged: \(why)", hint: "run `git fsck` there")
  }
}

extension GitError: CustomStringConvertible {
  package var description: String {
    hint.isEmpty ? message : "\(message) (\(hint))"
  }
}
