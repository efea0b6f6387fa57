import ForageCore
package import ForageFoundation
import ForagePlatform
import Synchronization

/// The HTTP cache, shared by all providers and processes: one file for each answer.
package final class HTTPCache: Sendable {
  /// The default bound of the folder in bytes: enough for months of searches.
  package static let defaultMaximumBytes = 256 << 20
  /// After one of so many stores, files that are not needed any more are removed.
  private static let storesPerTrim = 50

  private let files: AnswerFiles
  private let now: @Sendable () -> Date
  private let isTrimDue: @Sendable () -> Bool
  private let report: @Sendable (String) -> Void
  private let hasReported = Mutex(false)
  fileprivate let onCached: @Sendable (HTTPRequest, _ age: Duration) -> Void

  /// Creates a cache; the folder is accessed on first use, and created with the first answer.
  ///
  /// - Parameters:
  ///   - folder: The folder of the files.
  ///   - maximumBytes: The bound of the folder, above which the oldest files are removed now and then.
  ///   - now: The current time, from which the age of entries is computed.
  ///   - isTrimDue: Whether the bound is checked after a store.
  ///   - report: Receives the first failure to store an answer, as a message. Requests continue without the
  ///     cache.
  ///   - onCached: Called for each request that the cache answers.
  package init(
    folder: String, maximumBytes: Int = HTTPCache.defaultMaximumBytes,
    now: @escaping @Sendable () -> Date = { Date() },
    isTrimDue: @escaping @Sendable () -> Bool = { Int.random(in: 0..<HTTPCache.storesPerTrim) == 0 },
    report: @escaping @Sendable (String) -> Void = { _ in },
    onCached: @escaping @Sendable (HTTPRequest, _ age: Duration) -> Void = { _, _ in }
  ) {
    files = AnswerFiles(folder: folder, maximumBytes: maximumBytes)
    self.now = now
    self.isTrimDue = isTrimDue
    self.report = report
    self.onCached = onCached
  }

  /// The number of stored answers and their total size in bytes.
  package func usage() -> (count: Int, bytes: Int) { files.usage() }

  /// Removes all entries of a scope. Call this after a change that its responses reflect.
  package func forget(scope: String) { files.remove(scope: scope) }

  /// Notes for a day that a server refuses what is at an address, whatever the parameters are.
  package func noteRefusal(at url: HTTPURL, scope: String) {
    store(
      CachedAnswer(headers: [], body: [], validatedAt: now()), HTTPCacheKey(refusalAt: url, scope: scope))
  }

  /// Whether a refusal was noted for an address within the last day.
  package func knowsRefusal(at url: HTTPURL, scope: String) -> Bool {
    files.read(HTTPCacheKey(refusalAt: url, scope: scope)).flatMap(age).map { $0 < HTTPCachePolicy.staleFor }
      ?? false
  }

  /// Returns a cached response, or sends the request and stores the response.
  func send(
    _ request: HTTPRequest, over transport: HTTPTransport, policy: HTTPCachePolicy, scope: String
  ) async throws -> HTTPResponse {
    let key = HTTPCacheKey(request, scope: scope)
    let isCacheable = HTTPCacheRules.isCacheable(request)
    if policy.mode == .offline {
      guard isCacheable, let kept = stale(key, request, policy) else {
        throw HTTPError(
          .offline, "\(request.url.authority) was not contacted (offline), and no recent response is cached")
      }
      return kept
    }
    guard policy.mode != .bypass, isCacheable else { return try await transport.send(request) }
    var early = request
    early.deadline = HTTPCacheRules.deadlineBeforeFallback(request.deadline)
    do {
      let response = try await exchange(early, key: key, over: transport, policy: policy)
      guard HTTPLimits.mayRecover(response.status) else { return response }
      return stale(key, request, policy, because: "status \(response.status)") ?? response
    } catch let error as HTTPError where HTTPCacheRules.failureCodes.contains(error.code) {
      guard var kept = stale(key, request, policy, because: error.message) else { throw error }
      kept.limit = error.limit
      return kept
    }
  }

  /// Returns a fresh entry or the server's response.
  private func exchange(
    _ request: HTTPRequest, key: HTTPCacheKey, over transport: HTTPTransport, policy: HTTPCachePolicy
  ) async throws -> HTTPResponse {
    let entry = load(key, request)
    if let entry, let age = age(of: entry), age < policy.freshFor {
      return answer(entry, key: key, CacheUse(age: age))
    }
    let conditional = entry.flatMap { HTTPCacheRules.conditional(request, on: $0) }
    var response = try await transport.send(conditional ?? request)
    if response.status == 304, conditional != nil, let entry {
      if HTTPCacheRules.isSame(entry, response) { return revalidated(entry, by: response, key: key) }
      // The 304 refers to another version than the stored one (RFC 9111, section 4.3.4).
      files.remove(key)
      response = try await transport.send(request)
    }
    keep(&response, key: key, hadEntry: entry != nil)
    return response
  }

  private func revalidated(_ entry: CachedAnswer, by response: HTTPResponse, key: HTTPCacheKey)
    -> HTTPResponse
  {
    var current = entry
    current.headers = HTTPCacheRules.merged(entry.headers, with: response.headers)
    current.validatedAt = now()
    if HTTPCacheRules.mustNotStore(response) { files.remove(key) } else { store(current, key) }
    return answer(current, key: key, CacheUse(age: .zero))
  }

  private func keep(_ response: inout HTTPResponse, key: HTTPCacheKey, hadEntry: Bool) {
    guard response.status == 200, !HTTPCacheRules.mustNotStore(response) else {
      if hadEntry, HTTPCacheRules.mustNotStore(response) { files.remove(key) }
      return
    }
    let entry = CachedAnswer(headers: response.headers, body: response.body, validatedAt: now())
    if store(entry, key) { response.discardStored = { [self] in files.remove(key) } }
  }

  /// Stores an answer, and reports the first failure.
  ///
  /// - Returns: Whether it is stored; otherwise an older one of the key is as it was.
  @discardableResult
  private func store(_ entry: CachedAnswer, _ key: HTTPCacheKey) -> Bool {
    var entry = entry
    entry.headers = HTTPCacheRules.storable(entry.headers)
    if let failure = files.write(entry, key) {
      let isFirst = hasReported.withLock { hasReported in
        defer { hasReported = true }
        return !hasReported
      }
      if isFirst { report(failure) }
      return false
    }
    if isTrimDue() { files.trim(now: now()) }
    return true
  }

  /// A stale response to use when the server cannot be reached, if the policy allows one.
  private func stale(
    _ key: HTTPCacheKey, _ request: HTTPRequest, _ policy: HTTPCachePolicy, because failure: String? = nil
  ) -> HTTPResponse? {
    guard let entry = load(key, request), let age = age(of: entry), age <= HTTPCachePolicy.staleFor else {
      return nil
    }
    return answer(entry, key: key, CacheUse(age: age, isStale: age >= policy.freshFor, failure: failure))
  }

  private func answer(_ entry: CachedAnswer, key: HTTPCacheKey, _ use: CacheUse) -> HTTPResponse {
    var response = HTTPResponse(status: 200, headers: entry.headers, body: entry.body)
    response.cache = use
    response.discardStored = { [self] in files.remove(key) }
    return response
  }

  /// The stored entry of a key, if it is valid for the request.
  private func load(_ key: HTTPCacheKey, _ request: HTTPRequest) -> CachedAnswer? {
    files.read(key).flatMap { $0.body.count <= request.maximumBodyBytes ? $0 : nil }
  }

  /// The time since the entry was stored or last validated; `nil` if that lies in the future after a clock
  /// was set back.
  private func age(of entry: CachedAnswer) -> Duration? {
    let seconds = now().timeIntervalSince(entry.validatedAt)
    guard seconds >= -HTTPCacheRules.clockSlack else { return nil }
    return .seconds(max(0, seconds))
  }
}

extension HTTPTransport {
  /// Adds the cache to a transport.
  ///
  /// Apply this outside redirects and retries: then a renamed repository is found offline too, and a stale
  /// response is used only after all retries failed.
  ///
  /// - Parameters:
  ///   - cache: The cache.
  ///   - policy: How requests use it.
  ///   - scope: Provider id, version and the credential's fingerprint, on one line. Entries are not shared
  ///     between scopes. It must not contain a secret.
  func caching(_ cache: HTTPCache, policy: HTTPCachePolicy, scope: String) -> HTTPTransport {
    HTTPTransport { request in
      let response = try await cache.send(request, over: self, policy: policy, scope: scope)
      if let age = response.cache.age { cache.onCached(request, age) }
      return response
    }
  }
}

/// How a request uses the cache.
struct HTTPCachePolicy: Sendable {
  /// The age up to which an entry is used when the server cannot be reached. One day is long enough to cover
  /// an outage, and short enough for results to be useful.
  static let staleFor: Duration = .seconds(24 * 60 * 60)
  /// The age up to which an entry is used for a list that is continued.
  static let freshForContinuing: Duration = .seconds(60 * 60)

  var mode = CacheMode.normal
  /// The age below which an entry is used without revalidation; zero for never.
  ///
  /// This overrides the server's directives, because servers send `no-cache` for searches.
  var freshFor: Duration
}

/// The caching rules that need neither clock nor storage. Section numbers refer to RFC 9111.
enum HTTPCacheRules {
  /// The seconds by which an entry's time may lie in the future, because of other processes' clocks. More
  /// means that the clock was set back.
  static let clockSlack = 60.0
  /// Time reserved at the end of the deadline for reading a stale entry, at most a tenth of what is left.
  static let fallbackMargin: Duration = .milliseconds(100)
  /// Errors for which a stale entry may be used. TLS errors are excluded: they can mean that the server is
  /// not authentic, so the user must see them.
  static let failureCodes: Set<HTTPError.Code> = [
    .unreachable, .connectionLost, .timeout, .circuitOpen, .limited,
  ]
  /// The resource is gone or no longer accessible: its entry is removed.
  private static let goneStatuses: Set<Int> = [404, 410, 451]

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
  static func conditional(_ request: HTTPRequest, on entry: CachedAnswer) -> HTTPRequest? {
    var copy = request
    if let tag = entry.header("etag") { copy.headers.append((name: "If-None-Match", value: tag)) }
    if let date = entry.header("last-modified") {
      copy.headers.append((name: "If-Modified-Since", value: date))
    }
    return copy.headers.count > request.headers.count ? copy : nil
  }

  /// Whether a 304 response can refer to the entry. Entity tags are compared weakly (RFC 9110, section
  /// 8.8.3.2).
  static func isSame(_ entry: CachedAnswer, _ response: HTTPResponse) -> Bool {
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
    headers.withoutSecretAddresses.filter { field in
      let name = field.name.lowercased()
      return !["set-cookie", "retry-after", "connection"].contains(name) && !name.hasPrefix("x-ratelimit-")
    }
  }
}

/// What distinguishes a cached answer from all others. It contains no secret.
struct HTTPCacheKey: Hashable, Sendable {
  /// Provider id, version and the credential's fingerprint.
  var scope: String
  /// Method, address, media type and body.
  var request: String

  init(_ request: HTTPRequest, scope: String) {
    self.scope = scope
    let body = request.body.isEmpty ? [] : [String(decoding: request.body, as: UTF8.self)]
    self.request =
      ([request.method, request.url.text, request.headers.first("accept") ?? ""] + body)
      .joined(separator: "\n")
  }

  /// The key of the note that a server refuses what is at an address.
  init(refusalAt url: HTTPURL, scope: String) {
    var address = url
    address.query = nil
    self.scope = scope
    request = "refused\n" + address.text
  }
}

/// An answer of status 200 in the cache.
struct CachedAnswer: Sendable {
  /// Header fields in order, without those that describe a single exchange (rate limits, cookies).
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// When the server sent the body or last confirmed that it is current.
  var validatedAt: Date

  /// The first value of a header field; names ignore case.
  func header(_ name: String) -> String? { headers.first(name) }
}

/// The form of a file: one line of JSON with the key, the time, the header fields and the size of the body,
/// then the body.
extension CachedAnswer {
  /// The version of the form; files of another one are ignored.
  private static let format = 1

  func encoded(_ key: HTTPCacheKey) -> [UInt8] {
    let head = JSONTree.object([
      "format": .integer(Self.format), "scope": .string(key.scope), "request": .string(key.request),
      "validatedAtMs": .integer(Int(nearest: (validatedAt.timeIntervalSince1970 * 1000).rounded())),
      "headers": .array(headers.map { .array([.string($0.name), .string($0.value)]) }),
      "bodyBytes": .integer(body.count),
    ])
    return head.encoded() + [UInt8(ascii: "\n")] + body
  }

  /// Reads a file; `nil` if it is damaged, or belongs to another key.
  init?(decoding bytes: [UInt8], _ key: HTTPCacheKey) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONTree(parsing: bytes[..<end]),
      head["format"]?.integer == Self.format, head["scope"]?.string == key.scope,
      head["request"]?.string == key.request, let time = head["validatedAtMs"]?.integer,
      let fields = head["headers"]?.array, head["bodyBytes"]?.integer == bytes.count - end - 1
    else { return nil }
    headers = []
    for field in fields {
      guard let pair = field.array, pair.count == 2, let name = pair[0].string, let value = pair[1].string
      else { return nil }
      headers.append((name, value))
    }
    validatedAt = Date(timeIntervalSince1970: Double(time) / 1000)
    body = Array(bytes[(end + 1)...])
  }
}

/// The files of the cache, in one folder for each scope. Files and folders are accessible only to the user.
///
/// A file is replaced as a whole, so that processes need no lock, and a crash leaves the old answer or the
/// new one.
struct AnswerFiles: Sendable {
  /// How long a file is kept after it was written, in seconds: its answer is then too old to be used.
  private static let lifetime = HTTPCachePolicy.staleFor / .seconds(1)
  /// When the bound is exceeded, this fraction of it is freed, so that this is rare.
  private static let freedPart = 10
  /// The largest file that is read: the largest body, and room for the line before it.
  private static let largestFile = HTTPLimits.maximumBodyBytes + (1 << 20)

  let folder: String
  let maximumBytes: Int

  /// The answer of a key; `nil` if there is none.
  func read(_ key: HTTPCacheKey) -> CachedAnswer? {
    let path = path(key)
    guard let file = StoredFile(path), file.bytes <= Self.largestFile,
      let bytes = FileManager.default.contents(atPath: path)
    else { return nil }
    return CachedAnswer(decoding: [UInt8](bytes), key)
  }

  /// Stores an answer, replacing an older one of the key.
  ///
  /// - Returns: `nil`, or why it is not stored, as a message; an older one is then as it was.
  func write(_ answer: CachedAnswer, _ key: HTTPCacheKey) -> String? {
    let (path, bytes) = (path(key), answer.encoded(key))
    var failure = ENOENT
    // Another process may remove the folder at any time.
    for _ in 0..<2 where failure == ENOENT {
      failure = makeFolders(parentFolder(of: path)) ? replaceFile(path, with: bytes) : errno
    }
    switch failure {
    case 0: return nil
    case ENOSPC, EDQUOT, EFBIG: return "the disk is full; nothing was stored in \(folder)"
    default: return "the cache \(folder) cannot be written"
    }
  }

  func remove(_ key: HTTPCacheKey) { unlink(path(key)) }

  /// Removes all answers of a scope.
  func remove(scope: String) { try? FileManager.default.removeItem(atPath: self.path(scope: scope)) }

  /// The number of files and their total size in bytes.
  func usage() -> (count: Int, bytes: Int) {
    let all = all()
    return (all.count, all.reduce(0) { $0 + $1.bytes })
  }

  /// Removes answers that are too old, and if the bound is still exceeded the oldest ones until nine tenths
  /// of it are used.
  func trim(now: Date) {
    StoredFile.trim(
      all(), now: now.timeIntervalSince1970, lifetime: Self.lifetime, maximumBytes: maximumBytes,
      leftBytes: maximumBytes - maximumBytes / Self.freedPart)
  }

  /// Every file, also what processes that were killed have left.
  private func all() -> [StoredFile] {
    func names(_ path: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
    return names(folder).map { folder + "/" + $0 }.flatMap { scope in
      names(scope).compactMap { StoredFile(scope + "/" + $0) }
    }
  }

  private func path(_ key: HTTPCacheKey) -> String { path(scope: key.scope) + "/" + Self.name(key.request) }

  private func path(scope: String) -> String { folder + "/" + Self.name(scope) }

  /// A name of 128 bits: equal names are so rare that the file just holds the answer that was stored last.
  private static func name(_ text: String) -> String {
    [text.utf8.fnv1a, text.utf8.reversed().fnv1a].map { hash in
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
