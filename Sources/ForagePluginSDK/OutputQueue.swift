import Dispatch
import ForagePlatform

/// Writes lines to the host in order, on a queue that may block.
struct OutputQueue: Sendable {
  let descriptor: Int32
  private let queue = DispatchQueue(label: "forage.plugin.output")

  func send(_ bytes: [UInt8]) {
    queue.async { [descriptor] in
      if bytes.withUnsafeBytes({ writeAll($0, to: descriptor) }) != 0 {
        // The host has closed the connection.
        _exit(EXIT_SUCCESS)
      }
    }
  }

  /// Waits until all enqueued bytes are written.
  func flush() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}
