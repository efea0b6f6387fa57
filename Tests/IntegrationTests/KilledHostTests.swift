import Foundation
import TestSupport
import Testing

/// A plugin sees the end of its input when the program is killed.
@Suite struct KilledHostTests {
  /// Kills the program on its first search, and leaves a file when its input ends.
  private static let killer = #"""
    import json, os, signal

    call = json.loads(input())
    result = {"protocol": 1, "version": "1"}
    print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}), flush=True)
    input()
    os.kill(os.getppid(), signal.SIGKILL)
    try:
        input()
    except EOFError:
        open("ended", "w").close()

    """#

  @Test func itsPluginSeesTheEnd() async throws {
    let program = try Program(adding: ["PATH": "/usr/bin:/bin"])
    let folder = try program.writePlugin("killer", Self.killer)
    let killed = try await ProcessRunner.run(
      forageBinary, ["search", "kit", "-p", "killer", "--plugin", folder], environment: program.environment,
      workingDirectory: program.home.home)
    #expect(killed.signal == SIGKILL, "\(killed.status) \(killed.err)")
    let start = ContinuousClock.now
    while !FileManager.default.fileExists(atPath: folder + "/ended"),
      ContinuousClock.now - start < .seconds(60)
    {
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(FileManager.default.fileExists(atPath: folder + "/ended"))
  }
}
