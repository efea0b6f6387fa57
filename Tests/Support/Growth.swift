/// How the time of some work grows with its input.
public enum Growth {
  /// The limit for four times the input: linear work takes about four times as long, and quadratic work
  /// sixteen times.
  public static let limit = 9.0
  /// The measurements before work counts as slower than linear, because another program may have taken the
  /// time.
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
      var (small, large) = (Duration.seconds(1_000), Duration.seconds(1_000))
      for _ in 0..<runs {
        small = min(small, try ContinuousClock().measure { try work(inputs.small) })
        large = min(large, try ContinuousClock().measure { try work(inputs.large) })
      }
      least = min(least, large / small)
    }
    return least
  }
}
