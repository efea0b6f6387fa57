import Dispatch
import Synchronization

/// Splits standard input into messages, one a line.
///
/// A line that is too long is reported once and skipped up to its end, so that the messages after it are still read.
struct MessageLines: Sendable {
  /// The maximum length of a message in bytes: larger than any request needs, and small enough to be held in memory.
  static let limit = 4 << 20

  /// A line, or the report of one that was skipped.
  enum Line: Hashable, Sendable {
    case message([UInt8])
    case tooLong
  }

  private var pending: [UInt8] = []
  private var isSkipping = false

  /// Adds bytes.
  ///
  /// - Returns: The lines that they complete, in order. Blank lines are left out.
  mutating func append(_ bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      add(rest[..<end], to: &lines)
      if !isSkipping, !pending.allSatisfy(Self.isBlank) { lines.append(.message(pending)) }
      pending = []
      isSkipping = false
      rest = rest[(end + 1)...]
    }
    add(rest, to: &lines)
    return lines
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>, to lines: inout [Line]) {
    guard !isSkipping else { return }
    pending += bytes
    guard pending.count > Self.limit else { return }
    pending = []
    isSkipping = true
    lines.append(.tooLong)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}

/// Writes messages in order, on a queue that may block: a client that does not read holds up no work.
final class MessageWriter: Sendable {
  private struct State {
    /// Bytes that are not written yet.
    var pending = 0
    /// Those who wait for room.
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

  /// Waits until every message is written.
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
