/// An error of a Git operation: a code, what happened, and what to do.
package struct GitError: Error, Sendable, Hashable {
  /// The kind of an error. The set is open; treat unknown codes as ``other``.
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
    /// The repository's format is not supported (SHA-256, reftable, an unknown extension).
    package static let unsupportedExtension = Code("unsupportedExtension")
    /// A file of the repository is not valid.
    package static let corrupt = Code("corrupt")
    /// The operating system denied access.
    package static let permission = Code("permission")
    /// A path, reference or configuration value does not exist.
    package static let notFound = Code("notFound")
    /// An object that is referred to is not in the object database.
    package static let missingObject = Code("missingObject")
    /// `HEAD` has neither a commit id nor the name of a reference.
    package static let invalidHead = Code("invalidHead")
    /// The index has an unsupported version, extension or flag.
    package static let unsupportedIndex = Code("unsupportedIndex")
    /// The caller cancelled the operation.
    package static let cancelled = Code("cancelled")
    /// A resource limit was exceeded.
    package static let tooLarge = Code("tooLarge")
    /// Any other error.
    package static let other = Code("other")
  }

  /// The kind of the error.
  package var code: Code
  /// What happened, one sentence without a full stop.
  package var message: String
  /// What the user can do, one sentence without a full stop; empty if there is no advice.
  package var hint: String

  /// Creates an error.
  package init(_ code: Code, _ message: String, hint: String = "") {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// The error of a cancelled operation.
  package static let cancelled = GitError(.cancelled, "the operation was cancelled")

  /// Whether the reason is an object or a file of git that is missing or damaged.
  package var isDamage: Bool { code == .missingObject || code == .corrupt || code == .invalidHead }

  /// What the message of a missing object says of it.
  package static let absence = "missing from the repository"

  static func missing(_ id: ObjectID) -> GitError {
    GitError(
      .missingObject, "object \(id.hex) is \(absence)",
      hint: "run `git fsck` in the repository; in a partial clone, `git fetch` fetches missing objects")
  }

  static func corruptObject(_ id: ObjectID, _ why: String) -> GitError {
    GitError(.corrupt, "object \(id.hex) is damaged: \(why)", hint: "run `git fsck` in the repository")
  }
}

extension GitError: CustomStringConvertible {
  package var description: String {
    hint.isEmpty ? message : "\(message) (\(hint))"
  }
}
