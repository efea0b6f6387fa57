import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Writes lines to the host one after another, on a thread that may wait for it.
struct OutputQueue: Sendable {
  /// Where the host is written to.
  let descriptor: Int32
  private let queue = DispatchQueue(label: "forage.plugin.output")

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes bytes behind all that was sent before.
  func send(_ bytes: [UInt8]) {
    queue.async { [descriptor] in
      if !Self.writeAll(bytes, to: descriptor) {
        // Nobody is there to answer.
        _exit(EXIT_SUCCESS)
      }
    }
  }

  /// Waits until everything is written.
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
