import Dispatch
import Synchronization

/// Writes messages in order, on a queue that may block: a client that does not read holds up no work.
final class MessageWriter: Sendable {
  private struct State {
    /// Bytes that are not written yet.
    var pending = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The bytes that may wait before those who send wait, too; a pipe holds 64 KiB.
  private static let limit = 4 << 20

  private let queue = DispatchQueue(label: "forage.mcp.output")
  private let state = Mutex(State())
  private let write: @Sendable ([UInt8]) -> Void

  /// - Parameter write: Writes a message, a line without its line feed; calls do not overlap.
  init(_ write: @escaping @Sendable ([UInt8]) -> Void) { self.write = write }

  /// Enqueues a message, then waits while too many bytes are not written.
  func send(_ message: [UInt8]) async {
    await withCheckedContinuation { continuation in
      let mustWait = state.withLock { state in
        state.pending += message.count
        queue.async { self.finish(message) }
        guard state.pending > Self.limit else { return false }
        state.waiting.append(continuation)
        return true
      }
      if !mustWait { continuation.resume() }
    }
  }

  /// Whether so little waits that a message that may be left out is worth sending.
  var hasRoom: Bool { state.withLock { $0.pending == 0 } }

  func flush() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  private func finish(_ message: [UInt8]) {
    write(message)
    let admitted = state.withLock { state in
      state.pending -= message.count
      guard state.pending <= Self.limit else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in admitted { continuation.resume() }
  }
}
