#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The streams to the host, out of reach of all other code.
struct SeizedStreams: Sendable {
  /// Where the host is read.
  let input: Int32
  /// Where the host is written to.
  let output: Int32

  /// Bytes of one read: as much as a pipe holds.
  private static let chunk = 64 << 10

  /// Takes the standard streams: standard output becomes standard error, standard input becomes empty.
  ///
  /// The private descriptors are closed in child processes, so that none of them holds the connection open. A host that is gone is noticed
  /// by a failed write, not by a signal.
  ///
  /// - Returns: `nil` when a standard stream is closed.
  static func seize() -> SeizedStreams? {
    signal(SIGPIPE, SIG_IGN)
    // Above the standard streams, also where one of those is closed.
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard input >= 0, output >= 0 else { return nil }
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    if nothing >= 0 { dup2(nothing, STDIN_FILENO) }
    if dup2(STDERR_FILENO, STDOUT_FILENO) < 0, nothing >= 0 {
      dup2(nothing, STDOUT_FILENO)
      dup2(nothing, STDERR_FILENO)
    }
    if nothing > STDERR_FILENO { close(nothing) }
    return SeizedStreams(input: input, output: output)
  }

  /// Reads until the end of input or an error, on the calling thread.
  ///
  /// - Parameter take: Takes the bytes; `false` when nothing further is wanted.
  func readAll(_ take: (UnsafeRawBufferPointer) -> Bool) {
    withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 16) { buffer in
      while true {
        let count = read(input, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0, take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
      }
    }
  }
}
