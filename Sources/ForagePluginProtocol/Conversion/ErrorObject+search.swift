package import ForageCore

extension ErrorObject {
  /// Describes why a search failed.
  package init(_ error: SearchError) {
    self.init(
      ErrorCode(error.code), error.message,
      data: ErrorData(
        retryable: Self.retryable.contains(error.code), retryAfterMs: error.retryAfterMilliseconds,
        hint: error.hint.isEmpty ? nil : error.hint, reason: error.code.rawValue))
  }

  /// What may be over when it is tried again.
  private static let retryable: Set<SearchError.Code> = [
    .unreachable, .connectionLost, .timeout, .rateLimited, .serverError, .circuitOpen, .offline,
  ]
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
  /// The error that a plugin has answered with.
  ///
  /// - Parameter name: What a person calls the plugin or its provider.
  package init(_ object: ErrorObject, from name: String) {
    let (code, hint) = Self.meaning(object.code)
    // A finer cause is believed where it belongs to the code.
    let finer = object.data?.reason.map { Code(rawValue: $0) }
    let text = PluginProtocol.Limits.shortened(object.message)
    self.init(
      finer.map { ErrorCode($0) == object.code && Self.known.contains($0) } == true ? finer ?? code : code,
      text.isEmpty ? "\(name) failed with error \(object.code.rawValue)" : "\(name) says: \(text)",
      hint: object.data?.hint.map(PluginProtocol.Limits.shortened) ?? hint,
      retryAfterMilliseconds: object.data?.retryAfterMs.map { min(max(0, $0), Self.longestWait) })
  }

  /// Milliseconds that a plugin can ask to be left alone: a day, after which limits have ended.
  private static let longestWait = 86_400_000

  /// The causes that belong to `ErrorCode.upstream` and to the others that are shared.
  private static let known: Set<Code> = [
    .unreachable, .connectionLost, .tls, .notFound, .unavailable, .offline, .circuitOpen, .serverError,
    .invalidResponse, .responseTooLarge, .redirect, .local, .forbidden, .unauthorized, .invalidQuery,
    .unsupportedQuery,
  ]

  private static func meaning(_ code: ErrorCode) -> (Code, hint: String) {
    switch code {
    case .cancelled: (.cancelled, "run it again")
    case .unauthorized: (.unauthorized, "check the secrets of the plugin in the settings")
    case .rateLimited: (.rateLimited, "wait until the limit is over")
    case .upstream: (.serverError, "try again later")
    case .unsupportedQuery: (.unsupportedQuery, "ask in other words, or leave the provider out")
    case .badCursor: (.invalidCursor, "begin the search again")
    case .deadline: (.timeout, "give it more time with --timeout")
    case .configuration: (.configuration, "check the settings of the plugin")
    case .methodNotFound: (.unsupportedQuery, "the plugin does not have what it declares; tell its author")
    default: (.invalidResponse, "this is a fault of the plugin; tell its author")
    }
  }
}
