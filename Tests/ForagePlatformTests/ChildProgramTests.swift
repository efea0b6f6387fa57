import ForagePlatform
import Foundation
import TestSupport
import Testing

/// What programs get that are started, and how they end.
struct ChildProgramTests {
  private static let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]

  private func shell(_ script: String, _ group: ChildLaunch.Group = .own, folder: String? = nil)
    -> ChildLaunch
  {
    ChildLaunch(
      "/bin/sh", ["-c", script], environment: Self.environment, folder: folder, group: group, output: .pipe,
      error: .pipe)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// The numbers of processes that a script has printed and that run, apart from those that ended and were
  /// not waited for; waits for their end.
  private func running(_ output: [UInt8]) async throws -> [pid_t] {
    let processes = text(output).split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }
    #expect(!processes.isEmpty)
    func isRunning(_ process: pid_t) -> Bool {
      guard kill(process, 0) == 0 else { return false }
      let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return status.map { !$0.contains(") Z ") } ?? true
    }
    let end = ContinuousClock.now + .seconds(60)
    while processes.contains(where: isRunning), ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(10))
    }
    return processes.filter(isRunning)
  }

  #if os(Linux)
    /// Each has its standard streams alone, though others start at the same time and this process has more.
    @Test func nothingIsInherited() async throws {
      let leak = open("/dev/null", O_RDONLY)
      defer { close(leak) }
      let seen = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<100 {
          group.addTask {
            // The shell lists its own descriptors: a program that it started would have one for the folder.
            let script = "for fd in /proc/$$/fd/*; do [ -e $fd ] && echo ${fd##*/}; done"
            var launch = shell(script)
            launch.error = .none
            return text(try await ChildProgram.run(launch, input: number % 2 == 0 ? "x" : nil).output)
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(seen == ["0\n1\n2\n"])
    }

    /// No signal is ignored or blocked, whatever the thread does that starts it.
    @Test(arguments: [ChildLaunch.Group.own, .shared, .session])
    func signals(_ group: ChildLaunch.Group) throws {
      signal(SIGPIPE, SIG_IGN)
      var (blocked, before) = (sigset_t(), sigset_t())
      sigfillset(&blocked)
      pthread_sigmask(SIG_SETMASK, &blocked, &before)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      let launch = ChildLaunch(
        "/bin/cat", ["/proc/self/status"], environment: [:], group: group, output: .pipe)
      let lines = text(try ChildProgram().collect(launch, grace: .zero).output).split(separator: "\n")
      for name in ["SigBlk", "SigIgn"] { #expect(lines.contains("\(name):\t0000000000000000")) }
    }
  #endif

  /// The group ends as a whole, whatever it ignores.
  @Test(arguments: [ChildLaunch.Group.own, .session]) func timeLimit(_ group: ChildLaunch.Group) async throws
  {
    let result = try await ChildProgram.run(
      shell("trap '' TERM; sleep 3600 & echo $! $$; (sleep 3600 & echo $!; wait) & wait; wait", group),
      timeLimit: .seconds(2))
    #expect(result.stop == .late && result.ending == .signalled(SIGKILL))
    #expect(try await running(result.output) == [])
  }

  /// A child ends with the program that is stopped, also where it ignores what ends the program.
  @Test(arguments: [ChildLaunch.Group.own, .session])
  func childrenOfAStoppedProgram(_ group: ChildLaunch.Group) async throws {
    let result = try await ChildProgram.run(
      shell("(trap '' TERM; exec sleep 3600) & echo $!; wait", group), timeLimit: .seconds(2))
    #expect(result.stop == .late && result.ending == .signalled(SIGTERM))
    #expect(try await running(result.output) == [])
  }

  @Test func cancellation() async throws {
    let folder = try TemporaryDirectory()
    let task = Task {
      try await ChildProgram.run(
        shell("sleep 3600 & echo $! $$; : > started; wait", folder: folder.path))
    }
    while !FileManager.default.fileExists(atPath: folder.path("started")) {
      try await Task.sleep(for: .milliseconds(5))
    }
    task.cancel()
    let result = try await task.value
    #expect(result.stop == .cancelled && !result.isSuccess)
    #expect(try await running(result.output) == [])
    // One that was cancelled before is not started.
    let never = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await ChildProgram.run(shell(": > never", folder: folder.path))
    }
    never.cancel()
    #expect(try await never.value.ending == .lost)
    #expect(!FileManager.default.fileExists(atPath: folder.path("never")))
  }

  /// One that goes on in the background, with the pipes, keeps nobody waiting.
  @Test func aChildInTheBackground() async throws {
    let result = try await ChildProgram.run(shell("sleep 3600 & echo $!"))
    #expect(result.isSuccess)
    let process = try #require(pid_t(text(result.output).trimmingCharacters(in: .newlines)))
    #expect(kill(process, SIGKILL) == 0)
  }

  /// Input that is not read ends nothing here, and what is read arrives as a whole.
  @Test func input() async throws {
    let long = String(repeating: "ü", count: 1 << 20)
    #expect(try await ChildProgram.run(shell("exit 3"), input: long).ending == .exited(3))
    #expect(try await ChildProgram.run(shell("exec <&-; sleep 0.1"), input: long).isSuccess)
    #expect(text(try await ChildProgram.run(shell("exec cat"), input: long).output) == long)
    #expect(try await ChildProgram.run(shell("exec cat"), input: "").output == [])
  }

  @Test func outputLimit() async throws {
    let result = try await ChildProgram.run(shell("echo $$; exec yes"), outputLimit: 1000)
    #expect(result.stop == .tooLong && result.output.count < 1 << 20)
    let exact = try await ChildProgram.run(shell("printf 12345; printf 6 >&2"), outputLimit: 5)
    #expect(exact.isSuccess && text(exact.output) == "12345" && text(exact.error) == "6")
  }

  /// A program or folder that cannot be used is named with the reason.
  @Test func failures() async throws {
    let folder = try TemporaryDirectory()
    let plain = try folder.write("plain", "#!/bin/sh\n").path
    let odd = try folder.write("odd", "\u{0}\u{1}", mode: 0o755).path
    for (launch, path, code) in [
      (ChildLaunch(folder.path("none"), environment: [:]), folder.path("none"), ENOENT),
      (ChildLaunch(plain, environment: [:]), plain, EACCES),
      (ChildLaunch(odd, environment: [:]), odd, ENOEXEC),
      (shell("true", folder: folder.path("gone")), folder.path("gone"), ENOENT),
      (shell("true", folder: plain), plain, ENOTDIR),
      (shell("a\u{0}b"), "/bin/sh", EINVAL),
    ] {
      await #expect { try await ChildProgram.run(launch) } throws: { error in
        let failure = error as? ChildFailure
        return failure?.path == path && failure?.code == code
      }
    }
    // One that is still open for writing is tried again.
    let busy = try folder.write("busy", "#!/bin/sh\necho ok\n", mode: 0o755).path
    let writing = open(busy, O_WRONLY)
    OwnThread.start {
      usleep(20_000)
      close(writing)
    }
    let launch = ChildLaunch(busy, environment: [:], output: .pipe)
    #expect(text(try await ChildProgram.run(launch).output) == "ok\n")
  }

  /// Any folder and argument, and streams that are this process's own.
  @Test func foldersAndStreams() async throws {
    let folder = try TemporaryDirectory()
    let name = "ключ ü\n'\""
    try folder.write(name + "/file", "")
    let script = shell("pwd; ls; printf '%s' \"$1\"", folder: folder.path(name))
    var launch = script
    launch.arguments += ["sh", name]
    #expect(
      text(try await ChildProgram.run(launch).output) == folder.path(name) + "\nfile\n" + name)
    let file = open(folder.path("output"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    launch = shell("echo 1; echo 2 >&2")
    (launch.output, launch.error) = (.descriptor(file), .descriptor(file))
    #expect(try await ChildProgram.run(launch).isSuccess)
    #expect(try String(contentsOfFile: folder.path("output"), encoding: .utf8) == "1\n2\n")
  }

  /// Nothing of a program stays open here.
  @Test func aThousandPrograms() throws {
    for _ in 0..<1000 { _ = try ChildProgram().collect(shell(":"), grace: .zero) }
    // Others of the tests have some open as well.
    let last = dup(STDIN_FILENO)
    defer { close(last) }
    #expect(last < 1000)
  }

  /// Cancellation that is asked for ends a program whose output goes on, and one that is silent.
  @Test(arguments: ["exec sleep 3600", "exec yes"]) func checkedCancellation(_ script: String) throws {
    var asked = 0
    let result = try ChildProgram().collect(shell(script), grace: .zero, checking: .milliseconds(1)) {
      asked += 1
      return asked > 3
    }
    #expect(result.stop == .cancelled && !result.isSuccess)
  }

  /// Programs are found in absolute folders alone, and only files that can be run.
  @Test func searching() throws {
    let folder = try TemporaryDirectory()
    let program = try folder.write("b ü/tool", "", mode: 0o755).path
    try folder.write("a/tool", "")
    try folder.write("c/tool/folder", "")
    let path = ["a", "c", "none", "b ü"].map(folder.path).joined(separator: ":")
    #expect(programPath("tool", environment: ["PATH": ".::" + path]) == program)
    #expect(programPath("sh", environment: ["PATH": ""]) == nil)
    #expect(programPath("sh", environment: [:]) != nil)
    #expect(programPath("sh", environment: ["PATH": ".:../../../../bin:bin"]) == nil)
    #expect(programPath(program, environment: [:]) == program)
    #expect(programPath(folder.path("a/tool"), environment: [:]) == nil)
  }
}
