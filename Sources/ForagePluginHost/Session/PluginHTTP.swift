import ForageCore
package import ForagePluginProtocol
import Synchronization

/// A request that the host sends for a plugin.
package struct PluginHTTPRequest: Sendable {
  /// The parameters of the request.
  package var params: HTTPParams
  /// The id of the plugin.
  package var plugin: String
  /// The hosts that it declares.
  package var hosts: [String]
  /// The secret that is added, with the header field for it; `nil` for none.
  package var secret: (auth: PluginManifest.Auth, value: String)?
  package var deadline: ContinuousClock.Instant

  package init(
    _ params: HTTPParams, plugin: String, hosts: [String],
    secret: (auth: PluginManifest.Auth, value: String)? = nil, deadline: ContinuousClock.Instant
  ) {
    (self.params, self.plugin, self.hosts) = (params, plugin, hosts)
    (self.secret, self.deadline) = (secret, deadline)
  }
}

/// Sends a request for a plugin; what it returns has no secret in it.
package typealias PluginHTTP = @Sendable (PluginHTTPRequest) async throws -> HTTPResult

extension PluginConnection {
  /// Answers a request of the plugin to the host.
  func serve(_ id: RequestID, _ method: String, _ tree: JSONTree) {
    guard method == PluginProtocol.Method.http else {
      let error = ErrorObject(.methodNotFound, "the host has no method \(Self.shown(method.utf8))")
      send(.failure(id: id, error: error))
      return protocolViolation("sent a request to the host that it does not know")
    }
    let params: HTTPParams
    do { params = try tree.decode() } catch {
      let fault = "sent a request http " + Self.fault(error, in: tree)
      send(.failure(id: id, error: ErrorObject(.invalidParams, "the request " + fault)))
      return protocolViolation(fault)
    }
    let call = state.withLock { state -> PendingCall? in
      guard case .number(let ticket) = params.id, state.calls[ticket]?.isSent == true else { return nil }
      state.calls[ticket]?.requests += 1
      return state.calls[ticket]
    }
    guard let call, call.finish != nil else {
      let error = ErrorObject(.cancelled, "the request of the host with this id is not pending")
      return send(.failure(id: id, error: error))
    }
    guard call.requests <= PluginProtocol.Limits.httpRequests else {
      let most = PluginProtocol.Limits.httpRequests
      let error = ErrorObject(.rateLimited, "more than \(most) requests for one page")
      return send(.failure(id: id, error: error))
    }
    Task { [http, redaction] in
      do {
        let result = try await (call.call.counter ?? RequestCounter()).counting {
          try await http(params, call.call.deadline)
        }
        send(.response(id: id, result: try JSONTree(encoding: result)))
      } catch {
        var error = error as? SearchError ?? SearchError(.other, "the request failed")
        error.message = redaction.redacted(error.message)
        send(.failure(id: id, error: ErrorObject(error)))
      }
    }
  }
}
