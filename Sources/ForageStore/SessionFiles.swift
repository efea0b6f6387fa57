import ForageCore
package import ForageFoundation
import ForagePlatform

/// The states of paged searches, one file each.
///
/// Files are used because opening a database would cost a quarter of a search. If two programs continue the same
/// search, one of them wins.
package struct SessionFiles: Sendable {
  /// How long a search can be continued, in seconds.
  package static let lifetime: TimeInterval = 3600
  /// The maximum size of a session in bytes: it is read and written with every page. One that contains only
  /// the names of 10,000 results has about 3 MB.
  package static let maximumBytes = 4 << 20

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
    guard makeFolders(folder), state.count <= Self.maximumBytes else { throw failure }
    sweep(now: now)
    let draft = Draft(
      name: Self.randomName(), file: Self.sealed(state), temporary: path("." + Self.randomName()))
    let descriptor = open(draft.temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure }
    let isReserved = reserveSpace(draft.file.count, of: descriptor)
    guard close(descriptor) == 0, isReserved else {
      unlink(draft.temporary)
      throw failure
    }
    return draft
  }

  /// Writes a new session; called once.
  ///
  /// - Throws: `StoreError` if it cannot be written.
  package func write(_ draft: Draft) throws(StoreError) {
    let descriptor = open(draft.temporary, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw failure }
    let isWritten = draft.file.withUnsafeBytes { writeAll($0, to: descriptor) == 0 }
    guard close(descriptor) == 0, isWritten, rename(draft.temporary, path(draft.name)) == 0 else {
      unlink(draft.temporary)
      throw failure
    }
  }

  /// The state of a session, and a version that changes with it; `nil` if there is none, or it is expired or damaged.
  package func state(of name: String, now: Date) -> (version: UInt64, state: [UInt8])? {
    guard Self.isName(name), let age = age(of: path(name), now: now), age <= Self.lifetime else { return nil }
    return Self.opened(PrivateFile.read(path(name), limit: Self.maximumBytes + Self.sumBytes))
  }

  /// Replaces the state with a given version.
  ///
  /// - Returns: Whether it was replaced; false if another process was first.
  /// - Throws: `StoreError` if it cannot be stored.
  package func replace(_ name: String, version: UInt64, by state: [UInt8]) throws(StoreError) -> Bool {
    guard Self.isName(name) else { return false }
    guard state.count <= Self.maximumBytes else { throw failure }
    var isReplaced = false
    let isWritten = PrivateFile.change(path(name), limit: Self.maximumBytes + Self.sumBytes) { bytes in
      isReplaced = Self.opened(bytes)?.version == version
      return isReplaced ? Self.sealed(state) : nil
    }
    guard isWritten else { throw failure }
    return isReplaced
  }

  private var failure: StoreError {
    StoreError(
      "the state of the search cannot be stored in \(folder)",
      hint: "check its permissions and the free space, or set XDG_CACHE_HOME to another folder")
  }

  /// A name of 32 hexadecimal digits.
  private static func randomName() -> String {
    UUID().uuidString.lowercased().filter { $0 != "-" }
  }

  private static func isName(_ name: String) -> Bool {
    name.utf8.count == 32 && name.consists(of: "0"..."9", "a"..."f", "A"..."F")
  }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Removes expired sessions, unless this was done a short while ago.
  private func sweep(now: Date) {
    let marker = path(".swept")
    if let age = age(of: marker, now: now), abs(age) <= Self.sweepInterval { return }
    let descriptor = open(marker, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      futimens(descriptor, nil)
      close(descriptor)
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      if let age = age(of: path(name), now: now), age > Self.lifetime { unlink(path(name)) }
    }
  }

  /// The seconds between two sweeps, a small fraction of the lifetime.
  private static let sweepInterval: TimeInterval = 300

  /// The seconds since a file was changed; `nil` if there is none.
  private func age(of path: String, now: Date) -> TimeInterval? {
    PrivateFile.writtenAt(path).map { now.timeIntervalSince1970 - $0 }
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

  /// The state in the bytes of a file and its checksum; `nil` if they are damaged.
  static func opened(_ bytes: [UInt8]?) -> (version: UInt64, state: [UInt8])? {
    guard let bytes, bytes.count >= sumBytes else { return nil }
    let state = bytes.dropLast(sumBytes)
    let kept = bytes.suffix(sumBytes).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return kept == state.fnv1a ? (kept, Array(state)) : nil
  }
}
