import ForageCore
import ForageFoundation
import ForagePlatform

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

/// The form of a file: one line of JSON with the key, the time, the header fields and the size of the body, then the body.
extension CachedAnswer {
  /// The version of the form; files of another one are ignored.
  private static let format = 1

  func encoded(_ key: HTTPCacheKey) -> [UInt8] {
    let head = JSONTree.object([
      "format": .integer(Self.format), "scope": .string(key.scope), "request": .string(key.request),
      "validatedAtMs": .integer(Int((validatedAt.timeIntervalSince1970 * 1000).rounded())),
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
/// A file is replaced as a whole, so that processes need no lock, and a crash leaves the old answer or the new one.
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
    guard let file = Self.status(path), file.bytes <= Self.largestFile,
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

  /// Removes answers that are too old, and if the bound is still exceeded the oldest ones until nine tenths of it are used.
  func trim(now: Date) {
    let time = now.timeIntervalSince1970
    // A file of the future was written while the clock was wrong.
    func isExpired(_ file: File) -> Bool { abs(time - file.writtenAt) > Self.lifetime }
    var files = all()
    for file in files where isExpired(file) { unlink(file.path) }
    files.removeAll(where: isExpired)
    var total = files.reduce(0) { $0 + $1.bytes }
    guard total > maximumBytes else { return }
    files.sort { $0.writtenAt < $1.writtenAt }
    for file in files {
      guard total > maximumBytes - maximumBytes / Self.freedPart else { break }
      unlink(file.path)
      total -= file.bytes
    }
  }

  private struct File {
    var path: String
    var bytes: Int
    /// In seconds since 1970.
    var writtenAt: Double
  }

  /// Every file, also what processes that were killed have left.
  private func all() -> [File] {
    func names(_ path: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
    return names(folder).map { folder + "/" + $0 }.flatMap { scope in
      names(scope).compactMap { Self.status(scope + "/" + $0) }
    }
  }

  /// The regular file at a path; `nil` if there is none.
  private static func status(_ path: String) -> File? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let time = status.modified
    return File(
      path: path, bytes: Int(status.st_size), writtenAt: Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
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
