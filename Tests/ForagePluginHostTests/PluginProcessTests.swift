import ForageCore
import ForagePlatform
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForagePluginHost

extension RunningPlugins {
  /// Programs and what is left of them.
  struct PluginProcessTests {
    /// A program that ignores whatever can be ignored, with a child in its group that does.
    private static let stubborn = """
      for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
          signal.signal(number, signal.SIG_IGN)
      hello()
      if os.fork() == 0:
          tell_pid(os.getpid())
          wait_forever()

      """

    /// Ignoring the end of input and signals helps nobody, whichever way it is ended.
    @Test(arguments: [true, false]) func nothingIsLeft(isHurried: Bool) async throws {
      let script = try ScriptedPlugin(Self.stubborn + "wait_forever()")
      try await script.provider().start(by: .now + .seconds(20))
      try await script.waitForProcesses(2)
      #expect(script.processes.allSatisfy(isRunning))
      if isHurried {
        await script.host.close()
      } else {
        let told = "did not exit within 1 s of the end of its input, and was terminated"
        #expect(await script.host.endingFaults(of: "hostile") == [told])
      }
      #expect(try await stillRunning(script.processes) == [])
    }

    /// A program that ends by itself takes its group with it.
    @Test func theGroupEndsWithItsLeader() async throws {
      let script = try ScriptedPlugin(Self.stubborn + "receive()")
      let provider = script.provider()
      try await provider.start(by: .now + .seconds(20))
      try await script.waitForProcesses(2)
      let error = await failure { _ = try await provider.search(try request()) }
      #expect(error?.message.contains("status 0") == true && error?.code == .connectionLost)
      #expect(try await stillRunning(script.processes) == [])
    }

    /// A child that goes on in the background after the end of input is told, and ended.
    @Test func aChildInTheBackground() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        tell_pid(subprocess.Popen(["sleep", "3600"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).pid)
        receive()
        """)
      try await script.provider().start(by: .now + .seconds(20))
      try await script.waitForProcesses(2)
      let told = "exited while child processes of it were running"
      #expect(await script.host.endingFaults(of: "hostile") == [told])
      #expect(try await stillRunning(script.processes) == [])
    }

    /// One that is stopped because its greeting was refused is not said to ignore the end of its input.
    @Test func aRefusedGreetingIsNoHangingProcess() async throws {
      let script = try ScriptedPlugin(
        #"send({"id": receive()["id"], "result": {"protocol": "1", "version": "ü"}}); wait_forever()"#)
      let error = await failure { try await script.provider().start(by: .now + .seconds(20)) }
      #expect(error?.message.hasSuffix("without a valid protocol (it is a text)") == true, "\(error as Any)")
      #expect(await script.host.endingFaults(of: "hostile") == nil)
      #expect(try await script.remains() == [])
    }

    /// A program that has left the group is the user's own: it goes on, and its copies of the pipes hold up
    /// nothing.
    @Test func whatLeavesTheGroup() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        receive()
        ready, told = os.pipe()
        if os.fork() == 0:
            os.setsid()
            tell_pid(os.getpid())
            os.write(told, b"x")
            wait_forever()
        os.read(ready, 1)
        os._exit(4)
        """)
      let error = await failure { _ = try await script.provider().search(try request()) }
      #expect(error?.message.contains("status 4") == true && error?.code == .connectionLost)
      await script.host.close()
      let own = try #require(script.processes.last)
      #expect(script.processes.count == 2 && isRunning(own))
      kill(own, SIGKILL)
      #expect(try await script.remains() == [])
    }

    /// A host that is itself killed cannot stop anything; a plugin then sees the end of its input, because no
    /// other process has the other end of the pipe.
    @Test func theInputBelongsToTheHost() async throws {
      let first = try ScriptedPlugin("hello()\nreceive()")
      let second = try ScriptedPlugin("hello()\nreceive()\nwait_forever()")
      try await first.provider().start(by: .now + .seconds(20))
      try await second.provider().start(by: .now + .seconds(20))
      #expect(await first.host.endingFaults(of: "hostile") == [])
      #expect(try await stillRunning(first.processes) == [])
      #expect(second.processes.allSatisfy(isRunning))
      #expect(try await second.remains() == [])
    }

    /// Signals do in the host what they did before. Other tests of this process ignore SIGPIPE at some time.
    @Test func theHostKeepsItsSignals() async throws {
      func handlers() -> [Int] {
        (1..<32).filter { $0 != SIGPIPE }.map { number in
          var action = sigaction()
          guard sigaction(Int32(number), nil, &action) == 0 else { return -1 }
          #if canImport(Darwin)
            return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
          #else
            return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
          #endif
        }
      }
      let before = handlers()
      let script = try ScriptedPlugin("hello()\nos.close(0)\ntime.sleep(0.2)\nsys.exit(3)")
      _ = await failure { _ = try await script.provider().search(try request()) }
      #expect(try await script.remains() == [])
      #expect(handlers() == before)
    }

    /// It gets three descriptors, a group of its own, its folder, and signals as they are at the start of a
    /// program.
    @Test func aCleanStart() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        fds = sorted(int(name) for name in os.listdir("/dev/fd"))
        blocked = [int(n) for n in signal.pthread_sigmask(signal.SIG_BLOCK, [])]
        usual = signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
        facts = {"fds": [n for n in fds if n < 3 or os.path.exists("/dev/fd/%d" % n)], "blocked": blocked, "usual": usual,
                 "leads": os.getpgid(0) == os.getpid(), "folder": os.getcwd(), "terminal": os.isatty(0)}
        answer(receive(), [item(0, fields=facts)])
        receive()
        """)
      let leak = open("/dev/null", O_RDONLY)
      defer { close(leak) }
      let fields = try #require(try await script.provider().search(try request()).items.first).fields
      #expect(fields["fds"] == .items([.number(0), .number(1), .number(2)]))
      #expect(fields["blocked"] == nil && fields["usual"] == .flag(true) && fields["leads"] == .flag(true))
      #expect(fields["folder"] == .text(script.plugin.folder) && fields["terminal"] == .flag(false))
      #expect(try await script.remains() == [])
    }

    /// What cannot be started is told as what it is.
    @Test(arguments: [
      (["no-such-program-of-anybody"], "which is not in PATH"),
      (["/no/such/program"], "which is not an executable program"),
      (["./main.py"], "which is not executable"),
    ]) func noProgram(_ command: [String], _ told: String) async throws {
      let script = try ScriptedPlugin("", manifest: ["command": .array(command.map(JSONTree.string))])
      let error = await failure { _ = try await script.provider().search(try request()) }
      #expect(
        error?.code == .configuration && error?.message.contains(told) == true, "\(String(describing: error))"
      )
      #expect(try await script.remains() == [])
    }

    /// A file that the system does not take for a program.
    @Test func noExecutable() async throws {
      let script = try ScriptedPlugin("", manifest: ["command": .array([.string("./odd")])])
      try script.directory.write("plugins/hostile/odd", "\u{0}\u{1}", mode: 0o755)
      let error = await failure { _ = try await script.provider().search(try request()) }
      #expect(
        error?.code == .local && error?.message.hasPrefix("the plugin Hostile could not be started: ") == true
      )
      #expect(try await script.remains() == [])
    }

    /// Ended before it has begun.
    @Test func endedAtOnce() async {
      let ended = Mutex<[PluginEnding]>([])
      let process = PluginProcess()
      process.stop(.zero)
      process.start(
        ChildLaunch("/bin/sh", environment: [:]),
        PluginProcess.Observer(
          output: { _ in }, log: { _ in }, due: { _ in nil },
          ended: { ending, _ in ended.withLock { $0.append(ending) } }))
      await process.waitForEnd()
      #expect(ended.withLock { $0 } == [.lost] && process.hasEnded)
    }

    /// Whatever is written arrives, also more than a pipe holds.
    @Test func inputOfAnySize() async throws {
      let output = Mutex(0)
      let process = PluginProcess()
      process.start(
        ChildLaunch("/bin/cat", environment: [:]),
        PluginProcess.Observer(
          output: { bytes in output.withLock { $0 += bytes.count } }, log: { _ in }, due: { _ in nil },
          ended: { _, _ in }))
      for _ in 0..<5 { process.send([UInt8](repeating: 7, count: 1 << 20)) }
      while output.withLock({ $0 }) < 5 << 20 { try await Task.sleep(for: .milliseconds(5)) }
      process.stop(PluginProcess.exitTimeout)
      await process.waitForEnd()
      #expect(output.withLock { $0 } == 5 << 20 && !process.wasSignalled)
    }

    /// A program that reads nothing is ended all the same.
    @Test func inputThatNobodyReads() async {
      let ended = Mutex<PluginEnding?>(nil)
      let (runs, output) = AsyncStream<Void>.makeStream()
      let process = PluginProcess()
      process.start(
        ChildLaunch(
          "/bin/sh", ["-c", "echo; exec sleep 3600"], environment: ["PATH": "/usr/bin:/bin"]),
        PluginProcess.Observer(
          output: { _ in output.yield() }, log: { _ in }, due: { _ in nil },
          ended: { ending, _ in ended.withLock { $0 = ending } }))
      for await _ in runs { break }
      process.send([UInt8](repeating: 7, count: 1 << 20))
      process.stop(PluginProcess.shutdownTimeout)
      await process.waitForEnd()
      #expect(ended.withLock { $0 } == .signalled(SIGTERM))
    }
  }
}

/// What is kept of standard error.
struct ErrorLogTests {
  private func fill(_ pieces: [String], secrets: [String] = []) -> (log: ErrorLog, lines: [String]) {
    var log = ErrorLog(SecretRedaction(secrets))
    var lines: [String] = []
    for piece in pieces { Array(piece.utf8).withUnsafeBytes { log.take($0) { lines.append($0) } } }
    log.finish { lines.append($0) }
    return (log, lines)
  }

  @Test(arguments: [
    (["a\nb\n"], ["a", "b"]), (["a", "b\n", "\nc"], ["ab", "", "c"]), (["a\r\nb"], ["a", "b"]), ([], []),
    (["\n\n"], ["", ""]),
  ]) func linesOfAnyPieces(_ pieces: [String], _ lines: [String]) {
    #expect(fill(pieces).lines == lines)
  }

  @Test func onlyTheLastLineIsKept() {
    let long = String(repeating: "x", count: 100_000)
    let (log, lines) = fill(Array(repeating: long + "\n", count: 20) + ["KeyError: 'url'\n \n"])
    #expect(lines.count == 22 && lines.allSatisfy { $0.utf8.count <= ErrorLog.lineLimit })
    #expect(log.lastLine(limit: 200) == "KeyError: 'url'" && log.lastLine(limit: 3) == "Key…")
    #expect(fill(["\n \n"]).log.lastLine(limit: 9) == nil)
    #expect(fill(["10 %\r20 %\r\r\n"]).log.lastLine(limit: 9) == "20 %")
  }

  /// A secret is masked whole, in whatever pieces it arrives and wherever the line is cut.
  @Test func secretsAreMasked() {
    let secret = "0123456789abcdef"
    let (log, lines) = fill(["a 01234567", "89abcdef b\n", "c " + secret], secrets: [secret])
    #expect(lines == ["a ••• b", "c •••"] && log.lastLine(limit: 9) == "c •••")
    for length in 4070...4100 {
      let lines = fill([String(repeating: "x", count: length) + secret + "\n"], secrets: [secret]).lines
      #expect(lines.count == 1 && !lines[0].contains("0"), "\(length)")
    }
  }
}
