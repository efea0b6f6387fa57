import ForageCore
import ForagePlatform

/// The file of trusted plugins and of the hosts of manifests: JSON, accessible only to the user, replaced
/// atomically.
struct TrustFile: Sendable {
  struct Print: Hashable, Sendable {
    var digest: String
    /// The stamp when it was read, if it had been unchanged for a while.
    var stamp: String?
  }

  struct Entry: Hashable, Sendable {
    var id: String
    var trustedAt: String
    var files: [String: Print]
  }

  struct Entries: Hashable, Sendable {
    var plugins: [String: Entry] = [:]
    /// The hosts that may receive the secret of a manifest, by its id.
    var manifests: [String: Set<String>] = [:]
  }

  private static let version = 1
  /// The maximum size of the file in bytes; a plugin takes about 300.
  private static let byteLimit = 4 << 20

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
      if error.isMissing { return Entries() }
      throw failure("cannot be read: \(error.reason)", hint: "check its permissions")
    }
    guard status.st_uid == geteuid(), status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw failure("is writable by others", hint: "review it, then run: chmod 600 \(path)")
    }
    guard bytes.count <= Self.byteLimit, let tree = try? JSONTree(parsing: bytes),
      tree["forage"]?.integer == Self.version, let plugins = tree["plugins"]?.object
    else { throw damaged }
    var entries = Entries()
    for (folder, value) in plugins {
      guard let id = value["id"]?.string, let files = value["files"]?.object else { throw damaged }
      var entry = Entry(id: id, trustedAt: value["trustedAt"]?.string ?? "", files: [:])
      for (name, file) in files {
        guard let digest = file["sha256"]?.string else { throw damaged }
        entry.files[name] = Print(digest: digest, stamp: file["stamp"]?.string)
      }
      entries.plugins[folder] = entry
    }
    for (id, value) in tree["manifests"]?.object ?? [:] {
      guard let hosts = value["hosts"]?.array else { throw damaged }
      entries.manifests[id] = Set(hosts.compactMap(\.string))
    }
    return entries
  }

  /// Changes the file while other processes are locked out.
  ///
  /// - Throws: `SearchError`; the file is then unchanged.
  func update(_ change: (inout Entries) -> Void) throws(SearchError) {
    makeFolders(parentFolder(of: path))
    let lock = System.openWriting(path + ".lock", O_RDWR)
    guard lock >= 0 else { throw unwritable() }
    defer { System.close(lock) }
    guard waitForLock(lock) else {
      throw failure("is being changed by another process", hint: "try again in a moment")
    }
    var entries = try read()
    let before = entries
    change(&entries)
    if entries != before { try write(entries) }
  }

  private func write(_ entries: Entries) throws(SearchError) {
    let plugins = entries.plugins.mapValues { entry in
      JSONTree.object([
        "id": .string(entry.id), "trustedAt": .string(entry.trustedAt),
        "files": .object(
          entry.files.mapValues { print in
            var members = ["sha256": JSONTree.string(print.digest)]
            members["stamp"] = print.stamp.map(JSONTree.string)
            return .object(members)
          }),
      ])
    }
    var members = ["forage": JSONTree.integer(Self.version), "plugins": .object(plugins)]
    if !entries.manifests.isEmpty {
      members["manifests"] = .object(
        entries.manifests.mapValues { hosts in
          .object(["hosts": .array(hosts.sorted().map(JSONTree.string))])
        })
    }
    let tree = JSONTree.object(members)
    let bytes = tree.encoded() + [UInt8(ascii: "\n")]
    // The lock protects this name; a file left by a crash is overwritten.
    let temporary = path + ".new"
    unlink(temporary)
    let descriptor = System.openWriting(temporary, O_WRONLY | O_EXCL)
    guard descriptor >= 0 else { throw unwritable() }
    defer { unlink(temporary) }
    var number = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    if number == 0, fsync(descriptor) != 0 { number = errno }
    if System.close(descriptor) != 0, number == 0 { number = errno }
    if number == 0, rename(temporary, path) != 0 { number = errno }
    guard number == 0 else { throw unwritable(number) }
  }

  private var damaged: SearchError {
    failure("is damaged", hint: "remove it, then trust your plugins again")
  }

  private func unwritable(_ number: Int32 = errno) -> SearchError {
    failure(
      "cannot be written: \(System.message(number))", hint: "check its permissions and the space on the disk")
  }

  private func failure(_ what: String, hint: String) -> SearchError {
    SearchError(.local, "the file of trusted plugins, \(path), \(what)", hint: hint)
  }
}
