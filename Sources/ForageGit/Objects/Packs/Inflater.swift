import CLibGit2

/// Decompresses zlib streams into a buffer, as far as requested: of a commit only the first lines are needed.
struct Inflater: ~Copyable {
  /// The result of a run.
  enum Status {
    /// The goal is reached; there may be more.
    case more
    /// The stream ended.
    case finished
    /// The stream is damaged or truncated.
    case failed
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutablePointer<UInt8>
  /// The size of the buffer in bytes.
  let capacity: Int
  /// The number of decompressed bytes.
  private var count = 0
  private let isReady: Bool

  /// Creates an inflater.
  ///
  /// - Parameter capacity: the size of the buffer in bytes.
  init(capacity: Int) {
    self.capacity = capacity
    output = .allocate(capacity: capacity)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    isReady = forage_inflate_init(stream) == Z_OK
  }

  deinit {
    if isReady { inflateEnd(stream) }
    stream.deallocate()
    output.deallocate()
  }

  /// The decompressed bytes; valid until the next mutating call.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: output, count: count) }

  /// Starts a stream.
  ///
  /// - Parameter input: the compressed bytes. They must stay valid while the stream is read, and may continue
  ///   after it.
  /// - Returns: false if memory is exhausted.
  mutating func start(_ input: UnsafeRawBufferPointer) -> Bool {
    guard isReady, inflateReset(stream) == Z_OK, let first = input.baseAddress else { return false }
    // zlib does not write to its input.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: first.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(clamping: input.count)
    count = 0
    return true
  }

  /// Decompresses a whole stream of known length into new memory.
  ///
  /// - Parameters:
  ///   - input: as for ``start(_:)``.
  ///   - size: the exact size of the content in bytes, at most 2^31.
  /// - Returns: nil if the content is longer or shorter, or the stream is damaged.
  mutating func unpack(_ input: UnsafeRawBufferPointer, size: Int) -> ObjectBytes? {
    guard start(input) else { return nil }
    // The extra byte detects content that is too long.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 1, alignment: 16)
    let object = ObjectBytes(UnsafeMutableRawBufferPointer(rebasing: memory[..<size]))
    stream.pointee.next_out = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: memory.count)
    let isWhole = inflate(stream, Z_SYNC_FLUSH) == Z_STREAM_END && stream.pointee.avail_out == 1
    return isWhole ? object : nil
  }

  /// Decompresses until `goal` bytes (at most ``capacity``) are available or the stream ends.
  mutating func run(until goal: Int) -> Status {
    let goal = min(goal, capacity)
    guard count < goal else { return .more }
    stream.pointee.next_out = output + count
    stream.pointee.avail_out = UInt32(clamping: goal - count)
    let status = inflate(stream, Z_SYNC_FLUSH)
    count = goal - Int(stream.pointee.avail_out)
    switch status {
    case Z_STREAM_END: return .finished
    case Z_OK: return count == goal ? .more : .failed
    default: return .failed
    }
  }
}
