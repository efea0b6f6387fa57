import ForagePlatform

/// Private copies of the standard streams, which other code cannot use.
struct SeizedStreams: Sendable {
  let input: Int32
  let output: Int32

  /// The number of bytes per read, the capacity of a pipe.
  private static let chunk = 64 << 10

  /// Takes over the standard streams: standard output becomes standard error, standard input becomes empty.
  ///
  /// The private descriptors are closed in child processes, so that these cannot keep the connection open.
  /// SIGPIPE is ignored; a closed connection shows as a write error.
  ///
  /// - Returns: `nil` if a standard stream is closed.
  static func seize() -> SeizedStreams? {
    signal(SIGPIPE, SIG_IGN)
    // Above the standard descriptors, even if one of those is closed.
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

  /// Reads until the end of input or an error, blocking the calling thread.
  ///
  /// - Parameter take: Receives the bytes; returns `false` to stop.
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
