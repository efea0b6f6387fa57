package import ForageCore
import ForagePlatform

/// Why a line is not a message.
package enum MessageError: Error, Hashable, Sendable {
  /// It is not JSON in UTF-8.
  case notJSON
  /// Arrays and objects are nested deeper than `PluginProtocol.Limits.depth`; with the id of a response, if it
  /// is before that.
  case tooDeep(id: RequestID?)
  /// It has more than `PluginProtocol.Limits.values` values; with the id of a response, if it is before that.
  case tooMany(id: RequestID?)
  /// It is a batch, which the protocol does not support.
  case batch
  /// It is JSON but not a JSON-RPC 2.0 message; with its id, if it has one.
  case notMessage(id: RequestID?)
}

package enum Message: Hashable, Sendable {
  /// A request, which must be answered.
  case request(id: RequestID, method: String, params: JSONText)
  /// A notification, which is not answered.
  case notification(method: String, params: JSONText)
  /// A successful response.
  case response(id: RequestID, result: JSONText)
  /// An error response; without an id if the request could not be parsed.
  case failure(id: RequestID?, error: ErrorObject)

  /// Parses a line without its line feed.
  ///
  /// The whole line is validated. Parameters and results are decoded later, when their type is known.
  ///
  /// - Throws: `MessageError`.
  package init(parsing line: some Sequence<UInt8>) throws(MessageError) {
    let result =
      line.withContiguousStorageIfAvailable { Message.parse($0) }
      ?? Array(line).withUnsafeBufferPointer { Message.parse($0) }
    self = try result.get()
  }

  private static func parse(_ line: UnsafeBufferPointer<UInt8>) -> Result<Message, MessageError> {
    // JSON allows a line feed between tokens, but a message must be a single line.
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
      return .failure(.tooDeep(id: envelope.answered))
    } catch .tooMany {
      return .failure(.tooMany(id: envelope.answered))
    } catch {
      return .failure(.notJSON)
    }
    do throws(MessageError) { return .success(try envelope.message(line)) } catch { return .failure(error) }
  }

  /// The message as a line, with its line feed.
  package var line: [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("jsonrpc") { $0.write("2.0") }
      switch self {
      case .request(let id, let method, let params):
        writer.member("id") { $0.write(id.tree) }
        writer.member("method") { $0.write(method) }
        writer.member("params") { $0.write(json: params.bytes) }
      case .notification(let method, let params):
        writer.member("method") { $0.write(method) }
        writer.member("params") { $0.write(json: params.bytes) }
      case .response(let id, let result):
        writer.member("id") { $0.write(id.tree) }
        writer.member("result") { $0.write(json: result.bytes) }
      case .failure(let id, let error):
        writer.member("id") { $0.write(id?.tree ?? .null) }
        writer.member("error") { $0.write(json: ((try? JSONText(encoding: error)) ?? .empty).bytes) }
      }
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}

/// The members of a message; values to be decoded later are byte ranges.
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

  /// The id of a response.
  var answered: RequestID? { method == nil ? RequestID(id) : nil }

  func message(_ line: UnsafeBufferPointer<UInt8>) throws(MessageError) -> Message {
    if form == .array { throw .batch }
    let known = RequestID(id)
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
  /// Converts an id; `nil` for values that cannot be ids, `null` included.
  package init?(_ tree: JSONTree?) {
    switch tree {
    case .integer(let number): self = .number(number)
    case .string(let text): self = .text(text)
    default: return nil
    }
  }

  package var tree: JSONTree {
    switch self {
    case .number(let number): .integer(number)
    case .text(let text): .string(text)
    }
  }
}

extension ErrorObject {
  /// Converts an error; `nil` if it has no code.
  init?(_ tree: JSONTree) {
    guard let code = tree["code"]?.integer else { return nil }
    self.init(ErrorCode(rawValue: code), tree["message"]?.string ?? "")
    guard let members = tree["data"], members.object != nil else { return }
    data = ErrorData(
      retryable: members["retryable"]?.bool, retryAfterMs: members["retryAfterMs"].flatMap(Self.milliseconds),
      hint: members["hint"]?.string, reason: members["reason"]?.string)
  }

  /// A number of milliseconds, rounded up: plugins compute it from seconds with a fraction.
  private static func milliseconds(_ tree: JSONTree) -> Int? {
    if case .double(let number) = tree { Int(exactly: number.rounded(.up)) } else { tree.integer }
  }
}
