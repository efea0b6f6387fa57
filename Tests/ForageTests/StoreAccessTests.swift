import Forage
import ForageStore
import TestSupport
import Testing

/// Whether there is a store, which is not made by looking for it.
struct StoreAccessTests {
  @Test func existence() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("forage.db")
    let access = StoreAccess(path: path)
    #expect(try access.isMissing && access.existing() == nil)
    #expect(StoreAccess(path: folder.path("none/forage.db")).isMissing)
    _ = try Store(path: path)
    #expect(try !access.isMissing && access.existing() != nil)
    #expect(StoreAccess(path: path + "/below-a-file.db").isMissing)
  }
}
