import ForagePlatform

/// Why a stream of lines cannot be read further.
package enum FrameError: Error, Hashable, Sendable {
  /// A line exceeds the limit, in bytes.
  case lineTooLong(limit: Int)
}

/// Splits a stream of bytes into lines, independent of its chunks.
///
/// It buffers at most one line of the maximum length; lines that arrive in one chunk are not copied. A line
/// that is too long is reported as soon as it exceeds the limit, after the lines before it were delivered,
/// and at every later call.
package struct LineReader: Sendable {
  /// The maximum length of a line in bytes, without its line feed.
  package let limit: Int
  private var pending: [UInt8] = []
  private var failure: FrameError?

  /// Creates a reader.
  package init(limit: Int = PluginProtocol.Limits.line) { self.limit = limit }

  /// Processes the next bytes of the stream.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - deliver: Called with each line without its line feed, in order. The buffer is valid only during the
  ///     call.
  /// - Throws: `lineTooLong`, also at every later call.
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

  private mutating func check(_ further: Int) throws(FrameError) {
    guard pending.count + further > limit else { return }
    let error = FrameError.lineTooLong(limit: limit)
    (failure, pending) = (error, [])
    throw error
  }
}
