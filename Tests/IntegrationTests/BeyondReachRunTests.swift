import Foundation
import TestSupport
import Testing

/// The real program beyond the thousand results that GitHub gives out of a query.
struct BeyondReachRunTests {
  /// Forty answers of a server that is slow on a busy machine.
  private static let patience: Duration = .seconds(300)
  private static let search = [
    "search", "match", "-p", "github", "-L", "2500", "--format", "json", "--timeout", "300",
  ]

  private func ids(_ answer: JSON) -> [String] {
    (answer["items"]?.array ?? []).compactMap { $0["id"]?.string }
  }

  @Test func everythingOnce() async throws {
    try await withProgram(FakeGitHub(repositories: matching(1700))) { program, server in
      let result = try await program.run(Self.search, timeout: Self.patience)
      #expect(result.status == 0)
      let answer = try result.json()
      #expect(answer["complete"] == .bool(true))
      #expect(ids(answer).count == 1700 && Set(ids(answer)).count == 1700)
      let outcome = try #require(answer.provider("github"))
      #expect(outcome["returned"]?.int == 1700 && outcome["total"]?["value"]?.int == 1700)
      #expect(outcome["notes"] == nil && outcome["incomplete"] == .bool(false))
      #expect(server.requests.count <= 50 && outcome["requests"]?.int == server.requests.count)
      #expect(result.err.hasPrefix("forage: github: 1,700 results need about "))
      #expect(result.err.hasSuffix(" requests\n") && result.err.count { $0 == "\n" } == 1)
    }
  }

  @Test func theBoundIsToldAndCanBePassed() async throws {
    try await withProgram(FakeGitHub(repositories: matching(1700))) { program, server in
      let result = try await program.run(
        Self.search + ["--max-requests", "12", "--strict"], timeout: Self.patience)
      #expect(result.status == 3)
      let answer = try result.json()
      #expect(answer["complete"] == .bool(false))
      #expect(server.requests.count == 12)
      let outcome = try #require(answer.provider("github"))
      let count = ids(answer).count
      #expect(outcome["state"]?.string == "ok")
      #expect(outcome["notes"]?.array.map { $0["code"]?.string } == ["requests_exceeded"])
      #expect(outcome["incomplete"] == .bool(true) && count >= 1000 && count < 1700)
      let lines = result.err.split(separator: "\n")
      try #require(lines.count == 3, "\(result.err)")
      #expect(lines[0].hasSuffix(" requests"))
      #expect(lines[1].hasSuffix("the search stopped after the maximum of 12 requests"))
      #expect(lines[2].hasPrefix("hint: allow more with --max-requests"))
      let whole = try await program.run(Self.search, timeout: Self.patience)
      #expect(whole.status == 0)
      let all = ids(try whole.json())
      #expect(all.count == 1700 && Set(all).isSuperset(of: ids(answer)))
    }
  }

  /// Without more being wanted nothing is announced.
  @Test func withinReachNothingIsSaid() async throws {
    try await withProgram(FakeGitHub(repositories: matching(1200))) { program, server in
      let result = try await program.run([
        "search", "match", "-p", "github", "-L", "1000", "--format", "json",
      ])
      #expect(result.err == "" && server.requests.count == 10)
      #expect(try result.json()["complete"] == .bool(true))
    }
  }
}
