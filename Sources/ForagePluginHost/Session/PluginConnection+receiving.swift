import ForageCore
import ForagePluginProtocol
import Synchronization

/// What the plugin sends; on the thread of its process, one message after another.
extension PluginConnection {
  /// Bytes of a cursor; it is kept with the search, and every page sends it back.
  private static let cursorLimit = 64 << 10
  /// Characters that are shown of a line that is no message.
  private static let shownLength = 80

  /// Takes the answer to the greeting.
  func didInitialize(_ result: Result<JSONText, PeerError>) {
    switch result {
    case .failure(.closed): return
    case .failure(.failed(let object)): fail(SearchError(object, from: "the plugin \(name)"))
    case .failure(.unreadable): fail(PluginFault.broken(name, "answered initialize with what is no answer"))
    case .success(let text):
      guard let declared = try? text.decode(InitializeResult.self) else {
        return fail(PluginFault.broken(name, "answered initialize without saying what it provides"))
      }
      guard declared.protocol == PluginProtocol.version else {
        let own = PluginProtocol.version
        return fail(
          PluginFault.broken(
            name,
            "speaks version \(declared.protocol) of the protocol, and this program speaks version \(own)"))
      }
      state.withLock { state in
        state.declared = declared
        state.handshakeEnd = nil
      }
      pump()
    }
  }

  /// Takes a notification; unknown ones may be of a newer version and are passed over.
  func receive(_ method: String, _ params: JSONText) {
    guard method == PluginProtocol.Method.items else { return }
    guard let batch = ItemBatch(params) else {
      return protocolViolations("sent items without an id, a number or a list")
    }
    enum Outcome {
      case taken, unwanted, unknown
      case wrong(Int, String)
    }
    let outcome = state.withLock { state -> Outcome in
      guard let ticket = state.tickets[batch.id], var pending = state.calls[ticket] else { return .unknown }
      guard pending.finish != nil else { return .unwanted }
      let fault = pending.take(batch)
      state.calls[ticket] = pending
      return fault.map { .wrong(ticket, $0) } ?? .taken
    }
    switch outcome {
    case .taken, .unwanted: break
    case .unknown: protocolViolations("sent items for a request that is not open")
    case .wrong(let ticket, let what):
      warn(what)
      giveUp(ticket, PluginFault.broken(name, what))
    }
  }

  /// Takes the answer to a request.
  func answered(_ ticket: Int, _ result: Result<JSONText, PeerError>) {
    // The connection has ended, and everything is told of that.
    if case .failure(.closed) = result { return }
    let pending = state.withLock { state -> PendingCall? in
      guard let pending = state.calls.removeValue(forKey: ticket) else { return nil }
      if let id = pending.id { state.tickets[id] = nil }
      return pending
    }
    pump()
    guard let pending, let finish = pending.finish else { return }
    var answer = pending.answer
    switch result {
    case .failure(.closed): break
    case .failure(.failed(let object)): answer.failure = SearchError(object, from: "the plugin \(name)")
    case .failure(.unreadable): answer.failure = PluginFault.broken(name, "sent an answer that is none")
    case .success(let text):
      do { answer.result = try text.decode(SearchAnswer.self) } catch {
        answer.failure = PluginFault.broken(name, "sent an answer without the number of its items")
      }
    }
    if let result = answer.result {
      if result.count != pending.sent {
        answer.failure = PluginFault.broken(
          name, "says that it sent \(result.count) items, and \(pending.sent) have come")
      } else if result.next.map({ $0.utf8.count > Self.cursorLimit }) ?? false {
        answer.failure = PluginFault.broken(name, "sent a cursor of more than \(Self.cursorLimit >> 10) KiB")
      }
    }
    if answer.failure != nil { answer.result = nil }
    finish(answer)
  }

  /// Refuses what a plugin asks: there is nothing that it can.
  func refuse(_ id: RequestID, _ method: String) {
    let peer = state.withLock { $0.peer }
    peer?.fail(id, ErrorObject(.methodNotFound, "the host has no methods"))
    protocolViolations("asked the host for something")
  }

  /// Takes a line that is no message.
  func didReceiveInvalidLine(_ error: MessageError, _ beginning: [UInt8]) {
    let shown = String(decoding: redaction.redacted(beginning), as: UTF8.self).prefix(Self.shownLength)
    switch error {
    case .notJSON: protocolViolations("wrote a line to its standard output that is no message: \(shown)")
    case .tooDeep:
      protocolViolations(
        "wrote a message with more than \(PluginProtocol.Limits.depth) arrays and objects within each other")
    case .tooMany:
      protocolViolations("wrote a message with more than \(PluginProtocol.Limits.values) JSON values")
    case .batch: protocolViolations("wrote a batch, which the protocol does not have")
    case .notMessage:
      protocolViolations("wrote a line of JSON to its standard output that is no message: \(shown)")
    }
  }

  /// Warns of something that does not belong; too much of it ends the plugin.
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
        PluginFault.broken(name, "wrote more than \(limit) lines that are no messages to its standard output")
      )
    }
  }

  /// Ends what cannot be read on.
  func breakOff(_ error: FrameError) {
    switch error {
    case .lineTooLong(let limit):
      fail(
        SearchError(
          .responseTooLarge, "the plugin \(name) wrote a line of more than \(limit >> 10) KiB",
          hint: "this is a fault of the plugin; tell its author, or leave it out with --provider"))
    case .unterminated: fail(PluginFault.broken(name, "ended within a line"))
    }
  }
}
