import ForageCore

/// The address of a forge.
package struct ForgeAddress: Hashable, Sendable {
  /// The base address of its API, for example `https://api.github.com` or `https://HOST/api/v3`.
  package var api: HTTPURL
  /// The host whose credentials are used, with its port unless that is the scheme's default.
  package var host: String
  /// The hosts whose entities it is authoritative for; the first is the one of a plain `owner/name`.
  package var entityHosts: [String]

  package init(api: HTTPURL, host: String, entityHosts: [String]) {
    (self.api, self.host, self.entityHosts) = (api, host, entityHosts)
  }
}

/// A token for a forge and its source.
package struct ForgeToken: Sendable {
  package var secret: String
  /// The source as shown to the user, for example `GH_TOKEN`.
  package var source: String

  package init(secret: String, source: String) {
    self.secret = secret
    self.source = source
  }

  /// Distinguishes the secret from others without revealing it.
  package var fingerprint: String { secret.utf8.fingerprint }
}

/// Where the token of a forge is.
package protocol TokenSource: Sendable {
  /// The token, if there is one. It is asked for before each request, at most twice.
  func token() async -> ForgeToken?
  /// How to set it; `nil` where nothing is known of the source.
  var hint: String? { get }
  /// The variable for it whose value is none; `nil` if there is no such variable.
  var wrongVariable: String? { get }
}

/// The form of a text that may be sent as a token, of every forge and API.
package enum HeaderToken {
  /// The token in a text, trimmed; `nil` for an empty text, and for one that a field of a header cannot hold
  /// as one word.
  ///
  /// - Parameter hasWords: Whether spaces may stand within it.
  package static func usable(_ text: String?, hasWords: Bool = false) -> String? {
    let token = text?.trimmingWhitespace() ?? ""
    let isValid = token.utf8.allSatisfy { $0 > 32 && $0 < 127 || hasWords && $0 == 32 }
    return !token.isEmpty && isValid ? token : nil
  }

  /// The words about a source whose text is none.
  package static let fault = "is not a token: it has spaces or characters that are not ASCII"

  /// The advice about such a source.
  package static func advice(_ source: String) -> String {
    "set \(source) to the token alone, without a word such as Bearer"
  }
}
