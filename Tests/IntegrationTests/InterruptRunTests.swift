import ForagePlatform
import Foundation
import TestSupport
import Testing

/// Ctrl-C while something is sent.
struct InterruptRunTests {
  private static let token = ["GH_ENTERPRISE_TOKEN": "t0psecret"]

  /// The star may have arrived, so the outcome is unknown, and the message says how to find out.
  @Test(arguments: ["star", "unstar"])
  func whatWasSentMayHaveArrived(_ command: String) async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "a/b")])
    github.fail(.hang, path: "/user/starred")
    try await withProgram(github, adding: Self.token) { program, server in
      let running = try program.start([command, "a/b", "--timeout", "50"])
      defer { running.kill() }
      while server.requests.isEmpty, running.isRunning { try await Task.sleep(for: .milliseconds(10)) }
      #expect(running.sendSignal(SIGINT))
      let result = await running.wait()
      #expect(result.status == 130 && result.out == "" && !result.timedOut)
      #expect(result.err.contains("unknown") && result.err.contains("a/b"), "\(result.err)")
      #expect(result.err.contains("hint: ") && result.err.contains("forage stars repo:a/b"), "\(result.err)")
      #expect(server.requests.count == 1)
    }
  }

  /// Between two stars nothing is on its way.
  @Test func whatWasNotSentIsNamed() async throws {
    let repositories = [FakeRepository(id: 1, fullName: "a/b"), FakeRepository(id: 2, fullName: "c/d")]
    let github = FakeGitHub(repositories: repositories)
    try await withProgram(github, adding: Self.token) { program, server in
      let running = try program.start(["star", "a/b", "c/d", "--timeout", "50"])
      defer { running.kill() }
      try await running.waitForOutput(containing: "starred a/b")
      #expect(running.sendSignal(SIGINT))
      let result = await running.wait()
      #expect(result.status == 130 && result.out == "starred a/b\n")
      #expect(result.err.contains("nothing was sent") && result.err.contains("c/d"), "\(result.err)")
      #expect(!result.err.contains("unknown") && server.requests.count == 1)
      #expect(github.options.starred == ["a/b"])
    }
  }

  /// Of several the message names what was done, what may be done, and what was not sent.
  @Test func severalAtOnce() async throws {
    let names = ["a/b", "c/d", "e/f", "g/h"]
    let github = FakeGitHub(
      repositories: names.enumerated().map { FakeRepository(id: $0.offset + 1, fullName: $0.element) })
    github.fail(.hang, path: "/user/starred/c/d")
    try await withProgram(github, adding: Self.token) { program, server in
      let running = try program.start(["star"] + names + ["--timeout", "50"])
      defer { running.kill() }
      while server.requests.count < 2, running.isRunning { try await Task.sleep(for: .milliseconds(10)) }
      #expect(running.sendSignal(SIGINT))
      let result = await running.wait()
      #expect(result.status == 130 && result.out == "starred a/b\n")
      let message = result.err.split(separator: "\n").first ?? ""
      #expect(message.contains("the outcome is unknown, c/d may be"), "\(result.err)")
      #expect(message.contains("nothing was sent for e/f, g/h") && message.contains("starred: a/b"))
      #expect(result.err.contains("run it again for e/f, g/h"), "\(result.err)")
    }
  }

  /// What has arrived is a list like any other, also as JSON.
  @Test func theListOfWhatHasArrived() async throws {
    let github = FakeGitHub(repositories: matching(250))
    github.fail(.hang, path: "/search", page: 2)
    try await withProgram(github) { program, server in
      let running = try program.start(
        ["search", "match", "-p", "github", "-L", "250", "--format", "json", "--timeout", "50"])
      defer { running.kill() }
      while server.requests.count < 2, running.isRunning { try await Task.sleep(for: .milliseconds(10)) }
      #expect(running.sendSignal(SIGINT))
      let result = await running.wait()
      #expect(result.status == 130)
      let answer = try result.json()
      #expect(answer["items"]?.array.count == 100 && answer["complete"] == .bool(false))
      #expect(result.err.split(separator: "\n").count == 1 && result.err.contains("github"), "\(result.err)")
    }
  }
}
