import Synchronization

/// Why a request to the other side has no good answer.
package enum PeerError: Error, Hashable, Sendable {
  /// The other side says so.
  case failed(ErrorObject)
  /// The other side's answer is no message.
  case unreadable(MessageError)
  /// The connection has ended.
  case closed
}

/// One side of a JSON-RPC 2.0 connection over a pair of byte streams.
///
/// Bytes are pushed in as they arrive and handed on at once, on the thread that pushes them: notifications and answers reach their handlers
/// in the order in which they were sent, so that what was told before an answer is there when the answer is.
package final class Peer: Sendable {
  /// What is done with what the other side sends. The closures are called one after another and must not call `receive` or `end`.
  package struct Handlers: Sendable {
    /// A request, which must be answered with `respond` or `fail`.
    package var request: @Sendable (_ id: RequestID, _ method: String, _ params: JSONText) -> Void
    /// A notification.
    package var notification: @Sendable (_ method: String, _ params: JSONText) -> Void
    /// A line that is no message, with its beginning, which is untrusted.
    package var unreadable: @Sendable (_ error: MessageError, _ beginning: [UInt8]) -> Void
    /// An answer to nothing that was asked, or not any more.
    package var stray: @Sendable (_ id: RequestID?) -> Void
    /// Rewrites a line before it is read; returns `nil` to leave it as it is.
    package var rewrite: @Sendable (_ line: UnsafeBufferPointer<UInt8>) -> [UInt8]?

    /// Creates handlers; by default requests are refused by the caller's own means and everything else is passed over.
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

  /// What becomes of a request: exactly one call.
  package typealias Completion = @Sendable (Result<JSONText, PeerError>) -> Void

  /// Bytes of an unreadable line that are handed on: enough to recognise it by.
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

  /// Creates a side.
  ///
  /// - Parameters:
  ///   - lineLimit: Bytes of the longest line that is read.
  ///   - send: Writes one line with its end; called on any thread, also at the same time; it must keep the order of the calls of one thread.
  package init(
    lineLimit: Int = PluginProtocol.Limits.line, handlers: Handlers,
    send: @escaping @Sendable ([UInt8]) -> Void
  ) {
    reader = Mutex(LineReader(limit: lineLimit))
    self.handlers = handlers
    self.send = send
  }

  // MARK: Receiving

  /// Takes the next bytes from the other side; to be called by one thread at a time.
  ///
  /// - Throws: `FrameError` when nothing further can be read; every request that waits has failed then.
  package func receive(_ bytes: UnsafeRawBufferPointer) throws(FrameError) {
    do throws(FrameError) {
      try reader.withLock { reader throws(FrameError) in try reader.append(bytes, handle) }
    } catch {
      close()
      throw error
    }
  }

  /// Ends the stream from the other side.
  ///
  /// - Throws: `unterminated` when it ended within a line; every request that waits has failed in any case.
  package func end() throws(FrameError) {
    close()
    try reader.withLock { reader throws(FrameError) in try reader.end() }
  }

  /// Lets every request that waits fail, and those to come.
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
  ///   - willSend: Told the id before anything is sent, so that what comes for the request finds it known.
  ///   - completion: What becomes of it, on the thread that pushes bytes in, or at once when the connection has ended.
  /// - Returns: The id, `nil` when the connection has ended.
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

  /// Sends a request and waits for its answer, whatever becomes of the task meanwhile.
  ///
  /// - Throws: `PeerError`.
  package func answer(to method: String, _ params: JSONText) async throws(PeerError) -> JSONText {
    let result = await withCheckedContinuation { continuation in
      _ = request(method, params) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Gives up a request: its completion is called with an error of the code `cancelled`, and an answer that comes later is stray.
  ///
  /// Nothing is sent; to tell the other side, notify it of `PluginProtocol.Method.cancel`.
  package func abandon(_ id: RequestID) {
    guard case .number(let number) = id, let completion = take(number) else { return }
    completion(.failure(.failed(ErrorObject(.cancelled, "the request was given up"))))
  }

  /// Tells the other side something.
  package func notify(_ method: String, _ params: JSONText) {
    send(Message.notification(method: method, params: params).line)
  }

  /// Answers a request.
  package func respond(_ id: RequestID, _ result: JSONText) {
    send(Message.response(id: id, result: result).line)
  }

  /// Answers a request with an error; without an id one that could not be read.
  package func fail(_ id: RequestID?, _ error: ErrorObject) {
    send(Message.failure(id: id, error: error).line)
  }
}
