#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A regular file in memory, for reading only; let go with its last owner.
///
/// Git replaces the files that are read in this way and never shortens one in place.
///
/// `@unchecked Sendable`: the only stored value is constant, and the memory that it names is mapped without the right
/// to write and stays mapped until `deinit`, which runs when no thread has a reference any more.
final class MappedFile: @unchecked Sendable {
  /// The whole content, at least one byte; valid as long as this object.
  let bytes: UnsafeRawBufferPointer

  /// Maps a file; nil when it is not there, not a regular file, empty, or may not be read.
  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size > 0,
      let memory = mmap(nil, Int(info.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), memory != MAP_FAILED
    else { return nil }
    bytes = UnsafeRawBufferPointer(start: memory, count: Int(info.st_size))
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }

  /// Gives the pages back that were read so far; reading them again gets them from the system's cache.
  func releasePages() {
    _ = madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_DONTNEED)
  }
}

extension UnsafeRawBufferPointer {
  /// The big-endian 32 bits at an offset; the caller has checked that four bytes are there.
  @inline(__always)
  func bigEndian32(_ offset: Int) -> UInt32 {
    UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The big-endian 64 bits at an offset; the caller has checked that eight bytes are there.
  @inline(__always)
  func bigEndian64(_ offset: Int) -> UInt64 {
    UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
