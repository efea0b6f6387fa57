import ForageCore
import ForagePluginProtocol

enum RPCMessage: Sendable {
  case request(id: RequestID, method: String, params: JSONTree?)
  case notification(method: String, params: JSONTree?)
  /// A response; the server sends no requests, so it is ignored.
  case response

  /// The maximum number of values of a message, which bounds the memory of its tree.
  private static let maximumValues = 100_000

  /// Reads a message.
  ///
  /// - Throws: `RPCError` with the id of the message where it could be read.
  init(_ bytes: [UInt8]) throws(RPCError) {
    let tree: JSONTree
    do throws(JSONTree.Failure) {
      tree = try JSONTree(parsing: bytes, maximumValues: Self.maximumValues)
    } catch {
      switch error {
      case .malformed: throw RPCError(.parse, "the message is not valid JSON")
      case .tooDeep: throw RPCError(.invalidRequest, "the message is nested too deeply")
      case .tooMany: throw RPCError(.invalidRequest, "the message has too many values")
      }
    }
    guard let members = tree.object else {
      throw RPCError(.invalidRequest, "a message is one JSON object; batches are not supported")
    }
    let id = RequestID(members["id"])
    guard members["jsonrpc"] == .string("2.0") else {
      throw RPCError(.invalidRequest, "\"jsonrpc\" must be \"2.0\"", id: id)
    }
    guard let method = members["method"] else {
      guard members["result"] != nil || members["error"] != nil else {
        throw RPCError(.invalidRequest, "the message has no method", id: id)
      }
      self = .response
      return
    }
    guard case .string(let name) = method else {
      throw RPCError(.invalidRequest, "\"method\" must be a string", id: id)
    }
    let params = members["params"].flatMap { $0 == .null ? nil : $0 }
    if let params, !params.isObject {
      throw RPCError(.invalidParams, "\"params\" must be an object", id: id)
    }
    if let id {
      self = .request(id: id, method: name, params: params)
    } else if members["id"] != nil {
      throw RPCError(.invalidRequest, "an id is a string or a whole number")
    } else {
      self = .notification(method: name, params: params)
    }
  }
}

/// An error response (JSON-RPC 2.0).
struct RPCError: Error, Sendable {
  /// The codes of JSON-RPC 2.0 and of the Model Context Protocol, revision 2026-07-28.
  enum Code: Int, Sendable {
    case parse = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case unsupportedProtocolVersion = -32022
  }

  var code: Code
  var message: String
  var data: JSONTree?
  /// The request; `nil` where it could not be read.
  var id: RequestID?

  init(_ code: Code, _ message: String, data: JSONTree? = nil, id: RequestID? = nil) {
    (self.code, self.message, self.data, self.id) = (code, message, data, id)
  }

  func response(to id: RequestID?) -> JSONTree {
    var error: [String: JSONTree] = ["code": .integer(code.rawValue), "message": .string(message)]
    error["data"] = data
    var members: [String: JSONTree] = ["jsonrpc": .string("2.0"), "error": .object(error)]
    // JSON-RPC 2.0 asks for null where a message could not be parsed.
    members["id"] = (id ?? self.id)?.tree ?? (code == .parse ? .null : nil)
    return .object(members)
  }
}

/// The revisions of the Model Context Protocol that the server speaks.
enum ProtocolRevision {
  /// The stateless revision: each request carries its version and the client's capabilities.
  static let current = "2026-07-28"
  /// The revisions that begin with `initialize`, newest first.
  static let handshake = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

  private static let prefix = "io.modelcontextprotocol/"

  /// How a request is to be answered.
  enum Era: Hashable, Sendable {
    /// Results have a type, lists say how long they may be kept.
    case stateless
    /// Results are as in the revisions with `initialize`.
    case handshake
  }

  /// Whether a request carries a version, which those of the revisions with `initialize` do not.
  static func isNamed(in params: JSONTree?) -> Bool { params?["_meta"]?[prefix + "protocolVersion"] != nil }

  /// Finds the era of a request.
  ///
  /// - Parameter isInitialized: Whether the client has sent `initialize`.
  /// - Throws: `RPCError` for missing or unsupported metadata.
  static func era(of params: JSONTree?, isInitialized: Bool) throws(RPCError) -> Era {
    let meta = params?["_meta"]
    guard let version = meta?[prefix + "protocolVersion"] else {
      if isInitialized { return .handshake }
      throw RPCError(
        .invalidParams,
        "params._meta needs \(prefix)protocolVersion (\(current)); clients of earlier revisions send initialize first"
      )
    }
    guard case .string(let text) = version else {
      throw RPCError(.invalidParams, "\(prefix)protocolVersion must be a string")
    }
    guard text == current else {
      throw RPCError(
        .unsupportedProtocolVersion, "unsupported protocol version",
        data: .object(["supported": .array([.string(current)]), "requested": .string(text)]))
    }
    guard meta?[prefix + "clientCapabilities"]?.isObject == true else {
      throw RPCError(.invalidParams, "params._meta needs \(prefix)clientCapabilities, an object")
    }
    return .stateless
  }

  /// The metadata that names the server in a result.
  static func serverMeta(_ info: JSONTree) -> JSONTree { .object([prefix + "serverInfo": info]) }
}
