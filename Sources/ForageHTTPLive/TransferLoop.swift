import CCurl
import ForageFoundation
import ForageHTTP
import ForagePlatform
import Synchronization

/// The thread that serves all connections of a transport.
///
/// It starts with the first request and ends with `stop()`. Requests that find enough transfers of their
/// server wait here: libcurl wakes only one of all that wait for it, which may be one of another server.
final class TransferLoop: Sendable {
  private struct Inbox {
    /// What wakes the thread; `nil` before it starts and after it ended.
    var multi: UnsafeMutableRawPointer?
    var orders: [TransferOrder] = []
    var isStopped = false
    /// Resumed when the connections are closed.
    var stopping: [CheckedContinuation<Void, Never>] = []
  }

  private let inbox = Mutex(Inbox())
  private let curl: forage_curl_functions

  /// The most transfers of a server at a time; further requests wait for them.
  private static let transfersOfServer = 8

  /// An hour, in milliseconds; the thread is woken for what is new.
  private static let longestPause: Int32 = 3_600_000

  /// - Throws: `HTTPError` with code `libraryMissing`.
  init() throws(HTTPError) { curl = try Curl.functions() }

  /// Sends a request. The transfer ends with its deadline, or with the task.
  func send(
    _ request: HTTPRequest, through proxy: Proxy?, certificateFile: String?
  ) async throws -> HTTPResponse {
    let cancellation = TransferOrder.Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { answer in
        add(
          TransferOrder(
            request: request, proxy: proxy, certificateFile: certificateFile, cancellation: cancellation,
            answer: answer))
      }
    } onCancel: {
      cancellation.isRequested.store(true, ordering: .relaxed)
      inbox.withLock { wake($0) }
    }
  }

  private func add(_ order: TransferOrder) {
    let isAdded = inbox.withLock { inbox in
      // Without free descriptors nothing could wake the thread.
      if inbox.multi == nil, !inbox.isStopped, let multi = curl.multi_init(),
        curl.multi_wakeup(multi) == CURLM_OK
      {
        inbox.multi = multi
        OwnThread.start { self.run() }
      }
      guard inbox.multi != nil, !inbox.isStopped else { return false }
      inbox.orders.append(order)
      wake(inbox)
      return true
    }
    if !isAdded { order.answer.resume(throwing: CancellationError()) }
  }

  private func wake(_ inbox: borrowing Inbox) {
    if let multi = inbox.multi { _ = curl.multi_wakeup(multi) }
  }

  /// Ends all transfers and closes all connections. Later requests are cancelled.
  func stop() {
    inbox.withLock { inbox in
      inbox.isStopped = true
      wake(inbox)
    }
  }

  /// The same, and waits until it is done.
  func stopped() async {
    stop()
    await withCheckedContinuation { done in
      let isOver = inbox.withLock { inbox in
        if inbox.multi != nil { inbox.stopping.append(done) }
        return inbox.multi == nil
      }
      if isOver { done.resume() }
    }
  }

  private func run() {
    guard let multi = inbox.withLock({ $0.multi }) else { return }
    Self.ignoreBrokenPipes()
    var waiting: [TransferOrder] = []
    var running: [UnsafeMutableRawPointer: Transfer] = [:]
    var isStopped = false
    while !isStopped {
      isStopped = inbox.withLock { inbox in
        waiting += inbox.orders
        inbox.orders = []
        return inbox.isStopped
      }
      let now = ContinuousClock.now
      func interruption(_ order: TransferOrder) -> (any Error)? {
        isStopped ? CancellationError() : order.interruption(at: now)
      }
      waiting.removeAll { order in
        guard let error = interruption(order) else { return false }
        order.answer.resume(throwing: error)
        return true
      }
      for transfer in running.values {
        guard let error = interruption(transfer.order) else { continue }
        // Removing it can wait for the look-up of a name.
        transfer.order.answer.resume(throwing: error)
        running[transfer.handle] = nil
        _ = curl.multi_remove_handle(multi, transfer.handle)
      }
      start(&waiting, &running, on: multi)
      var count: Int32 = 0
      _ = curl.multi_perform(multi, &count)
      var hasEnded = false
      while let message = curl.multi_info_read(multi, &count) {
        guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
          let transfer = running.removeValue(forKey: handle)
        else { continue }
        let code = message.pointee.data.result
        _ = curl.multi_remove_handle(multi, handle)
        transfer.end(code)
        hasEnded = true
      }
      if isStopped || hasEnded && !waiting.isEmpty { continue }
      let deadlines = waiting.map(\.request.deadline) + running.values.map(\.order.request.deadline)
      _ = curl.multi_poll(multi, nil, 0, Self.pause(until: deadlines.min()), nil)
    }
    let stopping = inbox.withLock { inbox in
      inbox.multi = nil
      return inbox.stopping
    }
    _ = curl.multi_cleanup(multi)
    for waiting in stopping { waiting.resume() }
  }

  /// Starts the transfers of those that wait, the first one first, as far as their servers have not enough.
  private func start(
    _ waiting: inout [TransferOrder], _ running: inout [UnsafeMutableRawPointer: Transfer],
    on multi: UnsafeMutableRawPointer
  ) {
    if waiting.isEmpty { return }
    var counts: [String: Int] = [:]
    for transfer in running.values { counts[transfer.order.server, default: 0] += 1 }
    waiting.removeAll { order in
      guard counts[order.server, default: 0] < Self.transfersOfServer else { return false }
      do throws(HTTPError) {
        let transfer = try Transfer(order, curl)
        guard curl.multi_add_handle(multi, transfer.handle) == CURLM_OK else { throw Transfer.noMemory }
        running[transfer.handle] = transfer
        counts[order.server, default: 0] += 1
      } catch {
        order.answer.resume(throwing: error)
      }
      return true
    }
  }

  /// Lets writing to a closed connection fail, also where libcurl does not see to it.
  private static func ignoreBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// The time to a deadline, in milliseconds.
  private static func pause(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return longestPause }
    return Int32(clamping: min(Int(longestPause), max(0, (deadline - .now).millisecondsRoundedUp)))
  }
}

/// What is sent, how, and who waits for the answer.
struct TransferOrder: Sendable {
  var request: HTTPRequest
  var proxy: Proxy?
  /// A PEM file with certificates to trust instead of the system's.
  var certificateFile: String?
  /// Set when nobody waits any more.
  var cancellation: Cancellation
  var answer: CheckedContinuation<HTTPResponse, any Error>

  final class Cancellation: Sendable { let isRequested = Atomic(false) }

  /// What the limit of transfers holds for.
  var server: String { "\(request.url.scheme)://\(request.url.authority)" }

  /// Why the transfer is ended at a time; `nil` if it goes on.
  func interruption(at now: ContinuousClock.Instant) -> (any Error)? {
    if cancellation.isRequested.load(ordering: .relaxed) { return CancellationError() }
    return now < request.deadline ? nil : HTTPError.late(request)
  }
}

/// A request that a handle of libcurl sends, and what has arrived of its answer.
///
/// Everything happens on the thread of a `TransferLoop`, also the calls of libcurl's receivers.
final class Transfer {
  let order: TransferOrder
  let handle: UnsafeMutableRawPointer
  private let curl: forage_curl_functions
  private var fields: UnsafeMutablePointer<curl_slist>?
  /// What libcurl says about a failure.
  private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var head: [(name: String, value: String)] = []
  private var headSize = 0
  /// Whether the empty line after the head of the answer has come.
  private var hasHead = false
  private var body: [UInt8] = []
  /// Why the transfer was ended here.
  private var refusal: HTTPError?

  private var request: HTTPRequest { order.request }

  /// The largest head, in bytes: those of GitHub have 5 KB.
  private static let headLimit = 256 << 10

  /// Makes the handle.
  ///
  /// - Throws: `HTTPError` with code `malformed` for a header field that would be several.
  init(_ order: TransferOrder, _ curl: forage_curl_functions) throws(HTTPError) {
    guard let handle = curl.easy_init() else { throw Self.noMemory }
    (self.order, self.curl, self.handle) = (order, curl, handle)
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    setConnection()
    try setTrust()
    setProxy()
    try setRequest()
    setReceivers()
  }

  /// What a certificate begins with in a PEM file (RFC 7468).
  private static let certificateMark = "-----BEGIN "
  static let noMemory = HTTPError(.malformed, "there is no memory for a request")

  deinit {
    curl.easy_cleanup(handle)
    curl.slist_free_all(fields)
    message.deallocate()
  }

  // MARK: Options

  private func set(_ option: CURLoption, _ value: String?) {
    _ = forage_curl_set_text(handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: Int) {
    _ = forage_curl_set_number(handle, option, value)
  }

  private func setConnection() {
    let isHTTPS = request.url.scheme == "https"
    set(CURLOPT_URL, request.url.text)
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS))
    // HTTP/2 is agreed on with TLS.
    set(CURLOPT_HTTP_VERSION, isHTTPS ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
    set(CURLOPT_NOSIGNAL, 1)
    // A name that is being looked up does not hold the loop when nobody waits for it any more.
    set(forage_curl_quick_exit, 1)
    set(CURLOPT_CONNECTTIMEOUT_MS, HTTPLimits.connectTimeout.millisecondsRoundedUp)
    // libcurl repeats a request whose kept connection turns out to be closed.
    if !request.isRepeatable { set(CURLOPT_FRESH_CONNECT, 1) }
  }

  /// - Throws: `HTTPError` with code `tls` if the file with certificates to trust is none.
  private func setTrust() throws(HTTPError) {
    let options = [(CURLOPT_CAINFO, CURLOPT_CAPATH), (CURLOPT_PROXY_CAINFO, CURLOPT_PROXY_CAPATH)]
    if let file = order.certificateFile {
      // Without certificates GnuTLS trusts nobody, and says that of the server.
      guard let bytes = FileManager.default.contents(atPath: file),
        String(decoding: bytes, as: UTF8.self).contains(Self.certificateMark)
      else {
        throw TransferFailure.unusableCertificates(file)
      }
      for (caFile, folder) in options {
        set(caFile, file)
        set(folder, nil)
      }
    } else if request.url.scheme == "https", Curl.usesHashedCertificates, let folder = Curl.trustFolder {
      for (caFile, caFolder) in options {
        set(caFile, nil)
        set(caFolder, folder)
      }
    }
  }

  private func setProxy() {
    // Empty texts keep libcurl from reading the environment itself.
    set(CURLOPT_PROXY, order.proxy?.address ?? "")
    set(CURLOPT_NOPROXY, "")
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
  }

  private func setRequest() throws(HTTPError) {
    if request.method == "HEAD" {
      set(CURLOPT_NOBODY, 1)
    } else if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
      _ = forage_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
      _ = request.body.withUnsafeBytes {
        // Without an address there would be no body, not an empty one.
        forage_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress ?? UnsafeRawPointer(message))
      }
    }
    if request.method != "HEAD" { set(CURLOPT_CUSTOMREQUEST, request.method) }
    var headers = request.headers
    headers.remove("accept-encoding")
    headers.append(("Accept-Encoding", "gzip"))
    // An empty field keeps libcurl from adding its own.
    for name in ["Accept", "Content-Type", "Expect"] where headers.first(name) == nil { try add("\(name):") }
    for (name, value) in headers { try add(value.isEmpty ? "\(name);" : "\(name): \(value)") }
    _ = forage_curl_set_list(handle, CURLOPT_HTTPHEADER, fields)
  }

  private func add(_ line: String) throws(HTTPError) {
    guard !line.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
      throw HTTPError(
        .malformed, "a header field of the request to \(request.url.authority) has a line break")
    }
    fields = curl.slist_append(fields, line) ?? fields
  }

  private func setReceivers() {
    _ = forage_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = forage_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    _ = forage_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    _ = forage_curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
      Transfer.receive(bytes, count, context) { $0.receive(line: $1) }
    }
    _ = forage_curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
      Transfer.receive(bytes, count, context) { $0.receive(body: $1) }
    }
    if request.method != "HEAD" {
      _ = forage_curl_set_size(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.maximumBodyBytes))
    }
  }

  // MARK: Receiving

  /// Hands bytes of libcurl to the transfer that they are for.
  ///
  /// - Returns: How many were taken: none ends the transfer.
  private static func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ take: (Transfer, UnsafeRawBufferPointer) -> HTTPError?
  ) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    transfer.refusal = take(transfer, UnsafeRawBufferPointer(start: bytes, count: count))
    // Nothing taken of nothing would be no refusal.
    return transfer.refusal == nil ? count : count + 1
  }

  /// Takes a line of a head, or of what follows a body in pieces, which does not count.
  private func receive(line bytes: UnsafeRawBufferPointer) -> HTTPError? {
    headSize += bytes.count
    guard headSize <= Self.headLimit else { return tooLargeHead }
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      // Another head was one of an answer in between, such as 100.
      (head, hasHead) = ([], false)
    } else if hasHead {
      return nil
    } else if line.utf8.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
      hasHead = true
    } else if let first = line.utf8.first, first == 0x20 || first == 0x09, let last = head.indices.last {
      // A field that goes on in another line (RFC 9112, section 5.2).
      head[last].value += " " + line.trimmed
    } else if let colon = line.firstIndex(of: ":") {
      head.append((line[..<colon].trimmed, line[line.index(after: colon)...].trimmed))
    }
    return nil
  }

  private func receive(body bytes: UnsafeRawBufferPointer) -> HTTPError? {
    guard bytes.count <= request.maximumBodyBytes - body.count else { return .tooLarge(request) }
    body.append(contentsOf: bytes)
    return nil
  }

  private var tooLargeHead: HTTPError {
    HTTPError(
      .malformed, "\(request.url.authority) answered with more than \(Self.headLimit >> 10) KiB of header")
  }

  // MARK: The end

  /// Answers whoever waits, after libcurl is done with the handle.
  func end(_ code: CURLcode) {
    let status = forage_curl_number(handle, CURLINFO_RESPONSE_CODE)
    if let refusal {
      order.answer.resume(throwing: refusal)
    } else if code == CURLE_OK, hasHead, status >= 200 {
      order.answer.resume(returning: HTTPResponse(status: status, headers: head, body: body))
    } else if !hasHead, headSize > 0, [CURLE_OUT_OF_MEMORY, forage_curl_too_large].contains(code) {
      // libcurl takes no longer lines than 100 KiB.
      order.answer.resume(throwing: tooLargeHead)
    } else {
      order.answer.resume(
        throwing: TransferFailure(
          code: code, proxy: order.proxy, certificateFile: order.certificateFile,
          proxyStatus: forage_curl_number(handle, CURLINFO_HTTP_CONNECTCODE),
          isProxyRefused: forage_curl_number(handle, CURLINFO_PROXY_SSL_VERIFYRESULT) != 0,
          systemError: forage_curl_number(handle, CURLINFO_OS_ERRNO),
          isConnected: forage_curl_size(handle, CURLINFO_CONNECT_TIME_T) > 0,
          text: String(cString: message)
        ).error(for: request))
    }
  }
}

extension HTTPRequest {
  /// Whether the request may be sent once more where nothing is known of the first time (RFC 9110, section
  /// 9.2.2).
  fileprivate var isRepeatable: Bool { isSafe || ["PUT", "DELETE"].contains(method) }
}

extension StringProtocol {
  /// Without the white space around a header field's value.
  fileprivate var trimmed: String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
    let bytes = Array(utf8)
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
