import ForageCore
public import ForagePluginProtocol
import Synchronization

/// Sends HTTP requests through the host, which has the cache, limits, proxies and redirects, and adds the
/// secret that `plugin.json` names in `auth`; the plugin does not get it.
///
/// ```swift
/// let answer = try await settings.http.get("https://api.acme.example/search?q=parser", cacheSeconds: 60)
/// guard answer.status == 200 else { throw SearchError(.serverError, "status \(answer.status)") }
/// ```
///
/// The host sends them only while the plugin answers one of its requests, and only to the `hosts` of
/// `plugin.json`.
public struct HostHTTP: Sendable {
  /// The host's request that is being answered, and what asks the host.
  struct Current: Sendable {
    var request: RequestID
    var requests: HostRequests
  }

  /// `nil` outside of the answer to a request of the host.
  @TaskLocal static var current: Current?

  /// Reads an address.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - headers: Header fields by name.
  ///   - cacheSeconds: How long an answer may be used again; `nil` for an answer that is asked for each time.
  /// - Returns: The server's answer, whatever its status.
  /// - Throws: `SearchError` for a request that the host does not send, and where there is no answer.
  public func get(_ url: String, headers: [String: String] = [:], cacheSeconds: Double? = nil) async throws
    -> HTTPResult
  {
    try await send(url, "GET", headers, body: nil, cacheSeconds: cacheSeconds)
  }

  /// Sends a body by `POST`.
  ///
  /// - Parameters:
  ///   - url: The address.
  ///   - body: The body.
  ///   - headers: Header fields by name.
  /// - Returns: The server's answer, whatever its status.
  /// - Throws: As ``get(_:headers:cacheSeconds:)``.
  public func post(_ url: String, body: String, headers: [String: String] = [:]) async throws -> HTTPResult {
    try await send(url, "POST", headers, body: body, cacheSeconds: nil)
  }

  private func send(
    _ url: String, _ method: String, _ headers: [String: String], body: String?, cacheSeconds: Double?
  ) async throws -> HTTPResult {
    guard let current = Self.current else {
      throw SearchError(.local, "the host sends requests only while one of its own is answered")
    }
    return try await current.requests.ask(
      HTTPParams(
        id: current.request, url: url, method: method, headers: headers, body: body,
        cacheSeconds: cacheSeconds))
  }
}

/// The requests to the host that are not answered.
final class HostRequests: Sendable {
  private struct State {
    var number = 0
    var waiting: [RequestID: CheckedContinuation<JSONTree, any Error>] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  private let send: @Sendable ([UInt8]) -> Void

  init(send: @escaping @Sendable ([UInt8]) -> Void) { self.send = send }

  /// Asks the host, and waits for its answer.
  func ask(_ params: HTTPParams) async throws -> HTTPResult {
    let tree = try JSONTree(encoding: params)
    let answer = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<JSONTree, any Error>) in
      let id = state.withLock { state -> RequestID? in
        if state.isClosed { return nil }
        state.number += 1
        let id = RequestID.text("http-\(state.number)")
        state.waiting[id] = continuation
        return id
      }
      guard let id else { return continuation.resume(throwing: CancellationError()) }
      send(Message.request(id: id, method: PluginProtocol.Method.http, params: tree).line)
    }
    return try answer.decode()
  }

  /// Takes the host's answer to a request; any other is ignored.
  func take(_ id: RequestID?, _ answer: Result<JSONTree, any Error>) {
    guard let id else { return }
    state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(with: answer)
  }

  /// Ends all that wait: the host has closed the connection.
  func close() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.isClosed = true
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume(throwing: CancellationError()) }
  }
}
