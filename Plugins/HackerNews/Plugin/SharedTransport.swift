import ForageHTTP
import ForageHTTPLive
import Synchronization

/// Creates and holds the transport of the process.
final class SharedTransport: Sendable {
  private let transport = Mutex<LiveTransport?>(nil)

  /// The transport; the settings of the first call are used.
  func make(_ settings: NetworkSettings) -> HTTPTransport {
    transport.withLock { kept in
      let transport = kept ?? LiveTransport(settings)
      kept = transport
      return transport.transport
    }
  }
}
