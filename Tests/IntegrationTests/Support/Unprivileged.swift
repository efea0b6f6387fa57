import Foundation
import TestSupport
import Testing

extension Program {
  /// Runs the program as somebody to whom permissions apply.
  ///
  /// Root reads and writes everything, so root becomes user 65534 (nobody) with the `setpriv` program; the
  /// test fails where that cannot be arranged.
  func runUnprivileged(_ arguments: [String]) async throws -> ProcessResult {
    guard getuid() == 0 else { return try await run(arguments) }
    let tool = URL(fileURLWithPath: "/usr/bin/setpriv")
    try #require(
      FileManager.default.isExecutableFile(atPath: tool.path), "tests as root need setpriv of util-linux")
    var folder = home.home.path.trimmingSuffix("/")
    // The folders above the home belong to root alone until now.
    while folder.count > 1, folder.hasPrefix(home.directory.path) {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
      folder = URL(fileURLWithPath: folder).deletingLastPathComponent().path.trimmingSuffix("/")
    }
    func start(_ arguments: [String]) async throws -> ProcessResult {
      let identity = ["--reuid=65534", "--regid=65534", "--clear-groups", try forageBinary.path]
      return try await Gate.shared.run {
        try await ProcessRunner.run(
          tool, identity + arguments, environment: environment, workingDirectory: URL(fileURLWithPath: "/"))
      }
    }
    try #require(try await start(["--version"]).status == 0, "user 65534 cannot run the program")
    return try await start(arguments)
  }
}
