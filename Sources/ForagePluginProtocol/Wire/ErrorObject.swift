/// Why a request failed.
public struct ErrorObject: Error, Codable, Hashable, Sendable {
  /// What went wrong, for programs.
  public var code: ErrorCode
  /// What happened, a sentence without a full stop.
  public var message: String
  /// What else there is to say.
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
    // What is said in another form than this one knows is no reason to lose the error.
    data = try? container.decodeIfPresent(ErrorData.self, forKey: .data)
  }
}

/// What went wrong; open, because programs have codes of their own.
public struct ErrorCode: RawRepresentable, Codable, Hashable, Sendable {
  /// The number in the message.
  public let rawValue: Int

  /// Creates a code.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The request was cancelled.
  public static let cancelled = ErrorCode(rawValue: 1001)
  /// The credential is missing or was refused.
  public static let unauthorized = ErrorCode(rawValue: 1002)
  /// A rate limit is spent; `data.retryAfterMs` tells for how long.
  public static let rateLimited = ErrorCode(rawValue: 1003)
  /// What the plugin asks has failed.
  public static let upstream = ErrorCode(rawValue: 1004)
  /// The query cannot be answered by this provider.
  public static let unsupportedQuery = ErrorCode(rawValue: 1005)
  /// The cursor cannot be continued.
  public static let badCursor = ErrorCode(rawValue: 1006)
  /// The deadline passed.
  public static let deadline = ErrorCode(rawValue: 1007)
  /// A setting is wrong.
  public static let configuration = ErrorCode(rawValue: 1008)
  /// The line is no JSON (JSON-RPC 2.0).
  public static let parseError = ErrorCode(rawValue: -32_700)
  /// The line is no request (JSON-RPC 2.0).
  public static let invalidRequest = ErrorCode(rawValue: -32_600)
  /// There is no such method (JSON-RPC 2.0).
  public static let methodNotFound = ErrorCode(rawValue: -32_601)
  /// The parameters are not those of the method (JSON-RPC 2.0).
  public static let invalidParams = ErrorCode(rawValue: -32_602)
  /// The plugin itself has failed (JSON-RPC 2.0).
  public static let internalError = ErrorCode(rawValue: -32_603)
}

/// What there is to say of an error beside its code.
public struct ErrorData: Codable, Hashable, Sendable {
  /// Whether the same request may succeed later.
  public var retryable: Bool?
  /// Milliseconds after which to try again.
  public var retryAfterMs: Int?
  /// What to do about it, a part of a sentence.
  public var hint: String?
  /// The cause in `snake_case`, finer than the code: `unreachable`, `tls`, `server_error`.
  public var reason: String?

  /// Creates data.
  public init(retryable: Bool? = nil, retryAfterMs: Int? = nil, hint: String? = nil, reason: String? = nil) {
    self.retryable = retryable
    self.retryAfterMs = retryAfterMs
    self.hint = hint
    self.reason = reason
  }
}
