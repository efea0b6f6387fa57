import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Writes lines to the host in order, on a queue that may block.
struct OutputQueue: Sendable {
  /// The file descriptor to write to.
  let descriptor: Int32
  private let queue = DispatchQueue(label: "forage.plugin.output")

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Enqueues bytes.
  func send(_ bytes: [UInt8]) {
    queue.async { [descriptor] in
      if !Self.writeAll(bytes, to: descriptor) {
        // The host has closed the connection.
        _exit(EXIT_SUCCESS)
      }
    }
  }

  /// Waits until all enqueued bytes are written.
  func flush() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }

  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}
