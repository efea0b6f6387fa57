import ForageCore
import ForageFoundation
package import ForageHTTP
package import ForagePluginHost
package import ForagePluginProtocol

/// Sends the requests of plugins, and adds the secret that a plugin declares and does not get.
///
/// The secret goes over https, or to this machine, to the hosts of `plugin.json` with their ports, and to no
/// other by a redirect. What a server says is searched for it, headers and body, before the cache and the
/// plugin get it. So that a server that repeats the request cannot hand it out in pieces or in another form,
/// a plugin chooses neither a part of a body nor its encoding.
package struct PluginRequests: Sendable {
  /// The most that an answer may be used again, in seconds: a day.
  private static let longestUse = 86_400.0
  private static let methods: Set<String> = ["GET", "HEAD", "POST"]
  /// The header fields that a plugin cannot set: those that say where a request goes, how it is sent, and
  /// which part or encoding of the answer is wanted.
  private static let ownHeaders: Set<String> = [
    "accept-encoding", "connection", "content-encoding", "content-length", "expect", "forwarded", "host",
    "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive",
    "max-forwards", "range", "te", "trailer", "transfer-encoding", "upgrade", "via",
  ]
  /// The limit that all requests count against.
  private static let resource = "search"

  private let transport: @Sendable () throws -> HTTPTransport
  private let services: @Sendable (_ plugin: String) -> HTTPServices?
  private let userAgent: String
  private let knownSecrets: @Sendable () async -> [String]

  /// - Parameters:
  ///   - transport: Returns what sends one request; redirects, retries and limits are added here.
  ///   - services: Returns cache, rate limits and circuit breaker for a plugin; `nil` for none.
  ///   - knownSecrets: Returns the secrets of this program, which are masked in answers.
  package init(
    userAgent: String, transport: @escaping @Sendable () throws -> HTTPTransport,
    services: @escaping @Sendable (_ plugin: String) -> HTTPServices?,
    knownSecrets: @escaping @Sendable () async -> [String]
  ) {
    (self.userAgent, self.transport) = (userAgent, transport)
    (self.services, self.knownSecrets) = (services, knownSecrets)
  }

  /// Sends a request.
  ///
  /// - Returns: The answer, whatever its status.
  /// - Throws: `SearchError` for a request that is not allowed, and where there is no answer.
  package func send(_ request: PluginHTTPRequest) async throws -> HTTPResult {
    let url = try url(of: request)
    var message = HTTPRequest(
      method: try method(of: request), url: url, headers: try headers(of: request),
      deadline: request.deadline, maximumBodyBytes: PluginProtocol.Limits.httpBody)
    message.body = Array((request.params.body ?? "").utf8)
    message.isCacheable = message.method != "POST"
    let secret = try secret(of: request)
    let host = url.authority
    let credential = secret?.value.utf8.fingerprint
    let secrets = await knownSecrets() + [secret?.value].compactMap(\.self)
    let redaction = SecretRedaction(secrets)
    do {
      let masked = try transport().masking(secrets)
      let signing = HTTPTransport { request in
        var request = request
        if let secret {
          request.headers.remove(secret.auth.header)
          request.headers.append((name: secret.auth.header, value: secret.auth.prefix + secret.value))
          request.secretNames.insert(secret.auth.header.lowercased())
        }
        return try await masked.send(request)
      }
      let seconds = min(max(0, request.params.cacheSeconds ?? 0), Self.longestUse)
      let response =
        try await signing
        .reading(
          services(request.plugin), host: host, credential: credential,
          scope: "plugin \(request.plugin) \(host) \(credential ?? "anonymous")",
          freshFor: .seconds(seconds), resource: Self.resource
        )
        .send(message)
      return Self.result(response)
    } catch let error as HTTPError {
      var failure = SearchError(
        error, of: host, network: "check the network connection", check: "check the address in the plugin")
      failure.message = redaction.redacted(failure.message)
      throw failure
    }
  }

  // MARK: What is allowed

  private func refusal(_ what: String, hint: String = "") -> SearchError {
    SearchError(.configuration, "the host sends no request " + what, hint: hint)
  }

  private func url(of request: PluginHTTPRequest) throws(SearchError) -> HTTPURL {
    guard let url = HTTPURL(request.params.url) else {
      throw refusal("to an address that is not http or https, or has a user name or a password in it")
    }
    // Names are compared as they are written: another way to write a host, or another port, is another host.
    guard request.hosts.contains(url.authority) else {
      throw refusal(
        "to \(url.authority), which plugin.json does not name", hint: "add it to \"hosts\" in plugin.json")
    }
    // What a name resolves to is anybody's word; only these are this machine.
    guard url.scheme == "https" || ["localhost", "127.0.0.1", "::1"].contains(url.host) else {
      throw refusal("over http, except to this machine", hint: "use https")
    }
    return url
  }

  private func method(of request: PluginHTTPRequest) throws(SearchError) -> String {
    let method = request.params.method ?? "GET"
    guard Self.methods.contains(method) else { throw refusal("with another method than GET, HEAD and POST") }
    guard method == "POST" || request.params.body == nil else { throw refusal("of \(method) with a body") }
    return method
  }

  private func headers(of request: PluginHTTPRequest) throws(SearchError) -> [(name: String, value: String)] {
    var headers = [(name: "User-Agent", value: userAgent)]
    for (name, value) in (request.params.headers ?? [:]).sorted(by: { $0.key < $1.key }) {
      let lower = name.lowercased()
      guard !name.isEmpty, name.consists(of: "a"..."z", "A"..."Z", "0"..."9", and: "-_"),
        value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
      else { throw refusal("with the header field \(SafeText.line(name)), which is not valid") }
      guard !Self.ownHeaders.contains(lower), !lower.hasPrefix("proxy-"), !lower.hasPrefix("x-forwarded-"),
        !lower.hasPrefix("x-http-method")
      else { throw refusal("with the header field \(name), which is its own") }
      if lower == "user-agent" { headers.removeAll { $0.name == "User-Agent" } }
      headers.append((name: name, value: value))
    }
    return headers
  }

  private func secret(of request: PluginHTTPRequest) throws(SearchError) -> (
    auth: PluginManifest.Auth, value: String
  )? {
    guard let secret = request.secret, !secret.value.isEmpty else { return nil }
    let name = secret.auth.secret
    guard !SecretRedaction.isTooShort(secret.value) else {
      throw refusal("with the secret \(name), which is too short to be told from other text")
    }
    guard secret.value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw refusal("with the secret \(name), which has white space or other than ASCII in it")
    }
    return secret
  }

  // MARK: The answer

  private static func result(_ response: HTTPResponse) -> HTTPResult {
    var headers: [String: String] = [:]
    for (name, value) in response.headers where name.lowercased() != "set-cookie" {
      headers[name.lowercased()] = headers[name.lowercased()] ?? value
    }
    guard let text = String(validating: response.body, as: UTF8.self) else {
      return HTTPResult(
        status: response.status, headers: headers, bodyBase64: Data(response.body).base64EncodedString())
    }
    return HTTPResult(status: response.status, headers: headers, body: text)
  }
}
