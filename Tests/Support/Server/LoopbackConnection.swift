import Synchronization

/// Serves the requests of one connection, one after the other, on the current thread.
struct LoopbackConnection {
  let socket: ConnectionSocket
  let id: Int
  let isTLS: Bool
  let log: LoopbackServer.Log
  let handler: LoopbackServer.Handler

  /// Repeated bytes are written in pieces of at least this size: big enough to be fast, small enough to leave
  /// memory alone.
  private static let pieceSize = 65_536

  /// Serves until either side closes.
  func serve() throws(ConnectionClosed) {
    var reader = RequestReader(socket)
    while true {
      let (request, keepsAlive) = try reader.next(connectionID: id, isTLS: isTLS)
      log.state.withLock { $0.requests.append(request) }
      for step in handler(request).steps { try perform(step) }
      if !keepsAlive { return socket.finish() }
    }
  }

  private func perform(_ step: ScriptedResponse.Step) throws(ConnectionClosed) {
    switch step {
    case .bytes(let bytes):
      try socket.write(bytes)
    case .delay(let milliseconds):
      try socket.pause(milliseconds: milliseconds)
    case .wait(let condition):
      let end = ContinuousClock.now + .seconds(60)
      while !condition(), ContinuousClock.now < end { try socket.pause(milliseconds: 10) }
    case .repeat(let bytes, let times):
      try write(bytes, times: times)
    case .closeConnection:
      throw ConnectionClosed()
    case .hang:
      while true { _ = try socket.read() }
    }
  }

  private func write(_ bytes: [UInt8], times: Int) throws(ConnectionClosed) {
    guard !bytes.isEmpty, times > 0 else { return }
    let together = max(1, Self.pieceSize / bytes.count)
    let piece = Array(repeatElement(bytes, count: min(together, times)).joined())
    for _ in 0..<(times / together) { try socket.write(piece) }
    try socket.write(Array(piece.prefix(times % together * bytes.count)))
  }
}
