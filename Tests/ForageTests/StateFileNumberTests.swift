import Forage
import ForageCore
import ForagePlatform
import Foundation
import TestSupport
import Testing

/// Any number in the files that the program keeps between its runs.
struct StateFileNumberTests {
  private let folder: TemporaryDirectory
  private let paths: Paths

  init() throws {
    folder = try TemporaryDirectory()
    paths = Paths(environment: ["HOME": folder.path, "XDG_STATE_HOME": folder.path("größe")])
  }

  @Test func lastLists() throws {
    let kept = #"""
      {"version":4,"command":"search","hasMore":true,"pages":1,"knownUntil":7,"arguments":["x"],"items":[
      {"id":"a","kind":"code","title":"größe.c","url":"https://github.com/o/n/blob/main/a","line":2,
      "column":3,"facts":{"file":"/a","sizeKB":4,"stars":5,"matchCount":6,"updatedAt":{"at":7.5}}},
      {"id":"b","kind":"repo","title":"o/n"}]}
      """#
    try #require(LastList(Array(kept.utf8))?.items.count == 2)
    for text in HostileNumbers.variants(of: kept) {
      guard let list = LastList(Array(text.utf8)) else { continue }
      #expect(list.items.last?.title == "o/n" && LastList(list.encoded)?.items.count == 2, "\(text)")
      for item in list.items {
        _ = (item.sizeBytes, item.pageAddress, item.fileLocation?.withEditorColumn)
        if case .date(let date) = item[.updatedAt] { _ = HumanFormat.age(date, now: Date()) }
      }
    }
  }

  @Test func picks() throws {
    let usual = "1.0\t1700000000.0\t/src/größe\n"
    for text in HostileNumbers.variants(of: usual) + ["nan\tnan\tx", "inf\t-inf\tx"] {
      try folder.write("größe/forage/picks", text)
      let uses = PickUses(paths)
      uses.add("/src/b", at: Date())
      #expect(uses.weights(at: Date()).values.allSatisfy { $0 >= 0 }, "\(text)")
    }
  }

  @Test func seenResults() throws {
    for text in HostileNumbers.variants(of: "3\tgap\n2026-01-05T10:00:00Z\trepo a\n") {
      try folder.write("größe/forage/searches/s", text)
      let gap = SeenResults(paths, of: "s").gap.map { $0 + 100 }
      #expect(gap.map { $0 >= 100 } ?? true, "\(text)")
    }
  }
}
