import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A real HTTP/1.1 server on a free port of 127.0.0.1 whose answers are scripted byte for byte.
///
/// Requests are parsed properly and recorded; connections are kept alive; TLS is optional. Stop it with
/// `stop()`, or use `withServer`; a forgotten server stops when its value goes away.
public final class LoopbackServer: Sendable {
  /// Answers one request; called off any actor, for several connections at once.
  public typealias Handler = @Sendable (RecordedRequest) -> ScriptedResponse

  /// The port on 127.0.0.1.
  public let port: Int
  /// True when it speaks TLS.
  public let isTLS: Bool
  private let log: Log
  private let channel: any Channel
  private let accepting: Task<Void, Never>

  /// What the connections record.
  final class Log: Sendable {
    struct State {
      var requests: [RecordedRequest] = []
      var connections = 0
      var open = 0
      var isStopped = false
      /// Every channel that is not yet closed, whether it is served or still waits to be.
      var channels: [ObjectIdentifier: NIOAsyncChannel<HTTPServerRequestPart, ByteBuffer>] = [:]
    }
    let state = Mutex(State())

    /// Holds a channel until it is closed: one that comes while the server stops is served by nobody, and must not be let go of before.
    func hold(_ connection: NIOAsyncChannel<HTTPServerRequestPart, ByteBuffer>) {
      let key = ObjectIdentifier(connection.channel)
      let isStopped = state.withLock { state in
        state.channels[key] = connection
        return state.isStopped
      }
      connection.channel.closeFuture.whenComplete { _ in
        // Let go outside the lock.
        withExtendedLifetime(self.state.withLock { $0.channels.removeValue(forKey: key) }) {}
      }
      if isStopped { connection.channel.close(promise: nil) }
    }

    /// Closes the channels that are there, and those that come.
    func stop() {
      let open = state.withLock { state in
        state.isStopped = true
        return state.channels.values.map(\.channel)
      }
      for channel in open { channel.close(promise: nil) }
    }
  }

  /// Binds a port and begins to answer.
  ///
  /// - Parameters:
  ///   - tls: certificate and key; nil: plain HTTP.
  ///   - handler: makes the answer of every request.
  /// - Throws: what NIO throws when it cannot bind or read the certificate.
  public static func start(tls: TLSFiles? = nil, handler: @escaping Handler) async throws -> LoopbackServer {
    let context = try tls.map(makeContext)
    let log = Log()
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(ChannelOptions.backlog, value: 256)
      .childChannelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
          try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
          let connection = try NIOAsyncChannel<HTTPServerRequestPart, ByteBuffer>(
            wrappingChannelSynchronously: channel)
          log.hold(connection)
          return connection
        }
      }
    guard let port = server.channel.localAddress?.port else {
      throw SupportError(code: .system, message: "the server has no port", hint: "run the test again")
    }
    let accepting = Task<Void, Never> {
      // Errors of one connection are the client's to see; an error of accepting ends the server.
      _ = try? await server.executeThenClose { inbound in
        try await withThrowingDiscardingTaskGroup { group in
          for try await connection in inbound {
            let id = log.state.withLock { state in
              state.connections += 1
              state.open += 1
              return state.connections
            }
            group.addTask {
              let serving = LoopbackConnection(
                connection: connection, id: id, isTLS: context != nil, log: log, handler: handler)
              await serving.serve()
              log.state.withLock { $0.open -= 1 }
            }
          }
        }
      }
    }
    return LoopbackServer(
      port: port, isTLS: context != nil, log: log, channel: server.channel, accepting: accepting)
  }

  private init(port: Int, isTLS: Bool, log: Log, channel: any Channel, accepting: Task<Void, Never>) {
    self.port = port
    self.isTLS = isTLS
    self.log = log
    self.channel = channel
    self.accepting = accepting
  }

  deinit {
    accepting.cancel()
    channel.close(promise: nil)
    log.stop()
  }

  private static func makeContext(_ files: TLSFiles) throws -> NIOSSLContext {
    let chain = try NIOSSLCertificate.fromPEMFile(files.certificate).map {
      NIOSSLCertificateSource.certificate($0)
    }
    let key = try NIOSSLPrivateKey(file: files.privateKey, format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain, privateKey: .privateKey(key))
    configuration.applicationProtocols = ["http/1.1"]
    return try NIOSSLContext(configuration: configuration)
  }

  /// The server's address without a slash at the end, for example `http://127.0.0.1:4711`.
  public var baseURL: String { "\(isTLS ? "https" : "http")://127.0.0.1:\(port)" }

  /// Every request so far, in the order in which they were complete.
  public var requests: [RecordedRequest] { log.state.withLock { $0.requests } }

  /// How many connections were accepted so far.
  public var connectionCount: Int { log.state.withLock { $0.connections } }

  /// How many connections are open now.
  public var openConnections: Int { log.state.withLock { $0.open } }

  /// Forgets the requests so far; connections go on counting.
  public func forgetRequests() { log.state.withLock { $0.requests = [] } }

  /// Closes every connection and the port, and waits until that is done.
  public func stop() async {
    accepting.cancel()
    channel.close(promise: nil)
    await accepting.value
    log.stop()
  }
}

/// Runs a body with a server that is stopped afterwards, whatever happens.
public func withServer<Result>(
  tls: TLSFiles? = nil, handler: @escaping LoopbackServer.Handler,
  _ body: (LoopbackServer) async throws -> Result
) async throws -> Result {
  let server = try await LoopbackServer.start(tls: tls, handler: handler)
  do {
    let result = try await body(server)
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}
