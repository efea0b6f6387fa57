import ForageCore
import ForageFoundation
import ForageHTTP

extension Manifest.Auth.Place {
  /// The place of a bearer token (RFC 6750).
  static let bearer = Self.header("Authorization", prefix: "Bearer ")
}

/// The credential that git's helpers have for the host of a forge, and how its API takes that.
package struct HelperCredential: Sendable {
  package enum Way: Sendable {
    /// With the name of the account (RFC 7617).
    case basic
    /// The password alone, which is a token (RFC 6750).
    case bearer
  }

  package let way: Way
  /// The account; `nil` where no helper knows one, or the forge has refused it. It is called before each
  /// request.
  package let account: @Sendable () async -> (user: String, password: String)?
  /// Takes note that the forge has refused the account.
  package let refuse: @Sendable () async -> Void

  package init(
    _ way: Way, account: @escaping @Sendable () async -> (user: String, password: String)?,
    refuse: @escaping @Sendable () async -> Void
  ) { (self.way, self.account, self.refuse) = (way, account, refuse) }
}

/// A secret as it is sent.
struct Signature: Sendable {
  let place: Manifest.Auth.Place
  let value: String
  /// Whether it is from git's credential helpers.
  var isOfHelper = false

  init(_ value: String, _ place: Manifest.Auth.Place) { (self.value, self.place) = (value, place) }

  /// Basic authentication.
  init(user: String, password: String) {
    self.init(
      Data((user + ":" + password).utf8).base64EncodedString(), .header("Authorization", prefix: "Basic "))
  }

  /// A name for the secret in limits and caches, from which it cannot be had.
  var fingerprint: String { value.utf8.fingerprint }

  /// Attaches the secret to a request that is about to be sent.
  func sign(_ request: inout HTTPRequest) {
    switch place {
    case .header(let name, let prefix):
      request.headers.remove(name)
      request.headers.append((name: name, value: prefix + value))
      request.secretNames.insert(name.lowercased())
    case .parameter(let name):
      let kept = ManifestClient.query(request.url.query, without: name)
      let pair = PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value)
      request.url.query = kept.map { $0 + "&" + pair } ?? pair
      request.secretNames.insert(name.lowercased())
    }
  }
}

extension ManifestClient {
  /// The secret for an address; `nil` if there is none or the address may not receive it.
  ///
  /// - Throws: `SearchError` if a required one is missing, or it fits no header field.
  func signature(for url: HTTPURL, isRequired: Bool) async throws(SearchError) -> Signature? {
    guard let auth = manifest.auth, mayHaveSecret(url) else { return nil }
    guard let found = await secret(auth.secret)?.trimmingWhitespace(), !found.isEmpty else {
      if let helper, let known = await helper.account() {
        var signature =
          helper.way == .bearer
          ? Signature(known.password, .bearer) : Signature(user: known.user, password: known.password)
        signature.isOfHelper = true
        return signature
      }
      if isRequired { throw errors.needsSecret }
      return nil
    }
    // A password is sent in Base64, so that it can have any characters.
    if let user = auth.user, let account = await secret(user), !account.isEmpty {
      return Signature(user: account, password: found)
    }
    // A secret may have its scheme in front of it where none is added.
    var isWhole = false
    if case .header(let name, prefix: "") = auth.place { isWhole = name.lowercased() == "authorization" }
    guard let token = HeaderToken.usable(found, hasWords: isWhole) else {
      let source = variable ?? "the secret \(auth.secret) of \(manifest.name)"
      throw SearchError(
        .configuration, "\(source) \(HeaderToken.fault)", hint: HeaderToken.advice(source))
    }
    return Signature(token, auth.place)
  }

  /// Whether an address may receive the secret: the API's own host, or one in `hosts`.
  func mayHaveSecret(_ url: HTTPURL) -> Bool {
    if let own = base ?? manifest.fixedOrigin, url.hasSameOrigin(as: own) { return true }
    return (url.scheme == "https" || url.isLoopback) && manifest.hosts.contains(url.authority)
  }

  /// The value of a parameter of a query.
  static func value(of name: String, in query: String?) -> String? {
    for pair in query?.split(separator: "&") ?? [] {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        PercentEncoding.decode($0.replacing("+", with: " "))
      }
      if parts[0] == name { return parts.count > 1 ? parts[1] : "" }
    }
    return nil
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
