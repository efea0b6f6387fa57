import ForageStore
import Foundation
import TestSupport
import Testing

/// What is known of the stars of accounts.
struct KnownStarsTests {
  private let directory: TemporaryDirectory
  private let stars: KnownStars

  init() throws {
    directory = try TemporaryDirectory()
    stars = KnownStars(folder: directory.path("cache/stars"))
  }

  private func known(_ account: String = "a", _ ids: Set<String> = ["x", "y", "z"]) -> [String: Bool] {
    stars.stars(of: account, among: ids)
  }

  @Test func eachAccountHasItsOwn() {
    #expect(known().isEmpty)
    stars.record(["x": true, "y": false], of: "a")
    stars.record(["x": false], of: "127.0.0.1:80.ab/../c")
    #expect(known() == ["x": true, "y": false])
    #expect(known("127.0.0.1:80.ab/../c") == ["x": false])
    #expect(known("other").isEmpty)
    #expect(stars.hasAccounts(namedFrom: "127.0.0.1:80.") && !stars.hasAccounts(namedFrom: "github.com."))
  }

  @Test func theLastAnswerCounts() {
    stars.record(["x": true, "y": true], of: "a")
    stars.record(["x": false], of: "a")
    #expect(known() == ["x": false, "y": true])
    stars.record(["z": true], of: "a", isEvery: true)
    #expect(known() == ["x": false, "y": false, "z": true])
    stars.record([:], of: "a", isEvery: true)
    #expect(known()["z"] == false)
  }

  @Test func onlyTheUserReadsIt() throws {
    stars.record(["x": true], of: "a")
    #expect(mode(directory.path("cache/stars/a")) == 0o600)
    #expect(mode(directory.path("cache/stars")) == 0o700)
  }

  @Test func nothingNewIsNotWritten() throws {
    stars.record(["x": true], of: "a")
    let file = directory.path("cache/stars/a")
    let old = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file)
    stars.record(["x": true], of: "a")
    stars.record([:], of: "a")
    let changed = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
    #expect(changed == old)
  }

  @Test func theOldestGoFirst() {
    stars.record(["first": true], of: "a")
    stars.record(
      Dictionary(uniqueKeysWithValues: (0..<KnownStars.maximumCount).map { ("n\($0)", true) }), of: "a")
    #expect(known("a", ["first", "n0", "n19999"]) == ["n0": true, "n19999": true])
  }

  @Test func damageIsLeftOut() throws {
    stars.record(["x": true], of: "a")
    let file = URL(fileURLWithPath: directory.path("cache/stars/a"))
    try Data("\u{0}?\n+x\nnonsense\n-y\n+".utf8).write(to: file)
    #expect(known() == ["x": true, "y": false])
  }
}
