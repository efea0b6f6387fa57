package import ForageFoundation

package struct HTTPCacheEntry: Sendable {
  /// The status code; this module stores only 200.
  package var status: Int
  /// Header fields in order, without those that describe a single exchange (rate limits, cookies).
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  /// When the body was received.
  package var storedAt: Date
  /// When the server last confirmed that the body is current; not before `storedAt`.
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

  /// The first value of a header field; names ignore case.
  func header(_ name: String) -> String? { headers.first(name) }
}

/// Storage for cached responses, as closures, so that this module does not depend on a database.
///
/// Keys are texts of any length without secrets. Errors thrown by a closure never fail a request.
package struct HTTPCacheStorage: Sendable {
  /// Loads the entry of a key; `nil` if there is none.
  package var load: @Sendable (_ key: String) throws -> HTTPCacheEntry?
  /// Stores an entry, replacing any previous entry of the key.
  package var store: @Sendable (_ key: String, _ entry: HTTPCacheEntry) throws -> Void
  /// Records that the server validated an entry. The headers replace the entry's headers; the body is kept.
  package var validated:
    @Sendable (_ key: String, _ at: Date, _ headers: [(name: String, value: String)]) throws -> Void
  package var remove: @Sendable (_ key: String) throws -> Void
  /// Removes all entries whose keys have a given non-empty prefix.
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
