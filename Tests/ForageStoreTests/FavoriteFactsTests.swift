import ForageStore
import Foundation
import GRDB
import TestSupport
import Testing

/// What is stored of favorites beside their names.
struct FavoriteFactsTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("forage.db")
  }

  private func favorite(_ id: String, facts: String? = nil) -> Favorite {
    Favorite(
      id: id, kind: "repo", title: "t", url: "u", addedAt: Date(timeIntervalSince1970: 1_700_000_000),
      facts: facts)
  }

  @Test func keptUntilThereAreOthers() throws {
    let store = try Store(path: path)
    #expect(try store.addFavorite(favorite("a", facts: #"{"stars":1}"#)))
    #expect(try store.addFavorite(favorite("a")) == false)
    #expect(try store.favorites().map(\.facts) == [#"{"stars":1}"#])
    #expect(try store.addFavorite(favorite("a", facts: #"{"stars":2}"#)) == false)
    #expect(try store.favorites().map(\.facts) == [#"{"stars":2}"#])
  }

  @Test func amongIDs() throws {
    let store = try Store(path: path)
    for id in ["a", "b", "c"] { #expect(try store.addFavorite(favorite(id))) }
    #expect(try Set(store.favorites(of: ["b", "c", "x"]).keys) == ["b", "c"])
    #expect(try store.favorites(of: []).isEmpty)
    let many = (0..<2000).map { "no\($0)" } + ["a"]
    #expect(try Array(store.favorites(of: many).keys) == ["a"])
  }

  @Test func refreshing() throws {
    let store = try Store(path: path)
    #expect(try store.addFavorite(favorite("a")))
    var changed = favorite("a", facts: #"{"stars":3}"#)
    changed.title = "A"
    // One that was removed meanwhile does not come back.
    try store.refreshFavorites([changed, favorite("gone")])
    #expect(try store.favorites() == [changed])
  }

  /// Another process that writes is not waited for; afterwards the store waits again.
  @Test func refreshingWaitsForNobody() throws {
    let store = try Store(path: path)
    #expect(try store.addFavorite(favorite("a")))
    let other = try DatabaseQueue(path: path)
    try other.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      #expect(throws: StoreError.self) { try store.refreshFavorites([favorite("a", facts: "{}")]) }
      try database.execute(sql: "ROLLBACK")
    }
    #expect(try store.favorites().map(\.facts) == [nil])
    try store.refreshFavorites([favorite("a", facts: "{}")])
    #expect(try store.favorites().map(\.facts) == ["{}"])
  }

  /// A store of the version before keeps its favorites, also where it can only be read.
  @Test func olderStore() throws {
    do {
      let store = try Store(path: path)
      #expect(try store.addFavorite(favorite("a", facts: "{}")))
    }
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(
        sql: """
          ALTER TABLE favorite DROP COLUMN facts;
          DELETE FROM grdb_migrations WHERE identifier = '5 favorite facts';
          """)
    }
    #expect(try Store(readingFrom: path).favorites() == [favorite("a")])
    let store = try Store(path: path)
    #expect(try store.favorites() == [favorite("a")])
    try store.refreshFavorites([favorite("a", facts: #"{"stars":1}"#)])
    #expect(try store.favorites().map(\.facts) == [#"{"stars":1}"#])
  }
}
