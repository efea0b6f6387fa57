#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// A plugin that kills the program and the supervisor leaves a process at most until a plugin starts again.
  @Suite struct KilledHostTests {
    /// What both plugins begin with: the answer to `initialize`, then the first search.
    private static let beginning = #"""
      import json, os, signal, time

      def answer(call, result):
          print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}), flush=True)

      answer(json.loads(input()), {"protocol": 1, "version": "1"})
      call = json.loads(input())

      """#

    /// A process in a session of its own kills first the program, then the supervisor, which cannot act.
    private static let killer =
      beginning + #"""
        supervisor = os.getppid()
        host = int(open("/proc/%d/stat" % supervisor).read().rpartition(")")[2].split()[1])
        if os.fork() == 0:
            os.setsid()
            open("left", "w").write(str(os.getpid()))
            os.kill(supervisor, signal.SIGSTOP)
            os.kill(host, signal.SIGKILL)
            os.kill(supervisor, signal.SIGKILL)
        time.sleep(3600)

        """#

    private static let harmless = beginning + "answer(call, {\"count\": 0})\ninput()\n"

    private func isRunning(_ process: Int) throws -> Bool {
      guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
        return false
      }
      return !status.contains(") Z ")
    }

    @Test func whatItLeavesIsEndedAtTheNextStart() async throws {
      let program = try Program(adding: ["PATH": "/usr/bin:/bin"])
      let killer = try program.writePlugin("killer", Self.killer)
      let harmless = try program.writePlugin("harmless", Self.harmless)
      let killed = try await ProcessRunner.run(
        forageBinary, ["search", "kit", "-p", "killer", "--plugin", killer], environment: program.environment,
        workingDirectory: program.home.home)
      #expect(killed.signal == SIGKILL, "\(killed.status) \(killed.err)")
      let left = try #require(Int(try String(contentsOfFile: killer + "/left", encoding: .utf8)))

      let next = try await program.run(["search", "kit", "-p", "harmless", "--plugin", harmless])
      #expect(next.status == 1, "\(next.err)")
      let start = ContinuousClock.now
      while try isRunning(left), ContinuousClock.now - start < .seconds(60) {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(try !isRunning(left))
    }
  }
#endif
