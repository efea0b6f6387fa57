import Foundation
import Synchronization

/// GitHub's REST API over a few invented repositories: all searches, repositories, stars, limits, errors,
/// faults.
///
/// Every path works at the root (as api.github.com) and below `/api/v3` (as an Enterprise server), and every
/// link leads back to the server that was asked. Give `handler` to a `LoopbackServer`.
public final class FakeGitHub: Sendable {
  /// How the rate limits behave.
  public enum Limits: Sendable, Hashable {
    /// GitHub's numbers (search 10 a minute, with a token 30; code search 10; otherwise 60 an hour, with a
    /// token 5,000). When not enforced, they are counted in the headers but at least one request always
    /// remains.
    case github(enforced: Bool)
    /// No limit and no header, as on an Enterprise server.
    case absent
  }

  /// What the service is like; may be changed while it runs.
  public struct Options: Sendable {
    /// The repositories, in any order.
    public var repositories: [FakeRepository]
    /// Files, best first.
    public var files: [FakeFile] = []
    /// Issues and pull requests, best first.
    public var issues: [FakeIssue] = []
    /// Commits, best first.
    public var commits: [FakeCommit] = []
    /// Accounts that can be searched for, best first.
    public var users: [FakeAccount] = []
    /// Topics, best first.
    public var topics: [FakeTopic] = []
    /// The notifications of the token's owner.
    public var notifications: [FakeNotification] = []
    /// Old full names and the id of the repository that had them.
    public var renames: [String: Int] = [:]
    /// Accounts that exist without a repository: searching in them finds nothing instead of failing.
    public var accounts: Set<String> = []
    /// The only token that is accepted, and it must be sent; nil: any token and none.
    public var requiredToken: String?
    /// The value of the header field `X-GitHub-SSO` of every answer, such as `partial-results;
    /// organizations=1,2`.
    public var singleSignOn: String?
    /// Whether a search for issues must say which of issues and pull requests it is for, as with the token of
    /// an app.
    public var refusesMixedIssues = false
    /// Whether a search is refused when any of its repositories and accounts is unknown, not only when all
    /// are.
    public var refusesUnknownScopes = false
    /// The account of whoever sends a token.
    public var login = "octocat"
    /// The scopes of the token; nil: a fine-grained one, which has none.
    public var scopes: String? = "repo, read:org"
    /// What search answers say.
    public var incompleteResults = false
    /// The rate limits.
    public var limits = Limits.github(enforced: false)
    /// Root of the web pages in answers.
    public var web = "https://github.com"
    /// Full names that the token's owner has starred, newest last.
    public var starred: [String] = []
    /// The same of other accounts, by their names.
    public var starredBy: [String: [String]] = [:]
  }

  struct Window {
    var used = 0
    var reset: Int
  }

  struct State {
    var options: Options
    var rules: [Rule] = []
    var windows: [String: Window] = [:]
  }

  let state: Mutex<State>

  /// Makes a service.
  ///
  /// - Parameters:
  ///   - repositories: what it knows.
  ///   - configure: changes the other options.
  public init(repositories: [FakeRepository] = [], _ configure: (inout Options) -> Void = { _ in }) {
    var options = Options(repositories: repositories)
    configure(&options)
    state = Mutex(State(options: options))
  }

  /// Changes the service while it runs.
  public func update(_ change: (inout Options) -> Void) {
    state.withLock { change(&$0.options) }
  }

  /// The options as they are now.
  public var options: Options { state.withLock { $0.options } }

  /// What a `LoopbackServer` needs.
  public var handler: LoopbackServer.Handler { { [self] request in respond(to: request) } }

  /// The answer to one request, after the first fault that concerns it.
  public func respond(to request: RecordedRequest) -> ScriptedResponse {
    let call = Call(request)
    if let fault = takeFault(for: call) { return fault.script(healthy: answer(to: call), call: call) }
    return answer(to: call).scripted(headOnly: request.method == "HEAD")
  }

  /// A request with the API's prefix taken off.
  struct Call {
    let request: RecordedRequest
    /// The path below the API's root, still encoded, with a leading slash.
    let path: String
    /// The parts of that path, decoded.
    let parts: [String]
    /// The API's root as the client sees it.
    let api: String
    let token: String?

    init(_ request: RecordedRequest) {
      self.request = request
      let prefix = "/api/v3"
      let prefixed = request.path == prefix || request.path.hasPrefix(prefix + "/")
      path = prefixed ? String(request.path.dropFirst(prefix.count)) : request.path
      parts = Array(request.pathParts.dropFirst(prefixed ? 2 : 0))
      api = request.origin + (prefixed ? prefix : "")
      let words = (request.header("authorization") ?? "").split(separator: " ", maxSplits: 1)
      let scheme = words.first?.lowercased() ?? ""
      token = words.count == 2 && ["bearer", "token"].contains(scheme) ? String(words[1]) : nil
    }

    var resource: String {
      path == "/search/code" ? "code_search" : path.hasPrefix("/search/") ? "search" : "core"
    }
  }

  private func answer(to call: Call) -> FakeAnswer {
    let options = options
    guard let agent = call.request.header("user-agent"), !agent.isEmpty else {
      let text: FakeJSON = [
        "message":
          "Missing or invalid User Agent string. See http://developer.github.com/v3/#user-agent-required"
      ]
      return FakeAnswer(status: 403, headers: [("Content-Type", "application/octet-stream")], json: text)
    }
    if let required = options.requiredToken, call.token != required {
      let message = call.token == nil ? "Requires authentication" : "Bad credentials"
      return FakeAnswer.error(401, message).with(Self.common())
    }
    if let version = call.request.header("x-github-api-version"), !Self.versions.contains(version) {
      let message = "The version '\(version)' is not supported."
      return FakeAnswer.error(400, message).with(Self.common())
    }
    var made = route(call, options)
    let free = call.path == "/rate_limit" || (made.status == 304 && call.token != nil)
    let (limitHeaders, exceeded) = charge(call, options.limits, free: free)
    if exceeded { made = Self.limitExceeded }
    return made.with(
      Self.common() + limitHeaders + (options.singleSignOn.map { [("X-GitHub-SSO", $0)] } ?? []))
  }

  /// Versions of the API that are answered.
  private static let versions: Set<String> = ["2022-11-28", "2026-03-10"]

  static var limitExceeded: FakeAnswer {
    .error(
      403, "API rate limit exceeded for 192.0.2.1.",
      documentation: "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api")
  }

  /// Headers that every answer has.
  static func common() -> [ScriptedResponse.Header] {
    [
      ("Server", "github.com"), ("Date", UTCTime.http(Date())),
      ("Content-Type", "application/json; charset=utf-8"),
      ("X-GitHub-Media-Type", "github.v3; format=json"), ("x-github-api-version-selected", "2022-11-28"),
      ("Vary", "Accept, Accept-Encoding, Accept, X-Requested-With"), ("X-Content-Type-Options", "nosniff"),
      ("X-GitHub-Request-Id", "F0A6:1A2B:3C4D5E:6F7081:65A0B1C2"),
    ]
  }

  private func route(_ call: Call, _ options: Options) -> FakeAnswer {
    let parts = call.parts
    let method = call.request.method
    if parts.last == "" { return .notFound }
    if parts.prefix(2) == ["user", "starred"] { return starring(call, options) }
    if parts.first == "notifications" { return notifications(call, options) }
    guard method == "GET" || method == "HEAD" else { return .notFound }
    if parts.count == 3, parts[0] == "users", parts[2] == "starred" {
      return options.starredBy[parts[1]].map { starredList($0, call, options) } ?? .notFound
    }
    switch parts.first {
    case "search" where parts.count == 2: return search(parts[1], call, options)
    case "rate_limit" where parts.count == 1: return rateLimit(call, options)
    case "meta" where parts.count == 1:
      return FakeAnswer(
        status: 200, json: ["verifiable_password_authentication": false, "installed_version": "3.14.0"])
    case "repos" where parts.count >= 3: return repository(call, options)
    case "user" where parts.count == 1:
      guard call.token != nil else { return .error(401, "Requires authentication") }
      return FakeAnswer(
        status: 200, headers: options.scopes.map { [("X-OAuth-Scopes", $0)] } ?? [],
        json: FakeAccount(login: options.login).json(links(call, options)))
    case "users" where parts.count == 2: return account(parts[1], call, options)
    case "repositories" where parts.count >= 2:
      guard let found = options.repositories.first(where: { String($0.id) == parts[1] }), visible(found, call)
      else { return .notFound }
      guard parts.count > 2 else { return full(found, call, options) }
      return below(found, Array(parts.dropFirst(2)), call, options) ?? .notFound
    default: return .notFound
    }
  }

  private func search(_ name: String, _ call: Call, _ options: Options) -> FakeAnswer {
    switch name {
    case "repositories":
      return search(call, options, .repositories, in: options.repositories.sorted { $0.id < $1.id })
    case "code":
      guard call.token != nil else {
        let message = "Must be authenticated to access the code search API"
        return .error(
          401, "Requires authentication",
          errors: [["message": .string(message), "resource": "Search", "field": "q", "code": "invalid"]])
      }
      return search(call, options, .code, in: options.files)
    case "issues":
      let types = FakeQuery(call.request.query("q") ?? "", known: ["is"]).values(of: ["is"])
      if options.refusesMixedIssues, !types.contains(where: ["issue", "pr", "pull-request"].contains) {
        return Self.invalid(["message": "Query must include 'is:issue' or 'is:pull-request'"])
      }
      return search(call, options, .issues, in: options.issues)
    case "commits": return search(call, options, .commits, in: options.commits)
    case "users": return search(call, options, .users, in: options.users)
    case "topics": return search(call, options, .topics, in: options.topics)
    default: return .notFound
    }
  }

  func visible(_ repository: FakeRepository, _ call: Call) -> Bool {
    !repository.isPrivate || call.token != nil
  }

  func links(_ call: Call, _ options: Options) -> FakeRepository.Links {
    FakeRepository.Links(api: call.api, web: options.web)
  }
}

/// Runs a body with a `FakeGitHub` behind a loopback server that is stopped afterwards, whatever happens.
public func withGitHub<Result>(
  _ github: FakeGitHub, tls: TLSFiles? = nil, _ body: (LoopbackServer) async throws -> Result
) async throws -> Result {
  try await withServer(tls: tls, handler: github.handler, body)
}
