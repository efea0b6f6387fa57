import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension CacheStore {
  /// How long after the last validation an answer may be of use, in seconds: a day.
  package static let responseLifetime: Double = 24 * 60 * 60

  /// The answer stored under a key; `nil` when there is none that was validated within a day.
  package func response(_ key: String, now: Date = Date()) throws(StoreError) -> CachedResponse? {
    try read(absent: nil) { database in
      try Row.fetchOne(
        database,
        sql: "SELECT \(CachedResponse.columns) FROM response WHERE key = ? AND validated_at BETWEEN ? AND ?",
        arguments: [CachedResponse.stored(key)] + BoundedTable.responses.times(now)
      ).map { try CachedResponse(key: key, $0) }
    }
  }

  /// Stores an answer in the place of an older one, and lets go what is too old or too much: the longest not
  /// validated first.
  ///
  /// - Returns: False when its body is larger than an eighth of the bound; an older answer under the key is
  ///   then gone too.
  @discardableResult
  package func store(_ response: CachedResponse, now: Date = Date()) throws(StoreError) -> Bool {
    guard response.body.count <= maximumBytes / BoundedTable.largestPart else {
      try write(absent: ()) { database in
        try database.execute(
          sql: "DELETE FROM response WHERE key = ?", arguments: [CachedResponse.stored(response.key)])
      }
      return false
    }
    let bound = maximumBytes
    try write { database in
      try response.save(database)
      try BoundedTable.responses.evict(database, bound: bound, now: now)
    }
    return true
  }

  /// Notes that the server confirmed an answer (304) and takes over the headers that it sent with it.
  ///
  /// - Parameters:
  ///   - time: When it was confirmed.
  ///   - headers: Of the 304; they replace those of the same name, but for those that tell of the transfer.
  /// - Returns: False when there is no such answer.
  @discardableResult
  package func touchValidated(
    _ key: String, at time: Date, headers: [(name: String, value: String)]
  ) throws(StoreError) -> Bool {
    let bound = maximumBytes
    return try write(absent: false) { database in
      let row = try Row.fetchOne(
        database, sql: "SELECT \(CachedResponse.columns) FROM response WHERE key = ?",
        arguments: [CachedResponse.stored(key)])
      guard var response = try row.map({ try CachedResponse(key: key, $0) }) else { return false }
      response.update(with: headers)
      response.validatedAt = time
      try response.save(database)
      try BoundedTable.responses.evict(database, bound: bound, now: time)
      return true
    }
  }

  /// Forgets one answer; one that is not there is no error.
  package func removeResponse(_ key: String) throws(StoreError) {
    try write(absent: ()) { database in
      try database.execute(
        sql: "DELETE FROM response WHERE key = ?", arguments: [CachedResponse.stored(key)])
    }
  }

  /// Forgets the answers whose keys begin with a text; none is no error.
  ///
  /// - Parameter beginning: Not empty.
  package func removeResponses(beginningWith beginning: String) throws(StoreError) {
    var end = CachedResponse.stored(beginning)
    // The first key behind all of them: no byte of UTF-8 is 255, so the last one can always be raised.
    guard let last = end.popLast() else { return }
    end.append(last + 1)
    try write(absent: ()) { [end] database in
      try database.execute(
        sql: "DELETE FROM response WHERE key >= ? AND key < ?",
        arguments: [CachedResponse.stored(beginning), end])
    }
  }

  /// How many answers there are, and what they count against the bound, in bytes.
  package func responseUsage() throws(StoreError) -> (count: Int, bytes: Int) {
    try read(absent: (0, 0)) { try BoundedTable.responses.usage($0) }
  }
}
