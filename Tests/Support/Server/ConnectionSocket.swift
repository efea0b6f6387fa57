import CTestTLS
import ForagePlatform

/// Thrown to close a connection: the client or the server closed it, a script asks for it, or a request is
/// malformed.
struct ConnectionClosed: Error {}

/// Certificate and key of a server, and what else its TLS connections share.
///
/// Sendable: threads may share a context that is not modified once it is complete (openssl-threads(7)).
final class TLSContext: @unchecked Sendable {
  fileprivate let context: OpaquePointer?

  /// - Parameter isHTTP2: Whether the connections are of HTTP/2.
  init(_ files: TLSFiles, isHTTP2: Bool) throws(SupportError) {
    context = SSL_CTX_new(TLS_server_method())
    guard SSL_CTX_use_certificate_chain_file(context, files.certificate) == 1,
      SSL_CTX_use_PrivateKey_file(context, files.privateKey, SSL_FILETYPE_PEM) == 1
    else {
      throw SupportError(
        code: .missing, message: "\(files.certificate) and its key cannot be used", hint: "check both files")
    }
    SSL_CTX_set_alpn_select_cb(context, forage_tls_select, isHTTP2 ? UnsafeMutableRawPointer(context) : nil)
  }

  deinit { SSL_CTX_free(context) }
}

/// The socket of one connection, plain or with TLS; its calls block. `shutdown` on another thread ends them.
final class ConnectionSocket {
  private static let readSize = 16_384
  private let descriptor: Int32
  private let tls: OpaquePointer?

  /// - Parameters:
  ///   - descriptor: The socket, which the caller closes later than this value ends.
  ///   - context: With TLS, whose handshake `accept()` performs; nil: plain.
  init(_ descriptor: Int32, context: TLSContext?) {
    self.descriptor = descriptor
    tls = context.flatMap { SSL_new($0.context) }
    if tls != nil { SSL_set_fd(tls, descriptor) }
  }

  deinit { SSL_free(tls) }

  /// Performs the handshake of TLS.
  func accept() throws(ConnectionClosed) {
    if tls != nil, SSL_accept(tls) != 1 { throw ConnectionClosed() }
  }

  /// The next bytes, at least one.
  func read() throws(ConnectionClosed) -> [UInt8] {
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.readSize) { buffer, count in
      if tls == nil {
        count = max(0, ForagePlatform.read(descriptor, buffer.baseAddress, buffer.count))
      } else {
        SSL_read_ex(tls, buffer.baseAddress, buffer.count, &count)
      }
    }
    if bytes.isEmpty { throw ConnectionClosed() }
    return bytes
  }

  /// Writes all bytes: waits until the system took them, which is the back-pressure.
  func write(_ bytes: [UInt8]) throws(ConnectionClosed) {
    let isWritten = bytes.withUnsafeBytes { buffer in
      var count = 0
      if tls == nil || buffer.isEmpty { return writeAll(buffer, to: descriptor) == 0 }
      return SSL_write_ex(tls, buffer.baseAddress, buffer.count, &count) == 1
    }
    if !isWritten { throw ConnectionClosed() }
  }

  /// Does nothing for so long, unless the server stops or the client resets the connection.
  func pause(milliseconds: Int) throws(ConnectionClosed) {
    // Without events only a hang-up or an error is reported.
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    if poll(&state, 1, Int32(clamping: milliseconds)) != 0 { throw ConnectionClosed() }
  }

  /// Tells a client with TLS that no more follows.
  func finish() { if tls != nil { SSL_shutdown(tls) } }
}
