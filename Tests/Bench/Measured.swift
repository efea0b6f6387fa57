import ForagePlatform
import Foundation

/// What one run of a program cost.
struct Cost {
  /// Seconds from start to end.
  var wall: Double
  /// Seconds of processor time, user and system, of the program and its children.
  var cpu: Double
  /// Peak resident memory in bytes of the largest process.
  var memory: Double
}

/// A program with arguments and a complete environment.
struct Command {
  var executable: String
  var arguments: [String]
  var environment: [String: String]
  var folder = "."
  /// The status with which it ends.
  var status: Int32 = 0

  /// Runs the program with its output thrown away.
  ///
  /// - Throws: `BenchError` when it cannot be started or ends with another status than ``status``.
  func run() throws -> Cost {
    let before = ContinuousClock.now
    let pid = try spawn(output: nil)
    let usage = try wait(for: pid)
    let elapsed = ContinuousClock.now - before
    #if canImport(Darwin)
      let unit = 1.0
    #else
      let unit = 1024.0
    #endif
    return Cost(
      wall: elapsed / .seconds(1), cpu: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime),
      memory: Double(usage.ru_maxrss) * unit)
  }

  /// Starts the program.
  ///
  /// - Parameter output: The descriptor that becomes its standard output, `nil` to throw the output away.
  /// - Returns: The process id; the caller waits for it.
  /// - Throws: `BenchError` when it cannot be started.
  func spawn(output: Int32?) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var argv = ([executable] + arguments).map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    guard posix_spawn(&pid, executable, &actions, nil, &argv, &envp) == 0 else {
      throw BenchError("\(executable) cannot be started")
    }
    return pid
  }

  /// Waits for the end of the program.
  ///
  /// - Throws: `BenchError` when it ended with another status than ``status``.
  @discardableResult
  func wait(for pid: pid_t) throws -> rusage {
    var end: Int32 = 0
    var usage = rusage()
    while wait4(pid, &end, 0, &usage) < 0 && errno == EINTR {}
    // As `WIFEXITED` and `WEXITSTATUS` of wait.h.
    guard end == status << 8 else {
      throw BenchError(
        "\(([executable] + arguments).joined(separator: " ")) ended with wait status \(end)")
    }
    return usage
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}

/// Why a measurement could not be made.
struct BenchError: Error {
  var message: String
  init(_ message: String) { self.message = message }
}

/// The middle and the ends of several figures.
struct Spread {
  var median: Double
  var low: Double
  var high: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    median = sorted.isEmpty ? .nan : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    low = sorted.first ?? .nan
    high = sorted.last ?? .nan
  }
}
