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
