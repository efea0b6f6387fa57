import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct MailmapTests {
  private static let text = """
    # a comment
    Proper Name <proper@example.com>
    <new@example.com> <OLD@example.com>
    Both New <both@example.com> <both-old@example.com>
    Known One <one@example.com> One <shared@example.com>
    Known Two <two@example.com> TWO <shared@example.com>
    Fallback <shared@example.com>
    Spaces   Inside  <  odd@example.com>
    broken line
    <>
    Later <proper@example.com>
    """

  private static let authors = [
    "Wrong <proper@example.com>", "Wrong <PROPER@example.com>", "Someone <old@example.com>",
    "X <both-old@example.com>", "one <shared@example.com>", "Two <Shared@Example.com>",
    "Three <shared@example.com>",
    "Plain <plain@example.com>", "plain <plain@example.com>", "Ünï Cödé <uni@example.com>",
    "B <new@example.com>",
  ]

  @Test func allFormsLikeShortlog() async throws {
    let repository = try await TemporaryRepository.make()
    for author in Self.authors { try await repository.commit(author: author) }
    try await repository.commit(files: [".mailmap": Self.text])
    let opened = try repository.open()
    let tip = try #require(opened.refs.head.commit)
    let graph = try CommitGraph(from: tip, in: opened) { false }
    #expect(try await graph.shortlog(opened.mailmap()) == repository.shortlog())
    #expect(try await graph.tally?.authors(opened.mailmap()).count == repository.shortlog().count)
  }

  /// Names with the same address are one person, under the usual one; addresses that many share are of
  /// nobody.
  @Test func people() async throws {
    let repository = try await TemporaryRepository.make()
    for author in [
      "Ana <ana@example.com>", "A. Müller <ANA@example.com>", "Ana <ana@example.com>",
      "Ben <ben@example.com>",
      "One <noreply@github.com>", "Two <noreply@github.com>", "Three <none>", "Four <none>",
      "dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>",
    ] { try await repository.commit(author: author) }
    let opened = try repository.open()
    let graph = try CommitGraph(from: try #require(opened.refs.head.commit), in: opened) { false }
    let people = try #require(graph.tally?.people(opened.mailmap()))
    #expect(people.count == 7 && people[0].commits == 3)
    #expect(String(decoding: people[0].name, as: UTF8.self) == "Ana")
    #expect(people.filter(\.isBot).map { String(decoding: $0.name, as: UTF8.self) } == ["dependabot[bot]"])
  }

  @Test(
    arguments: [
      ("Renovate", "bot@renovateapp.com", true), ("Kubernetes Publisher", "k8s-publishing-bot@x.org", true),
      ("jekyllbot", "12+jekyllbot@users.noreply.github.com", true), ("Weblate (bot)", "a@b.c", true),
      ("Languages add-on", "noreply-addon@weblate.org", true), ("Merge Robot", "m@b.c", true),
      ("Lorenzo Zabot", "lorenzozabot@b.c", false), ("talbot", "talbot@b.c", false),
      ("jeantalbot", "jeantalbot@b.c", false), ("releasebot", "releasebot@b.c", true),
      ("Sean", "sean@thoughtbot.com", false), ("Dana", "robot@dana.sh", false),
    ])
  func programs(_ name: String, _ email: String, _ isBot: Bool) {
    let author = AuthorStatistics(
      name: Array(name.utf8), email: Array(email.utf8), commits: 1, firstAt: 0, lastAt: 0)
    #expect(author.isBot == isBot)
  }

  @Test func bareUsesHeadAndConfiguredSources() async throws {
    let repository = try await TemporaryRepository.make()
    for author in Self.authors { try await repository.commit(author: author) }
    try await repository.commit(files: [".mailmap": Self.text, "other": "Again <plain@example.com>\n"])
    let bare = try await repository.clone("bare.git", ["--bare"])
    try Data("From File <uni@example.com>\n".utf8)
      .write(to: URL(fileURLWithPath: repository.directory.path("extra")))
    for setting in [
      nil, ["mailmap.blob", "HEAD:other"], ["mailmap.file", repository.directory.path("extra")],
    ] {
      if let setting { try await bare.git(["config"] + setting) }
      let opened = try bare.open()
      let tip = try #require(opened.refs.head.commit)
      let graph = try CommitGraph(from: tip, in: opened) { false }
      #expect(try await graph.shortlog(opened.mailmap()) == bare.shortlog())
    }
  }

  @Test func otherEncodings() async throws {
    let repository = try await TemporaryRepository.make()
    let latin = Data([0x4A, 0xF6, 0x72, 0x67])
    for encoding in ["ISO-8859-1", "koi8-r", "no-such-encoding", "UTF-8"] {
      let tree = try await repository.git("write-tree")
      var object = Data("tree \(tree)\n".utf8)
      for (role, time) in [("author", 5), ("committer", 6)] {
        object += Data("\(role) ".utf8) + latin + Data(" <j@example.com> \(time) +0000\n".utf8)
      }
      object += Data("encoding \(encoding)\n\nmessage\n".utf8)
      let id = try await repository.git(
        ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], input: object)
      try await repository.git("update-ref refs/heads/main \(id)")
      let opened = try repository.open()
      let tip = try #require(opened.refs.head.commit)
      let graph = try CommitGraph(from: tip, in: opened) { false }
      #expect(try await graph.shortlog(opened.mailmap()) == repository.shortlog(), "\(encoding)")
    }
  }
}
