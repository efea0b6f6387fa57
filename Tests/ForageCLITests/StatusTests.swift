import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageCLI

/// The status that a search ends with.
struct StatusTests {
  /// What the server does, more arguments, and the status.
  struct Case: Sendable, CustomTestStringConvertible {
    var fault: FakeGitHub.Fault?
    var query = "http"
    var arguments: [String] = []
    var isIncomplete = false
    var status: Status

    var testDescription: String {
      "\(fault.map { "\($0)" } ?? "healthy") \(query) \(arguments.joined(separator: " ")): \(status)"
    }
  }

  @Test(arguments: [
    Case(status: .success),
    Case(arguments: ["--strict"], status: .success),
    Case(query: "nothinglikethis", status: .nothingFound),
    Case(query: "nothinglikethis", arguments: ["--strict"], status: .nothingFound),
    Case(arguments: ["-p", "local"], status: .nothingFound),
    Case(fault: .serverError, arguments: ["-p", "github"], status: .failed),
    Case(fault: .serverError, arguments: ["-p", "github", "--strict"], status: .failed),
    // An empty catalogue is no answer.
    Case(fault: .serverError, arguments: ["-p", "github,local"], status: .failed),
    Case(fault: .serverError, status: .failed),
    Case(fault: .serverError, arguments: ["--strict"], status: .failed),
    Case(fault: .badCredentials, status: .failed),
    Case(fault: .primaryLimit(), status: .failed),
    Case(fault: .validation, status: .failed),
    Case(fault: .notFound, status: .failed),
    // GitHub would refuse it, so it is not sent.
    Case(query: "a OR b OR c OR d OR e OR f OR g", status: .failed),
    Case(isIncomplete: true, status: .success),
    Case(arguments: ["--strict"], isIncomplete: true, status: .partial),
    // A provider that cannot do the query is no failure beside one that can.
    Case(query: "http stars:>1", arguments: ["-p", "github,local", "--strict"], status: .success),
    // Where none can it is a mistake, whether one was named or not.
    Case(query: "http stars:>1", arguments: ["-p", "local"], status: .usage),
    Case(arguments: ["--state", "open"], status: .usage),
    Case(arguments: ["--state", "open", "-p", "github"], status: .usage),
    Case(query: "filename:a", arguments: ["--format", "json"], status: .usage),
    Case(arguments: ["-k", "user", "-p", "local"], status: .usage),
    Case(arguments: ["-k", "topic", "-p", "local", "--quiet"], status: .usage),
    Case(arguments: ["-k", "user", "-p", "local", "--strict"], status: .usage),
    Case(arguments: ["-k", "nonsense", "-p", "local"], status: .usage),
  ])
  func search(_ example: Case) async throws {
    let github = FakeGitHub(repositories: threeRepositories) { $0.incompleteResults = example.isIncomplete }
    if let fault = example.fault { github.fail(fault) }
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let outcome = await forage(
          ["search", example.query] + example.arguments, in: variables(home, server.baseURL))
        #expect(outcome.status == example.status, "\(outcome)")
        let lines = outcome.err.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("forage: ") || $0.hasPrefix("hint: ") }, "\(outcome.err)")
        #expect(example.status == .success || !lines.isEmpty)
        if example.arguments.contains("--state") {
          #expect(outcome.err.contains("-k issue") && !outcome.err.contains("nothing"), "\(outcome.err)")
        }
      }
    }
  }

  /// Where gh's output is wanted, a list of which a page failed is none, as for gh; otherwise it is one with
  /// a warning.
  @Test(arguments: [
    (["repos", "http", "--json", "name"], Status.partial), (["http", "--json", "name"], .success),
  ])
  func aSecondPageThatFails(_ arguments: [String], _ status: Status) async throws {
    let github = FakeGitHub(
      repositories: (1...150).map { FakeRepository(id: $0, fullName: "acme/http-\($0)") })
    github.fail(.serverError, path: "/search", page: 2)
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let outcome = await forage(
          ["search"] + arguments + ["-L", "150"], in: variables(home, server.baseURL))
        #expect(outcome.status == status && outcome.err.hasPrefix("forage: github: "), "\(outcome)")
        #expect(outcome.out.contains("http-1"))
      }
    }
  }

  /// An output whose results cannot be written.
  private func status(of error: any Error & Sendable) async throws -> (Status, String) {
    try await withIsolatedHome { home in
      let messages = Mutex("")
      let output = Output(
        writeResult: { _ in throw error }, writeMessage: { text in messages.withLock { $0 += text } },
        isTerminal: false, isMessageTerminal: false, now: Capture.now)
      let process = ProcessEnvironment(environment: variables(home), output: output)
      let status = await Entry.run(["providers"], in: process)
      return (status, messages.withLock { $0 })
    }
  }

  @Test func aClosedPipeIsSuccess() async throws {
    let (status, messages) = try await status(of: Output.ClosedPipe())
    #expect(status == .success)
    #expect(messages == "")
  }

  @Test func aFullDiskIsNot() async throws {
    let (status, messages) = try await status(of: Output.WriteFailure(reason: "No space left on device"))
    #expect(status == .failed)
    #expect(messages.hasPrefix("forage: the results could not be written: No space left on device\nhint: "))
  }

  @Test func statusNumbers() {
    let all: [Status] = [.success, .nothingFound, .usage, .partial, .failed, .interrupted]
    #expect(all.map(\.rawValue) == [0, 1, 2, 3, 4, 130])
  }

  @Test(arguments: [
    "https://", "ftp://127.0.0.1", "http://example.org/api/v3", "127.0.0.1:80", "https://user:pw@example.org",
  ])
  func aBadAddressIsAConfigurationError(_ address: String) async throws {
    try await withIsolatedHome { home in
      let outcome = await forage(["search", "x", "-p", "github"], in: variables(home, address))
      #expect(outcome.status == .usage, "\(outcome)")
      #expect(outcome.err.hasPrefix("forage: ") && outcome.err.contains("\nhint: "))
      #expect(!outcome.err.contains("pw"))
      // Nobody else is asked: there are no clones.
      let others = await forage(["search", "x"], in: variables(home, address))
      #expect(others.status == .usage, "\(others)")
      #expect(others.err.hasPrefix("forage: github: "))
      let both = await forage(["search", "x", "-p", "github,local"], in: variables(home, address))
      #expect(both.status == .usage, "\(both)")
      let unconcerned = await forage(["search", "x", "-p", "local"], in: variables(home, address))
      #expect(unconcerned.status == .nothingFound && !unconcerned.err.contains("github"))
    }
  }

  @Test func aBadProxyIsAConfigurationError() async throws {
    try await withIsolatedHome { home in
      let outcome = await forage(
        ["search", "x", "-p", "github"], in: variables(home, adding: ["HTTPS_PROXY": "ftp://x:1"]))
      #expect(outcome.status == .usage, "\(outcome)")
      #expect(outcome.err.hasPrefix("forage: github: HTTPS_PROXY is not a valid proxy address\nhint: "))
    }
  }
}
