import AsyncHTTPClient
import ForageHTTP
import NIOCore
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import Synchronization

/// Makes the clients that the transport needs, each once.
final class ClientCache: Sendable {
  private let settings: NetworkSettings
  /// One thread serves every connection of the process; it starts with the first client and ends with the process.
  static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let clients = Mutex<[String: HTTPClient]>([:])

  init(settings: NetworkSettings) { self.settings = settings }

  /// The client for a proxy, or for none.
  ///
  /// - Throws: `HTTPError` when the certificate file of the settings cannot be used.
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
        throw HTTPError(.tls, "SSL_CERT_FILE (\(file)) holds no certificate that can be read")
      }
      tls.trustRoots = .certificates(trusted)
    } else if let folder = TrustFolder.path {
      tls.trustRoots = .file(folder)
    }
    var pool = HTTPClient.Configuration.ConnectionPool()
    // The caller decides about retries; a refused connection is told at once.
    pool.retryConnectionEstablishment = false
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls, redirectConfiguration: .disallow,
      timeout: .init(connect: TimeAmount(HTTPLimits.connectTimeout)), connectionPool: pool,
      decompression: .enabled(limit: .size(HTTPLimits.maximumBodyBytes)))
    // One request at a time on a kept-alive connection: a second protocol would only cost start-up.
    configuration.httpVersion = .http1Only
    // Nobody traces this program; the verbose lines tell of its requests.
    configuration.tracing.tracer = nil
    if let proxy {
      configuration.proxy = .server(
        host: proxy.host, port: proxy.port,
        authorization: proxy.credentials.map { .basic(username: $0.user, password: $0.password) })
    }
    return configuration
  }
}
