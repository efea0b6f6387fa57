import NIOCore
import NIOHTTP1
import Synchronization

/// Serves the requests of one connection, one after the other.
struct LoopbackConnection {
  let connection: NIOAsyncChannel<HTTPServerRequestPart, ByteBuffer>
  let id: Int
  let isTLS: Bool
  let log: LoopbackServer.Log
  let handler: LoopbackServer.Handler

  /// Repeated bytes are written in pieces of at least this size: big enough to be fast, small enough to leave
  /// memory alone.
  private static let pieceSize = 65_536

  /// Thrown to leave a script whose connection is to be closed.
  private struct Closed: Error {}

  /// Serves until either side closes.
  @concurrent
  func serve() async {
    let channel = connection.channel
    await withTaskCancellationHandler {
      // The client sees what went wrong; here an error only ends the connection.
      try? await connection.executeThenClose { inbound, _ in
        var parts = inbound.makeAsyncIterator()
        while let (request, keepAlive) = try await receive(&parts) {
          log.state.withLock { $0.requests.append(request) }
          try await perform(handler(request).steps, until: &parts)
          if !keepAlive { return }
        }
      }
    } onCancel: {
      channel.close(promise: nil)
    }
  }

  private typealias Parts = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator

  /// The next whole request, or nil when the client closed.
  @concurrent
  private func receive(_ parts: inout Parts) async throws -> (RecordedRequest, keepAlive: Bool)? {
    var head: HTTPRequestHead?
    var body: [UInt8] = []
    while let part = try await parts.next() {
      switch part {
      case .head(let received):
        head = received
        let expectation = received.headers.first(name: "expect") ?? ""
        if expectation.lowercased() == "100-continue" {
          try await write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
      case .body(let buffer):
        body.append(contentsOf: buffer.readableBytesView)
      case .end:
        guard let head else { return nil }
        let headers = head.headers.reduce(into: [String: [String]]()) { map, header in
          map[header.name.lowercased(), default: []].append(header.value)
        }
        let request = RecordedRequest(
          method: head.method.rawValue, target: head.uri, headers: headers, body: body, connectionID: id,
          isTLS: isTLS)
        return (request, head.isKeepAlive)
      }
    }
    return nil
  }

  @concurrent
  private func perform(_ steps: [ScriptedResponse.Step], until parts: inout Parts) async throws {
    for step in steps {
      switch step {
      case .bytes(let bytes):
        try await write(bytes)
      case .delay(let milliseconds):
        try await Task.sleep(for: .milliseconds(milliseconds))
      case .wait(let condition):
        let end = ContinuousClock.now + .seconds(60)
        while !condition(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(10)) }
      case .repeat(let bytes, let times):
        try await write(bytes, times: times)
      case .closeConnection:
        throw Closed()
      case .hang:
        while try await parts.next() != nil {}
        throw Closed()
      }
    }
  }

  private func write(_ bytes: [UInt8], times: Int) async throws {
    guard !bytes.isEmpty, times > 0 else { return }
    let together = max(1, Self.pieceSize / bytes.count)
    let piece = Array(repeatElement(bytes, count: min(together, times)).joined())
    for _ in 0..<(times / together) { try await write(piece) }
    let rest = times % together
    if rest > 0 { try await write(Array(piece.prefix(rest * bytes.count))) }
  }

  /// Writes past the HTTP layer and waits until the socket took the bytes: that is the back-pressure, and it
  /// keeps a close that follows from dropping what is still queued.
  private func write(_ bytes: [UInt8]) async throws {
    guard !bytes.isEmpty else { return }
    try await connection.channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
  }
}
