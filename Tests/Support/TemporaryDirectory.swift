import ForagePlatform
public import Foundation

/// A fresh folder that is removed, with everything in it, when the value goes away.
///
/// Keep the value itself, not just its path, for as long as the folder is needed.
public final class TemporaryDirectory: Sendable {
  /// The folder, with symbolic links resolved.
  public let url: URL

  /// Makes an empty folder below the system's temporary folder.
  ///
  /// - Parameter prefix: how the folder's name begins.
  /// - Throws: `SupportError` when it cannot be made.
  public init(prefix: String = "forage-test") throws {
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    var template = Array("\(base)/\(prefix)-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let start = buffer.baseAddress, let name = mkdtemp(start) else { return nil }
      return String(cString: name)
    }
    guard let made else {
      throw SupportError(
        code: .system, message: "no temporary folder could be made in \(base)",
        hint: "check TMPDIR and the free space")
    }
    guard let resolved = realpath(made, nil) else {
      throw SupportError(code: .system, message: "\(made) vanished", hint: "run the test again")
    }
    url = URL(fileURLWithPath: String(cString: resolved), isDirectory: true)
    free(resolved)
  }

  deinit { remove() }

  /// The folder's path, without a slash at the end.
  public var path: String {
    let path = url.path
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// A path inside the folder; nothing is made.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file inside the folder, with the folders above it.
  ///
  /// - Parameters:
  ///   - name: path relative to the folder.
  ///   - contents: the text, as UTF-8.
  ///   - mode: permission bits.
  /// - Returns: the file's URL.
  /// - Throws: what Foundation throws when writing fails.
  @discardableResult
  public func write(_ name: String, _ contents: String, mode: Int = 0o644) throws -> URL {
    try write(name, data: Data(contents.utf8), mode: mode)
  }

  /// Writes a file of bytes inside the folder, with the folders above it.
  @discardableResult
  public func write(_ name: String, data: Data, mode: Int = 0o644) throws -> URL {
    let file = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    return file
  }

  /// Makes a folder inside the folder and returns its URL.
  @discardableResult
  public func makeDirectory(_ name: String) throws -> URL {
    let folder = URL(fileURLWithPath: path(name), isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Removes the folder now; does nothing when it is gone.
  public func remove() {
    try? FileManager.default.removeItem(at: url)
  }
}

/// Runs a body with a temporary folder that is removed afterwards, whatever happens.
public func withTemporaryDirectory<Result>(
  prefix: String = "forage-test",
  _ body: (TemporaryDirectory) async throws -> Result
) async throws -> Result {
  let directory = try TemporaryDirectory(prefix: prefix)
  defer { directory.remove() }
  return try await body(directory)
}
