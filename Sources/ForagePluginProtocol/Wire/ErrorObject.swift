/// Why a request failed.
public struct ErrorObject: Error, Codable, Hashable, Sendable {
  /// The error code.
  public var code: ErrorCode
  /// A phrase without a full stop that says what happened.
  public var message: String
  /// Details.
  public var data: ErrorData?

  /// Creates an error.
  public init(_ code: ErrorCode, _ message: String, data: ErrorData? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    code = try container.decode(ErrorCode.self, forKey: .code)
    message = try container.decodeIfPresent(String.self, forKey: .message) ?? ""
    // Data of another form must not invalidate the error.
    data = try? container.decodeIfPresent(ErrorData.self, forKey: .data)
  }
}

/// A JSON-RPC error code. Programs can use their own codes.
public struct ErrorCode: RawRepresentable, Codable, Hashable, Sendable {
  /// The number in the message.
  public let rawValue: Int

  /// Creates a code.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The request was cancelled.
  public static let cancelled = ErrorCode(rawValue: 1001)
  /// A credential is missing or was refused.
  public static let unauthorized = ErrorCode(rawValue: 1002)
  /// A rate limit is exceeded; `data.retryAfterMs` says for how long.
  public static let rateLimited = ErrorCode(rawValue: 1003)
  /// The service behind the plugin failed.
  public static let upstream = ErrorCode(rawValue: 1004)
  /// The provider does not support the query.
  public static let unsupportedQuery = ErrorCode(rawValue: 1005)
  /// The cursor is invalid.
  public static let badCursor = ErrorCode(rawValue: 1006)
  /// The deadline passed.
  public static let deadline = ErrorCode(rawValue: 1007)
  /// A setting is invalid.
  public static let configuration = ErrorCode(rawValue: 1008)
  /// The line is not JSON (JSON-RPC 2.0).
  public static let parseError = ErrorCode(rawValue: -32_700)
  /// The line is not a request (JSON-RPC 2.0).
  public static let invalidRequest = ErrorCode(rawValue: -32_600)
  /// The method does not exist (JSON-RPC 2.0).
  public static let methodNotFound = ErrorCode(rawValue: -32_601)
  /// The parameters are invalid for the method (JSON-RPC 2.0).
  public static let invalidParams = ErrorCode(rawValue: -32_602)
  /// The plugin failed (JSON-RPC 2.0).
  public static let internalError = ErrorCode(rawValue: -32_603)
}

/// Details of an error.
public struct ErrorData: Codable, Hashable, Sendable {
  /// Milliseconds after which to retry, for `rateLimited`.
  public var retryAfterMs: Double?
  /// A phrase without a full stop that says what to do.
  public var hint: String?
  /// The cause in `snake_case`, more specific than the code: `unreachable`, `tls`, `server_error`.
  public var reason: String?

  /// Creates details.
  public init(retryAfterMs: Double? = nil, hint: String? = nil, reason: String? = nil) {
    self.retryAfterMs = retryAfterMs
    self.hint = hint
    self.reason = reason
  }
}
