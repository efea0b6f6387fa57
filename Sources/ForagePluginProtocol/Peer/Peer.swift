import Synchronization

/// Why a request has no result.
package enum PeerError: Error, Hashable, Sendable {
  /// The other side responded with an error.
  case failed(ErrorObject)
  /// The other side's response is not a valid message.
  case unreadable(MessageError)
  /// The connection was closed.
  case closed
}

/// One side of a JSON-RPC 2.0 connection over two byte streams.
///
/// Received bytes are processed synchronously on the calling thread. Notifications and responses therefore
/// reach their handlers in the order in which they were sent: notifications sent before a response are
/// handled before it.
package final class Peer: Sendable {
  /// Handlers for received messages. They are called sequentially and must not call `receive` or `end`.
  package struct Handlers: Sendable {
    /// Handles a request, which must be answered by `fail`.
    package var request: @Sendable (_ id: RequestID, _ method: String, _ params: JSONText) -> Void
    /// Handles a notification.
    package var notification: @Sendable (_ method: String, _ params: JSONText) -> Void
    /// Handles a line that is not a message; `beginning` contains its first bytes, which are untrusted.
    package var unreadable: @Sendable (_ error: MessageError, _ beginning: [UInt8]) -> Void
    /// Handles a response without a pending request.
    package var stray: @Sendable (_ id: RequestID?) -> Void
    /// Rewrites a line before it is read; returns `nil` to leave it as it is.
    package var rewrite: @Sendable (_ line: UnsafeBufferPointer<UInt8>) -> [UInt8]?

    /// Creates handlers. By default requests are rejected and everything else is ignored.
    package init(
      request: @escaping @Sendable (RequestID, String, JSONText) -> Void,
      notification: @escaping @Sendable (String, JSONText) -> Void = { _, _ in },
      unreadable: @escaping @Sendable (MessageError, [UInt8]) -> Void = { _, _ in },
      stray: @escaping @Sendable (RequestID?) -> Void = { _ in },
      rewrite: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> [UInt8]? = { _ in nil }
    ) {
      self.request = request
      self.notification = notification
      self.unreadable = unreadable
      self.stray = stray
      self.rewrite = rewrite
    }
  }

  /// Receives the outcome of a request; called exactly once.
  package typealias Completion = @Sendable (Result<JSONText, PeerError>) -> Void

  /// The number of bytes of an unreadable line that are passed to its handler.
  package static let beginningLength = 200

  private struct Asked {
    var next = 0
    var waiting: [Int: Completion] = [:]
    var isClosed = false
  }

  private let reader: Mutex<LineReader>
  private let asked = Mutex(Asked())
  private let handlers: Handlers
  private let send: @Sendable ([UInt8]) -> Void

  /// Creates one side of a connection.
  ///
  /// - Parameters:
  ///   - lineLimit: The maximum length of a received line in bytes.
  ///   - handlers: Handle received messages.
  ///   - send: Writes a line, which includes its line feed. It is called on any thread, also concurrently,
  ///     and must preserve the order of calls from one thread.
  package init(
    lineLimit: Int = PluginProtocol.Limits.line, handlers: Handlers,
    send: @escaping @Sendable ([UInt8]) -> Void
  ) {
    reader = Mutex(LineReader(limit: lineLimit))
    self.handlers = handlers
    self.send = send
  }

  // MARK: Receiving

  /// Processes received bytes. Call this from one thread at a time.
  ///
  /// - Throws: `FrameError` if the stream cannot be read further. All pending requests have failed then.
  package func receive(_ bytes: UnsafeRawBufferPointer) throws(FrameError) {
    do throws(FrameError) {
      try reader.withLock { reader throws(FrameError) in try reader.append(bytes, handle) }
    } catch {
      close()
      throw error
    }
  }

  /// Processes the end of the stream. All pending requests fail.
  ///
  /// - Throws: `unterminated` if the stream ended within a line.
  package func end() throws(FrameError) {
    close()
    try reader.withLock { reader throws(FrameError) in try reader.end() }
  }

  /// Closes the connection: all pending and future requests fail.
  package func close() {
    let waiting = asked.withLock { asked in
      asked.isClosed = true
      defer { asked.waiting = [:] }
      return asked.waiting
    }
    for (_, completion) in waiting.sorted(by: { $0.key < $1.key }) { completion(.failure(.closed)) }
  }

  private func handle(_ line: UnsafeBufferPointer<UInt8>) {
    if let rewritten = handlers.rewrite(line) {
      rewritten.withUnsafeBufferPointer(read)
    } else {
      read(line)
    }
  }

  private func read(_ line: UnsafeBufferPointer<UInt8>) {
    let message: Message
    do throws(MessageError) { message = try Message(parsing: line) } catch {
      if case .notMessage(.number(let id)?) = error, let completion = take(id) {
        completion(.failure(.unreadable(error)))
      }
      handlers.unreadable(error, Array(line.prefix(Self.beginningLength)))
      return
    }
    switch message {
    case .request(let id, let method, let params): handlers.request(id, method, params)
    case .notification(let method, let params): handlers.notification(method, params)
    case .response(let id, let result): finish(id, .success(result))
    case .failure(let id, let error): finish(id, .failure(.failed(error)))
    }
  }

  private func finish(_ id: RequestID?, _ result: Result<JSONText, PeerError>) {
    guard case .number(let number)? = id, let completion = take(number) else { return handlers.stray(id) }
    completion(result)
  }

  private func take(_ id: Int) -> Completion? { asked.withLock { $0.waiting.removeValue(forKey: id) } }

  // MARK: Sending

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - params: The parameters.
  ///   - willSend: Called with the id before the request is sent, so that messages for it can be recognised.
  ///   - completion: Receives the outcome, on the thread that calls `receive`, or immediately if the
  ///     connection is closed.
  /// - Returns: The id; `nil` if the connection is closed.
  @discardableResult
  package func request(
    _ method: String, _ params: JSONText, willSend: (RequestID) -> Void = { _ in },
    completion: @escaping Completion
  ) -> RequestID? {
    let number: Int? = asked.withLock { asked in
      if asked.isClosed { return nil }
      defer { asked.next += 1 }
      asked.waiting[asked.next] = completion
      return asked.next
    }
    guard let number else {
      completion(.failure(.closed))
      return nil
    }
    let id = RequestID.number(number)
    willSend(id)
    send(Message.request(id: id, method: method, params: params).line)
    return id
  }

  /// Sends a request and waits for its response. Cancelling the task has no effect.
  ///
  /// - Throws: `PeerError`.
  package func answer(to method: String, _ params: JSONText) async throws(PeerError) -> JSONText {
    let result = await withCheckedContinuation { continuation in
      _ = request(method, params) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Sends a notification.
  package func notify(_ method: String, _ params: JSONText) {
    send(Message.notification(method: method, params: params).line)
  }

  /// Sends an error response; without an id for a request that could not be parsed.
  package func fail(_ id: RequestID?, _ error: ErrorObject) {
    send(Message.failure(id: id, error: error).line)
  }
}
