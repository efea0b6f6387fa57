#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Paged searches, one file each.
///
/// A search that only might be continued must cost next to nothing, and opening a database costs as much as a quarter of a search. A state is
/// written whole under a name of its own, so a crash leaves the old or the new; of two programs that go on at once, one wins.
package struct SessionFiles: Sendable {
  /// How long a search can be continued.
  package static let lifetime: TimeInterval = 3600
  /// A session of 10,000 results is about 8 MB.
  static let maximumBytes = 64 << 20

  private let folder: String

  /// Names the folder; nothing is read or made yet.
  package init(folder: String) { self.folder = folder }

  /// Keeps the state of a new session.
  ///
  /// - Returns: The name of the session, 32 hexadecimal digits.
  /// - Throws: `StoreError` when it cannot be written.
  package func create(_ state: [UInt8], now: Date) throws(StoreError) -> String {
    try makeFolder()
    sweep(now: now)
    let name = Self.randomName()
    guard try write(state, name: name, version: 0) else {
      throw failure
    }
    return name
  }

  /// The newest state of a session, `nil` when there is none, its time is over, or it is not what was written.
  package func state(of name: String, now: Date) throws(StoreError) -> (version: Int, state: [UInt8])? {
    guard Self.isName(name) else { return nil }
    // A newer version may take the place of the one that was just listed.
    for _ in 0..<3 {
      guard let version = versions(of: name).max() else { return nil }
      if let age = age(of: path(name, version), now: now), age > Self.lifetime { return nil }
      guard let data = FileManager.default.contents(atPath: path(name, version)) else { continue }
      return Self.opened([UInt8](data)).map { (version, $0) }
    }
    return nil
  }

  /// Puts a state behind the one with a version.
  ///
  /// - Returns: Whether it was put there; not so when somebody else was first.
  package func replace(_ name: String, version: Int, by state: [UInt8]) throws(StoreError) -> Bool {
    guard Self.isName(name) else { return false }
    // One at a time: a place that was free a moment ago may have been taken and left since.
    let lock = open("\(folder)/\(name).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw failure }
    defer { _ = Self.systemClose(lock) }
    while flock(lock, LOCK_EX) != 0 { if errno != EINTR { throw failure } }
    guard versions(of: name).max() == version, try write(state, name: name, version: version + 1) else {
      return false
    }
    for old in versions(of: name) where old <= version { unlink(path(name, old)) }
    return true
  }

  private var failure: StoreError {
    StoreError(
      "the place for the next page cannot be kept in \(folder)",
      hint: "check its permissions and the space on the disk, or set XDG_CACHE_HOME to another folder")
  }

  /// 32 hexadecimal digits that nobody guesses.
  private static func randomName() -> String {
    var random = SystemRandomNumberGenerator()
    return [random.next(), random.next()].reduce(into: "") { (name, bits: UInt64) in
      let digits = String(bits, radix: 16)
      name += String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
  }

  private static func isName(_ name: String) -> Bool {
    name.utf8.count == 32 && name.utf8.allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
  }

  private func path(_ name: String, _ version: Int) -> String { "\(folder)/\(name).\(version)" }

  private func versions(of name: String) -> [Int] {
    files().filter { $0.hasPrefix(name + ".") }.compactMap { Int($0.dropFirst(name.utf8.count + 1)) }
  }

  private func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

  /// Writes a whole file under a name that must be new.
  private func write(_ state: [UInt8], name: String, version: Int) throws(StoreError) -> Bool {
    guard state.count <= Self.maximumBytes else { throw failure }
    let temporary = "\(folder)/.\(Self.randomName())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure }
    defer { unlink(temporary) }
    let isWritten = Self.sealed(state).withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Self.systemWrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count > 0 { done += count } else if count == 0 || errno != EINTR { return false }
      }
      return true
    }
    guard Self.systemClose(descriptor) == 0, isWritten else { throw failure }
    if link(temporary, path(name, version)) == 0 { return true }
    if errno == EEXIST { return false }
    throw failure
  }

  private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes, count)
    #else
      Darwin.write(descriptor, bytes, count)
    #endif
  }

  private static func systemClose(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #elseif canImport(Musl)
      Musl.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }

  /// Makes the folder and those above it.
  private func makeFolder() throws(StoreError) {
    if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
    for (place, byte) in zip(folder.indices, folder) where byte == "/" && place > folder.startIndex {
      mkdir(String(folder[..<place]), 0o700)
    }
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure }
  }

  /// Removes what is over, unless that was done a while ago: a folder of many sessions need not be read by every search.
  private func sweep(now: Date) {
    let marker = folder + "/.swept"
    if let age = age(of: marker, now: now), abs(age) <= Self.sweepInterval { return }
    let descriptor = open(marker, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      futimens(descriptor, nil)
      _ = Self.systemClose(descriptor)
    }
    for file in files() {
      let path = folder + "/" + file
      if let age = age(of: path, now: now), age > Self.lifetime { unlink(path) }
    }
  }

  /// Seconds between two sweeps: a small part of the lifetime.
  private static let sweepInterval: TimeInterval = 300

  /// Seconds since a file was changed, `nil` where there is none.
  private func age(of path: String, now: Date) -> TimeInterval? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let changed = status.st_mtimespec
    #else
      let changed = status.st_mtim
    #endif
    return now.timeIntervalSince1970 - Double(changed.tv_sec) - Double(changed.tv_nsec) / 1e9
  }
}
