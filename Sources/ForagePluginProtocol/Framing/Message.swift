package import ForageCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a line is no message.
package enum MessageError: Error, Hashable, Sendable {
  /// It is not JSON in UTF-8.
  case notJSON
  /// Arrays and objects are within each other deeper than `PluginProtocol.Limits.depth`.
  case tooDeep
  /// It has more than `PluginProtocol.Limits.values` values.
  case tooMany
  /// It is a batch, which the protocol does not have.
  case batch
  /// It is JSON but no message of JSON-RPC 2.0; with the id, where it has one.
  case notMessage(id: RequestID?)
}

/// One message of JSON-RPC 2.0.
package enum Message: Hashable, Sendable {
  /// Something that is to be answered.
  case request(id: RequestID, method: String, params: JSONText)
  /// Something that is only told.
  case notification(method: String, params: JSONText)
  /// A good answer.
  case response(id: RequestID, result: JSONText)
  /// A bad answer; without an id to a request that could not be read.
  case failure(id: RequestID?, error: ErrorObject)

  /// Reads a line without its end.
  ///
  /// The whole line is checked; parameters and results are decoded by whoever knows their type.
  ///
  /// - Throws: `MessageError`.
  package init(parsing line: some Sequence<UInt8>) throws(MessageError) {
    let result =
      line.withContiguousStorageIfAvailable { Message.parse($0) }
      ?? Array(line).withUnsafeBufferPointer { Message.parse($0) }
    self = try result.get()
  }

  private static func parse(_ line: UnsafeBufferPointer<UInt8>) -> Result<Message, MessageError> {
    // A line break between two values would be JSON, but no line, and must not be written again.
    if let start = line.baseAddress, memchr(start, Int32(UInt8(ascii: "\n")), line.count) != nil {
      return .failure(.notJSON)
    }
    var envelope = Envelope()
    do throws(JSONTree.Failure) {
      try JSONReader.read(
        line, maximumDepth: PluginProtocol.Limits.depth, maximumValues: PluginProtocol.Limits.values
      ) { reader throws(JSONTree.Failure) in
        try envelope.read(&reader)
      }
    } catch .tooDeep {
      return .failure(.tooDeep)
    } catch .tooMany {
      return .failure(.tooMany)
    } catch {
      return .failure(.notJSON)
    }
    do throws(MessageError) { return .success(try envelope.message(line)) } catch { return .failure(error) }
  }

  /// The message as a line with its end.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("jsonrpc") { $0.write("2.0") }
      switch self {
      case .request(let id, let method, let params):
        writer.member("id") { $0.write(id) }
        writer.member("method") { $0.write(method) }
        writer.member("params") { $0.write(json: params.bytes) }
      case .notification(let method, let params):
        writer.member("method") { $0.write(method) }
        writer.member("params") { $0.write(json: params.bytes) }
      case .response(let id, let result):
        writer.member("id") { $0.write(id) }
        writer.member("result") { $0.write(json: result.bytes) }
      case .failure(let id, let error):
        writer.member("id") { writer in
          if let id { writer.write(id) } else { writer.write(.null) }
        }
        writer.member("error") { $0.write(error.tree) }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}

/// The members of a message, with the places of those that are decoded later.
private struct Envelope {
  var version: String?
  var id: JSONTree?
  var method: JSONTree?
  var params: Range<Int>?
  var result: Range<Int>?
  var error: JSONTree?
  var form = Form.other

  enum Form {
    case object, array, other
  }

  mutating func read(_ reader: inout JSONReader) throws(JSONTree.Failure) {
    switch try reader.peek() {
    case UInt8(ascii: "{"): form = .object
    case UInt8(ascii: "["): form = .array
    default: break
    }
    guard form == .object else {
      try reader.skip()
      return
    }
    try reader.object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "jsonrpc": version = try reader.textOrSkip()
      case "id": id = try reader.tree()
      case "method": method = try reader.tree()
      case "params": params = try reader.skip()
      case "result": result = try reader.skip()
      case "error": error = try reader.tree()
      default: try reader.skip()
      }
    }
  }

  func message(_ line: UnsafeBufferPointer<UInt8>) throws(MessageError) -> Message {
    if form == .array { throw .batch }
    let known = id.flatMap(RequestID.init)
    let wrong = MessageError.notMessage(id: known)
    func part(_ range: Range<Int>) -> JSONText {
      JSONText(checked: Array(line[range]))
    }
    guard form == .object, version == "2.0" else { throw wrong }
    if let method {
      guard let name = method.string, result == nil, error == nil else { throw wrong }
      let params = params.map(part) ?? .empty
      guard params.bytes.first == UInt8(ascii: "{") else { throw wrong }
      if id == nil { return .notification(method: name, params: params) }
      guard let known else { throw wrong }
      return .request(id: known, method: name, params: params)
    }
    guard let id, params == nil else { throw wrong }
    switch (result, error) {
    case (let result?, nil):
      guard let known else { throw wrong }
      return .response(id: known, result: part(result))
    case (nil, let error?):
      guard known != nil || id == .null, let object = ErrorObject(error) else { throw wrong }
      return .failure(id: known, error: object)
    default: throw wrong
    }
  }
}

extension RequestID {
  /// Reads an id, `nil` for anything else.
  init?(_ tree: JSONTree) {
    switch tree {
    case .integer(let number): self = .number(number)
    case .string(let text): self = .text(text)
    default: return nil
    }
  }
}

extension JSONWriter {
  /// Writes an id.
  package mutating func write(_ id: RequestID) {
    switch id {
    case .number(let number): write(number)
    case .text(let text): write(text)
    }
  }
}

extension ErrorObject {
  /// Reads an error, `nil` where it has no code.
  init?(_ tree: JSONTree) {
    guard let code = tree["code"]?.integer else { return nil }
    self.init(ErrorCode(rawValue: code), tree["message"]?.string ?? "")
    guard let members = tree["data"], members.object != nil else { return }
    data = ErrorData(
      retryable: members["retryable"]?.bool, retryAfterMs: members["retryAfterMs"]?.integer,
      hint: members["hint"]?.string, reason: members["reason"]?.string)
  }

  /// The error as it stands in a message.
  var tree: JSONTree {
    var members: [String: JSONTree] = ["code": .integer(code.rawValue), "message": .string(message)]
    if let data {
      var parts: [String: JSONTree] = [:]
      parts["retryable"] = data.retryable.map(JSONTree.bool)
      parts["retryAfterMs"] = data.retryAfterMs.map(JSONTree.integer)
      parts["hint"] = data.hint.map(JSONTree.string)
      parts["reason"] = data.reason.map(JSONTree.string)
      members["data"] = .object(parts)
    }
    return .object(members)
  }
}
