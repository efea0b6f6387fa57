import ForageStore
import Foundation
import TestSupport
import Testing

/// What forges have told of repositories, in one file.
struct KnownRepositoriesTests {
  private let directory: TemporaryDirectory
  private let known: KnownRepositories

  init() throws {
    directory = try TemporaryDirectory()
    known = KnownRepositories(path: directory.path("cache/repositories"))
  }

  private func facts(_ name: String, _ stars: Int, _ topics: [String] = []) -> KnownRepositories.Facts {
    .init(name: name, stars: stars, topics: topics)
  }

  @Test func theLastAnswerCounts() throws {
    #expect(known.facts(of: ["github.com/apple/nio"]).isEmpty)
    #expect(known.record([facts("github.com/Apple/NIO", 3, ["swift", "größe"]), facts("g/o/検索", 0)]))
    #expect(known.record([facts("github.com/apple/nio", 5)]))
    #expect(
      known.facts(of: ["github.com/apple/nio", "g/o/検索", "g/o/other"]) == [
        "github.com/apple/nio": facts("github.com/apple/nio", 5), "g/o/検索": facts("g/o/検索", 0),
      ])
  }

  @Test func nothingIsWrittenForTheSame() throws {
    known.record([facts("h/o/n", 1, ["a"])])
    let path = directory.path("cache/repositories")
    let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    known.record([facts("h/o/n", 1, ["a"])])
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before)
  }

  /// Names and topics are from outside.
  @Test func whatWouldBreakTheLinesIsLeftOut() {
    known.record([
      facts("h/o/a\tb", 1), facts("h/o/a\nb", 1), facts("h/o/c", 1, ["x y"]), facts("h/o/d", 2, ["x"]),
    ])
    #expect(known.facts(of: ["h/o/a", "h/o/b", "h/o/c", "h/o/d"]) == ["h/o/d": facts("h/o/d", 2, ["x"])])
  }

  @Test func whatIsDamagedIsLeftOut() throws {
    try directory.write("cache/repositories", "h/o/a\t1\t\nh/o/b\nh/o/c\tmany\t\n\u{0}\n")
    #expect(known.facts(of: ["h/o/a", "h/o/b", "h/o/c", "\0"]) == ["h/o/a": facts("h/o/a", 1)])
  }

  @Test func theOldestGoFirst() {
    known.record((0..<KnownRepositories.maximumCount).map { facts("h/o/\($0)", $0) })
    known.record([facts("h/o/new", 1)])
    #expect(known.facts(of: ["h/o/0", "h/o/1", "h/o/new"]).keys.sorted() == ["h/o/1", "h/o/new"])
  }

  @Test(arguments: [
    ("gram", ["h/o/a"]), ("größe", ["h/o/b"]), ("er", ["h/o/a", "h/o/b"]), ("stars", []), ("", []),
  ])
  func topics(_ word: String, _ ids: [String]) {
    known.record([
      facts("h/o/a", 1, ["parser", "grammar"]), facts("H/O/B", 2, ["größe", "server"]), facts("h/o/stars", 3),
    ])
    #expect(known.facts(withTopicOf: [word, "nothing"]).keys.sorted() == ids)
  }
}
