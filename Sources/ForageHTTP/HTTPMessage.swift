public import ForageCore
import ForageFoundation

/// An HTTP request.
public struct HTTPRequest: Sendable {
  /// The method in upper case.
  public var method: String
  /// The address.
  public var url: HTTPURL
  /// Header fields in order; names ignore case.
  public var headers: [(name: String, value: String)]
  /// When the request times out.
  public var deadline: ContinuousClock.Instant
  /// The maximum size of the body in bytes, after decompression.
  public var maximumBodyBytes: Int
  /// Whether the response may be read from and stored in the cache.
  package var isCacheable = true
  /// The request body. It must not contain a secret, because cache entries are keyed by it.
  public var body: [UInt8] = []
  /// Whether a request with another method than `GET` only reads, for example a search by `POST`. Such a
  /// request may be retried.
  package var onlyAsks = false
  /// Whether a safe request may be retried; false for the single attempt at a server that has failed often.
  package var allowsRetries = true
  /// Lower-case names of header fields and query parameters whose values are never logged.
  package var secretNames: Set<String> = []

  /// Whether the request is safe (RFC 9110, section 9.2.1), so that it may be retried and its response
  /// cached.
  package var isSafe: Bool { method == "GET" || method == "HEAD" || onlyAsks }

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: The method in upper case.
  ///   - url: The address.
  ///   - headers: Header fields in order.
  ///   - deadline: When the request times out.
  ///   - maximumBodyBytes: The maximum size of the response's body in bytes, after decompression.
  public init(
    method: String = "GET", url: HTTPURL, headers: [(name: String, value: String)] = [],
    deadline: ContinuousClock.Instant, maximumBodyBytes: Int = HTTPLimits.maximumBodyBytes
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.deadline = deadline
    self.maximumBodyBytes = maximumBodyBytes
  }
}

/// An HTTP response with its complete body.
public struct HTTPResponse: Sendable {
  /// The status code.
  public var status: Int
  /// Header fields in order.
  public var headers: [(name: String, value: String)]
  /// The decompressed body.
  public var body: [UInt8]
  /// How the cache contributed to the response; the age counts from when the server last validated it.
  package var cache = CacheUse.none
  /// The limit because of which this is an older response from the cache; `nil` for any other response.
  package var limit: LimitRefusal?
  /// Removes the response from the cache, for responses that turn out to be incomplete; `nil` if it was not
  /// stored.
  package var discardStored: (@Sendable () -> Void)?

  /// Creates a response, for example in a test.
  ///
  /// - Parameters:
  ///   - status: The status code.
  ///   - headers: Header fields in order.
  ///   - body: The decompressed body.
  public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of a header field.
  ///
  /// - Parameter name: The field's name; case is ignored.
  /// - Returns: The value; `nil` if there is no such field.
  public func header(_ name: String) -> String? { headers.first(name) }

  /// The target of a relation in the `Link` header, for example `next`.
  package func link(_ relation: String) -> String? {
    header("link").flatMap { LinkHeader.target(relation, in: $0) }
  }
}

extension [(name: String, value: String)] {
  /// The first value of a header field, whose name ignores case; `nil` if there is none.
  package func first(_ name: String) -> String? {
    let name = name.lowercased()
    return first { $0.name.lowercased() == name }?.value
  }

  /// The header fields without the queries of addresses that hold a secret: everybody who knows one may use
  /// it.
  var withoutSecretAddresses: Self {
    map { field in
      let hasAddress =
        ["location", "x-github-sso"].contains(field.name.lowercased()) && field.value.contains("?")
      return hasAddress ? (field.name, field.value.prefix { $0 != "?" } + "?(not shown)") : field
    }
  }

  /// Removes the header fields with any of the names, which ignore case.
  package mutating func remove(_ names: String...) {
    let names = names.map { $0.lowercased() }
    removeAll { names.contains($0.name.lowercased()) }
  }
}

/// Limits on requests and responses.
public enum HTTPLimits {
  /// A page of 100 repositories is about 0.6 MB. 16 MiB leaves room for long texts and bounds memory.
  public static let maximumBodyBytes = 16 << 20
  /// GitHub answers a renamed repository with one redirect; a longer chain is treated as a loop.
  package static let maximumRedirects = 5
  /// The maximum number of retries of a safe request.
  package static let maximumRetries = 2
  /// Whether the same request may get an answer a moment after a status: a failure of the server or of what
  /// is in front of it, also with a number of its own such as 520 to 530 of Cloudflare. What a server does
  /// not do (501, 505), is set up wrongly for (506, 510) or wants a login of the network for (511) stays so.
  package static func mayRecover(_ status: Int) -> Bool {
    status >= 500 && ![501, 505, 506, 510, 511].contains(status)
  }
  /// The retries of a safe request after a status. One failure inside a server is often transient, a second
  /// one rarely.
  package static func retries(after status: Int) -> Int {
    mayRecover(status) ? status == 500 ? 1 : maximumRetries : 0
  }
  /// A retry is started only if at least this much time is left.
  package static let retryMargin: Duration = .seconds(1)
  package static let connectTimeout: Duration = .seconds(5)
}

/// Why there is no response.
public struct HTTPError: Error, Sendable {
  /// The kind of failure. The set is open; treat unknown codes as ``malformed``.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// No connection: name resolution, routing or the connection attempt failed.
    public static let unreachable = Code(name: "unreachable")
    /// The connection was closed before the response was complete.
    public static let connectionLost = Code(name: "connectionLost")
    /// The TLS handshake failed or the certificate is not trusted.
    public static let tls = Code(name: "tls")
    /// The deadline passed.
    public static let timeout = Code(name: "timeout")
    /// The body exceeds `maximumBodyBytes`.
    public static let tooLarge = Code(name: "tooLarge")
    /// The body is in an encoding that was not asked for, or cannot be decoded.
    public static let unknownEncoding = Code(name: "unknownEncoding")
    /// The response is not valid HTTP.
    public static let malformed = Code(name: "malformed")
    /// A redirect to another origin, or too many redirects.
    public static let redirect = Code(name: "redirect")
    /// Requests are disabled and the cache has no response.
    public static let offline = Code(name: "offline")
    /// Too many recent failures: the circuit breaker blocks requests to the server.
    public static let circuitOpen = Code(name: "circuitOpen")
    /// There is no library that sends requests.
    public static let libraryMissing = Code(name: "libraryMissing")
    /// A rate limit is exceeded: the server refused the request, or it was not sent.
    public static let limited = Code(name: "limited")
  }

  /// The kind of failure.
  public var code: Code
  /// The error message, without the URL.
  public var message: String
  /// The refusal, for code `limited`; `nil` for any other.
  package var limit: LimitRefusal?
  /// The variable that names the proxy through which there is no connection, for codes `unreachable` and
  /// `circuitOpen`; `nil` for a direct one.
  package var proxyVariable: String?

  /// The obstacle to a connection; `nil` where it is not known, and for another code than
  /// `unreachable`.
  package var obstacle: Obstacle?

  /// An obstacle to a connection.
  package enum Obstacle: Sendable, Hashable {
    /// No address belongs to the name of the host.
    case name
    /// Nothing listens at the port.
    case refusal
    /// The proxy does not take the user and the password, or gets none.
    case login
    /// The only proxy is that of a variable for addresses with `http:`, and the connection was a direct one.
    case unusedProxy(variable: String)
  }

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: The error message, without the URL.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension SearchError {
  /// Creates the provider error for a failed request.
  ///
  /// - Parameters:
  ///   - error: The failure.
  ///   - name: The provider's display name.
  ///   - network: The hint if there is no connection.
  ///   - check: The hint if the server does not seem to be the API.
  public init(_ error: HTTPError, of name: String, network: String, check: String) {
    switch error.code {
    case .unreachable:
      if let variable = error.proxyVariable {
        self.init(
          .unreachable, "\(name) could not be reached: \(error.message)",
          hint: error.obstacle == .login
            ? "check user and password in \(variable): http://USER:PASSWORD@HOST:PORT"
            : "check the proxy in \(variable)")
      } else {
        let hint =
          switch error.obstacle {
          case .name: "check the name of the server and the network connection"
          case .refusal: "check the address of the server, and whether it runs"
          case .unusedProxy(let variable):
            "\(variable) is for addresses with http: alone; set HTTPS_PROXY where the proxy is for https:, too"
          case .login, nil: network
          }
        self.init(.unreachable, "\(name) could not be reached: \(error.message)", hint: hint)
      }
    case .connectionLost:
      self.init(
        .connectionLost, "\(name) closed the connection before the answer was complete",
        hint: "try again in a moment")
    case .tls:
      // It names the host.
      self.init(.tls, error.message, hint: "set SSL_CERT_FILE to a file with the certificates to trust")
    case .offline:
      self.init(
        .offline, "\(name) was not contacted (offline), and no recent response is cached")
    case .circuitOpen:
      self.init(
        .circuitOpen, "\(name) could not be reached",
        hint: error.proxyVariable.map { "check the proxy in \($0)" } ?? network)
    case .timeout:
      self.init(.timeout, "\(name) did not answer in time")
    case .libraryMissing:
      self.init(
        .unavailable, error.message,
        hint: "install it, for example with: apt-get install libcurl4; clones are searched without it")
    case .tooLarge: self.init(.responseTooLarge, "\(name): " + error.message, hint: check)
    case .redirect: self.init(.redirect, "\(name): " + error.message, hint: check)
    case .unknownEncoding:
      self.init(
        .invalidResponse, "\(name): " + error.message, hint: "\(check), and whether a proxy is in between")
    case .limited: self.init(limited: error.limit, at: Date(), limit: "the rate limit of \(name)")
    default: self.init(.invalidResponse, "\(name): " + error.message, hint: check)
    }
  }

  /// Creates the provider error for a response with another status than the expected one.
  ///
  /// | status | code |
  /// | --- | --- |
  /// | a limit, as `LimitRefusal` reads it, for example 429 | `rateLimited`, with the time to wait |
  /// | 300 to 399 | `redirect` |
  /// | 401, 403, 404 | `unauthorized`, `forbidden`, `notFound` |
  /// | 409, 410, 451 | `unavailable` |
  /// | 400, 414, 422; 405, 406 and 415, which say that the address is not the API's | `invalidQuery` |
  /// | 500 and above | `serverError` |
  /// | any other | `invalidResponse` |
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - name: The provider's display name.
  ///   - said: What the service says in the body; `nil` for nothing.
  ///   - check: What to check if the server does not seem to be the API, for example "check the address".
  ///   - words: What the provider says in place of the usual words, by code.
  public init(
    refusal response: HTTPResponse, of name: String, said: String? = nil, check: String,
    words: [Code: RefusalWords] = [:]
  ) {
    let said = said.map { SafeText.line(String($0.prefix(Self.longestReason))) }
    let time = Date()
    if let limit = LimitRefusal(response, at: time) {
      self.init(limited: limit, at: time, limit: "the rate limit of \(name)", said: said)
      return
    }
    if [403, 503].contains(response.status), response.isWall {
      self.init(wall: name, status: response.status)
      return
    }
    let status = "(status \(response.status))"
    let (code, usual): (Code, RefusalWords) =
      switch response.status {
      case 300..<400: (.redirect, RefusalWords("redirects without a target address", hint: check))
      case 401: (.unauthorized, RefusalWords("wants a valid token", hint: "check the token"))
      case 403: (.forbidden, RefusalWords("denied access", hint: "check the rights of the token"))
      case 404: (.notFound, RefusalWords("has nothing at this address", hint: check))
      case 409, 410, 451:
        (.unavailable, RefusalWords("does not provide it \(status)", hint: "open it in a browser"))
      case 400, 414, 422:
        (.invalidQuery, RefusalWords("rejected the query \(status)", hint: "simplify the query"))
      case 405, 406, 415: (.invalidQuery, RefusalWords("rejected the request \(status)", hint: check))
      case 500...:
        (
          .serverError,
          RefusalWords(
            "failed \(status)",
            hint: HTTPLimits.mayRecover(response.status) ? "try again in a moment" : check)
        )
      default: (.invalidResponse, RefusalWords("answered with status \(response.status)", hint: check))
      }
    let words = words[code] ?? usual
    self.init(
      code, "\(name) \(words.sentence)" + (said.map { ": " + $0 } ?? ""), hint: words.hint ?? usual.hint ?? ""
    )
  }

  /// The longest text of a service that is told, in characters.
  private static let longestReason = 300

  /// Creates the provider error for a body that is not JSON of the expected form.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - name: The provider's display name.
  ///   - check: What to check if the body is a web page, for example "check GH_HOST". It is followed by "and
  ///     whether a proxy stands in between".
  public init(unreadable response: HTTPResponse, of name: String, check: String) {
    let type =
      response.header("content-type").map { $0.split(separator: ";").first?.lowercased() ?? "" } ?? ""
    let isHTML = type == "text/html" || response.body.prefix(64).contains(UInt8(ascii: "<"))
    if isHTML, response.isWall {
      self.init(wall: name, status: response.status)
      return
    }
    let isJSON = (try? JSONTree(parsing: response.body)) != nil
    self.init(
      .invalidResponse,
      isHTML
        ? "\(name) returned a web page instead of JSON"
        : "the answer of \(name) is \(isJSON ? "JSON of an unexpected form" : "not valid JSON")",
      hint: isHTML ? "\(check), and whether a proxy is in between" : "try again in a moment")
  }
}

extension SearchError {
  /// Creates the provider error for a page in front of a service that keeps programs out.
  fileprivate init(wall name: String, status: Int) {
    self.init(
      .unavailable, "\(name) is behind a wall against bots, which answers in its place (status \(status))",
      hint: "open it in a browser; a token may be let through, else ask who runs it")
  }
}

extension HTTPResponse {
  /// How much of a page is looked at.
  private static let wallBytes = 16 << 10
  /// What the pages of Anubis, Cloudflare and others have in them.
  private static let wallWords = [
    "anubis", "captcha", "challenge-platform", "not a bot", "checking your browser",
  ]

  /// Whether it is a page that keeps programs out.
  fileprivate var isWall: Bool {
    guard header("content-type")?.lowercased().hasPrefix("text/html") == true else { return false }
    let text = String(decoding: body.prefix(Self.wallBytes), as: UTF8.self).lowercased()
    return Self.wallWords.contains { text.contains($0) }
  }
}

/// How a provider words a refusal of its service.
public struct RefusalWords: Sendable {
  /// The end of a sentence that begins with the service's name: "refused the token from GH_TOKEN".
  public var sentence: String
  /// The action that helps; `nil` for the usual hint.
  public var hint: String?

  /// Creates the words.
  public init(_ sentence: String, hint: String? = nil) { (self.sentence, self.hint) = (sentence, hint) }
}

/// Parses the `Link` header of RFC 8288.
package enum LinkHeader {
  /// The target of a relation.
  ///
  /// - Parameters:
  ///   - relation: The relation, for example `next`.
  ///   - header: The field's value, with links in any order.
  /// - Returns: The text between `<` and `>` of the first link with the relation; `nil` if there is none.
  package static func target(_ relation: String, in header: String) -> String? {
    for link in parts(of: header, separator: ",") {
      guard let open = link.firstIndex(of: "<"), let close = link[open...].firstIndex(of: ">") else {
        continue
      }
      let parameters = parts(of: link[link.index(after: close)...], separator: ";")
      if parameters.contains(where: { names($0, relation) }) {
        return String(link[link.index(after: open)..<close])
      }
    }
    return nil
  }

  /// Splits a text at a separator, ignoring separators inside quotes and angle brackets.
  private static func parts(of text: some StringProtocol, separator: Character) -> [String] {
    var result = [""]
    var isQuoted = false
    var isBracketed = false
    for character in text {
      if character == "\"", !isBracketed { isQuoted.toggle() }
      if !isQuoted, character == "<" || character == ">" { isBracketed = character == "<" }
      if character == separator, !isQuoted, !isBracketed {
        result.append("")
      } else {
        result[result.count - 1].append(character)
      }
    }
    return result
  }

  /// Whether a parameter is a `rel` that contains the relation.
  private static func names(_ parameter: String, _ relation: String) -> Bool {
    let sides = parameter.split(separator: "=", maxSplits: 1)
    guard sides.count == 2, sides[0].filter({ !$0.isWhitespace }).lowercased() == "rel" else { return false }
    return sides[1].split { $0 == " " || $0 == "\t" || $0 == "\"" }.contains { $0.lowercased() == relation }
  }
}
