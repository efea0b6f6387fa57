import ForageStore
import Foundation
import TestSupport
import Testing

@Suite struct FavoriteTests {
  private let folder: TemporaryDirectory
  private let store: Store

  init() throws {
    folder = try TemporaryDirectory()
    store = try Store(path: folder.path("forage.db"))
  }

  private func favorite(_ id: String, _ seconds: Double = 0, url: String? = nil) -> Favorite {
    Favorite(
      id: id, kind: "repository", title: "T " + id, url: url,
      addedAt: Date(timeIntervalSince1970: 1_700_000_000 + seconds))
  }

  @Test func addedOnce() throws {
    let first = favorite("github.com/o/n", url: "https://github.com/o/n")
    #expect(try store.addFavorite(first))
    var again = first
    again.title = "renamed 🚀 'quoted'"
    again.kind = "story"
    again.url = nil
    again.addedAt += 100
    #expect(try store.addFavorite(again) == false)
    again.addedAt = first.addedAt
    #expect(try store.favorites() == [again])
    #expect(try Store(path: folder.path("forage.db")).favorites() == [again])
  }

  @Test func newestFirstThenBytes() throws {
    let added = [("b", 5.0), ("ä", 5), ("Z", 5), ("old", 1), ("new", 9)]
    for (id, seconds) in added { #expect(try store.addFavorite(favorite(id, seconds))) }
    #expect(try store.favorites().map(\.id) == ["new", "Z", "b", "ä", "old"])
    #expect(try store.favoriteIDs() == ["new", "Z", "b", "ä", "old"])
  }

  @Test func removed() throws {
    #expect(try store.removeFavorite("a") == false)
    #expect(try store.addFavorite(favorite("a")))
    #expect(try store.addFavorite(favorite("A")))
    #expect(try store.removeFavorite("a"))
    #expect(try store.removeFavorite("a") == false)
    #expect(try store.favoriteIDs() == ["A"])
  }

  @Test func idsAreValuesNotSQL() throws {
    let id = "x'; DROP TABLE favorite; --"
    #expect(try store.addFavorite(favorite(id)))
    #expect(try store.favoriteIDs() == [id])
    #expect(try store.removeFavorite(id))
  }

  @Test func readOnlyStore() throws {
    #expect(try store.addFavorite(favorite("a")))
    let reader = try Store(readingFrom: folder.path("forage.db"))
    #expect(try reader.favoriteIDs() == ["a"])
    #expect(throws: StoreError.self) { try reader.addFavorite(favorite("b")) }
  }

  @Test func manyAtOnceLoseNothing() throws {
    let path = folder.path("forage.db")
    concurrently(8) { index in
      let store = try Store(path: path)
      for number in 0..<10 {
        let own = Favorite(id: "\(index)-\(number)", kind: "k", title: "t", addedAt: noon)
        #expect(try store.addFavorite(own))
      }
    }
    #expect(try store.favoriteIDs().count == 80)
  }
}
