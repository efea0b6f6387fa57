import ForagePlatform

/// A memory-mapped commit-graph; unmapped with its last reference.
///
/// Git writes such a file seldom, replaces it as a whole and never truncates one in place, so that a mapping stays
/// valid. Files that git writes often, such as the index and references, are read instead.
///
/// `@unchecked Sendable`: the only stored property is constant. Its memory is mapped read-only and stays
/// mapped until `deinit`, which runs when no thread holds a reference.
final class MappedFile: @unchecked Sendable {
  /// The whole content, at least one byte; valid as long as this object.
  var bytes: CheckedBytes { CheckedBytes(memory) }
  private let memory: UnsafeRawBufferPointer

  /// Maps a file; nil if it does not exist, is empty or unreadable, or is not a regular file.
  init?(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size > 0,
      let start = mmap(nil, Int(info.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { return nil }
    memory = UnsafeRawBufferPointer(start: start, count: Int(info.st_size))
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count)
  }
}
