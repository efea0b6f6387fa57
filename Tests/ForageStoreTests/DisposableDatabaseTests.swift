import GRDB
import TestSupport
import Testing

@testable import ForageStore

@Suite struct DisposableDatabaseTests {
  /// Each write would wait for another process as long again.
  @Test func oneWriteWaitsInVain() throws {
    let folder = try TemporaryDirectory()
    defer { folder.remove() }
    let place = DatabasePlace(
      path: folder.path("a.db"), noun: "test", variable: "XDG_CACHE_HOME", damageHint: "")
    let schema = DisposableSchema(applicationID: 1, version: 1, statements: "CREATE TABLE t (a)")
    let database = DisposableDatabase(place, schema, isForSearch: true)
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    let other = try DatabaseQueue(path: place.path)
    func delete() throws { try database.write { try $0.execute(sql: "DELETE FROM t") } }
    try other.inTransaction(.immediate) { _ in
      #expect(throws: StoreError.self) { try delete() }
      return .commit
    }
    #expect(throws: StoreError.self) { try delete() }
    #expect(try database.read(absent: 0) { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") ?? 0 } == 1)
  }
}
