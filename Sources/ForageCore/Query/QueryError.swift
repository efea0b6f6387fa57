/// Why a query could not be understood, and where.
public struct QueryError: Error, Hashable, Sendable {
  /// What is wrong, as a sentence without a full stop.
  public var message: String
  /// What to do about it.
  public var hint: String
  /// The query as given.
  public var query: String
  /// The place of the problem as Unicode scalar offsets into `query`.
  public var range: Range<Int>

  /// Creates an error.
  public init(message: String, hint: String, query: String, range: Range<Int>) {
    self.message = message
    self.hint = hint
    self.query = query
    self.range = range
  }
}

/// Something about a query that the user should know although it could be understood.
public struct QueryWarning: Hashable, Sendable {
  /// What was noticed, as a sentence.
  public var message: String
  /// What to do about it, where something can be done.
  public var hint: String?

  /// Creates a warning.
  public init(message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}
