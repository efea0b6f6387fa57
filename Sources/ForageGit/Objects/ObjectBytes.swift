/// The content of an object, shared by its users and freed with the last reference.
final class ObjectBytes {
  /// The content; valid as long as this object.
  let bytes: UnsafeRawBufferPointer

  /// Takes ownership of memory that Swift allocated; the object may use only its beginning.
  init(_ memory: UnsafeMutableRawBufferPointer) { bytes = UnsafeRawBufferPointer(memory) }

  deinit { bytes.deallocate() }

  /// Calls `body` with the content, which is valid during the call.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(bytes) }
  }
}
