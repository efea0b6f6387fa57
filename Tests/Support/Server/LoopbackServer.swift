import ForagePlatform
import Synchronization

/// A real HTTP/1.1 server on a free port of 127.0.0.1 or ::1 whose answers are scripted byte for byte.
///
/// Requests are parsed properly and recorded; connections are kept alive; TLS is optional. Stop it with
/// `stop()`, or use `withServer`; a forgotten server stops when its value goes away.
public final class LoopbackServer: Sendable {
  /// Answers one request; called on the thread of the connection, for several connections at once.
  public typealias Handler = @Sendable (RecordedRequest) -> ScriptedResponse

  /// The port.
  public let port: Int
  /// The address as a URL has it.
  private let host: String
  /// True when it speaks TLS.
  public let isTLS: Bool
  private let log: Log
  /// The stack of a thread in bytes; a handler runs on it.
  private static let stackSize = 1 << 20

  /// What the threads of the server share.
  final class Log: Sendable {
    struct State {
      var requests: [RecordedRequest] = []
      var connections = 0
      /// The sockets of the open connections, by the numbers of the connections.
      var open: [Int: Int32] = [:]
      /// What is closed to stop the server; nil once it is.
      var stopPipe: Int32?
      /// False once the port is closed.
      var isListening = true
      /// Who waits for the end of all threads.
      var waiting: [CheckedContinuation<Void, Never>] = []
    }
    let state: Mutex<State>

    init(stopPipe: Int32) { state = Mutex(State(stopPipe: stopPipe)) }

    /// The number of a new connection; nil if the server stops, after which the socket is closed.
    func begin(_ socket: Int32) -> Int? {
      state.withLock { state in
        guard state.stopPipe != nil else {
          close(socket)
          return nil
        }
        state.connections += 1
        state.open[state.connections] = socket
        return state.connections
      }
    }

    /// Makes a change, such as the last one of a thread, after which the server may have ended.
    func update(_ change: (inout sending State) -> Void) {
      let ended = state.withLock { state in
        change(&state)
        guard !state.isListening, state.open.isEmpty else { return [CheckedContinuation<Void, Never>]() }
        defer { state.waiting = [] }
        return state.waiting
      }
      for waiting in ended { waiting.resume() }
    }

    /// Makes all threads end soon.
    func stop() {
      state.withLock { state in
        state.stopPipe.map { _ = close($0) }
        state.stopPipe = nil
        for socket in state.open.values { shutdown(socket, Int32(SHUT_RDWR)) }
      }
    }
  }

  /// Binds a port and begins to answer.
  ///
  /// - Parameters:
  ///   - tls: certificate and key; nil: plain HTTP.
  ///   - isIPv6: whether it listens on ::1.
  ///   - http2Body: the body of every answer of a server of HTTP/2, which needs `tls`; nil: HTTP/1.1.
  ///   - handler: makes the answer of every request of HTTP/1.1.
  /// - Throws: `SupportError` when it cannot bind or use the certificate.
  public static func start(
    tls: TLSFiles? = nil, isIPv6: Bool = false, http2Body: String? = nil, handler: @escaping Handler
  ) async throws -> LoopbackServer {
    let context = try tls.map { files throws(SupportError) in
      try TLSContext(files, isHTTP2: http2Body != nil)
    }
    let port = try ServerPort(isIPv6: isIPv6)
    let log = Log(stopPipe: port.stopPipe)
    @Sendable func serve(_ socket: ConnectionSocket, _ id: Int) throws(ConnectionClosed) {
      try socket.accept()
      if let http2Body {
        var connection = HTTP2Connection(socket: socket, id: id, log: log, body: Array(http2Body.utf8))
        return try connection.serve()
      }
      let connection = LoopbackConnection(
        socket: socket, id: id, isTLS: context != nil, log: log, handler: handler)
      try connection.serve()
    }
    startThread {
      port.accept { socket in
        guard let id = log.begin(socket) else { return }
        startThread {
          // The client sees what went wrong; here an error only ends the connection.
          try? serve(ConnectionSocket(socket, context: context), id)
          log.update { $0.open.removeValue(forKey: id).map { _ = close($0) } }
        }
      }
      log.update { $0.isListening = false }
    }
    return LoopbackServer(
      host: isIPv6 ? "[::1]" : "127.0.0.1", port: port.number, isTLS: context != nil, log: log)
  }

  private init(host: String, port: Int, isTLS: Bool, log: Log) {
    self.host = host
    self.port = port
    self.isTLS = isTLS
    self.log = log
  }

  deinit { log.stop() }

  /// Starts a thread whose calls no signal interrupts; a write to a client that has gone fails, without
  /// `SIGPIPE`.
  private static func startThread(_ body: @escaping @Sendable () -> Void) {
    OwnThread.start(stackSize: stackSize) {
      var signals = sigset_t()
      sigfillset(&signals)
      for crash in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] { sigdelset(&signals, crash) }
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      body()
    }
  }

  /// The server's address without a slash at the end, for example `http://127.0.0.1:4711`.
  public var baseURL: String { "\(isTLS ? "https" : "http")://\(host):\(port)" }

  /// Every request so far, in the order in which they were complete.
  public var requests: [RecordedRequest] { log.state.withLock { $0.requests } }

  /// How many connections were accepted so far.
  public var connectionCount: Int { log.state.withLock { $0.connections } }

  /// How many connections are open now.
  public var openConnections: Int { log.state.withLock { $0.open.count } }

  /// Forgets the requests so far; connections go on counting.
  public func forgetRequests() { log.state.withLock { $0.requests = [] } }

  /// Closes every connection and the port, and waits until that is done.
  public func stop() async {
    log.stop()
    await withCheckedContinuation { waiting in log.update { $0.waiting.append(waiting) } }
  }
}

/// Runs a body with a server that is stopped afterwards, whatever happens.
public func withServer<Result>(
  tls: TLSFiles? = nil, isIPv6: Bool = false, http2Body: String? = nil,
  handler: @escaping LoopbackServer.Handler, _ body: (LoopbackServer) async throws -> Result
) async throws -> Result {
  let server = try await LoopbackServer.start(
    tls: tls, isIPv6: isIPv6, http2Body: http2Body, handler: handler)
  do {
    let result = try await body(server)
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}
