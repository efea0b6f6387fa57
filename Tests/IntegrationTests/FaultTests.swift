import Foundation
import TestSupport
import Testing

/// Everything that can go wrong between the program and GitHub.
struct FaultTests {
  /// A fault, what the JSON says of it, and the time limit that brings it about.
  struct Case: Sendable, CustomTestStringConvertible {
    var fault: FakeGitHub.Fault
    var state: String
    var code: String
    var timeout = "30"

    init(_ fault: FakeGitHub.Fault, _ state: String, _ code: String, timeout: String = "30") {
      (self.fault, self.state, self.code, self.timeout) = (fault, state, code, timeout)
    }

    var testDescription: String { "\(fault)" }
  }

  @Test(arguments: [
    Case(.badCredentials, "unauthorized", "unauthorized"),
    Case(.primaryLimit(), "rate_limited", "rate_limited"),
    Case(.secondaryLimit(), "rate_limited", "rate_limited"),
    Case(.secondaryLimit(retryAfter: nil), "rate_limited", "rate_limited"),
    Case(.tooManyRequests(), "rate_limited", "rate_limited"),
    Case(.permission, "failed", "forbidden"),
    Case(.notFound, "failed", "not_found"),
    Case(.validation, "failed", "invalid_query"),
    Case(.serverError, "failed", "server_error"),
    Case(.badGatewayJSON, "failed", "server_error"),
    Case(.unavailableHTML, "failed", "server_error"),
    Case(.pageHTML, "failed", "invalid_response"),
    Case(.truncatedJSON, "failed", "invalid_response"),
    Case(.hugeBody(megabytes: 200, declared: true), "failed", "response_too_large"),
    Case(.hugeBody(megabytes: 200, declared: false), "failed", "response_too_large"),
    Case(.nothing, "failed", "connection_lost"),
    Case(.drip(everyMilliseconds: 50), "timeout", "timeout", timeout: "1"),
    Case(.hang, "timeout", "timeout", timeout: "1"),
    Case(.redirectLoop, "failed", "redirect_refused"),
    Case(.droppedMidBody, "failed", "connection_lost"),
    Case(.custom(.json(body: "")), "failed", "invalid_response"),
    Case(.custom(.json(body: "[]")), "failed", "invalid_response"),
    Case(.custom(.json(status: 418, body: "{}")), "failed", "invalid_response"),
    Case(.custom(.status(304)), "failed", "redirect_refused"),
  ])
  func faults(_ example: Case) async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(example.fault)
    try await withProgram(github) { program, _ in try await expectFailure(program, example) }
  }

  /// More time on the command line does not help a provider for which the settings have a limit.
  @Test func theTimeOfTheSettings() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.hang)
    try await withProgram(github) { program, _ in
      try program.home.writeConfig("forage/config.yaml", "providers:\n  github: {timeout: 1}\n")
      for command in [["search", "match"], ["show", "owner/match"]] {
        let result = try await program.run(command + ["-p", "github", "--timeout", "20"])
        #expect(result.status == 4 && result.err.contains("settings"), "\(result.err)")
      }
    }
  }

  #if os(Linux)
    /// Without libcurl, in whose place are files that are no libraries, nothing is asked, and how to get it
    /// is told; what needs no request works.
    @Test func aSystemWithoutLibcurl() async throws {
      let github = FakeGitHub(repositories: matching(3))
      try await withServer(handler: github.handler) { server in
        let program = try Program(server.baseURL)
        let folder = program.home.directory.path("empty")
        for name in ["libcurl.so.4", "libcurl-gnutls.so.4"] {
          try program.home.directory.write("empty/" + name, "")
        }
        let without = ["LD_LIBRARY_PATH": folder]
        let refused = try await program.run(["search", "match", "-p", "github"], adding: without)
        #expect(refused.status == 4 && refused.out.isEmpty)
        #expect(
          refused.err.hasPrefix(
            "forage: github: libcurl, which sends the requests, is not installed or older than 7.68\nhint: "),
          "\(refused.err)")
        #expect(refused.err.contains("libcurl4") && server.connectionCount == 0)
        for command in [
          ["--version"], ["clones", "list"], ["search", "match", "-p", "local"], ["providers"],
        ] {
          let result = try await program.run(command, adding: without)
          #expect(
            !result.err.contains("libcurl") && [0, 1].contains(result.status), "\(command): \(result.err)")
        }
        #expect(try await program.run(["search", "match", "-p", "github"]).status == 0)
      }
    }
  #endif

  /// A failure of many parts is told once.
  @Test func oneFailureOfManyParts() async throws {
    let github = FakeGitHub(repositories: matching(1))
    let id = try #require(matching(1).first?.fullName)
    try await withProgram(github) { program, _ in
      github.fail(.serverError, path: "/repos/\(id)/")
      let result = try await program.run(["show", id])
      #expect(result.status == 0, "\(result.err)")
      #expect(expectMessages(result).count == 1, "\(result.err)")
    }
  }

  @Test func aRefusedConnection() async throws {
    try await expectFailure(try Program(), Case(.nothing, "failed", "unreachable"))
  }

  /// A text that cannot be read may cost the answer or just itself, but never unnoticed.
  @Test func invalidUTF8() async throws {
    let github = FakeGitHub(repositories: matching(3))
    github.fail(.invalidUTF8)
    try await withProgram(github) { program, _ in
      let result = try await program.run(["search", "match", "-p", "github"])
      #expect(String(validating: result.stdout, as: UTF8.self) != nil)
      #expect(result.status == 4)
      #expect(result.out.isEmpty)
      #expect(expectMessages(result).first?.hasPrefix("github: ") == true)
    }
  }

  @Test func aRedirectToAnotherHostIsNotFollowed() async throws {
    try await withGitHub(FakeGitHub(repositories: matching(3))) { other in
      for status in [301, 302, 307, 308] {
        let github = FakeGitHub()
        let fault = FakeGitHub.Fault.redirect(
          to: other.baseURL + "/search/repositories?q=match", status: status)
        github.fail(fault)
        try await withProgram(github, adding: ["GH_ENTERPRISE_TOKEN": "t0psecret"]) { program, _ in
          let result = try await program.run(["search", "match", "-p", "github"])
          #expect(result.status == 4)
          #expect(result.out == "")
          #expect(expectMessages(result).first?.contains("redirects to another host") == true)
        }
      }
      #expect(other.requests.isEmpty)
      #expect(other.connectionCount == 0)
    }
  }

  /// Alone: status 4 and nothing but messages. With clones that answer: 4 without results; their results, and
  /// 3 when named, else 0.
  private func expectFailure(_ program: Program, _ example: Case) async throws {
    try await program.makeClone("owner/match")
    try await program.addClones()
    let options = ["--timeout", example.timeout]
    let alone = try await program.run(["search", "match", "-p", "github"] + options)
    #expect(alone.status == 4)
    #expect(alone.out == "")
    let messages = expectMessages(alone)
    #expect(messages.count == 1 && messages.first?.hasPrefix("github: ") == true, "\(alone.err)")
    // An answer without results is no reason to call a failed search an empty one.
    let empty = try await program.run(["search", "nothinglikethis"] + options)
    #expect(empty.status == 4 && empty.out == "", "\(empty.err)")
    #expect(expectMessages(empty).count == 1 && !empty.err.contains("nothing found"), "\(empty.err)")

    let named = try await program.run(
      ["search", "match", "-p", "github,local", "--format", "json"] + options)
    #expect(named.status == 3)
    let answer = try named.json()
    #expect(answer["complete"] == .bool(false))
    #expect(answer.provider("github")?["state"]?.string == example.state)
    #expect(answer.provider("github")?["error"]?["code"]?.string == example.code)
    #expect(answer.provider("github")?["error"]?["hint"]?.string?.isEmpty == false)
    #expect(answer.provider("local")?["state"]?.string == "ok")
    #expect((answer["items"]?.array ?? []).compactMap { $0["id"]?.string } == ["github.com/owner/match"])
    #expect(expectMessages(named).count == 1)

    let unnamed = try await program.run(["search", "match"] + options)
    #expect(unnamed.status == 0)
    #expect(unnamed.outLines.count == 1 && unnamed.out.hasPrefix("owner/match\t"))
    #expect(expectMessages(unnamed).count == 1)
  }

  /// Numbers that no forge has must not bring the program down.
  @Test(arguments: [
    ["search", "big", "--format", "table"], ["search", "big", "--format", "json"],
    ["show", "owner/big", "--format", "table"],
    ["show", "owner/big", "--format", "json"],
  ])
  func hugeNumbers(_ arguments: [String]) async throws {
    let big = FakeRepository(id: 1, fullName: "owner/big", stars: .max).with {
      $0.forks = .max
      $0.size = .max
      $0.openIssues = .min
      $0.subscribers = .max
      $0.createdAt = Date(timeIntervalSince1970: 250_000_000_000)
    }
    try await withProgram(FakeGitHub(repositories: [big])) { program, _ in
      let result = try await program.run(arguments)
      #expect(result.status == 0, "\(result.err)")
      #expect(!result.out.isEmpty)
    }
  }
}
