import ForageCore
import ForagePluginProtocol
import Synchronization

/// Answers the requests of the host, each exactly once.
final class ServerSession: Sendable {
  /// The providers by their ids.
  struct Ready: Sendable {
    var providers: [String: any SearchProvider] = [:]

    /// Checks that the providers have valid and distinct ids.
    init(_ made: [any SearchProvider]) throws(ErrorObject) {
      for provider in made {
        let id = provider.info.id
        guard ProviderInfo.isID(id) else {
          throw ErrorObject(.internalError, "\"\(id)\" is not a valid provider id")
        }
        guard providers.updateValue(provider, forKey: id) == nil else {
          throw ErrorObject(.internalError, "the plugin has two providers with the id \"\(id)\"")
        }
      }
    }
  }

  private struct State {
    var opening: Task<Ready, any Error>?
    var running: [RequestID: Task<Void, Never>] = [:]
    var waitsForEnd: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let version: String
  private let makeProviders: PluginServer.MakeProviders
  private let send: @Sendable ([UInt8]) -> Void
  private let reader = Mutex(LineReader(limit: PluginProtocol.Limits.hostLine))
  private let requests: HostRequests

  init(
    version: String, makeProviders: @escaping PluginServer.MakeProviders,
    send: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.version = version
    self.makeProviders = makeProviders
    self.send = send
    requests = HostRequests(send: send)
  }

  // MARK: Input

  /// Processes received bytes.
  ///
  /// - Returns: Whether the stream can be read further.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    do throws(FrameError) {
      try reader.withLock { reader throws(FrameError) in try reader.append(bytes, take) }
      return true
    } catch {
      fail(nil, ErrorObject(.invalidRequest, "a line is longer than \(PluginProtocol.Limits.hostLine) bytes"))
      return false
    }
  }

  private func take(_ line: UnsafeBufferPointer<UInt8>) {
    do throws(MessageError) {
      switch try Message(parsing: line) {
      case .request(let id, let method, let params): begin(id, method, params)
      case .notification(PluginProtocol.Method.cancel, let params):
        if let params = try? params.decode(CancelParams.self) { cancel(params.id) }
      case .response(let id, let result): requests.take(id, .success(result))
      case .failure(let id, let error): requests.take(id, .failure(SearchError(error, from: "")))
      // This version has no other notifications to the plugin.
      case .notification: break
      }
    } catch {
      switch error {
      case .notJSON: fail(nil, ErrorObject(.parseError, "the line is not valid JSON in UTF-8"))
      case .tooDeep: fail(nil, ErrorObject(.parseError, "the line is nested too deeply"))
      case .tooMany: fail(nil, ErrorObject(.parseError, "the line has too many values"))
      case .batch: fail(nil, ErrorObject(.invalidRequest, "batches are not supported"))
      case .notMessage(let id):
        fail(id, ErrorObject(.invalidRequest, "the line is not a JSON-RPC 2.0 message"))
      }
    }
  }

  private func begin(_ id: RequestID, _ method: String, _ params: JSONTree) {
    let refusal: ErrorObject? = state.withLock { state in
      if state.running[id] != nil {
        return ErrorObject(.invalidRequest, "the id is used by a pending request")
      }
      if method == PluginProtocol.Method.initialize {
        if state.opening != nil { return ErrorObject(.invalidRequest, "the plugin is already initialized") }
        // The response is sent within the task that other requests wait for, so that it precedes theirs.
        let opening = Task { try await self.open(id, params) }
        state.opening = opening
        state.running[id] = Task { _ = await opening.result }
        return nil
      }
      guard let opening = state.opening else {
        return ErrorObject(.invalidRequest, "the first request must be initialize")
      }
      state.running[id] = Task { await self.answer(id, method, params, opening) }
      return nil
    }
    if let refusal { fail(id, refusal) }
  }

  // MARK: Answering

  /// Creates the providers and responds to `initialize`.
  private func open(_ id: RequestID, _ params: JSONTree) async throws -> Ready {
    do {
      guard params["protocol"]?.integer == PluginProtocol.version else {
        throw ErrorObject(
          .unsupportedQuery, "the plugin supports only version \(PluginProtocol.version) of the protocol")
      }
      guard let params = try? params.decode(InitializeParams.self) else {
        throw ErrorObject(.invalidParams, "invalid parameters for initialize")
      }
      let ready = try await Ready(
        makeProviders(PluginSettings(config: params.config, secrets: params.secrets)))
      let result = InitializeResult(version: version)
      finish(id, Message.response(id: id, result: try JSONTree(encoding: result)).line)
      return ready
    } catch {
      finish(id, Message.failure(id: id, error: ErrorObject(whatever: error)).line)
      throw error
    }
  }

  private func answer(
    _ id: RequestID, _ method: String, _ params: JSONTree, _ opening: Task<Ready, any Error>
  ) async {
    do {
      let call = try ProviderCall(method, params)
      let lines = try await Deadline.run(until: call.deadline) { [requests] in
        let ready = try await opening.value
        guard let provider = ready.providers[call.provider] else {
          throw ErrorObject(.invalidParams, "unknown provider \"\(call.provider)\"")
        }
        return try await HostHTTP.$current.withValue(HostHTTP.Current(request: id, requests: requests)) {
          try await call.lines(for: id, from: provider)
        }
      }
      guard let lines else {
        throw ErrorObject(.deadline, "the deadline passed")
      }
      finish(id, lines)
    } catch {
      finish(id, Message.failure(id: id, error: ErrorObject(whatever: error)).line)
    }
  }

  private func cancel(_ id: RequestID) {
    end(id, ErrorObject(.cancelled, "the request was cancelled"))
  }

  /// Answers a request with an error, even if the provider does not react to cancellation.
  private func end(_ id: RequestID, _ error: ErrorObject) {
    guard let task = state.withLock({ $0.running[id] }) else { return }
    task.cancel()
    finish(id, Message.failure(id: id, error: error).line)
  }

  /// Sends the last lines of a request, unless it was answered before.
  private func finish(_ id: RequestID, _ lines: [UInt8]) {
    let (isFirst, waiter) = state.withLock { state in
      guard state.running.removeValue(forKey: id) != nil else {
        return (false, CheckedContinuation<Void, Never>?.none)
      }
      // Within the lock, so that `finish` cannot return before the answers are sent.
      send(lines)
      guard state.running.isEmpty else { return (true, nil) }
      defer { state.waitsForEnd = nil }
      return (true, state.waitsForEnd)
    }
    if isFirst { waiter?.resume() }
  }

  private func fail(_ id: RequestID?, _ error: ErrorObject) {
    send(Message.failure(id: id, error: error).line)
  }

  // MARK: End

  /// Waits until all requests are answered. Those still pending after the grace period are answered as
  /// cancelled.
  func finish(within grace: Duration) async {
    requests.close()
    let timer = Task {
      try await Task.sleep(for: grace)
      for id in state.withLock({ Array($0.running.keys) }) { cancel(id) }
    }
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.running.isEmpty { return true }
        state.waitsForEnd = continuation
        return false
      }
      if isOver { continuation.resume() }
    }
    timer.cancel()
  }
}

extension ErrorObject {
  init(whatever error: any Error) {
    switch error {
    case let error as ErrorObject: self = error
    case let error as SearchError: self.init(error)
    case is CancellationError: self.init(.cancelled, "the request was cancelled")
    default: self.init(.internalError, "\(error)")
    }
  }
}
