import CZlib
public import ForageCore
public import ForageFoundation
public import ForageHTTP
import Synchronization

extension HTTPTransport {
  /// The transport that opens network connections.
  ///
  /// All calls with the same settings share one transport, whose connections stay open until the process
  /// ends. Redirects and retries are not included; see `followingRedirects()` and `retryingReads()`. Each
  /// request that is sent is counted with `RequestCounter.current`. Requests are sent by libcurl, which is
  /// opened for the first one; without it they fail with code `libraryMissing`.
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
/// Its requests share kept-alive connections. Redirects and retries are added by decorators.
package final class LiveTransport: Sendable {
  private let settings: NetworkSettings
  /// Made for the first request.
  private let loop = Mutex<TransferLoop?>(nil)

  /// Creates a transport; connections are opened on first use.
  package init(_ settings: NetworkSettings) { self.settings = settings }

  deinit { loop.withLock { $0 }?.stop() }

  package var transport: HTTPTransport { HTTPTransport { try await self.send($0) } }

  /// Closes all connections. The transport cannot be used afterwards.
  package func shutdown() async { await loop.withLock { $0 }?.stopped() }

  @concurrent
  private func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    // A request that is cancelled before it begins must not reach the server; some cannot be repeated.
    try Task.checkCancellation()
    let loop = try self.loop.withLock { loop in
      let made = try loop ?? TransferLoop()
      loop = made
      return made
    }
    guard ContinuousClock.now < request.deadline else {
      throw HTTPError(.timeout, "the deadline passed before the request was sent")
    }
    RequestCounter.current?.add()
    var response: HTTPResponse
    do {
      response = try await loop.send(
        request, through: settings.proxy(for: request.url), certificateFile: settings.certificateFile)
    } catch var error as HTTPError {
      if error.code == .unreachable, let variable = settings.unusedProxy(for: request.url) {
        error.obstacle = .unusedProxy(variable: variable)
      }
      throw error
    }
    response.body = try Self.decoded(response, of: request)
    return response
  }

  /// The longest text of a header field that is told, in characters.
  private static let longestEncoding = 40

  /// The body without its encoding.
  private static func decoded(_ response: HTTPResponse, of request: HTTPRequest) throws(HTTPError) -> [UInt8]
  {
    let body = response.body
    let encodings = response.headers.filter { $0.name.lowercased() == "content-encoding" }
      .map { $0.value.lowercased() }.filter { !["", "identity"].contains($0) }
    if body.isEmpty || encodings.isEmpty { return body }
    guard encodings.count == 1, ["gzip", "x-gzip", "deflate"].contains(encodings[0]) else {
      // The status of a refusal says enough.
      if response.status != 200 { return [] }
      let names = encodings.joined(separator: ", ").prefix(longestEncoding)
      throw HTTPError(
        .unknownEncoding,
        "\(request.url.authority) answered in the encoding \(names), which was not asked for")
    }
    do throws(Gunzip.Failure) {
      return try Gunzip.decompress(body, upTo: request.maximumBodyBytes)
    } catch {
      throw switch error {
      case .cut: .connectionLost(request)
      case .tooLarge: .tooLarge(request)
      case .damaged:
        HTTPError(.unknownEncoding, "the answer of \(request.url.authority) cannot be decompressed")
      }
    }
  }
}

/// Decompresses what `gzip` and zlib's `deflate` make (RFC 1952, RFC 1950), with zlib.
///
/// libcurl can do it, too, but takes a stream that is cut for a whole one, and fails at the second of
/// several.
enum Gunzip {
  enum Failure: Error { case cut, damaged, tooLarge }

  /// - Parameter limit: The most bytes that may come out.
  /// - Returns: The contents of all streams that follow each other; what stands behind them is ignored, as
  ///   gzip(1) does.
  static func decompress(_ packed: [UInt8], upTo limit: Int) throws(Failure) -> [UInt8] {
    var stream = z_stream()
    guard forage_inflate_start(&stream) == Z_OK else { throw .damaged }
    defer { inflateEnd(&stream) }
    var output: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 << 10)
    var start = 0
    while true {
      let (status, read, written) = inflate(&stream, packed[start...], &part)
      start += read
      guard written <= limit - output.count else { throw .tooLarge }
      output += part[..<written]
      switch status {
      case Z_STREAM_END:
        guard packed[start...].starts(with: signature) else { return output }
        inflateReset(&stream)
      case Z_OK: continue
      // Nothing was left to read or to write.
      case Z_BUF_ERROR: throw .cut
      default: throw .damaged
      }
    }
  }

  /// What a stream of gzip begins with.
  private static let signature: [UInt8] = [0x1F, 0x8B]

  private static func inflate(
    _ stream: inout z_stream, _ input: ArraySlice<UInt8>, _ output: inout [UInt8]
  ) -> (status: Int32, read: Int, written: Int) {
    output.withUnsafeMutableBufferPointer { output in
      input.withUnsafeBufferPointer { input in
        // zlib only reads the input, but its type does not say so.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        let status = CZlib.inflate(&stream, Z_NO_FLUSH)
        return (status, input.count - Int(stream.avail_in), output.count - Int(stream.avail_out))
      }
    }
  }
}
