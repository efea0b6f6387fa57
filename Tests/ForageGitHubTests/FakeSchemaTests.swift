import TestSupport
import Testing

/// The server of these tests answers as GitHub's own description says.
@Suite struct FakeSchemaTests {
  @Test(
    arguments: FakeSchema.endpoints,
    ["application/vnd.github+json", "application/vnd.github.text-match+json"])
  func bodiesFit(endpoint: String, accept: String) throws {
    let request = RecordedRequest(
      method: "GET", target: endpoint + "?q=for&per_page=100",
      headers: ["host": ["h"], "user-agent": ["t"], "authorization": ["Bearer t"], "accept": [accept]])
    let response = FakeGitHub.world(count: 60).respond(to: request)
    guard case .bytes(let bytes) = try #require(response.steps.first) else {
      Issue.record("no bytes")
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    // A body that does not fit would have become an error.
    #expect(text.hasPrefix("HTTP/1.1 200") && text.contains("\"score\":"), "\(text.prefix(2000))")
    let told = accept.contains("text-match") && endpoint == "/search/code"
    #expect(text.contains("\"text_matches\"") == told)
  }

  private static let names: [(String, FakeJSON)] = [
    ("name", "a"), ("display_name", nil), ("short_description", nil), ("description", nil),
    ("created_by", nil), ("released", nil), ("created_at", "2020-01-01T00:00:00Z"),
    ("updated_at", "2020-01-01T00:00:00Z"), ("featured", false), ("curated", true), ("score", 1.0),
  ]
  private static let topic = names.map { FakeJSON.Member(name: $0.0, value: $0.1) }

  private func faults(_ members: [FakeJSON.Member]) -> [String] {
    let body: FakeJSON = ["total_count": 1, "incomplete_results": false, "items": [.object(members)]]
    return FakeSchema.faults(of: body, endpoint: "/search/topics")
  }

  @Test func driftIsNoticed() {
    #expect(faults(Self.topic) == [])
    for index in Self.topic.indices {
      var members = Self.topic
      let name = members.remove(at: index).name
      #expect(faults(members) == ["answer.items has no \(name)"])
      members = Self.topic
      members[index].value = [1]
      #expect(faults(members) == ["answer.items.\(name) has another type"])
    }
    #expect(faults(Self.topic + [.init(name: "new", value: 1)]) == ["answer.items has an unknown new"])
    #expect(FakeSchema.faults(of: [], endpoint: "/search/topics") == ["answer is no object"])
    #expect(FakeSchema.faults(of: [:], endpoint: "/search/nothing").count == 1)
  }
}
