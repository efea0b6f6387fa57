package import ForageGit

/// Why a clone could not be inspected: a code, what happened, and what to do.
public struct InspectionError: Error, Sendable, Hashable {
  /// The kind of an error. The set is open; treat unknown codes as an error that cannot be handled.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The stable name of the code, in camel case.
    public let description: String

    /// There is no repository at the path or above it.
    public static let notARepository = Code(.notARepository)
    /// The repository belongs to another user and `safe.directory` does not allow it.
    public static let notOwned = Code(.notOwned)
    /// The repository has an extension that is not supported.
    public static let unsupportedExtension = Code(.unsupportedExtension)
    /// A file of the repository is not valid.
    public static let corrupt = Code(.corrupt)
    /// The operating system denied access.
    public static let permission = Code(.permission)
    /// The path does not exist.
    public static let notFound = Code(.notFound)
    /// The caller cancelled the inspection.
    public static let cancelled = Code(.cancelled)
    package static let unsupportedIndex = Code(.unsupportedIndex)
    package static let missingObject = Code(.missingObject)
    package static let invalidHead = Code(.invalidHead)
    package static let tooLarge = Code(.tooLarge)
    package static let other = Code(.other)

    init(_ code: GitError.Code) { description = code.rawValue }
  }

  /// The kind of the error.
  public let code: Code
  /// A sentence without a full stop that says what happened.
  public let message: String
  /// A sentence without a full stop that says what the user can do; empty if there is no advice.
  public let hint: String

  package init(_ code: Code, _ message: String, hint: String = "") {
    self.code = code
    self.message = message
    self.hint = hint
  }

  package init(_ error: GitError) { self.init(Code(error.code), error.message, hint: error.hint) }
}

extension InspectionError: CustomStringConvertible {
  /// The message, with the hint in parentheses.
  public var description: String { hint.isEmpty ? message : "\(message) (\(hint))" }
}
