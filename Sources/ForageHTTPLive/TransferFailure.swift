import CCurl
import ForageHTTP
import ForagePlatform

/// Why libcurl ended a transfer.
struct TransferFailure {
  var code: CURLcode
  /// The proxy of the request; `nil` for a direct one.
  var proxy: Proxy?
  /// The file with certificates to trust instead of the system's.
  var certificateFile: String?
  /// The status with which a proxy answered to `CONNECT`; 0 for none.
  var proxyStatus: Int
  /// Whether the certificate of the proxy is not trusted.
  var isProxyRefused: Bool
  /// The number of the system's error; 0 for none.
  var systemError = 0
  /// Whether there was a connection.
  var isConnected: Bool
  /// What libcurl says, which may be nothing.
  var text: String

  /// The error as users read it.
  func error(for request: HTTPRequest) -> HTTPError {
    var error = translated(request)
    if error.code == .unreachable {
      error.proxyVariable = proxy?.variable
      error.obstacle = proxy == nil ? obstacle : proxyStatus == 407 ? .login : nil
    }
    return error
  }

  private var obstacle: HTTPError.Obstacle? {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: .name
    case CURLE_COULDNT_CONNECT where systemError == Int(ECONNREFUSED): .refusal
    default: nil
    }
  }

  /// Whether libcurl says one of these, which are texts of it, OpenSSL and GnuTLS.
  private func says(_ texts: String...) -> Bool { texts.contains(where: text.contains) }

  static func unusableCertificates(_ file: String) -> HTTPError {
    HTTPError(.tls, "SSL_CERT_FILE (\(file)) contains no readable certificate")
  }

  private func translated(_ request: HTTPRequest) -> HTTPError {
    let host = request.url.authority
    let unreachable = HTTPError(
      .unreachable,
      proxy.map { "no connection to \(host) through the proxy \($0.name)" }
        ?? {
          switch obstacle {
          case .name: "the name \(request.url.host) is not known"
          case .refusal: "\(host) refused the connection"
          default: "no connection to \(host)"
          }
        }())
    if let proxy, proxyStatus == 407 {
      return HTTPError(
        .unreachable,
        "the proxy \(proxy.name) "
          + (proxy.hasLogin ? "refused user and password" : "wants a user and a password")
          + " for the request to \(host)")
    }
    if let proxy, isProxyRefused {
      return HTTPError(.unreachable, "no secure connection to the proxy \(proxy.name)")
    }
    if let proxy, code == forage_curl_proxy_failed || proxyStatus >= 300 {
      return HTTPError(.unreachable, "the proxy \(proxy.name) refused the request to \(host)")
    }
    return switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT: unreachable
    case CURLE_OPERATION_TIMEDOUT where proxy == nil && (isConnected || says("SSL connection timeout")):
      HTTPError(.tls, "\(host) did not complete the TLS handshake")
    case CURLE_OPERATION_TIMEDOUT: unreachable
    case CURLE_RECV_ERROR where says("chunked-encoding"):
      HTTPError(.malformed, "\(host) did not answer with HTTP")
    // What is cut before its head is complete is no failure for libcurl.
    case CURLE_OK, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2,
      CURLE_HTTP2_STREAM:
      .connectionLost(request)
    case CURLE_SSL_CONNECT_ERROR
    where says(
      "Recv failure", "Send failure", "SSL_ERROR_SYSCALL", "unexpected eof", "non-properly terminated"):
      .connectionLost(request)
    case CURLE_FILESIZE_EXCEEDED: .tooLarge(request)
    case CURLE_SSL_CONNECT_ERROR where says("wrong version number", "unexpected TLS packet"):
      HTTPError(.malformed, "\(host) did not answer with TLS; its address may begin with http:")
    case CURLE_SSL_CACERT_BADFILE:
      certificateFile.map(Self.unusableCertificates)
        ?? HTTPError(.tls, "no secure connection to \(host): the certificates of this system cannot be read")
    case CURLE_PEER_FAILED_VERIFICATION:
      HTTPError(.tls, "no secure connection to \(host): the certificate is not trusted (\(text))")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_SHUTDOWN_FAILED:
      HTTPError(.tls, "no secure connection to \(host): the TLS handshake failed")
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
      HTTPError(.malformed, "\(host) did not answer with HTTP")
    default:
      HTTPError(
        .malformed, "the request to \(host) failed: \(text.isEmpty ? "error \(code.rawValue)" : text)")
    }
  }
}

extension HTTPError {
  static func late(_ request: HTTPRequest) -> HTTPError {
    HTTPError(.timeout, "\(request.url.authority) did not answer in time")
  }

  static func tooLarge(_ request: HTTPRequest) -> HTTPError {
    HTTPError(.tooLarge, "the answer is larger than \(request.maximumBodyBytes >> 20) MiB")
  }

  static func connectionLost(_ request: HTTPRequest) -> HTTPError {
    HTTPError(
      .connectionLost, "\(request.url.authority) closed the connection before the answer was complete")
  }
}
