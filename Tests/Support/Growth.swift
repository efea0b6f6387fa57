import Foundation

/// How the time of some work grows with its input.
public enum Growth {
  /// The limit for four times the input: linear work takes about four times as long, and quadratic work
  /// sixteen times.
  public static let limit = 9.0
  /// The measurements before work counts as slower than linear, because another program may have taken the
  /// caches of the processor.
  private static let attempts = 3
  /// The runs of one measurement, of which the shortest counts.
  private static let runs = 3

  /// How many times as long some work takes for four times the input; the least of a few measurements, and
  /// the first that is below the limit.
  ///
  /// - Parameters:
  ///   - size: A size for which the work takes at least a millisecond.
  ///   - input: Makes an input of a size, which is not measured.
  public static func factor<Input>(
    _ size: Int, of input: (Int) throws -> Input, work: (Input) throws -> Void
  ) rethrows -> Double {
    let inputs = (small: try input(size), large: try input(size * 4))
    var least = Double.infinity
    for _ in 0..<attempts where least >= limit {
      var (small, large) = (Double.infinity, Double.infinity)
      for _ in 0..<runs {
        small = min(small, try processorTime { try work(inputs.small) })
        large = min(large, try processorTime { try work(inputs.large) })
      }
      least = min(least, large / small)
    }
    return least
  }

  /// The seconds that this thread computes for some work; what runs beside it does not count.
  public static func processorTime(_ work: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    try work()
    return now() - start
  }
}
