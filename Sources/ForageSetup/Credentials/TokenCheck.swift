package import ForageCore
package import ForageHTTP

/// Whether a server accepts a token, from one request.
package enum TokenCheck: Sendable {
  /// The server accepts the token.
  case accepted(ForgeAccount)
  /// The server refuses the token.
  case refused(SearchError)
  /// The server did not answer, or answered something else.
  case unknown(SearchError)

  package static let timeLimit: Duration = .seconds(5)

  /// Sends the request.
  package static func run(_ forge: any ForgeProvider, token: ForgeToken) async -> TokenCheck {
    do {
      return .accepted(try await forge.account(deadline: .now + timeLimit))
    } catch {
      var failure =
        error as? SearchError
        ?? SearchError(.other, "the token could not be tested: \(error)", hint: "try again")
      // A server may repeat what it was sent.
      failure.message = failure.message.replacing(token.secret, with: "…")
      return failure.code == .unauthorized ? .refused(failure) : .unknown(failure)
    }
  }

  /// Whether the token is valid, `nil` when that is not known.
  package var isValid: Bool? {
    switch self {
    case .accepted: true
    case .refused: false
    case .unknown: nil
    }
  }

  /// The account of a valid token.
  private var account: ForgeAccount? {
    if case .accepted(let account) = self { account } else { nil }
  }

  package var login: String? { account?.login }

  package var scopes: [String]? { account?.scopes }

  /// Why the token is not known to be valid.
  package var error: SearchError? {
    switch self {
    case .accepted: nil
    case .refused(let error), .unknown(let error): error
    }
  }
}

extension ForgeAccount {
  package var loginText: String { login ?? "unknown (the token of an app has no account)" }

  /// `nil` for a forge without scopes.
  package var scopesText: String? {
    scopes.map { $0.isEmpty ? "none (public data only)" : $0.joined(separator: ", ") } ?? unknownScopes
  }
}

extension TokenFinder.Finding {
  /// The source of the token.
  package var source: String? { token?.source }

  /// The sources in which a token was looked for, and the programs that were not started; not what is at
  /// fault.
  package var placesText: String {
    let tried = tried.isEmpty ? [] : ["tried " + tried.joined(separator: ", ")]
    let rest = skipped.filter { !$0.isFault }.map { "skipped \($0.source) (\($0.reason))" }
    return (tried + rest).joined(separator: "; ")
  }
}
