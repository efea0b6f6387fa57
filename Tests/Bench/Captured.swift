import ForagePlatform
import Foundation

/// What a program wrote on standard output, and when.
struct Captured: Sendable {
  /// Everything that it wrote, with invalid UTF-8 repaired.
  var text: String
  /// When its first line was there, `nil` when it wrote none.
  var firstLine: ContinuousClock.Instant?
}

extension Command {
  /// Runs the program and reads its output to the end; blocks the calling thread.
  ///
  /// - Throws: `BenchError` when it cannot be started or ends with a status other than 0.
  func captured() throws -> Captured {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw BenchError("no pipe can be made") }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let pid: pid_t
    do {
      pid = try spawn(output: ends[1])
    } catch {
      close(ends[1])
      throw error
    }
    close(ends[1])
    var bytes: [UInt8] = []
    var firstLine: ContinuousClock.Instant?
    var buffer = [UInt8](repeating: 0, count: Self.pieceSize)
    while true {
      let count = buffer.withUnsafeMutableBytes { read(ends[0], $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      let now = ContinuousClock.now
      let piece = buffer[..<count]
      if firstLine == nil, piece.contains(UInt8(ascii: "\n")) { firstLine = now }
      bytes += piece
    }
    try wait(for: pid)
    return Captured(text: String(decoding: bytes, as: UTF8.self), firstLine: firstLine)
  }

  /// The capacity of a pipe on Linux: one read takes all that is there.
  private static let pieceSize = 65_536

  /// As `captured`, on a thread of its own, so that tasks of this process can go on meanwhile.
  func capturedElsewhere() async throws -> Captured {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try captured() }) }
    }
  }
}
