/// A borrowed view of the bytes of a file or an object; each access is checked in every build, so that a
/// wrong offset in a damaged one ends the process at worst.
///
/// `RawSpan` makes the checks. It is not used directly, because a view that is stored, as that of an object
/// is, cannot contain one without the compiler's experimental lifetimes.
struct CheckedBytes {
  /// The bytes, for what needs no offsets: to copy, hash, compare or decode them.
  var raw: UnsafeRawBufferPointer { buffer }
  private let buffer: UnsafeRawBufferPointer

  /// Creates a view; the bytes must outlive it.
  init(_ buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

  var count: Int { buffer.count }
  var isEmpty: Bool { buffer.isEmpty }

  @inline(__always) subscript(_ offset: Int) -> UInt8 {
    buffer.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
  }

  @inline(__always) subscript(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
    return UnsafeRawBufferPointer(rebasing: buffer[range])
  }

  @inline(__always) func bigEndian32(_ offset: Int) -> UInt32 {
    UInt32(bigEndian: buffer.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always) func bigEndian64(_ offset: Int) -> UInt64 {
    UInt64(bigEndian: buffer.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always) func part(_ range: Range<Int>) -> CheckedBytes { CheckedBytes(self[range]) }

  @inline(__always) func first(_ byte: UInt8, from start: Int = 0) -> Int? {
    start < count ? Bytes.first(byte, in: self[start..<count]).map { start + $0 } : nil
  }

  @inline(__always)
  func id(at offset: Int) -> ObjectID { ObjectID(self[offset..<(offset + ObjectID.byteCount)]) }
}
