/// The bytes of an object, shared by who uses them and freed with the last of them.
final class ObjectBytes {
  /// They are there as long as this object.
  let bytes: UnsafeRawBufferPointer

  /// Takes over memory that was allocated by Swift, of which the object may have only the beginning.
  init(_ memory: UnsafeMutableRawBufferPointer) { bytes = UnsafeRawBufferPointer(memory) }

  deinit { bytes.deallocate() }

  /// Lends the bytes for the duration of the call.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(bytes) }
  }
}
