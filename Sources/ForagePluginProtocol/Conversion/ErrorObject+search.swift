package import ForageCore

extension ErrorObject {
  /// Creates the error object for a failed search.
  package init(_ error: SearchError) {
    self.init(
      ErrorCode(error.code), error.message,
      data: ErrorData(
        retryAfterMs: error.retryAfterMilliseconds.map(Double.init),
        hint: error.hint.isEmpty ? nil : error.hint, reason: error.code.rawValue))
  }
}

extension ErrorCode {
  fileprivate init(_ code: SearchError.Code) {
    self =
      switch code {
      case .cancelled: .cancelled
      case .unauthorized, .forbidden: .unauthorized
      case .rateLimited: .rateLimited
      case .unsupportedQuery, .invalidQuery: .unsupportedQuery
      case .invalidCursor: .badCursor
      case .timeout: .deadline
      case .configuration: .configuration
      default: .upstream
      }
  }
}

extension SearchError {
  /// Creates the error for an error object from a plugin.
  ///
  /// - Parameters:
  ///   - object: The error object.
  ///   - name: The display name of the plugin.
  ///   - isQuery: Whether a query was refused, and not the version of the protocol at the start.
  package init(_ object: ErrorObject, from name: String, isQuery: Bool = true) {
    var (code, hint) = Self.meaning(object.code)
    let isUnsupported = object.code == .unsupportedQuery
    if isUnsupported, !isQuery {
      (code, hint) = (.invalidResponse, "install a version of the plugin for this version of forage-plugin")
    }
    // The plugin's reason is used only if it is consistent with the code.
    let finer = object.data?.reason.map { Code(rawValue: $0) }
    let text = PluginProtocol.Limits.shortened(object.message)
    let said = isUnsupported && isQuery ? "does not support this query" : "reported"
    self.init(
      (isQuery || !isUnsupported)
        && finer.map { ErrorCode($0) == object.code && Self.known.contains($0) } == true
        ? finer ?? code : code,
      text.isEmpty
        ? "the plugin \(name) failed with error \(object.code.rawValue)"
        : text.hasPrefix(name) ? text : "the plugin \(name) \(said): \(text)",
      hint: object.data?.hint.map(PluginProtocol.Limits.shortened) ?? hint,
      retryAfterMilliseconds: object.data?.retryAfterMs.map {
        Int(min(max(0, $0), Self.longestWait).rounded(.up))
      })
  }

  /// The maximum of `retryAfterMs`: one day. Plugins compute it from seconds with a fraction.
  private static let longestWait = 86_400_000.0

  /// The reasons that are consistent with `ErrorCode.upstream` and other shared codes.
  private static let known: Set<Code> = [
    .unreachable, .connectionLost, .tls, .notFound, .unavailable, .offline, .circuitOpen, .serverError,
    .invalidResponse, .responseTooLarge, .redirect, .local, .forbidden, .unauthorized, .invalidQuery,
    .unsupportedQuery,
  ]

  private static func meaning(_ code: ErrorCode) -> (Code, hint: String) {
    switch code {
    case .cancelled: (.cancelled, "run the command again")
    case .unauthorized: (.unauthorized, "check the plugin's secrets in the configuration")
    case .rateLimited: (.rateLimited, "try again when the limit ends")
    case .upstream: (.serverError, "try again later")
    case .unsupportedQuery: (.unsupportedQuery, "change the query, or exclude the provider")
    case .badCursor: (.invalidCursor, "")
    case .deadline: (.timeout, "")
    case .configuration: (.configuration, "check the plugin's settings in the configuration")
    case .methodNotFound:
      (.unsupportedQuery, "the plugin does not implement what it declares; report this to its author")
    default: (.invalidResponse, "this is a fault of the plugin; report it to its author")
    }
  }
}
