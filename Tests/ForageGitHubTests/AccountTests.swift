import ForageCore
import ForageGitHub
import TestSupport
import Testing

/// Testing a token with one request.
@Suite struct AccountTests {
  private func account(_ github: FakeGitHub, token: String? = "t0ken") async throws -> (
    ForgeAccount?, SearchError?
  ) {
    try await withFake(github, token: token) { provider, server in
      var (found, error): (ForgeAccount?, SearchError?)
      do {
        found = try await provider.account(deadline: .now + .seconds(30))
      } catch let thrown as SearchError {
        error = thrown
      }
      // A fault of the server may be gone at once.
      let count = error?.code == .serverError ? 2 : 1
      #expect(server.requests.map(\.path) == Array(repeating: "/user", count: count))
      #expect(server.requests.first?.header("authorization") == token.map { "Bearer " + $0 })
      return (found, error)
    }
  }

  /// The header field with the scopes, and what it means.
  @Test(
    arguments: [
      ("repo, read:org", ["repo", "read:org"]), ("", []), (" gist ,, ", ["gist"]), (nil, nil),
    ] as [(String?, [String]?)])
  func scopes(_ field: String?, _ scopes: [String]?) async throws {
    let (account, error) = try await account(FakeGitHub { $0.scopes = field })
    #expect(account?.login == "octocat" && account?.scopes == scopes && error == nil)
    #expect((account?.unknownScopes == nil) == (scopes != nil))
  }

  /// The token of an app is valid and has no account.
  @Test func anApp() async throws {
    let github = FakeGitHub()
    github.fail(.custom(.json(status: 403, body: #"{"message": "Resource not accessible by integration"}"#)))
    let (account, error) = try await account(github)
    #expect(account != nil && account?.login == nil && account?.scopes == nil && error == nil)
  }

  @Test(
    arguments: [
      (.badCredentials, .unauthorized), (.serverError, .serverError), (.notFound, .notFound),
      (.primaryLimit(resetIn: 60), .rateLimited), (.pageHTML, .invalidResponse),
      (.custom(.json(status: 403, body: #"{"message": "Sorry. Your account was suspended."}"#)), .forbidden),
    ] as [(FakeGitHub.Fault, SearchError.Code)])
  func failures(_ fault: FakeGitHub.Fault, _ code: SearchError.Code) async throws {
    let github = FakeGitHub()
    github.fail(fault)
    let (account, error) = try await account(github)
    #expect(account == nil && error?.code == code)
  }
}
