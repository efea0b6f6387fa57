import ForageCore
import ForageGitHub
import Foundation
import TestSupport
import Testing

@Suite struct DetailsTests {
  private func reference(_ text: String) throws -> EntityReference {
    try #require(EntityReference(text, defaultHost: "github.com"))
  }

  @Test func everyField() async throws {
    let repository = FakeRepository(
      id: 42, fullName: "Apple/Swift-NIO", description: "Event-driven", language: "Swift",
      topics: ["net", "nio"], stars: 8000
    ).with {
      $0.forks = 650
      $0.openIssues = 100
      $0.subscribers = 200
      $0.license = "Apache-2.0"
      $0.archived = true
      $0.isTemplate = true
      $0.mirrorURL = "git://elsewhere/x"
      $0.size = 1234
      $0.defaultBranch = "trunk"
      $0.homepage = "https://swift.org"
    }
    try await withFake(FakeGitHub(repositories: [repository])) { provider, server in
      let details = try #require(
        try await provider.details(of: reference("apple/swift-nio")))
      let item = details
      #expect(server.requests.map(\.path) == ["/repos/apple/swift-nio"])
      #expect(
        item.id == "github.com/apple/swift-nio" && item.forgeID == "github.com:42" && item.kind == .repo)
      #expect(item.title == "Apple/Swift-NIO" && item.url == "https://github.com/Apple/Swift-NIO")
      let texts: [ResultField: String] = [
        .description: "Event-driven", .host: "github.com", .owner: "Apple", .name: "Swift-NIO",
        .language: "Swift",
        .license: "Apache-2.0", .homepage: "https://swift.org", .defaultBranch: "trunk",
      ]
      for (field, text) in texts { #expect(item[field]?.text == text, "\(field.rawValue)") }
      let numbers: [ResultField: Int] = [
        .stars: 8000, .forks: 650, .watchers: 8000, .openIssues: 100, .subscribers: 200, .network: 650,
        .sizeKB: 1234,
      ]
      for (field, number) in numbers { #expect(item[field]?.number == number, "\(field.rawValue)") }
      let flags: [ResultField: Bool] = [
        .archived: true, .template: true, .mirror: true, .fork: false, .isPrivate: false,
      ]
      for (field, flag) in flags { #expect(item[field]?.flag == flag, "\(field.rawValue)") }
      #expect(item[.topics]?.texts == ["net", "nio"])
      #expect(item[.createdAt]?.date?.timeIntervalSince1970 == 1_500_000_000)
      #expect(item[.updatedAt]?.date?.timeIntervalSince1970 == 1_700_000_000)
      #expect(item[.pushedAt]?.date?.timeIntervalSince1970 == 1_690_000_000)
      #expect(item[.avatarURL]?.text?.hasPrefix("https://avatars.githubusercontent.com/") == true)
    }
  }

  @Test func absentIsNil() async throws {
    try await withFake(FakeGitHub()) { provider, server in
      let details = try await provider.details(of: reference("no/body"))
      #expect(details == nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test func privateNeedsAToken() async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(1).map { $0.with { $0.isPrivate = true } })
    for token in [nil, "t0ken"] {
      try await withFake(github, token: token) { provider, _ in
        let details = try await provider.details(
          of: reference("owner/swift-0"))
        #expect((details != nil) == (token != nil))
        #expect(details?[.isPrivate]?.flag == (token == nil ? nil : true))
      }
    }
  }

  /// Other failures are told, not taken for absence.
  @Test func failureIsNotAbsence() async throws {
    let github = FakeGitHub(repositories: FakeRepository.many(1))
    github.fail(.primaryLimit(resetIn: 60))
    try await withFake(github) { provider, _ in
      let wanted = try reference("owner/swift-0")
      let error = await searchError {
        _ = try await provider.details(of: wanted)
      }
      #expect(error?.code == .rateLimited)
    }
  }

  /// A renamed repository answers with 301 to its number; its identity is the new name.
  @Test(arguments: ["", "/api/v3"])
  func renamed(path: String) async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 77, fullName: "new/name")]) {
      $0.renames = ["old/name": 77]
    }
    try await withFake(github, path: path, token: "t0ken") { provider, server in
      let counter = RequestCounter()
      let details = try await counter.counting { try await provider.details(of: reference("old/name")) }
      #expect(details?.id == "github.com/new/name" && details?.title == "new/name")
      #expect(server.requests.map(\.path) == [path + "/repos/old/name", path + "/repositories/77"])
      #expect(counter.count == 2)
      #expect(server.requests.allSatisfy { $0.header("authorization") == "Bearer t0ken" })
    }
  }

  /// A redirect to another server is refused, and the token stays here.
  @Test(arguments: [301, 302, 307, 308])
  func redirectElsewhere(status: Int) async throws {
    try await withServer(answering: .text("stolen")) { other in
      let github = FakeGitHub(repositories: FakeRepository.many(1))
      github.fail(.redirect(to: other.baseURL + "/repos/owner/swift-0", status: status))
      try await withFake(github, token: "t0ken") { provider, server in
        let wanted = try reference("owner/swift-0")
        let error = await searchError {
          _ = try await provider.details(of: wanted)
        }
        #expect(error?.code == .redirect)
        #expect(
          error?.message.contains("GitHub") == true
            && error?.message.contains("127.0.0.1:\(other.port)") == true)
        #expect(error?.message.contains("t0ken") == false && server.requests.count == 1)
      }
      #expect(other.connectionCount == 0)
    }
  }

  /// Names are segments: nothing in them leads to another path.
  @Test func namesAreEncoded() async throws {
    try await withFake(FakeGitHub()) { provider, server in
      var wanted = try reference("owner/name")
      wanted.owner = "group/sub"
      wanted.name = "a?b#c d"
      let details = try await provider.details(of: wanted)
      #expect(details == nil && server.requests.map(\.target) == ["/repos/group%2Fsub/a%3Fb%23c%20d"])
    }
  }
}
