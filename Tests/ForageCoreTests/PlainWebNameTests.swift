import TestSupport
import Testing

@testable import ForageCore

/// The short way to a canonical name must not differ from the long one.
struct PlainWebNameTests {
  @Test(
    arguments: [
      "https://github.com/Apple/Swift-NIO", "https://git.example.com/Team/App_1.x", "https://localhost/a/b",
      "https://codeberg.org/a/b-c",
    ])
  func takesTheShortWay(_ address: String) {
    #expect(RepositoryIdentity.plainWebName(address) == RepositoryIdentity.thoroughName(address))
    #expect(RepositoryIdentity.plainWebName(address) != nil)
  }

  @Test func agreesWithTheLongWay() {
    var random = SeededGenerator(seed: propertySeed())
    let pieces = [
      "a", "B", "0", "-", "_", ".", "..", "www.", ".git", ".GIT", "git", "github.com", "ssh.github.com",
      "ssh.", "gist.github.com", "o.visualstudio.com", "_git", "dev.azure.com",
      "example.org", "/", "/", "/", ":", "@", "%41", "?", "#", "~", "é", "e\u{301}", " ",
    ]
    var compared = 0
    for _ in 0..<5000 {
      let count = Int.random(in: 1...8, using: &random)
      let tail = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "a" }.joined()
      let address = "https://" + (Bool.random(using: &random) ? "example.org/o/" : "") + tail
      if let plain = RepositoryIdentity.plainWebName(address) {
        compared += 1
        #expect(plain == RepositoryIdentity.thoroughName(address), "\(address)")
      }
    }
    #expect(compared > 100)
  }
}
