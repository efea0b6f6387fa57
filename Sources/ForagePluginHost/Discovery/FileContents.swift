import ForagePlatform

struct FileFailure: Error, Hashable {
  /// The `errno` value; 0 if the path is not a regular file.
  var number: Int32
  /// The path in a folder that was copied; `nil` where the caller knows it.
  var path: String?

  var isMissing: Bool { number == ENOENT || number == ENOTDIR }
  /// The reason, for use after a colon.
  var reason: String { number == 0 ? "it is not a regular file" : errorText(number) }
}

/// The message for an `errno` value, for example `No such file or directory`.
func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }

/// Reads regular files. Other file types are never opened in a blocking way.
enum FileContents {
  /// The number of bytes per read.
  private static let pieceSize = 64 << 10

  /// Reads a file in chunks.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - take: Receives each chunk; returns whether to continue.
  /// - Returns: The status of the open file.
  @discardableResult
  static func pieces(_ path: String, _ take: (UnsafeRawBufferPointer) -> Bool) throws(FileFailure) -> stat {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileFailure(number: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure(number: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileFailure(number: 0) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = ForagePlatform.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure(number: errno) }
      guard count > 0, take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return status }
    }
  }

  /// The first bytes of a file, or all if it is not longer.
  static func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    try pieces(path) { piece in
      bytes.append(contentsOf: piece.prefix(limit - bytes.count))
      return bytes.count < limit
    }
    return bytes
  }

  static func lastPart(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}
