/// An error of a Git operation: a code, what happened, and what to do.
package struct GitError: Error, Sendable, Hashable {
  /// The kind of an error; the raw value is its stable name.
  package enum Code: String, Sendable {
    /// There is no repository at the path or above it.
    case notARepository
    /// The repository belongs to another user and `safe.directory` does not allow it.
    case notOwned
    /// The repository's format is not supported (SHA-256, reftable, an unknown extension).
    case unsupportedExtension
    /// A file of the repository is not valid.
    case corrupt
    /// The operating system denied access.
    case permission
    /// A path, reference or configuration value does not exist.
    case notFound
    /// An object that is referred to is not in the object database.
    case missingObject
    /// `HEAD` has neither a commit id nor the name of a reference.
    case invalidHead
    /// The index has an unsupported version, extension or flag.
    case unsupportedIndex
    /// The caller cancelled the operation.
    case cancelled
    /// A resource limit was exceeded.
    case tooLarge
    /// A file is not text.
    case binary
    /// Any other error.
    case other
  }

  package var code: Code
  /// A sentence without a full stop that says what happened.
  package var message: String
  /// A sentence without a full stop that says what the user can do; empty if there is no advice.
  package var hint: String

  package init(_ code: Code, _ message: String, hint: String = "") {
    self.code = code
    self.message = message
    self.hint = hint
  }

  package static let cancelled = GitError(.cancelled, "the operation was cancelled")

  /// Whether the reason is an object or a file of git that is missing or damaged.
  package var isDamage: Bool { code == .missingObject || code == .corrupt || code == .invalidHead }

  /// The words of the message of a missing object.
  package static let absence = "missing from the repository"

  static func missing(_ id: ObjectID) -> GitError {
    GitError(
      .missingObject, "object \(id.hex) is \(absence)",
      hint:
        "clone it again, or see with `git fsck` what is missing; in a partial clone, `git fetch` fetches it")
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
