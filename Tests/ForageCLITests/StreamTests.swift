import Forage
import ForageCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageCLI

/// `--stream`: lines in the order of arrival.
struct StreamTests {
  private func stream(_ arguments: [String], columns: Int? = nil) async throws -> Outcome {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        await forage(
          ["search", "http", "-p", "github", "--stream"] + arguments, in: variables(home, server.baseURL),
          columns: columns)
      }
    }
  }

  @Test(arguments: [nil, 60])
  func linesAndASummary(_ columns: Int?) async throws {
    let outcome = try await stream([], columns: columns)
    #expect(outcome.status == .success)
    #expect(outcome.err == "")
    let lines = outcome.out.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    for line in lines.dropLast() {
      #expect(line.hasPrefix("{\"id\":\"github.com/"))
      #expect(line.contains("\"favorite\":false"))
      // Nothing has a rank yet.
      #expect(!line.contains("\"score\"") && !line.contains("\"rank\""))
      #expect(line.firstMatch(of: /"sources":\[\{"provider":"github","id":"github\.com:[123]"\}\]\}$/) != nil)
    }
    let summary = try #require(lines.last)
    #expect(summary.hasPrefix("{\"summary\":{\"schema\":1,\"query\":\"http\",\"complete\":true,"))
    #expect(!summary.contains("\"items\"") && !summary.contains("\"next\""))
  }

  @Test func theLimit() async throws {
    let outcome = try await stream(["-L", "2"])
    #expect(outcome.out.split(separator: "\n").count == 3)
    #expect(outcome.out.contains("\"returned\":2"))
  }

  @Test func thatFormatMayBeNamed() async throws {
    let outcome = try await stream(["--format", "ndjson"])
    #expect(outcome.status == .success)
    #expect(outcome.out.split(separator: "\n").count == 4)
  }

  @Test func nothingFound() async throws {
    let outcome = try await stream(["nothinglikethis"])
    #expect(outcome.status == .nothingFound)
    #expect(outcome.out.split(separator: "\n").count == 1)
    #expect(outcome.out.hasPrefix("{\"summary\":"))
    #expect(outcome.err.hasPrefix("forage: nothing found\nhint: "))
  }

  @Test(arguments: [
    (["--after", "f1.00000000000000000000000000000000.1"], "--after"), (["--sort", "stars"], "--sort"),
    (["--json", "id"], "--json"), (["--format", "json"], "--format json"),
    (["--format", "tsv"], "--format tsv"), (["--format", "table"], "--format table"),
  ])
  func whatDoesNotGoWithIt(_ arguments: [String], _ name: String) async throws {
    for columns in [nil, 80] {
      let outcome = try await stream(arguments, columns: columns)
      #expect(outcome.status == .usage)
      #expect(outcome.out == "")
      #expect(outcome.err.hasPrefix("forage: --stream and \(name) exclude each other\nhint: "))
    }
  }

  @Test func hostileTextIsHarmless() async throws {
    let github = FakeGitHub(repositories: [FakeRepository.hostile()])
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let outcome = await forage(
          ["search", "payload", "-p", "github", "--stream"], in: variables(home, server.baseURL), columns: 80)
        #expect(outcome.out.split(separator: "\n").count == 2)
        #expect(outcome.out.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 && $0.value != 127 })
        for scalar in ["\u{9B}", "\u{202E}", "\u{2066}"] { #expect(!outcome.out.contains(scalar)) }
      }
    }
  }

  // The writer by itself.

  private func result(_ id: String, forgeID: String? = nil, kind: ResultKind = .repo) -> SearchResult {
    SearchResult(id: id, forgeID: forgeID, kind: kind, title: id)
  }

  private func found(_ provider: String, _ items: [SearchResult]) -> SearchEvent {
    .found(ProviderOutcome(id: provider, name: provider, kind: .repo, state: .ok), items)
  }

  private func withStream(
    limit: Int, output change: (inout Output) -> Void = { _ in },
    _ body: (ArrivalStream, Capture) throws -> Void
  ) async throws {
    try await withIsolatedHome { home in
      let capture = Capture()
      var output = capture.output()
      change(&output)
      let services = Services(environment: variables(home), reporter: Reporter())
      let stream = ArrivalStream(limit: limit, annotation: ResultAnnotation(services), output: output)
      try body(stream, capture)
      await services.close()
    }
  }

  private func ids(_ capture: Capture) -> [String] {
    capture.results.matches(of: /(?m)^\{"id":"([^"]*)"/).map { String($0.output.1) }
  }

  @Test func eachEntityOnce() async throws {
    try await withStream(limit: 100) { stream, capture in
      stream.take(found("a", [result("x/1"), result("x/2", forgeID: "x:2"), result("x/1")]))
      #expect(ids(capture) == ["x/1", "x/2"])
      // Under its old name, and from another provider.
      stream.take(found("b", [result("x/2"), result("x/old", forgeID: "x:2"), result("x/3")]))
      #expect(ids(capture) == ["x/1", "x/2", "x/3"])
      // Another kind of thing may have the same id.
      stream.take(found("c", [result("x/1", kind: "story")]))
      #expect(ids(capture) == ["x/1", "x/2", "x/3", "x/1"])
      #expect(stream.failure == nil)
    }
  }

  @Test func theLimitCountsWhatIsWritten() async throws {
    try await withStream(limit: 3) { stream, capture in
      stream.take(found("a", [result("x/1"), result("x/1"), result("x/2")]))
      stream.take(found("b", [result("x/2"), result("x/3"), result("x/4")]))
      stream.take(found("b", [result("x/5")]))
      #expect(ids(capture) == ["x/1", "x/2", "x/3"])
    }
  }

  @Test func manyAtOnce() async throws {
    try await withStream(limit: 150) { stream, capture in
      DispatchQueue.concurrentPerform(iterations: 8) { provider in
        for start in stride(from: 0, to: 200, by: 10) {
          stream.take(found("p\(provider)", (start..<start + 10).map { result("x/\($0)") }))
        }
      }
      let ids = ids(capture)
      #expect(ids.count == 150)
      #expect(Set(ids).count == 150)
      #expect(capture.results.split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    }
  }

  @Test func aClosedPipeEndsTheWriting() async throws {
    let tries = Mutex(0)
    let change: (inout Output) -> Void = { output in
      output.writeResult = { _ in
        tries.withLock { $0 += 1 }
        throw Output.ClosedPipe()
      }
    }
    try await withStream(limit: 10, output: change) { stream, _ in
      stream.take(found("a", [result("x/1"), result("x/2")]))
      stream.take(found("b", [result("x/3")]))
      #expect(stream.failure is Output.ClosedPipe)
      #expect(tries.withLock { $0 } == 1)
    }
  }
}

extension ArrivalStream {
  /// Follows an event, and waits until it is written.
  fileprivate func take(_ event: SearchEvent) {
    observer(event)
    flush()
  }
}
