#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A kept answer.
package struct HTTPCacheEntry: Sendable {
  /// The status code; always 200 when this module stored it.
  package var status: Int
  /// Header fields in order, without those that speak of one exchange only (limits, cookies).
  package var headers: [(name: String, value: String)]
  /// The decompressed body.
  package var body: [UInt8]
  /// When the body arrived.
  package var storedAt: Date
  /// When the server last said that the body is current; `storedAt` or later.
  package var validatedAt: Date

  package init(
    status: Int, headers: [(name: String, value: String)], body: [UInt8], storedAt: Date, validatedAt: Date
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.storedAt = storedAt
    self.validatedAt = validatedAt
  }

  /// The first value of a header field, whatever the letter case of its name.
  func header(_ name: String) -> String? {
    HTTPResponse(status: status, headers: headers).header(name)
  }
}

/// Where answers are kept; a struct of closures, so that this module needs no database.
///
/// Keys are texts of any length without secrets. What a closure throws never fails a request.
package struct HTTPCacheStorage: Sendable {
  /// The entry of a key, `nil` when there is none.
  package var load: @Sendable (_ key: String) throws -> HTTPCacheEntry?
  /// Keeps an entry in place of what the key had.
  package var store: @Sendable (_ key: String, _ entry: HTTPCacheEntry) throws -> Void
  /// Notes that the server called an entry current; the headers replace all of the entry's, the body stays as it is.
  package var validated:
    @Sendable (_ key: String, _ at: Date, _ headers: [(name: String, value: String)]) throws -> Void
  /// Forgets a key; one that is not there is no error.
  package var remove: @Sendable (_ key: String) throws -> Void
  /// Forgets every key that begins with a text, which is not empty.
  package var removeAll: @Sendable (_ beginning: String) throws -> Void

  package init(
    load: @escaping @Sendable (_ key: String) throws -> HTTPCacheEntry?,
    store: @escaping @Sendable (_ key: String, _ entry: HTTPCacheEntry) throws -> Void,
    validated:
      @escaping @Sendable (_ key: String, _ at: Date, _ headers: [(name: String, value: String)]) throws ->
      Void,
    remove: @escaping @Sendable (_ key: String) throws -> Void,
    removeAll: @escaping @Sendable (_ beginning: String) throws -> Void
  ) {
    self.load = load
    self.store = store
    self.validated = validated
    self.remove = remove
    self.removeAll = removeAll
  }
}
