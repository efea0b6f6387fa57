import ForageCore
import ForageFoundation
import ForagePlatform

/// The file of trusted plugins and of the hosts of manifests: JSON, accessible only to the user, replaced
/// atomically.
struct TrustFile: Sendable {
  struct Entry: Codable, Hashable, Sendable {
    var id: String
    /// The digest of its files; `nil` in an entry of an earlier format, which trusts nothing.
    var sha256: String?
  }

  /// The hosts that may receive the secret of a manifest.
  struct Hosts: Codable, Hashable, Sendable {
    var hosts: [String]
  }

  struct Entries: Codable, Hashable, Sendable {
    var forage = version
    /// By their folders.
    var plugins: [String: Entry] = [:]
    /// By their ids; `nil` if the user has never been asked about one.
    var manifests: [String: Hosts]?
  }

  private static let version = 1
  /// The maximum size of the file in bytes; a plugin takes about 150.
  private static let byteLimit = 4 << 20
  /// How long a change waits for that of another process, in seconds.
  private static let lockTimeout: Double = 5

  let path: String

  /// Reads the file; a missing file is empty.
  ///
  /// - Throws: `SearchError` if it cannot be read, is invalid, or is writable by others.
  func read() throws(SearchError) -> Entries {
    var bytes: [UInt8] = []
    let status: stat
    do throws(FileFailure) {
      status = try FileContents.pieces(path) { piece in
        bytes.append(contentsOf: piece)
        return bytes.count <= Self.byteLimit
      }
    } catch {
      if let link = brokenLink(in: path) {
        throw failure(
          (link == path ? "" : "cannot be read: \(link) ") + "is a link that leads nowhere",
          hint: "create what the link names, or remove the link")
      }
      if error.isMissing { return Entries() }
      throw failure("cannot be read: \(error.reason)", hint: "check its permissions")
    }
    guard status.st_uid == geteuid(), status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw failure("is writable by others", hint: "review it, then run: chmod 600 \(path.shellQuoted)")
    }
    guard bytes.count <= Self.byteLimit,
      let entries = try? JSONDecoder().decode(Entries.self, from: Data(bytes)), entries.forage == Self.version
    else { throw failure("is damaged", hint: "remove it, then trust your plugins again") }
    return entries
  }

  /// Changes the file while other processes are locked out.
  ///
  /// - Throws: `SearchError`; the file is then unchanged.
  func update(_ change: (inout Entries) -> Void) throws(SearchError) {
    makeFolders(parentFolder(of: path))
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw unwritable(errno) }
    defer { close(lock) }
    guard waitForLock(lock, waiting: Self.lockTimeout) else {
      throw failure("is being changed by another process", hint: "try again in a moment")
    }
    var entries = try read()
    change(&entries)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(entries) else { throw unwritable(EINVAL) }
    let number = replaceFile(realPath(path) ?? path, with: bytes + [UInt8(ascii: "\n")], isLasting: true)
    guard number == 0 else { throw unwritable(number) }
  }

  private func unwritable(_ number: Int32) -> SearchError {
    failure(
      "cannot be written: \(errorText(number))",
      hint: "check the permissions of it and of its folder, and the space on the disk")
  }

  private func failure(_ what: String, hint: String) -> SearchError {
    SearchError(.local, "the file of trusted plugins, \(path), \(what)", hint: hint)
  }
}
