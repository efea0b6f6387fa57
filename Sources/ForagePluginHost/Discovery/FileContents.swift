#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why a file cannot be read.
struct FileFailure: Error, Hashable {
  /// The error's number, 0 for what is no regular file.
  var number: Int32

  /// Whether there is no such file.
  var isMissing: Bool { number == ENOENT || number == ENOTDIR }
  /// Why, to stand behind a colon.
  var reason: String { number == 0 ? "it is not a regular file" : System.message(number) }
}

/// Reads regular files; nothing else is opened in a way that could wait.
enum FileContents {
  /// Bytes that are read at once.
  private static let pieceSize = 64 << 10

  /// Reads a file piece by piece.
  ///
  /// - Parameter take: Gets each piece; returns whether more is wanted.
  /// - Returns: What the system tells of the file, as it was opened.
  @discardableResult
  static func pieces(_ path: String, _ take: (UnsafeRawBufferPointer) -> Bool) throws(FileFailure) -> stat {
    let descriptor = System.openReading(path)
    guard descriptor >= 0 else { throw FileFailure(number: errno) }
    defer { System.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure(number: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileFailure(number: 0) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = System.read(descriptor, buffer)
      if count == 0 { return status }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileFailure(number: errno)
      }
      if !take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { return status }
    }
  }

  /// The first bytes of a file, all of it where it is not longer.
  static func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    try pieces(path) { piece in
      bytes.append(contentsOf: piece.prefix(limit - bytes.count))
      return bytes.count < limit
    }
    return bytes
  }

  /// The path without symbolic links, `nil` where there is nothing.
  static func resolved(_ path: String) -> String? {
    guard let result = realpath(path, nil) else { return nil }
    defer { free(result) }
    return String(cString: result)
  }

  /// The part of a path behind its last slash.
  static func lastPart(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The part of a path before its last slash.
  static func folder(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
