import ForageCore
import ForageFoundation
import ForageGit
import ForagePlatform
import ForageStore

/// A file beside the settings that commands write; the user's own `config.yaml` is never written.
struct OwnSettingsFile {
  /// It need not exist.
  let path: String

  /// - Parameter settings: The path of the settings.
  init(_ name: String, beside settings: String) { path = parentFolder(of: settings) + "/" + name }

  /// The content, `nil` without a file.
  ///
  /// - Throws: `ForageError` when it cannot be read.
  func bytes() throws(ForageError) -> [UInt8]? { try Self.bytes(path) }

  /// The content of a file of settings, `nil` without a file.
  ///
  /// - Throws: `ForageError` when it cannot be read, and where the path leads through a link to nowhere: what the user has set is not known.
  static func bytes(_ path: String) throws(ForageError) -> [UInt8]? {
    // Another process may write the first one between a look and the other.
    for _ in 0..<2 {
      if let data = FileManager.default.contents(atPath: path) { return Array(data) }
      if let link = brokenLink(in: path) {
        throw ForageError(link == path ? nil : "\(path) cannot be read", brokenLink: link)
      }
      guard FileManager.default.fileExists(atPath: path) else { return nil }
    }
    if FileAccess.isDirectory(path) {
      throw ForageError("\(path) is a folder instead of a file", hint: "move the folder away")
    }
    throw ForageError("\(path) cannot be read", hint: "check the permissions of the file")
  }

  /// Changes the content, one process at a time.
  ///
  /// - Parameters:
  ///   - what: What the file is, for the message.
  ///   - change: Gets the content, `nil` without a file; returns the new one, or `nil` to leave the file as it is.
  /// - Throws: `ForageError` when it cannot be read or written, and what `change` throws; it is then unchanged.
  func change(
    _ what: String, _ change: ([UInt8]?) throws(ForageError) -> [UInt8]?
  ) throws(ForageError) {
    _ = try bytes()
    var problem: ForageError?
    let isWritten = PrivateFile.change(realPath(path) ?? path, limit: .max, waits: true) { bytes in
      do throws(ForageError) { return try change(bytes) } catch {
        problem = error
        return nil
      }
    }
    if let problem { throw problem }
    guard isWritten else { throw ForageError(unwritable: path, what) }
  }
}
