import Foundation
import TestSupport
import Testing

/// One provider is well and four are not: its answer is whole, and the envelope tells of the others.
struct FiveProvidersTests {
  private let search = [
    "search", "match", "-L", String(FiveForges.count), "--timeout", "2", "--format", "json",
  ]

  /// Provider, state, code of its error, and how many results it gave.
  private static let stories: [(String, String, String?, Int)] = [
    ("hanging", "timeout", "timeout", 0), ("dripping", "timeout", "timeout", 0),
    ("failing", "failed", "server_error", 0),
    // It ends where its pages begin to repeat, which is told, as it has promised more.
    ("repeating", "partial", "invalid_response", 100), ("complete", "ok", nil, FiveForges.count),
  ]

  private func expectStories(_ answer: JSON, _ forges: FiveForges) throws {
    for (id, state, code, returned) in Self.stories {
      let provider = try #require(answer.provider(id))
      #expect(provider["state"]?.string == state, "\(id): \(provider)")
      #expect(provider["error"]?["code"]?.string == code, "\(id): \(provider)")
      #expect(provider["returned"]?.int == returned, "\(id): \(provider)")
      if code != nil { #expect(provider["error"]?["hint"]?.string?.isEmpty == false, "\(id)") }
    }
    #expect(answer.provider("failing")?["error"]?["message"]?.string?.contains("failed (status 500)") == true)
    #expect(answer.provider("repeating")?["error"]?["message"]?.string?.contains("repeats its pages") == true)
    #expect(answer.provider("complete")?["incomplete"] == .bool(false))
    #expect(answer.provider("complete")?["requests"]?.int == 3)
    #expect(answer.provider("repeating")?["requests"]?.int == 2)
    #expect(answer["complete"] == .bool(false))
    let items = answer["items"]?.array ?? []
    let wanted = Set(FiveForges.repositories.map { "github.com/" + $0.fullName.lowercased() })
    #expect(items.count == FiveForges.count)
    #expect(Set(items.compactMap { $0["id"]?.string }) == wanted)
    #expect(
      items.allSatisfy { item in
        item["sources"]?.array.contains { $0["provider"]?.string == "complete" } == true
      })
    // What both know is one result, and hosts are voters of their own.
    let shared = items.filter { $0["sources"]?.array.count == 2 }
    #expect(shared.count == 100)
    #expect(items.prefix(100).allSatisfy { $0["sources"]?.array.count == 2 })
    #expect(forges.servers[4].requests.compactMap { $0.query("page") } == ["2", "3"])
  }

  @Test func nobodyIsNamed() async throws {
    try await withFiveForges { forges in
      let program = try Program()
      try program.home.writeConfig("forage/config.yaml", forges.settings)
      let result = try await program.run(search)
      #expect(result.status == 0, "\(result.err)")
      let answer = try result.json()
      #expect(
        answer["providers"]?.array.compactMap { $0["id"]?.string } == ["local"] + FiveForges.ids)
      try expectStories(answer, forges)
      let messages = expectMessages(result)
      #expect(
        messages.map { $0.prefix { $0 != ":" } } == ["hanging", "dripping", "failing", "repeating"])
    }
  }

  @Test func allAreNamed() async throws {
    try await withFiveForges { forges in
      let program = try Program()
      try program.home.writeConfig("forage/config.yaml", forges.settings)
      let result = try await program.run(search + ["-p", FiveForges.ids.joined(separator: ",")])
      #expect(result.status == 3, "\(result.err)")
      try expectStories(try result.json(), forges)
    }
  }

  @Test func onlyTheWholeOneIsNamed() async throws {
    try await withFiveForges { forges in
      let program = try Program()
      try program.home.writeConfig("forage/config.yaml", forges.settings)
      let result = try await program.run(search + ["-p", "complete"])
      #expect(result.status == 0, "\(result.err)")
      #expect(result.err == "")
      #expect(try result.json()["complete"] == .bool(true))
      #expect(forges.servers.prefix(4).allSatisfy { $0.requests.isEmpty })
    }
  }
}
