import ForagePlatform

extension FileAccess {
  /// Calls `body` with the path of a name in a folder as a C string; names need not be UTF-8.
  static func withPath<Result>(
    _ folder: String, _ name: UnsafeRawBufferPointer, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    var bytes = Array(folder.utf8)
    bytes.append(UInt8(ascii: "/"))
    bytes.append(contentsOf: name)
    bytes.append(0)
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { body($0.baseAddress) }
    }
  }

  /// Whether a folder has a name, which need not be UTF-8; links are not followed.
  static func exists(_ folder: String, _ name: UnsafeRawBufferPointer) -> Bool {
    var info = stat()
    return withPath(folder, name) { path in path.map { lstat($0, &info) == 0 } ?? false }
  }

  /// Returns the target of a symbolic link in a folder; nil if there is none or it is longer than 64 KiB.
  static func linkBytes(_ folder: String, _ name: UnsafeRawBufferPointer) -> [UInt8]? {
    // PATH_MAX is 4 KiB on Linux; some file systems allow more.
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let capacity = buffer.count
    let count = buffer.withUnsafeMutableBytes { raw in
      withPath(folder, name) { path -> Int in
        guard let path, let start = raw.baseAddress else { return -1 }
        return readlink(path, start.assumingMemoryBound(to: CChar.self), capacity)
      }
    }
    return count >= 0 && count < capacity ? Array(buffer.prefix(count)) : nil
  }
}
