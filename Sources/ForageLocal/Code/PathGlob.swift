import ForageGit

/// A pattern of `path:`, `filename:` or `extension:` with `*`, `?` or `**`.
///
/// It matches the end of a path from the start of a name on, with a slash at its beginning the whole path,
/// and with one at its end the folders.
struct PathGlob: Hashable, Sendable {
  private let pattern: String
  private let glob: Glob

  /// Compiles a pattern.
  ///
  /// - Parameter beginning: What stands before the pattern.
  /// - Returns: `nil` for plain text.
  init?(_ text: String, after beginning: String = "") {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }) else {
      return nil
    }
    let text = beginning + text
    pattern = text
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      // Brackets and backslashes are characters of names.
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
      bytes.append(byte)
    }
    if bytes.first == UInt8(ascii: "/") { bytes.removeFirst() } else { bytes = Array("**/".utf8) + bytes }
    if bytes.last == UInt8(ascii: "/") { bytes += Array("**".utf8) }
    glob = Glob(bytes[...])
  }

  func matches(_ path: String) -> Bool {
    var path = path
    return path.withUTF8 { glob.matches(UnsafeRawBufferPointer($0)) }
  }

  static func == (left: PathGlob, right: PathGlob) -> Bool { left.pattern == right.pattern }

  func hash(into hasher: inout Hasher) { hasher.combine(pattern) }
}
