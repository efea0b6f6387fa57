import ForageCore
package import ForageFoundation
import ForagePlatform

/// The states of paged searches, one file each.
///
/// Files are used because opening a database would cost a quarter of a search. Each state is written
/// completely under a name of its own, so that a crash leaves the old or the new one; if two programs
/// continue the same search, one of them wins.
package struct SessionFiles: Sendable {
  /// How long a search can be continued, in seconds.
  package static let lifetime: TimeInterval = 3600
  /// The maximum size of a session in bytes: it is read and written with every page. One that contains only
  /// the names of 10,000 results has about 3 MB.
  package static let maximumBytes = 4 << 20

  /// The attempts to read the newest version: it may be replaced between the listing and the reading, each time by another process.
  private static let readAttempts = 3

  private let folder: String

  /// Creates the value; no file is accessed.
  package init(folder: String) { self.folder = folder }

  /// A new session that is not written yet.
  package struct Draft: Sendable {
    /// The name of the session, 32 hexadecimal digits.
    package let name: String
    fileprivate let file: [UInt8]
    fileprivate let temporary: String
  }

  /// Reserves the space of a new session, so that its name can be printed before it is written.
  ///
  /// - Throws: `StoreError` if it cannot be stored.
  package func reserve(_ state: [UInt8], now: Date) throws(StoreError) -> Draft {
    guard makeFolders(folder) else { throw failure }
    sweep(now: now)
    return try draft(state, name: Self.randomName())
  }

  /// Writes a new session; called once.
  ///
  /// - Throws: `StoreError` if it cannot be written.
  package func write(_ draft: Draft) throws(StoreError) {
    guard try write(draft, version: 0) else { throw failure }
  }

  /// The newest state of a session; `nil` if there is none, or it is expired or damaged.
  package func state(of name: String, now: Date) throws(StoreError) -> (version: Int, state: [UInt8])? {
    guard Self.isName(name) else { return nil }
    for _ in 0..<Self.readAttempts {
      guard let version = versions(of: name).max() else { return nil }
      if let age = age(of: path(name, version), now: now), age > Self.lifetime { return nil }
      guard let data = FileManager.default.contents(atPath: path(name, version)) else { continue }
      return Self.opened([UInt8](data)).map { (version, $0) }
    }
    return nil
  }

  /// Adds the state after a given version.
  ///
  /// - Returns: Whether it was added; false if another process was first.
  package func replace(_ name: String, version: Int, by state: [UInt8]) throws(StoreError) -> Bool {
    guard Self.isName(name) else { return false }
    // Locked, because a version that was free a moment ago may have been added and removed since.
    do {
      return try FileLock.hold("\(folder)/\(name)", isExclusive: true) {
        guard versions(of: name).max() == version,
          try write(try draft(state, name: name), version: version + 1)
        else { return false }
        for old in versions(of: name) where old <= version { unlink(path(name, old)) }
        return true
      }
    } catch {
      throw failure
    }
  }

  private var failure: StoreError {
    StoreError(
      "the state of the search cannot be stored in \(folder)",
      hint: "check its permissions and the free space, or set XDG_CACHE_HOME to another folder")
  }

  private static func randomName() -> String {
    var random = SystemRandomNumberGenerator()
    return [random.next(), random.next()].reduce(into: "") { (name, bits: UInt64) in
      let digits = String(bits, radix: 16)
      name += String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
  }

  private static func isName(_ name: String) -> Bool {
    name.utf8.count == 32 && name.consists(of: "0"..."9", "a"..."f", "A"..."F")
  }

  private func path(_ name: String, _ version: Int) -> String { "\(folder)/\(name).\(version)" }

  private func versions(of name: String) -> [Int] {
    files().filter { $0.hasPrefix(name + ".") }.compactMap { Int($0.dropFirst(name.utf8.count + 1)) }
  }

  private func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

  /// Reserves the space of a file under a temporary name.
  private func draft(_ state: [UInt8], name: String) throws(StoreError) -> Draft {
    guard state.count <= Self.maximumBytes else { throw failure }
    let draft = Draft(name: name, file: Self.sealed(state), temporary: "\(folder)/.\(Self.randomName())")
    let descriptor = open(draft.temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure }
    let isReserved = reserveSpace(draft.file.count, of: descriptor)
    guard close(descriptor) == 0, isReserved else {
      unlink(draft.temporary)
      throw failure
    }
    return draft
  }

  /// Writes a complete file under a name that must not exist.
  private func write(_ draft: Draft, version: Int) throws(StoreError) -> Bool {
    defer { unlink(draft.temporary) }
    let descriptor = open(draft.temporary, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw failure }
    let isWritten = draft.file.withUnsafeBytes { writeAll($0, to: descriptor) == 0 }
    guard close(descriptor) == 0, isWritten else { throw failure }
    if link(draft.temporary, path(draft.name, version)) == 0 { return true }
    if errno == EEXIST { return false }
    throw failure
  }

  /// Removes expired sessions, unless this was done a short while ago.
  private func sweep(now: Date) {
    let marker = folder + "/.swept"
    if let age = age(of: marker, now: now), abs(age) <= Self.sweepInterval { return }
    let descriptor = open(marker, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      futimens(descriptor, nil)
      close(descriptor)
    }
    for file in files() {
      let path = folder + "/" + file
      if let age = age(of: path, now: now), age > Self.lifetime { unlink(path) }
    }
  }

  /// The seconds between two sweeps, a small fraction of the lifetime.
  private static let sweepInterval: TimeInterval = 300

  /// The seconds since a file was changed; `nil` if there is none.
  private func age(of path: String, now: Date) -> TimeInterval? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    let changed = status.modified
    return now.timeIntervalSince1970 - Double(changed.tv_sec) - Double(changed.tv_nsec) / 1e9
  }
}

extension SessionFiles {
  /// The size of the checksum after the state, in little-endian order. Without it, a damaged file could make a page
  /// repeat or omit results unnoticed.
  private static let sumBytes = 8

  static func sealed(_ state: [UInt8]) -> [UInt8] {
    let sum = state.fnv1a
    return state + (0..<sumBytes).map { UInt8(truncatingIfNeeded: sum >> UInt64($0 * 8)) }
  }

  /// Decodes a file; `nil` if it is damaged.
  static func opened(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count >= sumBytes else { return nil }
    let state = bytes.dropLast(sumBytes)
    let kept = bytes.suffix(sumBytes).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return kept == state.fnv1a ? Array(state) : nil
  }
}
