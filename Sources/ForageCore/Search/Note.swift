/// Something that is missing from a list or odd about it.
///
/// A provider adds notes to its pages, and a search adds those about what it does itself. Each is printed once.
public struct Note: Hashable, Sendable {
  /// What it is about; one of the error codes, or one of those below.
  public var code: SearchError.Code
  /// What is missing or odd, as a phrase without a full stop. It may contain untrusted text.
  public var message: String
  /// What to do, whatever program shows it; empty if that follows from the code.
  public var hint: String
  /// Whether results are missing, so that the list is incomplete.
  public var isMissing: Bool

  /// Creates a note.
  public init(_ code: SearchError.Code, _ message: String, hint: String = "", isMissing: Bool = true) {
    self.code = code
    self.message = message
    self.hint = hint
    self.isMissing = isMissing
  }
}

extension SearchError.Code {
  /// The service reports that its list is incomplete, for example because a search took it too long.
  public static let incompleteResults: SearchError.Code = "incomplete_results"
  /// A part could not be searched, for example files that cannot be read or organizations that the token is not
  /// authorized for. The provider is `partial`.
  public static let incompleteSearch: SearchError.Code = "incomplete_search"
  /// Files over the size limit were not searched, and all others were. The provider is `partial`.
  public static let filesTooLong: SearchError.Code = "files_too_long"
  /// Results are out of reach: the service returns only some of those that it counts.
  public static let outOfReach: SearchError.Code = "out_of_reach"
  /// More requests are needed than the search may send.
  public static let requestsExceeded: SearchError.Code = "requests_exceeded"
  /// Reading ended before enough results passed the conditions that are checked here.
  public static let scanLimited: SearchError.Code = "scan_limited"
  /// Reading ended because the results take too much memory.
  public static let sizeLimited: SearchError.Code = "size_limited"
  /// The provider cannot sort by the key, so that only its first results are sorted.
  public static let sortApproximate: SearchError.Code = "sort_approximate"
  /// The answer is an old one from the cache.
  public static let stale: SearchError.Code = "stale"

  /// Whether a note with this code says that the provider's own answer lacks a part, which makes it `partial`.
  var makesPartial: Bool { [.incompleteSearch, .filesTooLong].contains(self) }
}

extension Note {
  /// A service reports that its list is incomplete.
  ///
  /// - Parameter name: The provider's display name.
  public static func incompleteResults(of name: String) -> Note {
    Note(
      .incompleteResults, "\(name) reports that its list is incomplete", hint: "make the query more specific")
  }

  /// Creates the note for an error that lost a part of a list.
  public init(_ error: SearchError) { self.init(error.code, error.message, hint: error.hint) }
}
