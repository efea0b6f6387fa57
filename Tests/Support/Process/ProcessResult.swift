public import Foundation

/// How a child process ended, what it wrote and what it cost.
public struct ProcessResult: Sendable {
  /// The exit code; 128 + the signal's number when a signal ended it, as shells report it.
  public var status: Int32
  /// The signal that ended it.
  public var signal: Int32?
  /// True when the runner killed it because its time was up.
  public var timedOut: Bool
  /// True when a descendant still held the output open after the process itself had ended.
  public var outputLeftOpen: Bool
  /// Everything written to standard output (under a terminal: to the terminal).
  public var stdout: Data
  /// Everything written to standard error, unless that was the terminal.
  public var stderr: Data
  /// From just before the start until the end was seen.
  public var wallMilliseconds: Double
  /// Seconds of CPU time in user mode, with its waited-for children.
  public var userCPU: Double
  /// Seconds of CPU time in the kernel, with its waited-for children.
  public var systemCPU: Double
  /// Peak resident memory in KB.
  ///
  /// On Linux the kernel's own number starts at the parent's peak (a forked child inherits it until exec), so
  /// it is taken only where it is above the parent's; otherwise this is the highest of samples of `VmHWM`
  /// taken every `ProcessRunner.pollMilliseconds`, which can miss the last moments, and 0 if there was no
  /// sample.
  public var peakKB: Int

  /// Standard output as text, with invalid UTF-8 repaired.
  public var out: String { String(decoding: stdout, as: UTF8.self) }
  /// Standard error as text, with invalid UTF-8 repaired.
  public var err: String { String(decoding: stderr, as: UTF8.self) }
  /// The lines of standard output, without their ends; no empty line after the last end.
  public var outLines: [String] {
    var lines = out.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
