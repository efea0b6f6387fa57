import AsyncHTTPClient
public import ForageCore
public import ForageFoundation
public import ForageHTTP
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import Synchronization

extension HTTPTransport {
  /// The transport that opens network connections.
  ///
  /// All calls with the same settings share one transport, whose connections stay open until the process ends.
  /// Redirects and retries are not included; see `followingRedirects()` and `retryingReads()`. Each request that
  /// is sent is counted with `RequestCounter.current`.
  ///
  /// - Parameter environment: Contains the settings: `SSL_CERT_FILE` (a file with certificates to trust),
  ///   `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`.
  /// - Throws: `SearchError` with code `configuration` if the proxy is not a valid address.
  public static func live(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(SearchError) -> HTTPTransport {
    let settings = try NetworkSettings(environment: environment)
    return kept.withLock { kept in
      let transport = kept[settings] ?? LiveTransport(settings)
      kept[settings] = transport
      return transport.transport
    }
  }

  /// The transports of the process. They are never shut down, because that would delay its exit.
  private static let kept = Mutex<[NetworkSettings: LiveTransport]>([:])
}

/// The transport that opens network connections.
///
/// All requests of the process share its kept-alive connections. Redirects and retries are added by
/// decorators.
package final class LiveTransport: Sendable {
  private let settings: NetworkSettings
  /// One client for direct requests and one for the proxy, created on first use.
  private let clients = Mutex<[ProxyAddress?: HTTPClient]>([:])
  /// One thread serves all connections. It starts with the first client and ends with the process.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Creates a transport; connections are opened on first use.
  package init(_ settings: NetworkSettings) { self.settings = settings }

  deinit {
    let all = clients.withLock { Array($0.values) }
    guard !all.isEmpty else { return }
    // The library ends the process if a client is released before it is shut down.
    Task { for client in all { try? await client.shutdown() } }
  }

  package var transport: HTTPTransport { HTTPTransport { try await self.send($0) } }

  /// Closes all connections. The transport cannot be used afterwards.
  package func shutdown() async {
    let all = clients.withLock { clients in
      defer { clients = [:] }
      return Array(clients.values)
    }
    for client in all { try? await client.shutdown() }
  }

  @concurrent
  private func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    // A request that is cancelled before it begins must not reach the server; some cannot be repeated.
    try Task.checkCancellation()
    let proxy = settings.proxy(for: request.url)
    let client = try self.client(proxy: proxy)
    let outgoing = Self.outgoing(request)
    guard ContinuousClock.now < request.deadline else {
      throw HTTPError(.timeout, "the deadline passed before the request was sent")
    }
    RequestCounter.current?.add()
    do {
      let response = try await Deadline.run(until: request.deadline) {
        // The task is cancelled at the deadline; the client's own deadline would not cover the body.
        let response = try await client.execute(outgoing, deadline: .distantFuture)
        return HTTPResponse(
          status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
          body: try await Self.body(of: response, from: request.url, upTo: request.maximumBodyBytes))
      }
      guard let response else { throw Self.late(request) }
      return response
    } catch let error as HTTPError {
      throw error
    } catch {
      if Task.isCancelled || error is CancellationError {
        throw ContinuousClock.now < request.deadline ? CancellationError() : Self.late(request)
      }
      throw FailureTranslation.error(error, for: request.url, through: proxy)
    }
  }

  private static func outgoing(_ request: HTTPRequest) -> HTTPClientRequest {
    var outgoing = HTTPClientRequest(url: request.url.text)
    outgoing.method = HTTPMethod(rawValue: request.method)
    outgoing.headers = HTTPHeaders(request.headers.map { ($0.name, $0.value) })
    outgoing.headers.replaceOrAdd(name: "Accept-Encoding", value: "gzip")
    if !request.body.isEmpty { outgoing.body = .bytes(request.body) }
    return outgoing
  }

  private static func late(_ request: HTTPRequest) -> HTTPError {
    HTTPError(.timeout, "\(request.url.authority) did not answer in time")
  }

  /// The longest text of a header field that is told, in characters.
  private static let longestEncoding = 40
  /// The encodings of a body that are decoded before it arrives here; the second is none.
  private static let encodings: Set<String> = ["gzip", "identity", "deflate"]

  @concurrent
  private static func body(of response: HTTPClientResponse, from url: HTTPURL, upTo limit: Int) async throws
    -> [UInt8]
  {
    let announced = response.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    guard announced <= limit else {
      throw HTTPError(.tooLarge, "the answer is larger than \(limit >> 20) MiB")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(max(0, announced), HTTPLimits.reservedBytes))
    for try await part in response.body {
      guard bytes.count + part.readableBytes <= limit else {
        throw HTTPError(.tooLarge, "the answer is larger than \(limit >> 20) MiB")
      }
      part.withUnsafeReadableBytes { bytes.append(contentsOf: $0) }
    }
    let encodings = response.headers[canonicalForm: "content-encoding"].map { $0.lowercased() }
    guard bytes.isEmpty || encodings.allSatisfy(Self.encodings.contains) else {
      // The status of a refusal says enough.
      if response.status != .ok { return [] }
      let names = encodings.joined(separator: ", ").prefix(Self.longestEncoding)
      throw HTTPError(
        .unknownEncoding, "\(url.authority) answered in the encoding \(names), which was not asked for")
    }
    return bytes
  }

  // MARK: Clients

  /// The client for a proxy; `nil` for direct connections.
  ///
  /// - Throws: `HTTPError` if the certificate file of the settings is unusable.
  private func client(proxy: ProxyAddress?) throws -> HTTPClient {
    try clients.withLock { clients in
      if let known = clients[proxy] { return known }
      let client = HTTPClient(
        eventLoopGroupProvider: .shared(Self.group), configuration: try configuration(proxy: proxy))
      clients[proxy] = client
      return client
    }
  }

  private func configuration(proxy: ProxyAddress?) throws -> HTTPClient.Configuration {
    var tls = TLSConfiguration.makeClientConfiguration()
    if let file = settings.certificateFile {
      guard let trusted = try? NIOSSLCertificate.fromPEMFile(file), !trusted.isEmpty else {
        throw HTTPError(.tls, "SSL_CERT_FILE (\(file)) contains no readable certificate")
      }
      tls.trustRoots = .certificates(trusted)
    } else if let folder = Self.trustFolder {
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
      configuration.proxy =
        proxy.isSOCKS
        ? .socksServer(host: proxy.host, port: proxy.port)
        : .server(
          host: proxy.host, port: proxy.port,
          authorization: proxy.credentials.map { .basic(username: $0.user, password: $0.password) })
    }
    return configuration
  }

  /// The system's directory of hashed certificates, from which TLS loads single certificates. Loading the bundle of all
  /// certificates takes longer than a search.
  ///
  /// `nil` if it does not exist or none of its files is named by eight hexadecimal digits and `.0`. The path is that on
  /// Debian, Arch, SUSE and Alpine.
  private static let trustFolder: String? = {
    let folder = "/etc/ssl/certs"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { name in
      name.utf8.count == 10 && name.hasSuffix(".0")
        && name.prefix(8).consists(of: "0"..."9", "a"..."f", "A"..."F")
    } ? folder : nil
  }()
}

/// How connections are opened.
package struct NetworkSettings: Hashable, Sendable {
  /// A PEM file with certificates to trust instead of the system's.
  package var certificateFile: String?
  private let proxy: ProxyAddress?
  private let excluded: [String]

  /// Reads `SSL_CERT_FILE`, `HTTPS_PROXY`, else `ALL_PROXY`, and `NO_PROXY`. The lower-case forms of the proxy variables
  /// take precedence.
  ///
  /// - Throws: `SearchError` if a proxy is not a valid address.
  package init(environment: [String: String]) throws(SearchError) {
    func variable(_ name: String) -> String? {
      [name.lowercased(), name].first { environment[$0].map { !$0.isEmpty } ?? false }
    }
    certificateFile = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    if let variable = variable("HTTPS_PROXY") ?? variable("ALL_PROXY") {
      guard let address = ProxyAddress(environment[variable] ?? "", variable: variable) else {
        throw SearchError(
          .configuration, "\(variable) is not a valid proxy address",
          hint:
            "write it as http://host:port, with user:password@ before the host, or as socks5://host:port; or unset it"
        )
      }
      proxy = address
    } else {
      proxy = nil
    }
    excluded = (variable("NO_PROXY").flatMap { environment[$0] } ?? "").split(whereSeparator: {
      $0 == "," || $0 == " "
    }).map {
      $0.lowercased()
    }
  }

  /// The proxy for an address; `nil` for loopback and for hosts in `NO_PROXY` (`*`, a host, or a domain with
  /// its subdomains).
  func proxy(for url: HTTPURL) -> ProxyAddress? {
    guard let proxy, url.scheme == "https", !url.isLoopback else { return nil }
    let isExcluded = excluded.contains { entry in
      if entry == "*" { return true }
      let domain = entry.hasPrefix(".") ? String(entry.dropFirst()) : entry
      return url.host == domain || url.host.hasSuffix("." + domain) || url.authority == domain
    }
    return isExcluded ? nil : proxy
  }
}

struct ProxyAddress: Hashable, Sendable {
  struct Credentials: Hashable, Sendable {
    var user: String
    var password: String
  }

  /// The variable that names it.
  var variable: String
  var isSOCKS = false
  var host: String
  var port: Int
  var credentials: Credentials?

  /// Parses `[http://][user[:password]@]host[:port]` and `socks5://host[:port]`, whose host resolves names, as that of
  /// `socks5h` and `socks`.
  init?(_ text: String, variable: String) {
    self.variable = variable
    var rest = Substring(text)
    if let mark = rest.firstRange(of: "://") {
      let scheme = rest[..<mark.lowerBound].lowercased()
      isSOCKS = ["socks5", "socks5h", "socks"].contains(scheme)
      guard isSOCKS || scheme == "http" else { return nil }
      rest = rest[mark.upperBound...]
    }
    if let at = rest.lastIndex(of: "@") {
      let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      credentials = Credentials(
        user: PercentEncoding.decode(parts[0]),
        password: parts.count > 1 ? PercentEncoding.decode(parts[1]) : "")
      rest = rest[rest.index(after: at)...]
    }
    guard let url = HTTPURL("http://" + rest), !isSOCKS || credentials == nil else { return nil }
    host = url.host
    port = url.port ?? (isSOCKS ? 1080 : 80)
  }

  /// The proxy as users know it, without credentials.
  var name: String { "\(host.contains(":") ? "[\(host)]" : host):\(port) (\(variable))" }
}

/// Translates the errors of AsyncHTTPClient and NIO into `HTTPError`.
enum FailureTranslation {
  /// - Parameter proxy: The proxy of the request; `nil` for a direct one.
  static func error(_ error: any Error, for url: HTTPURL, through proxy: ProxyAddress?) -> HTTPError {
    var translated = self.error(error, for: url, proxy)
    if translated.code == .unreachable { translated.proxyVariable = proxy?.variable }
    return translated
  }

  private static func error(_ error: any Error, for url: HTTPURL, _ proxy: ProxyAddress?) -> HTTPError {
    let host = url.authority
    let unreachable = HTTPError(
      .unreachable,
      proxy.map { "no connection to \(host) through the proxy \($0.name)" } ?? "\(host) could not be reached")
    let refused = HTTPError(
      .unreachable, "the proxy \(proxy.map { $0.name + " " } ?? "")refused the request to \(host)")
    let lost = HTTPError(.connectionLost, "\(host) closed the connection before the answer was complete")
    return switch error {
    case let error as HTTPClientError:
      switch error {
      case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
        HTTPError(.timeout, "\(host) did not answer in time")
      case .connectTimeout: unreachable
      case .tlsHandshakeTimeout: HTTPError(.tls, "\(host) did not complete the TLS handshake")
      case .remoteConnectionClosed, .bodyLengthMismatch, .uncleanShutdown: lost
      case .invalidProxyResponse, .proxyAuthenticationRequired, .httpProxyHandshakeTimeout,
        .socksHandshakeTimeout:
        refused
      default: HTTPError(.malformed, "the request to \(host) failed: \(error.shortDescription)")
      }
    case is NIOConnectionError, is SocketAddressError, is ChannelError: unreachable
    case let error as IOError: error.errnoCode == ECONNRESET || error.errnoCode == EPIPE ? lost : unreachable
    // The private error of AsyncHTTPClient for a connection that ends before a TLS handshake.
    case _ where String(describing: type(of: error)) == "NoResult": unreachable
    case is NIOSSLError where String(describing: error).contains("WRONG_VERSION_NUMBER"):
      HTTPError(.malformed, "\(host) did not answer with TLS; its address may begin with http:")
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      HTTPError(
        .tls, "no secure connection to \(host): the TLS handshake failed or the certificate is not trusted")
    case HTTPParserError.invalidEOFState: lost
    case is HTTPParserError: HTTPError(.malformed, "\(host) did not answer with HTTP")
    case NIOHTTPDecompression.DecompressionError.limit:
      HTTPError(.tooLarge, "the answer of \(host) is larger than \(HTTPLimits.maximumBodyBytes >> 20) MiB")
    case let error as NIOHTTPDecompression.ExtraDecompressionError where error == .truncatedData: lost
    case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
      HTTPError(.unknownEncoding, "the answer of \(host) cannot be decompressed")
    case _ where String(reflecting: type(of: error)).hasPrefix("NIOSOCKS."): refused
    default: HTTPError(.malformed, "the request to \(host) failed: \(String(describing: type(of: error)))")
    }
  }
}
