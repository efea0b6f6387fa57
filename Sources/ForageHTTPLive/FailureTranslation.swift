import AsyncHTTPClient
import ForageHTTP
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Turns the errors of the libraries below into the few that matter to a user.
enum FailureTranslation {
  static func error(_ error: any Error, for url: HTTPURL) -> HTTPError {
    switch error {
    case let error as HTTPClientError: client(error, url)
    case is NIOConnectionError, is SocketAddressError, is ChannelError:
      HTTPError(.unreachable, "\(url.authority) could not be reached")
    case let error as IOError where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE:
      HTTPError(.connectionLost, "\(url.authority) ended the connection before the answer was complete")
    case is IOError: HTTPError(.unreachable, "\(url.authority) could not be reached")
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
      HTTPError(
        .tls, "no secure connection to \(url.authority): its certificate is not trusted, or TLS failed")
    case HTTPParserError.invalidEOFState:
      HTTPError(.connectionLost, "\(url.authority) ended the connection before the answer was complete")
    case is HTTPParserError: HTTPError(.malformed, "\(url.authority) does not answer with HTTP")
    default: other(error, url)
    }
  }

  private static func client(_ error: HTTPClientError, _ url: HTTPURL) -> HTTPError {
    switch error {
    case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
      HTTPError(.timeout, "\(url.authority) did not answer in time")
    case .connectTimeout: HTTPError(.unreachable, "\(url.authority) could not be reached")
    case .tlsHandshakeTimeout: HTTPError(.tls, "\(url.authority) did not finish the TLS handshake")
    case .remoteConnectionClosed, .bodyLengthMismatch, .uncleanShutdown:
      HTTPError(.connectionLost, "\(url.authority) ended the connection before the answer was complete")
    case .invalidProxyResponse, .proxyAuthenticationRequired, .httpProxyHandshakeTimeout:
      HTTPError(.unreachable, "the proxy did not let the request to \(url.authority) through")
    default: HTTPError(.malformed, "the exchange with \(url.authority) failed: \(error.shortDescription)")
    }
  }

  private static func other(_ error: any Error, _ url: HTTPURL) -> HTTPError {
    let kind = String(describing: type(of: error))
    if kind.contains("Decompression") {
      return HTTPError(.tooLarge, "the answer of \(url.authority) does not decompress, or to too much")
    }
    return HTTPError(.malformed, "the exchange with \(url.authority) failed: \(kind)")
  }
}
