public import ForageCore
public import ForageFoundation
public import ForageHTTP
import Synchronization

extension HTTPTransport {
  /// The transport that opens network connections.
  ///
  /// All calls with the same settings share one transport, whose connections stay open until the process ends.
  /// Redirects and retries are not included; see `followingRedirects()` and `retryingReads()`.
  ///
  /// - Parameter environment: Contains the settings: `SSL_CERT_FILE` (a file with certificates to trust),
  ///   `HTTPS_PROXY` and `NO_PROXY`.
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
