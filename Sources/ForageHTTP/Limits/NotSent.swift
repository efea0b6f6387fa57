/// Marks answers that this program made itself in place of a server that was not asked.
package enum NotSent {
  /// The header field that only such answers have; its value is one of the two below.
  package static let header = "x-forage-not-sent"
  /// The limit is known to be exceeded (status 429).
  package static let limit = "limit"
  /// The credential is known to be refused (status 401).
  package static let unauthorized = "unauthorized"
}
