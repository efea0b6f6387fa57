import ForageHTTP
import ForageHTTPLive
import Synchronization

/// Makes the one transport of the process and keeps it.
final class KeptTransport: Sendable {
  private let transport = Mutex<LiveTransport?>(nil)

  /// The transport; the first settings are those that count.
  func make(_ settings: NetworkSettings) -> HTTPTransport {
    transport.withLock { kept in
      let transport = kept ?? LiveTransport(settings)
      kept = transport
      return transport.transport
    }
  }
}
