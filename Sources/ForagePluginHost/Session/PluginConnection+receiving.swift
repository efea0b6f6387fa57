import ForageCore
import ForagePluginProtocol
import Synchronization

/// Handles the plugin's messages, sequentially on the thread of its process.
extension PluginConnection {
  /// The maximum length of a cursor in bytes; it is stored with the search and sent with every page.
  private static let cursorLimit = 64 << 10
  /// The number of characters shown of an invalid line.
  private static let shownLength = 80

  /// A response to a request.
  private enum Response {
    case result(JSONText)
    case error(ErrorObject)
    /// The line has an id but is not a message.
    case invalid
  }

  /// Handles a line, in which secrets are masked first.
  func receive(_ line: UnsafeBufferPointer<UInt8>) {
    if let masked = redaction.redacted(json: line) {
      masked.withUnsafeBufferPointer(read)
    } else {
      read(line)
    }
  }

  private func read(_ line: UnsafeBufferPointer<UInt8>) {
    let message: Message
    do throws(MessageError) { message = try Message(parsing: line) } catch {
      if case .notMessage(let id) = error { _ = finish(id, .invalid) }
      return didReceiveInvalidLine(error, Array(line.prefix(Self.beginningLength)))
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

  /// The number of bytes of an invalid line in which secrets are searched before it is shown.
  private static let beginningLength = 200

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
    case .error(let object): fail(SearchError(object, from: "the plugin \(name)"))
    case .invalid: fail(PluginFault.broken(name, "sent an invalid response to initialize"))
    case .result(let text):
      guard let declared = try? text.decode(InitializeResult.self) else {
        return fail(PluginFault.broken(name, "sent a response to initialize without providers"))
      }
      guard declared.protocol == PluginProtocol.version else {
        let own = PluginProtocol.version
        return fail(
          PluginFault.broken(
            name,
            "uses version \(declared.protocol) of the protocol, but this program supports version \(own)"))
      }
      let start = state.withLock { state in
        state.declared = declared
        defer { state.handshakeStart = nil }
        return state.handshakeStart
      }
      if let start {
        let count = declared.providers.count
        logHandshake(start, ", \(count) provider\(count == 1 ? "" : "s")")
      }
      pump()
    }
  }

  /// Handles a notification. Unknown ones may belong to a newer version and are ignored.
  private func receive(_ method: String, _ params: JSONText) {
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
    case .error(let object): answer.failure = SearchError(object, from: "the plugin \(name)")
    case .invalid: answer.failure = PluginFault.broken(name, "sent an invalid response")
    case .result(let text):
      do { answer.result = try text.decode(SearchAnswer.self) } catch {
        let member = (error as? DecodingError)?.member
        answer.failure = PluginFault.broken(
          name,
          member.map { "sent a result whose member \($0) has another type than it must have" }
            ?? "sent a result without count")
      }
    }
    if let result = answer.result {
      if result.count != pending.sent {
        let lost = state.withLock { state in
          defer { state.lostMessage = nil }
          return state.lostMessage
        }
        answer.failure = PluginFault.broken(
          name, lost ?? "reported \(result.count) items but sent \(pending.sent)")
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

  private func didReceiveInvalidLine(_ error: MessageError, _ beginning: [UInt8]) {
    let shown = String(decoding: redaction.redacted(beginning), as: UTF8.self).prefix(Self.shownLength)
    switch error {
    case .notJSON: protocolViolations("wrote a line to its standard output that is not a message: \(shown)")
    case .tooDeep:
      loseMessage("wrote a message that is nested deeper than \(PluginProtocol.Limits.depth) levels")
    case .tooMany: loseMessage("wrote a message with more than \(PluginProtocol.Limits.values) JSON values")
    case .batch: protocolViolations("wrote a batch, which the protocol does not support")
    case .notMessage:
      protocolViolations("wrote a line of JSON to its standard output that is not a message: \(shown)")
    }
  }

  private func loseMessage(_ what: String) {
    state.withLock { $0.lostMessage = what }
    protocolViolations(what)
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

extension DecodingError {
  /// The name of the member that has the wrong type; `nil` where one is absent.
  fileprivate var member: String? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.first?.stringValue
    default: nil
    }
  }
}
