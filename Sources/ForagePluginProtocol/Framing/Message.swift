package import ForageCore

/// Why a line is not a message.
package enum MessageError: Error, Hashable, Sendable {
  /// It is not JSON in UTF-8.
  case notJSON
  /// Arrays and objects are nested deeper than `PluginProtocol.Limits.depth`.
  case tooDeep
  /// It has more than `PluginProtocol.Limits.values` values.
  case tooMany
  /// It is a batch, which the protocol does not support.
  case batch
  /// It is JSON but not a JSON-RPC 2.0 message; with its id, if it has one.
  case notMessage(id: RequestID?)
}

package enum Message: Hashable, Sendable {
  /// A request, which must be answered; its parameters are an object.
  case request(id: RequestID, method: String, params: JSONTree)
  /// A notification, which is not answered; its parameters are an object.
  case notification(method: String, params: JSONTree)
  /// A successful response.
  case response(id: RequestID, result: JSONTree)
  /// An error response; without an id if the request could not be parsed.
  case failure(id: RequestID?, error: ErrorObject)

  private static let lineFeed = UInt8(ascii: "\n")

  /// Parses a line without its line feed.
  ///
  /// - Throws: `MessageError`.
  package init(parsing line: some Collection<UInt8>) throws(MessageError) {
    // JSON allows a line feed between tokens, but a message must be a single line.
    let isSplit =
      line.withContiguousStorageIfAvailable { $0.contains(Self.lineFeed) } ?? line.contains(Self.lineFeed)
    if isSplit { throw .notJSON }
    var first: UInt8 = 0
    var members: [String: JSONTree] = [:]
    do throws(JSONTree.Failure) {
      try JSONReader.read(
        line, maximumDepth: PluginProtocol.Limits.depth, maximumValues: PluginProtocol.Limits.values
      ) { reader throws(JSONTree.Failure) in
        first = try reader.peek()
        if first == UInt8(ascii: "{") {
          try reader.object { name, reader throws(JSONTree.Failure) in members[name] = try reader.tree() }
        } else {
          _ = try reader.tree()
        }
      }
    } catch {
      switch error {
      case .malformed: throw .notJSON
      case .tooDeep: throw .tooDeep
      case .tooMany: throw .tooMany
      }
    }
    if first == UInt8(ascii: "[") { throw .batch }
    try self.init(members)
  }

  private init(_ members: [String: JSONTree]) throws(MessageError) {
    let id = RequestID(members["id"])
    let wrong = MessageError.notMessage(id: id)
    guard members["jsonrpc"] == .string("2.0") else { throw wrong }
    let params = members["params"]
    switch (members["method"], members["result"], members["error"]) {
    case (let method?, nil, nil):
      let params = params ?? .object([:])
      guard let name = method.string, params.isObject else { throw wrong }
      if members["id"] == nil {
        self = .notification(method: name, params: params)
      } else {
        guard let id else { throw wrong }
        self = .request(id: id, method: name, params: params)
      }
    case (nil, let result?, nil):
      guard let id, params == nil else { throw wrong }
      self = .response(id: id, result: result)
    case (nil, nil, let error?):
      guard params == nil, id != nil || members["id"] == .null,
        let object = try? error.decode(ErrorObject.self)
      else {
        throw wrong
      }
      self = .failure(id: id, error: object)
    default: throw wrong
    }
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
        writer.member("params") { $0.write(params) }
      case .notification(let method, let params):
        writer.member("method") { $0.write(method) }
        writer.member("params") { $0.write(params) }
      case .response(let id, let result):
        writer.member("id") { $0.write(id.tree) }
        writer.member("result") { $0.write(result) }
      case .failure(let id, let error):
        writer.member("id") { $0.write(id?.tree ?? .null) }
        writer.member("error") { $0.write((try? JSONTree(encoding: error)) ?? .object([:])) }
      }
    }
    return writer.bytes + [Self.lineFeed]
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
