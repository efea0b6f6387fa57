/// A failure of the test support itself (never of the code under test).
public struct SupportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of failure it is; open, so that new helpers may add their own.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The stable name of the code.
    public let rawValue: String
    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A system call failed.
    public static let system = Code(rawValue: "system")
    /// Something that the test needs is not there.
    public static let missing = Code(rawValue: "missing")
    /// A helper program ended badly.
    public static let program = Code(rawValue: "program")
    /// What was waited for did not come in time.
    public static let timeout = Code(rawValue: "timeout")
  }

  /// The kind of failure.
  public let code: Code
  /// What happened.
  public let message: String
  /// What to do about it.
  public let hint: String

  /// Makes an error.
  public init(code: Code, message: String, hint: String) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  /// Message and hint on one line.
  public var description: String { "\(message) (\(hint))" }
}
