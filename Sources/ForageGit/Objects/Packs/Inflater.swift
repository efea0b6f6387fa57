import CLibGit2

/// Unpacks zlib streams into a buffer of its own, as far as is asked for: of a commit only the first few lines are needed.
struct Inflater: ~Copyable {
  /// How a run ended.
  enum Status {
    /// The goal was reached; there may be more.
    case more
    /// The stream ended.
    case finished
    /// The stream is damaged or cut off.
    case failed
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutablePointer<UInt8>
  /// The most bytes that a run may be asked for.
  let capacity: Int
  /// The bytes unpacked so far.
  private var count = 0
  private let isReady: Bool

  /// - Parameter capacity: the most bytes that are wanted of a stream.
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

  /// What was unpacked; valid until the next call of a mutating function.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: output, count: count) }

  /// Begins with a stream.
  ///
  /// - Parameter input: its bytes; they must stay there while it is unpacked, and may go on behind it.
  /// - Returns: false when there is no memory.
  mutating func start(_ input: UnsafeRawBufferPointer) -> Bool {
    guard isReady, inflateReset(stream) == Z_OK, let first = input.baseAddress else { return false }
    // zlib only reads there.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: first.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(clamping: input.count)
    count = 0
    return true
  }

  /// Unpacks a whole stream of known length into memory of its own.
  ///
  /// - Parameters:
  ///   - input: as for ``start(_:)``.
  ///   - size: the bytes that it must have, at most 2^31.
  /// - Returns: nil when it has more or fewer, or is damaged.
  mutating func unpack(_ input: UnsafeRawBufferPointer, size: Int) -> ObjectBytes? {
    guard start(input) else { return nil }
    // One byte more shows whether there is more than is claimed.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 1, alignment: 16)
    let object = ObjectBytes(UnsafeMutableRawBufferPointer(rebasing: memory[..<size]))
    stream.pointee.next_out = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(clamping: memory.count)
    let isWhole = inflate(stream, Z_SYNC_FLUSH) == Z_STREAM_END && stream.pointee.avail_out == 1
    return isWhole ? object : nil
  }

  /// Unpacks until `goal` bytes (at most ``capacity``) are there or the stream ends.
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
