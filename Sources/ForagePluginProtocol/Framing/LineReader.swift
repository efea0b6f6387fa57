#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Why a stream of lines cannot be read on.
package enum FrameError: Error, Hashable, Sendable {
  /// A line is longer than so many bytes.
  case lineTooLong(limit: Int)
  /// The stream ended within a line.
  case unterminated
}

/// Cuts a stream of bytes into lines, whatever the pieces in which it arrives.
///
/// It holds no more than one line of the longest length; lines that arrive whole are not copied. What is too long is told once the limit is
/// passed, after the lines before it were delivered, and stays told.
package struct LineReader: Sendable {
  /// Bytes of the longest line, without its end.
  package let limit: Int
  private var pending: [UInt8] = []
  private var failure: FrameError?

  /// Creates a reader.
  package init(limit: Int = PluginProtocol.Limits.line) { self.limit = limit }

  /// Takes the next bytes of the stream.
  ///
  /// - Parameter deliver: Told each line without its LF, in order; the bytes must not be kept.
  /// - Throws: `lineTooLong`, then and from then on.
  package mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ deliver: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(FrameError) {
    if let failure { throw failure }
    var rest = bytes.bindMemory(to: UInt8.self)
    while let start = rest.baseAddress, !rest.isEmpty {
      guard let end = memchr(start, Int32(UInt8(ascii: "\n")), rest.count) else {
        try check(rest.count)
        pending.append(contentsOf: rest)
        return
      }
      let length = UnsafeRawPointer(end) - UnsafeRawPointer(start)
      try check(length)
      let line = UnsafeBufferPointer(rebasing: rest[..<length])
      if pending.isEmpty {
        deliver(line)
      } else {
        pending.append(contentsOf: line)
        pending.withUnsafeBufferPointer(deliver)
        pending.removeAll(keepingCapacity: true)
      }
      rest = UnsafeBufferPointer(rebasing: rest[(length + 1)...])
    }
  }

  /// Ends the stream.
  ///
  /// - Throws: `unterminated` when something stands behind the last LF; `lineTooLong` when that was told before.
  package mutating func end() throws(FrameError) {
    if let failure { throw failure }
    guard pending.isEmpty else { throw fail(.unterminated) }
  }

  private mutating func check(_ further: Int) throws(FrameError) {
    if pending.count + further > limit { throw fail(.lineTooLong(limit: limit)) }
  }

  private mutating func fail(_ error: FrameError) -> FrameError {
    failure = error
    pending = []
    return error
  }
}
