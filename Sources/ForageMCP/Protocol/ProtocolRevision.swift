import ForageCore

/// The revisions of the Model Context Protocol that the server speaks.
enum ProtocolRevision {
  /// The stateless revision: each request carries its version and the client's capabilities.
  static let current = "2026-07-28"
  /// The revisions that begin with `initialize`, newest first.
  static let handshake = ["2025-11-25", "2025-06-18"]

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
    guard meta?[prefix + "clientCapabilities"]?.object != nil else {
      throw RPCError(.invalidParams, "params._meta needs \(prefix)clientCapabilities, an object")
    }
    return .stateless
  }

  /// The metadata that names the server in a result.
  static func serverMeta(_ info: JSONTree) -> JSONTree { .object([prefix + "serverInfo": info]) }
}
