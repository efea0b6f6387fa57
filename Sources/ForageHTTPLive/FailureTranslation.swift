import AsyncHTTPClient
import ForageHTTP
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Translates the errors of AsyncHTTPClient and NIO into `HTTPError`.
enum FailureTranslation {
  static func error(_ error: any Error, for url: HTTPURL) -> HTTPError {
    switch error {
    case let error as HTTPClientError: client(error, url)
    case is NIOConnectionError, is SocketAddressError, is ChannelError:
      HTTPError(.unreachable, "\(url.authority) could not be reached")
    case let error as IOError where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE:
      HTTPError(.connectionLost, "\(url.authority) closed the connection before the answer was complete")
    case is IOError: HTTPError(.unreachable, "\(url.authority) could not be reached")
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      HTTPError(
        .tls,
        "no secure connection to \(url.authority): the TLS handshake failed or the certificate is not trusted"
      )
    case HTTPParserError.invalidEOFState:
      HTTPError(.connectionLost, "\(url.authority) closed the connection before the answer was complete")
    case is HTTPParserError: HTTPError(.malformed, "\(url.authority) did not answer with HTTP")
    default: other(error, url)
    }
  }

  private static func client(_ error: HTTPClientError, _ url: HTTPURL) -> HTTPError {
    switch error {
    case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
      HTTPError(.timeout, "\(url.authority) did not answer in time")
    case .connectTimeout: HTTPError(.unreachable, "\(url.authority) could not be reached")
    case .tlsHandshakeTimeout: HTTPError(.tls, "\(url.authority) did not complete the TLS handshake")
    case .remoteConnectionClosed, .bodyLengthMismatch, .uncleanShutdown:
      HTTPError(.connectionLost, "\(url.authority) closed the connection before the answer was complete")
    case .invalidProxyResponse, .proxyAuthenticationRequired, .httpProxyHandshakeTimeout:
      HTTPError(.unreachable, "the proxy refused the request to \(url.authority)")
    default: HTTPError(.malformed, "the request to \(url.authority) failed: \(error.shortDescription)")
    }
  }

  private static func other(_ error: any Error, _ url: HTTPURL) -> HTTPError {
    let kind = String(describing: type(of: error))
    if kind.contains("Decompression") {
      return HTTPError(.tooLarge, "the answer of \(url.authority) is too large or cannot be decompressed")
    }
    return HTTPError(.malformed, "the request to \(url.authority) failed: \(kind)")
  }
}
