import ForageCore

/// The caching rules that need neither clock nor storage. Section numbers refer to RFC 9111.
enum HTTPCacheRules {
  /// The seconds by which an entry's time may lie in the future, because of other processes' clocks. More
  /// means that the clock was set back.
  static let clockSlack = 60.0
  /// Time reserved at the end of the deadline for reading a stale entry, at most a tenth of what is left.
  static let fallbackMargin: Duration = .milliseconds(100)
  /// Server error statuses for which a stale entry may be used (RFC 5861).
  static let failureStatuses: Set<Int> = [500, 502, 503, 504]
  /// Errors for which a stale entry may be used. TLS errors are excluded: they can mean that the server is
  /// not authentic, so the user must see them.
  static let failureCodes: Set<HTTPError.Code> = [.unreachable, .connectionLost, .timeout, .circuitOpen]
  /// The resource is gone or no longer accessible: its entry is removed.
  private static let goneStatuses: Set<Int> = [404, 410, 451]

  /// The cache key of a request, as readable text.
  static func key(_ request: HTTPRequest, scope: String) -> String {
    beginning(ofScope: scope)
      + ([request.method, request.url.text, request.headers.first("accept") ?? ""]
      + (request.body.isEmpty ? [] : [String(decoding: request.body, as: UTF8.self)])).joined(
        separator: "\n")
  }

  /// The prefix that all keys of a scope share, and no other keys have.
  static func beginning(ofScope scope: String) -> String { scope + "\n" }

  /// Whether the response to a request may be stored and reused.
  static func isCacheable(_ request: HTTPRequest) -> Bool {
    let own = ["range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range"]
    return request.isCacheable && (request.method == "GET" || request.onlyAsks)
      && !request.headers.contains { own.contains($0.name.lowercased()) }
  }

  /// The deadline for the server's response, before a stale entry is used.
  static func deadlineBeforeFallback(_ deadline: ContinuousClock.Instant) -> ContinuousClock.Instant {
    deadline - min(fallbackMargin, max(.zero, deadline - .now) / 10)
  }

  /// The conditional request that revalidates an entry; `nil` if the entry has no validator (section 4.3.1).
  static func conditional(_ request: HTTPRequest, on entry: HTTPCacheEntry) -> HTTPRequest? {
    var copy = request
    if let tag = entry.header("etag") { copy.headers.append((name: "If-None-Match", value: tag)) }
    if let date = entry.header("last-modified") {
      copy.headers.append((name: "If-Modified-Since", value: date))
    }
    return copy.headers.count > request.headers.count ? copy : nil
  }

  /// Whether a 304 response can refer to the entry. Entity tags are compared weakly (RFC 9110, section
  /// 8.8.3.2).
  static func isSame(_ entry: HTTPCacheEntry, _ response: HTTPResponse) -> Bool {
    guard let mine = entry.header("etag"), let theirs = response.header("etag") else { return true }
    func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : Substring(tag) }
    return opaque(mine) == opaque(theirs)
  }

  /// Whether a response must not be stored and must remove an existing entry.
  static func mustNotStore(_ response: HTTPResponse) -> Bool {
    if goneStatuses.contains(response.status) { return true }
    guard response.status == 200 || response.status == 304 else { return false }
    return response.headers.contains { field in
      switch field.name.lowercased() {
      case "cache-control":
        field.value.lowercased().split(separator: ",").contains { $0.trimmingWhitespace() == "no-store" }
      // The response varies by more than the request headers (section 4.1).
      case "vary": field.value.split(separator: ",").contains { $0.trimmingWhitespace() == "*" }
      default: false
      }
    }
  }

  /// The header fields of an entry after it was validated by a 304 response (section 3.2).
  static func merged(
    _ old: [(name: String, value: String)], with new: [(name: String, value: String)]
  ) -> [(name: String, value: String)] {
    let ofBody = [
      "content-length", "content-encoding", "content-range", "content-type", "transfer-encoding",
      "connection",
      "keep-alive", "trailer", "upgrade",
    ]
    let newer = new.filter { !ofBody.contains($0.name.lowercased()) }
    let names = Set(newer.map { $0.name.lowercased() })
    return old.filter { !names.contains($0.name.lowercased()) } + newer
  }

  /// The header fields without those that describe a single exchange or contain secrets.
  static func storable(_ headers: [(name: String, value: String)]) -> [(name: String, value: String)] {
    headers.filter { field in
      let name = field.name.lowercased()
      return !["set-cookie", "retry-after", "connection"].contains(name) && !name.hasPrefix("x-ratelimit-")
    }
  }
}
