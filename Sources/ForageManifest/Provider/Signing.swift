import ForageCore
import ForageFoundation
import ForageHTTP

extension Manifest.Auth.Place {
  /// The place of a bearer token (RFC 6750).
  static let bearer = Self.header("Authorization", prefix: "Bearer ")
}

extension Manifest.Auth {
  /// How a value with the name of an account begins.
  fileprivate static let basic = "Basic "

  /// Attaches the secret to a request that is about to be sent.
  func sign(_ request: inout HTTPRequest, _ key: String) {
    switch place {
    case .header(let name, let prefix):
      request.headers.remove(name)
      let isWhole = user != nil && key.hasPrefix(Self.basic)
      request.headers.append((name: name, value: isWhole ? key : prefix + key))
      request.secretNames.insert(name.lowercased())
    case .parameter(let name):
      let kept = ManifestClient.query(request.url.query, without: name)
      let pair = PercentEncoding.encode(name) + "=" + PercentEncoding.encode(key)
      request.url.query = kept.map { $0 + "&" + pair } ?? pair
      request.secretNames.insert(name.lowercased())
    }
  }
}

extension ManifestClient {
  /// The secret for an address; `nil` if there is none or the address may not receive it.
  ///
  /// - Throws: `SearchError` if a required one is missing, or it fits no header field.
  func signature(for url: HTTPURL, isRequired: Bool) async throws(SearchError) -> String? {
    guard let auth = manifest.auth, mayHaveSecret(url) else { return nil }
    guard let found = await secret(auth.secret), !found.isEmpty else {
      if isRequired { throw errors.needsSecret }
      return nil
    }
    // A line break would begin another header field.
    guard found.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
      throw SearchError(
        .configuration,
        "the secret \(auth.secret) of \(manifest.name) contains characters that are not allowed in a header",
        hint: "check whether it ends with a line break")
    }
    // A word such as Bearer is added before it.
    if case .header(_, let prefix) = auth.place, !prefix.isEmpty, found.contains(" ") {
      throw SearchError(
        .configuration, "the secret \(auth.secret) of \(manifest.name) is not a token: it has spaces",
        hint: "set it to the token alone, without a word such as \(prefix.trimmingWhitespace())")
    }
    guard let user = auth.user, let account = await secret(user), !account.isEmpty else { return found }
    return Manifest.Auth.basic + Data((account + ":" + found).utf8).base64EncodedString()
  }

  /// Whether an address may receive the secret: the API's own host, or one in `hosts`.
  func mayHaveSecret(_ url: HTTPURL) -> Bool {
    if let own = base ?? manifest.fixedOrigin, url.hasSameOrigin(as: own) { return true }
    return (url.scheme == "https" || url.isLoopback) && manifest.hosts.contains(url.authority)
  }

  /// The query without a parameter, because servers repeat it in the addresses of further pages.
  static func query(_ query: String?, without name: String) -> String? {
    guard let query else { return nil }
    let kept = query.split(separator: "&").filter { pair in
      PercentEncoding.decode(pair.prefix { $0 != "=" }.replacing("+", with: " ")) != name
    }
    return kept.isEmpty ? nil : kept.joined(separator: "&")
  }
}
