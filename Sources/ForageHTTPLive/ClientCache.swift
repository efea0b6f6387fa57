import AsyncHTTPClient
import ForageHTTP
import NIOCore
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import Synchronization

/// Creates and keeps one HTTP client for each proxy.
final class ClientCache: Sendable {
  private let settings: NetworkSettings
  /// One thread serves all connections. It starts with the first client and ends with the process.
  static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let clients = Mutex<[String: HTTPClient]>([:])

  init(settings: NetworkSettings) { self.settings = settings }

  /// The client for a proxy; `nil` for direct connections.
  ///
  /// - Throws: `HTTPError` if the certificate file of the settings is unusable.
  func client(proxy: ProxyAddress?) throws -> HTTPClient {
    try clients.withLock { clients in
      let key = proxy?.key ?? ""
      if let client = clients[key] { return client }
      let client = HTTPClient(
        eventLoopGroupProvider: .shared(Self.group), configuration: try configuration(proxy: proxy))
      clients[key] = client
      return client
    }
  }

  deinit {
    let all = clients.withLock { Array($0.values) }
    guard !all.isEmpty else { return }
    // The library ends the process if a client is released before it is shut down.
    Task { for client in all { try? await client.shutdown() } }
  }

  /// Shuts every client down.
  func shutdown() async {
    let all = clients.withLock { clients in
      defer { clients = [:] }
      return Array(clients.values)
    }
    for client in all { try? await client.shutdown() }
  }

  private func configuration(proxy: ProxyAddress?) throws -> HTTPClient.Configuration {
    var tls = TLSConfiguration.makeClientConfiguration()
    if let file = settings.certificateFile {
      guard let trusted = try? NIOSSLCertificate.fromPEMFile(file), !trusted.isEmpty else {
        throw HTTPError(.tls, "SSL_CERT_FILE (\(file)) contains no readable certificate")
      }
      tls.trustRoots = .certificates(trusted)
    } else if let folder = TrustFolder.path {
      tls.trustRoots = .file(folder)
    }
    var pool = HTTPClient.Configuration.ConnectionPool()
    // Retries are decided by the caller; a refused connection must be reported at once.
    pool.retryConnectionEstablishment = false
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls, redirectConfiguration: .disallow,
      timeout: .init(connect: TimeAmount(HTTPLimits.connectTimeout)), connectionPool: pool,
      decompression: .enabled(limit: .size(HTTPLimits.maximumBodyBytes)))
    // HTTP/2 would only cost start-up time: requests are sent one at a time on a kept-alive connection.
    configuration.httpVersion = .http1Only
    // Verbose output reports requests; tracing is not used.
    configuration.tracing.tracer = nil
    if let proxy {
      configuration.proxy = .server(
        host: proxy.host, port: proxy.port,
        authorization: proxy.credentials.map { .basic(username: $0.user, password: $0.password) })
    }
    return configuration
  }
}
