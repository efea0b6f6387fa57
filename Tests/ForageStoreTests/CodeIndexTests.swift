import Foundation
import GRDB
import TestSupport
import Testing

@testable import ForageStore

@Suite struct CodeIndexTests {
  private static func blob(_ number: UInt8) -> CodeIndex.NewBlob {
    CodeIndex.NewBlob(
      id: Data(repeating: number, count: 20), bytes: 1, state: .text, terms: Data("abc".utf8))
  }

  /// While another connection writes, the index is read, and a write that does not wait fails at once.
  @Test func othersReadWhileOneWrites() throws {
    let folder = try TemporaryDirectory(prefix: "forage-store")
    let index = CodeIndex(path: folder.path("größe/code.db"))
    try index.add([Self.blob(1)])
    let other = CodeIndex(path: index.path, waitsToWrite: false)
    try index.database.write { database in
      try database.execute(sql: "DELETE FROM blobs")
      let start = ContinuousClock.now
      #expect(try other.usage()?.blobs == 1)
      let error = #expect(throws: StoreError.self) { try other.add([Self.blob(2)]) }
      #expect(error?.isBusy == true)
      #expect(try other.known([Data(repeating: 1, count: 20)]).count == 1)
      #expect(ContinuousClock.now - start < .seconds(DatabaseOpening.busyTimeout))
    }
    #expect(try other.usage()?.blobs == 0)
  }
}
