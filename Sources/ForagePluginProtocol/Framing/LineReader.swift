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
/// and at every later call; or its beginning is delivered at its end.
package struct LineReader: Sendable {
  /// The maximum length of a line in bytes, without its line feed.
  package let limit: Int
  private let cutsLongLines: Bool
  private var pending: [UInt8] = []
  private var failure: FrameError?

  /// Creates a reader.
  ///
  /// - Parameter cutsLongLines: Whether a line that is too long is cut at the limit instead of being an
  ///   error.
  package init(limit: Int = PluginProtocol.Limits.line, cutsLongLines: Bool = false) {
    self.limit = limit
    self.cutsLongLines = cutsLongLines
  }

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
      let end = memchr(start, Int32(UInt8(ascii: "\n")), rest.count)
      let length = end.map { UnsafeRawPointer($0) - UnsafeRawPointer(start) } ?? rest.count
      let part = UnsafeBufferPointer(rebasing: rest[..<(try fitting(length))])
      guard end != nil else {
        pending.append(contentsOf: part)
        return
      }
      if pending.isEmpty {
        deliver(part)
      } else {
        pending.append(contentsOf: part)
        pending.withUnsafeBufferPointer(deliver)
        pending.removeAll(keepingCapacity: true)
      }
      rest = UnsafeBufferPointer(rebasing: rest[(length + 1)...])
    }
  }

  /// Delivers what follows the last line feed, at the end of the stream.
  package mutating func finish(_ deliver: (UnsafeBufferPointer<UInt8>) -> Void) {
    if !pending.isEmpty { pending.withUnsafeBufferPointer(deliver) }
    pending = []
  }

  /// How much of a further piece of the line is kept.
  private mutating func fitting(_ length: Int) throws(FrameError) -> Int {
    let room = limit - pending.count
    if length <= room || cutsLongLines { return min(length, room) }
    let error = FrameError.lineTooLong(limit: limit)
    (failure, pending) = (error, [])
    throw error
  }
}
