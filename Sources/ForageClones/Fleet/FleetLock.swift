import ForageCore
import ForageFoundation
import ForageGit
import ForagePlatform
import ForageSetup

/// Lets one process at a time change clones: git's own locks would make the second one fail.
enum FleetLock {
  private static let pause: Duration = .milliseconds(100)

  /// Waits until no other process changes clones, and runs a body.
  ///
  /// - Throws: What the body throws; `CancellationError`.
  static func hold(_ forage: Forage, _ body: () async throws -> Void) async throws {
    let path = forage.paths.stateFolder + "/clones.lock"
    try? FileManager.default.createDirectory(
      atPath: FileAccess.parent(of: path), withIntermediateDirectories: true)
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    // Without a folder for the lock nobody is kept out, and git's own locks decide.
    guard descriptor >= 0 else { return try await body() }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      let end = forage.reporter.waitsFor("another forage that changes clones")
      defer { end() }
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        try await Task.sleep(for: pause)
      }
    }
    try await body()
  }
}
