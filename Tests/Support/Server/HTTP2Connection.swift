import Synchronization

/// Serves the requests of one connection of HTTP/2 (RFC 9113) on the current thread.
///
/// Each is answered with status 200 and the same body; what was asked is not decoded.
struct HTTP2Connection {
  let socket: ConnectionSocket
  let id: Int
  let log: LoopbackServer.Log
  let body: [UInt8]
  /// Received bytes that are not parsed yet.
  private var rest: ArraySlice<UInt8> = []

  private enum Frame {
    static let (data, headers, settings, ping): (UInt8, UInt8, UInt8, UInt8) = (0, 1, 4, 6)
    /// The flags `ACK` of settings and pings, `END_STREAM` of data, and `END_HEADERS` of headers.
    static let (acknowledgement, endsStream, endsHeaders): (UInt8, UInt8, UInt8) = (1, 1, 4)
  }

  /// The field `:status: 200`, which is the eighth of HPACK's static table (RFC 7541, appendix A).
  private static let statusOK: [UInt8] = [0x88]
  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  init(socket: ConnectionSocket, id: Int, log: LoopbackServer.Log, body: [UInt8]) {
    (self.socket, self.id, self.log, self.body) = (socket, id, log, body)
  }

  /// Serves until either side closes.
  mutating func serve() throws(ConnectionClosed) {
    guard try bytes(Self.preface.count) == Self.preface else { throw ConnectionClosed() }
    try write(Frame.settings, stream: [0, 0, 0, 0])
    while true {
      let head = try bytes(9)
      let payload = try bytes(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2]))
      let (type, flags, stream) = (head[3], head[4], Array(head[5...]))
      if [Frame.settings, Frame.ping].contains(type), flags & Frame.acknowledgement == 0 {
        try write(
          type, flags: Frame.acknowledgement, stream: stream, type == Frame.ping ? payload : [])
      } else if type == Frame.headers {
        log.state.withLock {
          $0.requests.append(
            RecordedRequest(
              method: "", target: "/", headers: [:], body: [], connectionID: id, isTLS: true))
        }
        try write(Frame.headers, flags: Frame.endsHeaders, stream: stream, Self.statusOK)
        try write(Frame.data, flags: Frame.endsStream, stream: stream, body)
      }
    }
  }

  private mutating func bytes(_ count: Int) throws(ConnectionClosed) -> [UInt8] {
    while rest.count < count { rest += try socket.read() }
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }

  private func write(
    _ type: UInt8, flags: UInt8 = 0, stream: [UInt8], _ payload: [UInt8] = []
  ) throws(ConnectionClosed) {
    let length = [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) }
    try socket.write(length + [type, flags] + stream + payload)
  }
}
