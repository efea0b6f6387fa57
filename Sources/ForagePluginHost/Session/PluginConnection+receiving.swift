import ForageCore
import ForagePluginProtocol
import Synchronization

/// Handles the plugin's messages, sequentially on the thread of its process.
extension PluginConnection {
  /// The maximum length of a cursor in bytes; it is stored with the search and sent with every page.
  private static let cursorLimit = 64 << 10
  /// The number of characters shown of an invalid line and of a version.
  private static let shownLength = 80

  private enum Response {
    case result(JSONTree)
    case error(ErrorObject)
    /// The line has an id but is not a message.
    case invalid
    /// There is too much in it; with the reason, for use after the plugin's name.
    case excess(String)
  }

  /// Handles a line, in which secrets are masked first.
  func receive(_ line: UnsafeBufferPointer<UInt8>) {
    if redaction.isEmpty { return read(line) }
    redaction.redacted(Array(line)).withUnsafeBufferPointer(read)
  }

  private func read(_ line: UnsafeBufferPointer<UInt8>) {
    let message: Message
    do throws(MessageError) { message = try Message(parsing: line) } catch {
      switch error {
      case .notMessage(let id): _ = finish(id, .invalid)
      case .tooDeep(let id), .tooMany(let id): loseMessage(id, error.excess)
      case .notJSON, .batch: break
      }
      return didReceiveInvalidLine(error, line)
    }
    var isPending = true
    switch message {
    case .request(let id, _, _): refuse(id)
    case .notification(let method, let params): receive(method, params)
    case .response(let id, let result): isPending = finish(id, .result(result))
    case .failure(let id, let error): isPending = finish(id, .error(error))
    }
    if !isPending { protocolViolations("sent a response without a pending request") }
  }

  /// Handles a response.
  ///
  /// - Returns: Whether a request with this id is pending.
  private func finish(_ id: RequestID?, _ response: Response) -> Bool {
    guard case .number(let ticket)? = id else { return false }
    if ticket != Self.greetingID { return answered(ticket, response) }
    guard state.withLock({ $0.handshakeStart != nil }) else { return false }
    didInitialize(response)
    return true
  }

  private func didInitialize(_ response: Response) {
    switch response {
    case .error(let object): fail(SearchError(object, from: name))
    case .invalid: fail(PluginFault.broken(name, "sent an invalid response to initialize"))
    case .excess(let what): fail(PluginFault.broken(name, what))
    case .result(let result):
      let answer: InitializeResult
      do { answer = try result.decode(InitializeResult.self) } catch {
        let member = (error as? DecodingError)?.member.map { "an invalid \($0)" } ?? "a member missing"
        return fail(PluginFault.broken(name, "sent a response to initialize with \(member)"))
      }
      guard answer.protocol == PluginProtocol.version else {
        let own = PluginProtocol.version
        return fail(
          PluginFault.broken(
            name,
            "uses version \(answer.protocol) of the protocol, but this program supports version \(own)"))
      }
      let start = state.withLock { state in
        state.isInitialized = true
        defer { state.handshakeStart = nil }
        return state.handshakeStart
      }
      if let start {
        let version = answer.version.unicodeScalars.prefix(Self.shownLength)
        logHandshake(start, version.isEmpty ? "" : ", version \(String(version))")
      }
      pump()
    }
  }

  /// Handles a notification. Unknown ones may belong to a newer version and are ignored.
  private func receive(_ method: String, _ params: JSONTree) {
    guard method == PluginProtocol.Method.items else { return }
    guard let batch = ItemBatch(params) else {
      return protocolViolations("sent an items message without id, seq or items")
    }
    enum Outcome {
      case taken, unwanted, unknown
      case wrong(Int, String)
    }
    let outcome = state.withLock { state -> Outcome in
      guard case .number(let ticket) = batch.id, var pending = state.calls[ticket], pending.isSent else {
        return .unknown
      }
      guard pending.finish != nil else { return .unwanted }
      let fault = pending.take(batch)
      state.calls[ticket] = pending
      return fault.map { .wrong(ticket, $0) } ?? .taken
    }
    switch outcome {
    case .taken:
      if batch.unreadable > 0 { warn("sent an item without a text as id, kind and title") }
      if batch.oversized > 0 {
        warn("sent an item of more than \(PluginProtocol.Limits.item >> 10) KiB, which is left out")
      }
    case .unwanted: break
    case .unknown: protocolViolations("sent items for a request that is not pending")
    case .wrong(let ticket, let what):
      warn(what)
      giveUp(ticket, PluginFault.broken(name, what))
    }
  }

  /// Handles the response to a request.
  ///
  /// - Returns: Whether the request is pending.
  private func answered(_ ticket: Int, _ response: Response) -> Bool {
    let pending = state.withLock { state in
      state.calls[ticket]?.isSent == true ? state.calls.removeValue(forKey: ticket) : nil
    }
    guard let pending else { return false }
    pump()
    guard let finish = pending.finish else { return true }
    var answer = pending.answer
    switch response {
    case .error(let object): answer.failure = SearchError(object, from: name)
    case .invalid: answer.failure = PluginFault.broken(name, "sent an invalid response")
    case .result(let result):
      answer.result = try? result.decode(SearchAnswer.self)
      if answer.result == nil {
        answer.failure = PluginFault.broken(name, "sent a result without a valid count")
      }
    case .excess(let what): answer.failure = PluginFault.broken(name, what)
    }
    if let result = answer.result {
      for member in result.oddMembers {
        warn("sent a result with an invalid \(member)" + ItemReader.fieldNote)
      }
      if result.count != pending.sent {
        answer.failure = PluginFault.broken(
          name, pending.lostMessage ?? "reported \(result.count) items but sent \(pending.sent)")
      } else if result.next.map({ $0.utf8.count > Self.cursorLimit }) ?? false {
        answer.failure = PluginFault.broken(name, "sent a cursor of more than \(Self.cursorLimit >> 10) KiB")
      }
    }
    if answer.failure != nil { answer.result = nil }
    finish(answer)
    return true
  }

  /// Rejects a request from the plugin; the host has no methods.
  private func refuse(_ id: RequestID) {
    send(.failure(id: id, error: ErrorObject(.methodNotFound, "the host has no methods")))
    protocolViolations("sent a request to the host")
  }

  private func didReceiveInvalidLine(_ error: MessageError, _ line: UnsafeBufferPointer<UInt8>) {
    // Enough bytes for characters of four.
    let shown = String(decoding: line.prefix(4 * Self.shownLength), as: UTF8.self).prefix(Self.shownLength)
    switch error {
    case .notJSON: protocolViolations("wrote a line to its standard output that is not a message: \(shown)")
    case .tooDeep, .tooMany: protocolViolations(error.excess)
    case .batch: protocolViolations("wrote a batch, which the protocol does not support")
    case .notMessage:
      protocolViolations("wrote a line of JSON to its standard output that is not a message: \(shown)")
    }
  }

  /// Handles a message that had too much in it: the answer with an id, or else any message.
  private func loseMessage(_ id: RequestID?, _ what: String) {
    let isGreeting = state.withLock { state in
      for ticket in state.calls.keys where state.calls[ticket]?.isSent == true {
        state.calls[ticket]?.lostMessage = what
      }
      return state.handshakeStart != nil
    }
    // Before it has answered, a plugin sends nothing else.
    _ = finish(isGreeting ? .number(Self.greetingID) : id, .excess(what))
  }

  /// Records a protocol violation; too many of them stop the plugin.
  func protocolViolations(_ what: String) {
    let count = state.withLock { state in
      state.protocolViolations += 1
      return state.protocolViolations
    }
    let limit = PluginProtocol.Limits.protocolViolationLines
    if count <= limit {
      warn(what)
    } else {
      fail(
        PluginFault.broken(
          name, "wrote more than \(limit) lines to its standard output that are not messages")
      )
    }
  }

  /// Stops the plugin because its output cannot be read further.
  func breakOff(_ error: FrameError) {
    switch error {
    case .lineTooLong(let limit):
      fail(
        SearchError(
          .responseTooLarge, "the plugin \(name) wrote a line of more than \(limit >> 10) KiB",
          hint:
            "this is a fault of the plugin; report it to its author, or exclude the plugin"))
    }
  }
}

extension MessageError {
  /// What there is too much of, for use after the plugin's name.
  fileprivate var excess: String {
    if case .tooDeep = self {
      return "wrote a message that is nested deeper than \(PluginProtocol.Limits.depth) levels"
    }
    return "wrote a message with more than \(PluginProtocol.Limits.values) JSON values"
  }
}

extension DecodingError {
  /// The path of the member that is invalid or absent; `nil` for the whole value.
  fileprivate var member: String? {
    let (path, key): ([any CodingKey], (any CodingKey)?) =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        (context.codingPath, nil)
      case .keyNotFound(let key, let context): (context.codingPath, key)
      @unknown default: ([], nil)
      }
    let names = (path + [key].compactMap(\.self)).map { $0.intValue.map(String.init) ?? $0.stringValue }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }
}
