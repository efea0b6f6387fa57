/// The rules of caching that need neither clock nor storage; section numbers are those of RFC 9111.
enum HTTPCacheRules {
  /// Seconds by which an entry of another process may seem to come from the future; more is a clock that was set back.
  static let clockSlack = 60.0
  /// Time kept back from a request, so that an old answer can still be given within the deadline.
  static let fallbackMargin: Duration = .milliseconds(100)
  /// Statuses of a server that is unwell, for which an old answer may stand in (RFC 5861).
  static let failureStatuses: Set<Int> = [500, 502, 503, 504]
  /// Failures for which an old answer may stand in; an open circuit is a failure that is remembered. Not TLS: who
  /// answers is then unknown, and the user must hear of it.
  static let failureCodes: Set<HTTPError.Code> = [.unreachable, .connectionLost, .timeout, .circuitOpen]
  /// The thing is gone, or no longer ours to see: what is kept of it goes as well.
  private static let goneStatuses: Set<Int> = [404, 410, 451]

  /// The readable text that tells requests apart.
  static func key(_ request: HTTPRequest, scope: String) -> String {
    beginning(ofScope: scope)
      + ([request.method, request.url.text, value(of: "accept", in: request.headers) ?? ""]
      + (request.body.isEmpty ? [] : [String(decoding: request.body, as: UTF8.self)])).joined(
        separator: "\n")
  }

  /// What every key of a scope begins with, and no other.
  static func beginning(ofScope scope: String) -> String { scope + "\n" }

  /// Whether an answer to the request may be kept and reused.
  static func isCacheable(_ request: HTTPRequest) -> Bool {
    let own = ["range", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range"]
    return request.isCacheable && (request.method == "GET" || request.onlyAsks)
      && !request.headers.contains { own.contains($0.name.lowercased()) }
  }

  /// When the server must have answered.
  static func deadlineBeforeFallback(_ deadline: ContinuousClock.Instant) -> ContinuousClock.Instant {
    // With little time left, all of it is for the server.
    let early = deadline - fallbackMargin
    return ContinuousClock.now + fallbackMargin * 10 < early ? early : deadline
  }

  /// The request that asks whether an entry is current; `nil` when the entry has nothing to ask by (section 4.3.1).
  static func conditional(_ request: HTTPRequest, on entry: HTTPCacheEntry) -> HTTPRequest? {
    var copy = request
    if let tag = entry.header("etag") { copy.headers.append((name: "If-None-Match", value: tag)) }
    if let date = entry.header("last-modified") {
      copy.headers.append((name: "If-Modified-Since", value: date))
    }
    return copy.headers.count > request.headers.count ? copy : nil
  }

  /// Whether an answer of status 304 can mean the entry; tags are compared weakly (RFC 9110, section 8.8.3.2).
  static func isSame(_ entry: HTTPCacheEntry, _ response: HTTPResponse) -> Bool {
    guard let mine = entry.header("etag"), let theirs = response.header("etag") else { return true }
    func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : Substring(tag) }
    return opaque(mine) == opaque(theirs)
  }

  /// Whether an answer must not be kept, nor what was kept before it.
  static func mustForget(_ response: HTTPResponse) -> Bool {
    if goneStatuses.contains(response.status) { return true }
    guard response.status == 200 || response.status == 304 else { return false }
    return response.headers.contains { field in
      switch field.name.lowercased() {
      case "cache-control":
        field.value.lowercased().split(separator: ",").contains { trimmed($0) == "no-store" }
      // It depends on more than the request says (section 4.1).
      case "vary": field.value.split(separator: ",").contains { trimmed($0) == "*" }
      default: false
      }
    }
  }

  /// The fields of an entry after an answer of status 304 (section 3.2).
  static func merged(
    _ old: [(name: String, value: String)], with new: [(name: String, value: String)]
  ) -> [(name: String, value: String)] {
    let ofBody = ["content-length", "content-encoding", "content-range", "content-type", "transfer-encoding"]
    let newer = new.filter { !ofBody.contains($0.name.lowercased()) }
    let names = Set(newer.map { $0.name.lowercased() })
    return old.filter { !names.contains($0.name.lowercased()) } + newer
  }

  /// The fields without those that speak of one exchange only, or hold secrets.
  static func storable(_ headers: [(name: String, value: String)]) -> [(name: String, value: String)] {
    headers.filter { field in
      let name = field.name.lowercased()
      return !["set-cookie", "retry-after", "connection"].contains(name) && !name.hasPrefix("x-ratelimit-")
    }
  }

  private static func value(of name: String, in headers: [(name: String, value: String)]) -> String? {
    headers.first { $0.name.lowercased() == name }?.value
  }

  private static func trimmed(_ text: Substring) -> Substring {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return text[first...last]
  }
}
