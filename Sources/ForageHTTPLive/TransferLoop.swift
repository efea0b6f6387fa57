import CCurl
import ForageHTTP
import ForagePlatform
import Synchronization

/// The thread that serves all connections of a transport.
///
/// It starts with the first request and ends with `stop()`. Requests that find enough transfers of their server
/// wait here: libcurl wakes only one of all that wait for it, which may be one of another server.
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
