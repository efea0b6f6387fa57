import CForageSupervisor
import ForageCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForagePluginHost

extension RunningPlugins {
  /// Programs and what is left of them.
  struct PluginProcessTests {
    /// A program that ignores whatever can be ignored, with a child that does, and on Linux one that has left
    /// for a session of its own.
    private static let stubborn = """
      for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
          signal.signal(number, signal.SIG_IGN)
      hello()
      if os.fork() == 0:
          tell_pid(os.getpid())
          wait_forever()
      if sys.platform == "linux" and os.fork() == 0:
          os.setsid()
          if os.fork() == 0:
              tell_pid(os.getpid())
              wait_forever()
          tell_pid(os.getpid())
          os._exit(0)

      """
    #if os(Linux)
      private static let stubbornCount = 4
    #else
      private static let stubbornCount = 2
    #endif

    /// Ignoring the end of input and signals helps nobody, whichever way it is ended.
    @Test(arguments: [true, false]) func nothingIsLeft(isHurried: Bool) async throws {
      let script = try ScriptedPlugin(Self.stubborn + "wait_forever()")
      try await script.provider().start(by: .now + .seconds(20))
      try await script.waitForProcesses(Self.stubbornCount)
      let processes = script.processes
      #expect(processes.contains { kill($0, 0) == 0 })
      if isHurried { await script.host.close() } else { _ = await script.host.endingFaults(of: "hostile") }
      #expect(processes.filter { kill($0, 0) == 0 } == [])
    }

    /// A program that ends by itself takes everything with it that it has started.
    @Test func theGroupEndsWithItsLeader() async throws {
      let script = try ScriptedPlugin(Self.stubborn + "receive()")
      let provider = script.provider()
      try await provider.start(by: .now + .seconds(20))
      try await script.waitForProcesses(Self.stubbornCount)
      let error = await failure { _ = try await provider.search(try request()) }
      #expect(error?.message.contains("status 0") == true && error?.code == .connectionLost)
      #expect(script.processes.filter { kill($0, 0) == 0 } == [])
    }

    /// The end of the host's side of the pipe, which is all that is left of a host that was killed, ends
    /// everything as well.
    @Test func aHostThatIsGone() async throws {
      let script = try ScriptedPlugin(Self.stubborn + "wait_forever()")
      let launch = try script.plugin.launch(environment: script.environment)
      var child = forage_supervised()
      let arguments: [UnsafeMutablePointer<CChar>?] = launch.arguments.map { strdup($0) } + [nil]
      let variables: [UnsafeMutablePointer<CChar>?] =
        launch.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
      defer { for text in arguments + variables { free(text) } }
      #expect(forage_supervise(launch.program, arguments, variables, launch.folder, &child) == 0)
      let greeting = Array(#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#.utf8) + [10]
      _ = greeting.withUnsafeBytes { System.write(child.input, $0) }
      try await script.waitForProcesses(Self.stubbornCount)
      System.close(child.control)
      while waitpid(child.supervisor, nil, 0) < 0, errno == EINTR {}
      #expect(script.processes.filter { kill($0, 0) == 0 } == [])
      for end in [child.input, child.output, child.error, child.status] { System.close(end) }
    }

    /// A plugin may kill what watches it; it gains nothing by that.
    @Test func theSupervisorMayBeKilled() async throws {
      let script = try ScriptedPlugin(
        "hello()\nreceive()\nos.kill(os.getppid(), signal.SIGKILL)\nwait_forever()")
      let error = await failure { _ = try await script.provider().search(try request()) }
      #expect(error?.message.contains("Hostile") == true && error?.code == .connectionLost)
      try await vanished(script)
    }

    #if os(Linux)
      /// Nor does what has left for a session of its own gain anything.
      @Test func whatLeftBeforeTheSupervisorWasKilled() async throws {
        let script = try ScriptedPlugin(
          """
          hello()
          receive()
          ready, told = os.pipe()
          if os.fork() == 0:
              os.setsid()
              if os.fork() == 0:
                  tell_pid(os.getpid())
                  os.write(told, b"x")
                  wait_forever()
              tell_pid(os.getpid())
              os.write(told, b"x")
              wait_forever()
          while len(os.read(ready, 1)) == 1 and len(open("pids").readlines()) < 3:
              pass
          os.kill(os.getppid(), signal.SIGKILL)
          wait_forever()
          """)
        let error = await failure { _ = try await script.provider().search(try request()) }
        #expect(error?.message.contains("Hostile") == true && error?.code == .connectionLost)
        #expect(script.processes.count == 3)
        #expect(await script.remains() == [])
      }
    #endif

    /// The same with a watcher that sleeps: it is woken, and does its work.
    @Test func theSupervisorMayBeStopped() async throws {
      let script = try ScriptedPlugin(
        "hello()\nos.kill(os.getppid(), signal.SIGSTOP)\nreceive()\nwait_forever()")
      let provider = script.provider()
      try await provider.start(by: .now + .seconds(20))
      let request = try request(within: .milliseconds(500))
      #expect(await failure { _ = try await provider.search(request) }?.code == .timeout)
      #expect(await script.remains() == [])
    }

    /// The same with one that is put to sleep again whenever it is woken: it is given up.
    @Test func theSupervisorMayBeKeptFromWork() async throws {
      let script = try ScriptedPlugin(
        """
        hello()
        watcher = os.getppid()
        while os.getppid() == watcher:
            os.kill(watcher, signal.SIGSTOP)
        """)
      let provider = script.provider()
      try await provider.start(by: .now + .seconds(20))
      let request = try request(within: .milliseconds(500))
      #expect(await failure { _ = try await provider.search(request) }?.code == .timeout)
      try await vanished(script)
    }

    /// Waits until the processes of a plugin have ended; without their watcher it is for the system to bury
    /// them.
    private func vanished(_ script: ScriptedPlugin) async throws {
      await script.host.close()
      let end = ContinuousClock.now + .seconds(60)
      while script.processes.contains(where: isRunning) {
        try #require(ContinuousClock.now < end, "\(script.processes) are still running")
        try await Task.sleep(for: .milliseconds(10))
      }
    }

    private func isRunning(_ process: pid_t) -> Bool {
      guard kill(process, 0) == 0 else { return false }
      guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
        return true
      }
      return !status.contains(") Z ")
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
      #expect(await script.remains() == [])
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
      #expect(await script.remains() == [])
    }

    /// A file that the system does not take for a program.
    @Test func noExecutable() async throws {
      let script = try ScriptedPlugin("", manifest: ["command": .array([.string("./odd")])])
      try script.directory.write("plugins/hostile/odd", "\u{0}\u{1}", mode: 0o755)
      let error = await failure { _ = try await script.provider().search(try request()) }
      #expect(
        error?.code == .local && error?.message.hasPrefix("the plugin Hostile could not be started: ") == true
      )
      #expect(await script.remains() == [])
    }

    /// Ended before it has begun.
    @Test func endedAtOnce() async {
      let ended = Mutex<[PluginEnding]>([])
      let process = PluginProcess()
      process.terminate(.immediate)
      await withCheckedContinuation { continuation in
        process.startThread(
          PluginLaunch(program: "/bin/sh", arguments: ["sh"], folder: "/", environment: [:]),
          observer: PluginProcess.Observer(
            output: { _ in }, log: { _ in }, due: { _ in nil },
            ended: { ending, _ in ended.withLock { $0.append(ending) } }))
        process.onExit { continuation.resume() }
      }
      #expect(ended.withLock { $0 } == [.lost] && process.isGone && !process.send([1]))
    }

    /// Whatever is written arrives, also more than a pipe holds, and what nobody reads is refused at some
    /// point.
    @Test func inputOfAnySize() async throws {
      let output = Mutex(0)
      let process = PluginProcess()
      process.startThread(
        PluginLaunch(program: "/bin/cat", arguments: ["cat"], folder: "/", environment: [:]),
        observer: PluginProcess.Observer(
          output: { bytes in output.withLock { $0 += bytes.count } }, log: { _ in }, due: { _ in nil },
          ended: { _, _ in }))
      let piece = [UInt8](repeating: 7, count: 1 << 20)
      for round in 1...5 {
        #expect(process.send(piece))
        while output.withLock({ $0 }) < round << 20 { try await Task.sleep(for: .milliseconds(5)) }
      }
      process.terminate(.gentle)
      await withCheckedContinuation { continuation in process.onExit { continuation.resume() } }
      #expect(output.withLock { $0 } == 5 << 20)

      let deaf = PluginProcess()
      deaf.startThread(
        PluginLaunch(program: "/bin/sleep", arguments: ["sleep", "3600"], folder: "/", environment: [:]),
        observer: PluginProcess.Observer(
          output: { _ in }, log: { _ in }, due: { _ in nil }, ended: { _, _ in }))
      var taken = 0
      while deaf.send(piece) { taken += piece.count }
      #expect(taken <= PluginProcess.inputLimit + (1 << 20))
      deaf.terminate(.immediate)
      await withCheckedContinuation { continuation in deaf.onExit { continuation.resume() } }
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
