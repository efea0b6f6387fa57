import ForagePlatform

/// A memory-mapped regular file; unmapped with its last reference.
///
/// Git replaces the files that are read this way and never truncates one in place.
///
/// `@unchecked Sendable`: the only stored property is constant. Its memory is mapped read-only and stays
/// mapped until `deinit`, which runs when no thread holds a reference.
final class MappedFile: @unchecked Sendable {
  /// The whole content, at least one byte; valid as long as this object.
  let bytes: UnsafeRawBufferPointer

  /// Maps a file; nil if it does not exist, is empty or unreadable, or is not a regular file.
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

  /// Releases the resident pages; the next access reads them from the page cache.
  func releasePages() {
    _ = madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_DONTNEED)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the big-endian 32-bit value at an offset. The caller checks the bounds.
  @inline(__always)
  func bigEndian32(_ offset: Int) -> UInt32 {
    UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Returns the big-endian 64-bit value at an offset. The caller checks the bounds.
  @inline(__always)
  func bigEndian64(_ offset: Int) -> UInt64 {
    UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
