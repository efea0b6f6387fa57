public import Foundation

/// A home folder of its own, so that a program under test sees no setting, token or cache of the person who
/// runs the tests, and leaves nothing behind.
public final class IsolatedHome: Sendable {
  /// Everything is below this folder.
  public let directory: TemporaryDirectory
  /// `HOME`.
  public let home: URL
  /// `XDG_CONFIG_HOME`.
  public let config: URL
  /// `XDG_DATA_HOME`.
  public let data: URL
  /// `XDG_CACHE_HOME`.
  public let cache: URL
  /// `XDG_STATE_HOME`.
  public let state: URL
  /// `XDG_RUNTIME_DIR`.
  public let runtime: URL
  /// `TMPDIR`.
  public let temporary: URL

  /// Makes the folders; all are empty.
  ///
  /// - Throws: `SupportError` or what Foundation throws when a folder cannot be made.
  public init() throws {
    directory = try TemporaryDirectory(prefix: "forage-home")
    home = try directory.makeDirectory("home")
    config = try directory.makeDirectory("home/.config")
    data = try directory.makeDirectory("home/.local/share")
    cache = try directory.makeDirectory("home/.cache")
    state = try directory.makeDirectory("home/.local/state")
    runtime = try directory.makeDirectory("run")
    temporary = try directory.makeDirectory("tmp")
  }

  /// The complete environment of a child process: folders, `PATH=/usr/bin:/bin`, `LANG=C.UTF-8`, UTC.
  ///
  /// No token, no proxy; git reads neither the system's nor the user's configuration and never asks.
  public var environment: [String: String] {
    [
      "HOME": home.path, "XDG_CONFIG_HOME": config.path, "XDG_DATA_HOME": data.path,
      "XDG_CACHE_HOME": cache.path, "XDG_STATE_HOME": state.path, "XDG_RUNTIME_DIR": runtime.path,
      "TMPDIR": temporary.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC",
      "TERM": "xterm-256color",
      "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
    ]
  }

  /// The environment with additions and replacements; an empty string stays an empty variable.
  public func environment(adding extra: [String: String]) -> [String: String] {
    environment.merging(extra) { _, new in new }
  }

  /// Writes a file below `XDG_CONFIG_HOME`, for example `forage/config.yaml`.
  @discardableResult
  public func writeConfig(_ name: String, _ contents: String) throws -> URL {
    try directory.write("home/.config/\(name)", contents)
  }
}

/// Runs a body with an isolated home that is removed afterwards, whatever happens.
public func withIsolatedHome<Result>(
  _ body: (IsolatedHome) async throws -> Result
) async throws -> Result {
  let home = try IsolatedHome()
  defer { home.directory.remove() }
  return try await body(home)
}
