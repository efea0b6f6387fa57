import TestSupport
import Testing

@testable import ForageCore

/// The short way to a canonical name must not differ from the long one.
struct PlainWebNameTests {
  @Test(
    arguments: [
      "https://github.com/Apple/Swift-NIO", "https://git.example.com/Team/App_1.x", "https://localhost/a/b",
      "https://codeberg.org/a/b-c", "https://github.com/Apple/Swift-NIO.git",
      "git@github.com:Apple/Swift-NIO.GIT",
      "git@git.example.com:Team/App_1.x", "git@host:8080/b", "github.com/Apple/Swift-NIO.git", "a/b/c",
    ])
  func takesTheShortWay(_ address: String) {
    #expect(RepositoryIdentity.plainWebName(address) == RepositoryIdentity.thoroughName(address))
    #expect(RepositoryIdentity.plainWebName(address) != nil)
  }

  @Test func keepsTheLetterCase() throws {
    for address in ["https://github.com/Apple/Swift-NIO.git", "git@github.com:Apple/Swift-NIO"] {
      let parts = try #require(RepositoryIdentity.spelling(address))
      #expect(parts == ("Apple", "Swift-NIO"))
    }
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
      let (scheme, owner) =
        [("https://", "example.org/o/"), ("git@", "example.org:o/"), ("", "example.org/o/")]
        .randomElement(using: &random) ?? ("", "")
      let address = scheme + (Bool.random(using: &random) ? owner : "") + tail
      if let plain = RepositoryIdentity.plainWebName(address) {
        compared += 1
        #expect(plain == RepositoryIdentity.thoroughName(address), "\(address)")
      }
    }
    #expect(compared > 100)
  }
}
