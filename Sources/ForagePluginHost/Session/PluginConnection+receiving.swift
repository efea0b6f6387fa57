import ForageCore
import ForagePluginProtocol
import Synchronization

/// Handles the plugin's messages, sequentially on the thread of its process.
extension PluginConnection {
  /// The maximum length of a cursor in bytes; it is sent with every page.
  private static let cursorLimit = 64 << 10
  /// The number of characters shown of an invalid line.
  private static let shownLength = 80

  /// Handles a line, in which secrets are masked first.
  ///
  /// Lines after a fault are ignored: how many of them are still read depends on the time.
  func receive(_ line: UnsafeBufferPointer<UInt8>) {
    if state.withLock(\.hasFailed) { return }
    if redaction.isEmpty { return read(line) }
    redaction.redacted(Array(line)).withUnsafeBufferPointer(read)
  }

  private func read(_ line: UnsafeBufferPointer<UInt8>) {
    let message: Message
    do throws(MessageError) { message = try Message(parsing: line) } catch {
      return didReceiveInvalidLine(error, line)
    }
    switch message {
    case .request(let id, let method, let params): serve(id, method, params)
    case .notification(let method, let params): receive(method, params)
    case .response(let id, let result): take(id, .success(result))
    case .failure(let id, let error):
      let isQuery = id != .number(Self.greetingID)
      take(id, .failure(SearchError(error, from: name, isQuery: isQuery)))
    }
  }

  /// Handles a response, also one to a request that is not pending.
  private func take(_ id: RequestID?, _ response: Result<JSONTree, SearchError>) {
    if finish(id, response) { return }
    guard let id else { return protocolViolation("sent a response without an id") }
    let pending = state.withLock { state in state.calls.filter(\.value.isSent).keys.sorted() }
    let list = pending.map(String.init).joined(separator: ", ")
    protocolViolation(
      "sent a response to the request \(Self.shown(id.tree.encoded())), which is not pending"
        + (pending.isEmpty ? "" : " (pending: \(list))"))
  }

  // MARK: Responses

  /// Handles a response.
  ///
  /// - Returns: Whether a request with this id is pending.
  private func finish(_ id: RequestID?, _ response: Result<JSONTree, SearchError>) -> Bool {
    guard case .number(let ticket)? = id else { return false }
    guard ticket == Self.greetingID else { return answered(ticket, response) }
    // One that was closed before may still answer.
    guard state.withLock({ $0.greeting != nil }) else { return state.withLock { !$0.isInitialized } }
    do throws(SearchError) { try didInitialize(try response.get()) } catch { fail(error) }
    return true
  }

  private func didInitialize(_ result: JSONTree) throws(SearchError) {
    let answer: InitializeResult
    do { answer = try result.decode() } catch {
      throw PluginFault.broken(name, "sent a response to initialize " + Self.fault(error, in: result))
    }
    let (version, own) = (answer.protocol, PluginProtocol.version)
    guard version == own else {
      throw PluginFault.broken(
        name, "uses version \(version) of the protocol, but this program supports version \(own)")
    }
    let greeting = state.withLock { state in
      state.isInitialized = true
      defer { state.greeting = nil }
      return state.greeting
    }
    greeting?.finish(.success(answer))
  }

  /// Handles the response to a request.
  ///
  /// - Returns: Whether the request is pending.
  private func answered(_ ticket: Int, _ response: Result<JSONTree, SearchError>) -> Bool {
    let (pending, isProven) = state.withLock { state -> (PendingCall?, Bool) in
      guard state.calls[ticket]?.isSent == true else { return (nil, false) }
      state.hasAnswered = true
      let pending = state.calls.removeValue(forKey: ticket)
      return (pending, state.calls.isEmpty && state.takeStart())
    }
    if isProven { restarts.giveBack(key) }
    guard var pending else { return false }
    pump()
    guard let finish = pending.finish else { return true }
    switch response {
    case .failure(let error): pending.answer.failure = error
    case .success(let result):
      pending.answer.failure = take(result, into: &pending).map { PluginFault.broken(name, $0) }
    }
    finish(pending.answer)
    return true
  }

  /// Takes over the result of a request, with the items in it.
  ///
  /// - Returns: What is wrong with it, for use after the plugin's name.
  private func take(_ result: JSONTree, into pending: inout PendingCall) -> String? {
    var members = result.object ?? [:]
    let items = members.removeValue(forKey: "items") ?? .null
    if let list = items.array {
      let batch = ItemBatch(list)
      warnOfInvalidItems(batch)
      if let fault = pending.take(batch) { return fault }
    } else if items != .null {
      return "sent a result " + Self.without("items", items)
    }
    let answer: SearchAnswer
    do { answer = try (result.isObject ? .object(members) : result).decode() } catch {
      return "sent a result " + Self.fault(error, in: result)
    }
    if answer.count != pending.sent {
      return "reported \(answer.count) items but sent \(pending.sent)"
        + (pending.rejected.map { "; before that it \($0)" } ?? "")
    }
    if let next = answer.next, next.utf8.count > Self.cursorLimit {
      return "sent a cursor of more than \(Self.cursorLimit >> 10) KiB"
    }
    pending.answer.result = answer
    return nil
  }

  // MARK: Notifications

  /// Handles a notification. Unknown ones may belong to a newer version and are ignored.
  private func receive(_ method: String, _ params: JSONTree) {
    guard method == PluginProtocol.Method.items else { return }
    guard let id = RequestID(params["id"]) else {
      return protocolViolation("sent an items message " + Self.without("id", params["id"]))
    }
    guard case .number(let ticket) = id, state.withLock({ $0.calls[ticket]?.isSent == true }) else {
      return protocolViolation(
        "sent items for a request that is not pending: \(Self.shown(id.tree.encoded()))")
    }
    guard let list = params["items"]?.array else {
      let fault = "sent an items message " + Self.without("items", params["items"])
      warn(fault)
      return giveUp(ticket, PluginFault.broken(name, fault))
    }
    let batch = ItemBatch(list)
    let (isWanted, fault) = state.withLock { state -> (Bool, String?) in
      guard state.calls[ticket]?.finish != nil else { return (false, nil) }
      return (true, state.calls[ticket]?.take(batch))
    }
    if let fault {
      warn(fault)
      giveUp(ticket, PluginFault.broken(name, fault))
    } else if isWanted {
      warnOfInvalidItems(batch)
    }
  }

  private func warnOfInvalidItems(_ batch: ItemBatch) {
    if batch.unreadable > 0 { warn("sent an item without a text as id, kind and title") }
    if batch.oversized > 0 {
      warn("sent an item of more than \(PluginProtocol.Limits.item >> 10) KiB, which is left out")
    }
  }

  // MARK: Violations

  private func didReceiveInvalidLine(_ error: MessageError, _ line: UnsafeBufferPointer<UInt8>) {
    let shown = Self.shown(line)
    let limits = PluginProtocol.Limits.self
    switch error {
    case .notJSON:
      let isText = String(validating: line, as: UTF8.self) != nil
      // Nothing but a message with indentation begins so.
      let isIndented = line.elementsEqual("{".utf8) || line.elementsEqual("{\r".utf8)
      protocolViolation(
        isIndented
          ? "wrote a message over several lines to its standard output, which is one line of JSON: \(shown)"
          : "wrote a line to its standard output that is not \(isText ? "a message" : "valid UTF-8"): \(shown)"
      )
    case .tooDeep: breakOff("wrote a message that is nested deeper than \(limits.depth) levels")
    case .tooMany: breakOff("wrote a message with more than \(limits.values) JSON values")
    case .batch: protocolViolation("wrote a batch, which the protocol does not support")
    case .notMessage(let id):
      let fault = "sent an invalid response" + (Self.responseFault(line).map { ": \($0)" } ?? "")
      _ = finish(id, .failure(PluginFault.broken(name, fault)))
      protocolViolation("wrote a line of JSON to its standard output that is not a message: \(shown)")
    }
  }

  /// The beginning of an invalid text.
  static func shown(_ text: some Collection<UInt8>) -> Substring {
    // Enough bytes for characters of four.
    String(decoding: text.prefix(4 * shownLength), as: UTF8.self).prefix(shownLength)
  }

  /// What is wrong with a member, for use after the message.
  private static func without(_ member: String, _ value: JSONTree?) -> String {
    "without a valid \(member) (it is \(value.map(FieldType.name(of:)) ?? "absent"))"
  }

  /// What is wrong with a value that cannot be decoded, for use after the message.
  static func fault(_ error: any Error, in tree: JSONTree) -> String {
    guard let path = (error as? DecodingError)?.path else { return "that is not valid" }
    if path.isEmpty {
      // A number that is no whole one, or too large, has no path.
      return !tree.isObject
        ? "that is \(FieldType.name(of: tree)) instead of an object" : "with a number that is not valid"
    }
    let value = path.reduce(JSONTree?.some(tree)) { value, key in
      if let index = key.intValue { return value?.array?.dropFirst(index).first }
      return value?.object?[key.stringValue]
    }
    return without(path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "."), value)
  }

  /// What is wrong with a response that is JSON; `nil` if another member is.
  private static func responseFault(_ line: UnsafeBufferPointer<UInt8>) -> String? {
    guard let members = try? JSONTree(parsing: line).object else { return nil }
    guard members["jsonrpc"] == .string("2.0") else { return "it has no member \"jsonrpc\": \"2.0\"" }
    guard let error = members["error"] else { return nil }
    if members["result"] != nil { return "it has a result and an error" }
    do { _ = try error.decode(ErrorObject.self) } catch let fault {
      return "it has an error " + Self.fault(fault, in: error)
    }
    return nil
  }

  /// Records a protocol violation; too many of them stop the plugin.
  func protocolViolation(_ what: String) {
    let count = state.withLock { state in
      state.protocolViolations += 1
      for (ticket, call) in state.calls where call.isSent && call.rejected == nil {
        state.calls[ticket]?.rejected = what
      }
      return state.protocolViolations
    }
    let limit = PluginProtocol.Limits.protocolViolationLines
    guard count > limit else { return warn(what) }
    breakOff("wrote more than \(limit) lines to its standard output that are not messages")
  }

  /// Stops the plugin because its output is not read further.
  func breakOff(_ what: String, _ code: SearchError.Code = .invalidResponse) {
    var error = PluginFault.broken(name, what)
    error.code = code
    fail(error)
  }
}

extension DecodingError {
  /// The path of the member that is invalid or absent; empty for the whole value.
  fileprivate var path: [any CodingKey] {
    let (path, key): ([any CodingKey], (any CodingKey)?) =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        (context.codingPath, nil)
      case .keyNotFound(let key, let context): (context.codingPath, key)
      @unknown default: ([], nil)
      }
    return path + [key].compactMap(\.self)
  }
}
