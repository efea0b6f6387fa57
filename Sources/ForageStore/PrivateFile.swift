import ForageFoundation
import ForagePlatform

/// A small file that only the user may read, replaced as a whole: a reader sees the old bytes or the new
/// ones.
package enum PrivateFile {
  /// What the user alone may do with the file.
  private static let mode: mode_t = 0o600

  /// A text as the name of a file: the name of a terminal, a port and an address have characters that paths
  /// do not.
  package static func name(of text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" })
  }

  /// Writes a file and the folders above it.
  ///
  /// - Returns: Whether the file holds the bytes; otherwise it is as it was.
  package static func write(_ bytes: [UInt8], to path: String) -> Bool {
    write(bytes, to: path, mode, isLasting: false)
  }

  /// Replaces a file of the user's own, which keeps its permissions; a link to it stays a link. A new file is
  /// private.
  ///
  /// - Returns: Whether the file holds the bytes; otherwise, as for a link that leads nowhere, everything is
  ///   as it was.
  package static func replace(_ path: String, with bytes: [UInt8]) -> Bool {
    guard brokenLink(in: path) == nil else { return false }
    var status = stat()
    let old = stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    return write(bytes, to: realPath(path) ?? path, old ?? mode, isLasting: true)
  }

  private static func write(
    _ bytes: [UInt8], to path: String, _ mode: mode_t, isLasting: Bool
  ) -> Bool {
    makeFolders(parentFolder(of: path))
    return replaceFile(path, with: bytes, mode: mode, isLasting: isLasting) == 0
  }

  /// The bytes of a file, `nil` where there is none, or more than `limit`.
  package static func read(_ path: String, limit: Int) -> [UInt8]? {
    guard let file = StoredFile(path), file.bytes <= limit else { return nil }
    return FileManager.default.contents(atPath: path).map { [UInt8]($0) }
  }

  /// When a file was written, in seconds since 1970; `nil` where there is none.
  package static func writtenAt(_ path: String) -> Double? { StoredFile(path)?.writtenAt }

  package static func remove(_ path: String) { unlink(path) }

  /// Reads, changes and writes a file, one process at a time.
  ///
  /// - Parameters:
  ///   - waits: Whether the change is what the command is for, and waits for other processes as all writing
  ///     does.
  ///   - isLasting: Whether the file is the user's, and not one that the program makes again; see
  ///     `replaceFile`.
  ///   - change: Gets the bytes, `nil` where there are none; returns the new ones, or `nil` to leave the
  ///     file as it is.
  /// - Returns: False when the change could not be written.
  package static func change(
    _ path: String, limit: Int, waits: Bool = false, isLasting: Bool = false,
    _ change: ([UInt8]?) -> [UInt8]?
  ) -> Bool {
    makeFolders(parentFolder(of: path))
    let wait = waits ? DatabaseOpening.writingTimeout : DatabaseOpening.readingTimeout
    let result = try? FileLock.hold(path, isExclusive: true, waiting: wait) {
      guard let bytes = change(read(path, limit: limit)) else { return true }
      return write(bytes, to: path, mode, isLasting: isLasting)
    }
    return result ?? false
  }
}
